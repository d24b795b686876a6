"""What the page of others' reports says is provoked: each test that it names is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "reported.md"
NAMED = re.compile(r"`(tests/[\w/]+\.py)?::(\w+)`")


def named() -> list[tuple[str, str]]:
    """File and name of each test in the page; a name without its file is in the one named before."""
    found, file = [], ""
    for given, name in NAMED.findall(PAGE.read_text(encoding="utf-8")):
        file = given or file
        found.append((file, name))
    return found


@cache
def functions_of(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_every_row_names_a_test() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 12
    assert all(NAMED.search(row) for row in rows)


@pytest.mark.parametrize(("file", "name"), named())
def test_each_test_that_is_named_is_there(file: str, name: str) -> None:
    assert name in functions_of(ROOT / file)

"""The form that every module keeps: size, one told idea, names, and no hidden state."""

import ast
import re

import pytest

from companion import __version__
from tests.conftest import ROOT
from tests.sources import Module, all_modules

MODULE_LINES_LIMIT = 500
VAGUE_NAMES = re.compile(r"(^|_)(utils?|helpers?|managers?|misc|common)(_|$)")


@pytest.fixture(params=all_modules(), ids=str)
def module(request: pytest.FixtureRequest) -> Module:
    """Each module in turn."""
    found = request.param
    assert isinstance(found, Module)
    return found


def test_module_is_short(module: Module) -> None:
    lines = module.text.count("\n")
    assert lines <= MODULE_LINES_LIMIT, f"{module.path} has {lines} lines: split it by ideas"


def test_module_tells_its_idea_first(module: Module) -> None:
    docstring = ast.get_docstring(module.tree)
    assert docstring, f"{module.path} begins without a docstring"
    assert docstring.splitlines()[0].strip(), f"{module.path}: the idea belongs in the first line"


def test_module_has_a_telling_name(module: Module) -> None:
    assert not VAGUE_NAMES.search(module.name.rpartition(".")[2]), f"{module.name} says nothing of its idea"


def test_module_keeps_no_global_state(module: Module) -> None:
    rebound = [node.lineno for node in ast.walk(module.tree) if isinstance(node, ast.Global)]
    assert not rebound, f"{module.path} rebinds globals in lines {rebound}"


def test_module_speaks_of_no_machine(module: Module) -> None:
    assert not re.search(r"/(work|home|root)/", module.text), f"{module.path} names a folder of one machine"


def test_all_packages_are_found() -> None:
    names = {module.name for module in all_modules()}
    assert {"companion", "companion.cli.main", "companion.game"} <= names
    assert len(names) == len(all_modules())


def test_changelog_tells_of_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[([^\]]+)\]", text, flags=re.MULTILINE)
    assert headings, "CHANGELOG.md has no section"
    assert headings[0] == "Unreleased" or headings[0] == __version__

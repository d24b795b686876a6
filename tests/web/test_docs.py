"""docs/api.md tells of every address, intent, field and code."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.store.history import StoredGames
from companion.table.conductor import Table
from companion.web import create_app
from companion.web.errors import CODES
from companion.web.setup_desk import SetupDesk, SetupPort
from tests.conftest import ROOT
from tests.web.table_at_hand import StillCamera, table_at_hand
from tests.web.test_api import TYPES

TEXT = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.fixture
def table() -> Iterator[Table]:
    with table_at_hand() as running:
        yield running


@pytest.fixture
def app(table: Table, tmp_path: Path) -> Flask:
    desk = SetupDesk(SetupPort(StillCamera().capture, dict, lambda _profile: None))
    return create_app(table, setup=desk, history=StoredGames(tmp_path / "table.db"))


def test_every_address_is_told_of(app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        address = rule.rule.replace("<int:", "<").replace("<picture_id>", "<id>")
        shown = address.replace("<path:filename>", "…")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            assert f"`{method} {shown}`" in TEXT, shown


@pytest.mark.parametrize("kind", TYPES.split())
def test_every_intent_is_told_of(kind: str) -> None:
    assert f"`{kind}`" in TEXT


def test_every_field_of_the_snapshot_is_told_of(table: Table) -> None:
    for field in table.snapshot().to_json():
        assert f"`{field}`" in TEXT


@pytest.mark.parametrize(
    "code",
    [
        *CODES.values(),
        "wrong_host",
        "wrong_origin",
        "bad_intent",
        "stale",
        "streams_full",
        "too_many",
        "not_paired",
        "pairing_busy",
        "bad_name",
        "too_many_phones",
        "phones_fault",
        "no_odds",
        "history_fault",
    ],
)
def test_every_code_is_told_of(code: str) -> None:
    assert f"`{code}`" in TEXT

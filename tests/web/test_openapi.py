"""The published description: complete, true, and asked in all the ways it allows and forbids."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from companion.pairing.door import Door
from companion.store.history import StoredGames
from companion.store.journal import SqliteJournal
from companion.store.phones import StoredPhones
from companion.table.conductor import Table
from companion.table.intents import IntentError, parse_intent
from companion.web import create_app
from companion.web.openapi import describe
from companion.web.openapi.description import OPERATIONS, WHOLE_NUMBERS, Operation
from companion.web.openapi.schemas import INTENT_FIELDS
from companion.web.pairing import COOKIE
from companion.web.service import service_pages
from companion.web.setup_desk import SetupDesk, SetupPort
from tests.conftest import ROOT
from tests.web.table_at_hand import PlainClock, StillCamera, ToldReader, card, dice, table_at_hand

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
FUZZ = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.function_scoped_fixture,
    ],
)


@dataclass(frozen=True)
class Place:
    """A table with everything that has an address, one paired phone, and a game under way."""

    app: Flask
    table: Table
    door: Door
    token: str


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    reader = ToldReader()
    reader.tell("rrrbgg")
    path = tmp_path_factory.mktemp("openapi") / "table.db"
    with SqliteJournal(path) as journal, table_at_hand(reader) as table:
        door = Door(StoredPhones(journal.path), PlainClock())
        token = door.ask("Ana's phone")
        door.let_in()
        desk = SetupDesk(SetupPort(StillCamera().capture, dict, lambda _profile: None, None, lambda: None))
        app = create_app(table, door=door, history=StoredGames(journal.path), setup=desk)
        app.register_blueprint(service_pages(list, lambda: ["http://10.0.0.7:8000/"], lambda: None))
        yield Place(app, table, door, token)


@pytest.fixture(scope="module")
def api(place: Place) -> Any:
    # The stream never ends by itself; tests of the server read it.
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", place.app)
    return schema.exclude(path="/api/stream")


def ways() -> Iterator[tuple[Operation, GenerationMode]]:
    """Each operation as described, and where anything can be sent, also otherwise."""
    for one in OPERATIONS:
        if one.path != "/api/stream":
            yield one, GenerationMode.POSITIVE
            # Any text is allowed in a path where a text is.
            numbers = any(f"{{{name}}}" in one.path for name in WHOLE_NUMBERS)
            if one.body is not None or one.query or numbers:
                yield one, GenerationMode.NEGATIVE


@pytest.fixture(params=ways(), ids=lambda way: f"{way[0].method} {way[0].path} {way[1].value}")
def cases(request: pytest.FixtureRequest, api: Any) -> Any:
    operation, mode = request.param
    return api[operation.path][operation.method.upper()].as_strategy(generation_mode=mode)


def test_unpaired_nothing_changes_whatever_is_asked(cases: Any, place: Place) -> None:
    before, phones = place.table.snapshot(), place.door.phones()

    @FUZZ
    @given(case=cases)
    def ask(case: Any) -> None:
        case.call_and_validate(checks=CHECKS, cookies={COOKIE: "no such token"})
        assert place.table.snapshot() is before
        assert place.door.phones() == phones

    ask()


def test_paired_never_a_fault_whatever_is_asked(cases: Any, place: Place) -> None:
    @FUZZ
    @given(case=cases)
    def ask(case: Any) -> None:
        case.call_and_validate(checks=CHECKS, cookies={COOKIE: place.token})

    ask()


def test_a_game_is_played_as_described(api: Any, place: Place) -> None:
    """Answers of a real course of play have the shape that is described, each phase among them."""
    client = place.app.test_client()
    client.set_cookie(COOKIE, place.token)
    operation = api["/api/snapshot"]["GET"]
    phases = set()

    def ask(**intent: Any) -> None:
        revision = client.get("/api/snapshot").get_json()["revision"]
        answer = client.post("/api/intents", json={"revision": revision, "intent": intent})
        assert answer.status_code == 200, answer.get_json()
        shown = operation.Case().call(cookies={COOKIE: place.token})
        operation.validate_response(shown)
        phases.add(shown.json()["phase"])

    if place.table.snapshot().game is not None:
        ask(type="abandon_game")
    ask(type="start_game", players=["Ana", "Ben"], first=0, hidden=False)
    for holder, sizes in enumerate(((3,), (4,), (6,))):
        ask(type="name_card", holder=holder, card=card(*sizes, action="theft" if holder else None))
    ask(type="enter_throw", dice=dice("rrrbgg"))
    ask(type="take", holder=0, change=None)
    ask(type="enter_throw", dice=dice("rrrrgg"))
    ask(type="name_card", holder=0, card=card(5))
    ask(type="take", holder=1, change=None)
    assert {"throw", "decide", "card_needed", "action"} <= phases


def test_every_address_of_the_api_is_described(place: Place) -> None:
    there = {
        (method.lower(), re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in place.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/")
    }
    assert there == {(operation.method, operation.path) for operation in OPERATIONS}


def test_every_intent_described_is_known_and_none_is_missing(place: Place) -> None:
    unknown = []
    for kind in INTENT_FIELDS:
        try:
            parse_intent({"type": kind}, place.table.terms)
        except IntentError as error:
            unknown += [kind] if "names no intent" in error.sentence else []
    assert unknown == []
    text = (
        (ROOT / "docs" / "api.md").read_text("utf-8").partition("## Intents")[2].partition("## Snapshot")[0]
    )
    told = {
        kind
        for row in re.findall(r"^\| ((?:`\w+` ?)+)\|", text, re.M)
        for kind in re.findall(r"`(\w+)`", row)
    }
    assert told == set(INTENT_FIELDS)


def test_what_needs_pairing_is_said_and_is_so(place: Place) -> None:
    stranger = place.app.test_client()
    for operation in OPERATIONS:
        if operation.path == "/api/stream":
            continue
        address = re.sub(r"\{seat\}|\{step\}|\{number\}", "0", re.sub(r"\{\w*_id\}", "x", operation.path))
        answer = stranger.open(address, method=operation.method.upper(), json={})
        assert (answer.status_code == 403) is operation.needs_pairing, operation


def test_the_published_file_is_the_description() -> None:
    published = json.loads((ROOT / "docs" / "openapi.json").read_text("utf-8"))
    assert published == json.loads(json.dumps(describe())), (
        "python -m companion.web.openapi > docs/openapi.json"
    )


def test_references_lead_somewhere() -> None:
    text = json.dumps(describe())
    named = set(re.findall(r"#/components/schemas/(\w+)", text))
    assert named == set(describe()["components"]["schemas"])

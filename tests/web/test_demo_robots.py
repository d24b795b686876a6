"""Robots at the demo: seated by its route, offered by its lobby alone, playing through the real reading."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.cli.demo_table import Demo, drawn_eye
from companion.game.deck import default_deck
from companion.store.memory import MemoryJournal
from companion.web import create_app
from tests.web.demo_person import Person
from tests.web.table_at_hand import table_at_hand

DECK = default_deck().cards


@pytest.fixture(scope="module")
def person() -> Iterator[Person]:
    with Demo(MemoryJournal(), DECK, eye=drawn_eye(DECK), seed=3) as demo:
        yield Person(demo, demo.app.test_client())


def test_only_the_demo_offers_robots(person: Person) -> None:
    assert 'data-robots="greedy planning"' in person.client.get("/").text
    with table_at_hand() as table:
        assert 'data-robots=""' in create_app(table).test_client().get("/").text


@pytest.mark.parametrize(
    "body", [{}, {"player": ""}, {"player": "x" * 41}, {"player": 3}, {"player": "Robo", "kind": "wild"}]
)
def test_what_seats_nobody_is_told(person: Person, body: dict[str, object]) -> None:
    answer = person.client.post("/demo/robots", json=body)
    assert answer.status_code == 400
    assert answer.get_json()["code"] == "bad_request"
    assert person.state()["robots"] == {}


def test_a_robot_throws_and_presses_by_itself(person: Person) -> None:
    person.act("robots", player="Robo", kind="planning")
    assert person.state()["robots"] == {"Robo": "planning"}
    person.ask("start_game", players=["Robo", "Ana"], first=0, hidden=False)
    now = person.until("throw", "reading", "doubt")
    assert now["game"]["dice"] is not None
    person.act("robots", player="Robo", kind=None)
    assert person.state()["robots"] == {}

"""Who may act: every change needs a paired phone, however it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.pairing.door import Door
from companion.store.history import StoredGames
from companion.store.journal import SqliteJournal
from companion.store.phones import StoredPhones
from companion.table.conductor import Table
from companion.table.gestures import Gesture
from companion.web import create_app
from companion.web.pairing import ASKING, COOKIE
from tests.web.table_at_hand import PlainClock, table_at_hand

START = {"type": "start_game", "players": ["Ana", "Ben"], "first": 0, "hidden": True}


@pytest.fixture
def table() -> Iterator[Table]:
    with table_at_hand() as running:
        yield running


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    with SqliteJournal(tmp_path / "table.db") as journal:
        yield journal.path


@pytest.fixture
def door(path: Path) -> Door:
    return Door(StoredPhones(path), PlainClock())


@pytest.fixture
def app(table: Table, door: Door, path: Path) -> Flask:
    return create_app(table, door=door, history=StoredGames(path))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def act(client: FlaskClient, intent: dict[str, Any] = START) -> tuple[int, Any]:
    revision = client.get("/api/snapshot").get_json()["revision"]
    answer = client.post("/api/intents", json={"revision": revision, "intent": intent})
    return answer.status_code, answer.get_json().get("code")


def joined(client: FlaskClient, door: Door, name: str = "Ana's phone") -> None:
    assert client.post("/api/pairing", json={"name": name}).get_json()["you"] == "waiting"
    assert door.hears(Gesture.PRESS)
    assert client.get("/api/pairing").get_json()["you"] == "paired"


def test_looking_is_free_and_acting_is_not(client: FlaskClient, table: Table) -> None:
    before = table.snapshot()
    assert client.get("/").status_code == 200
    assert client.get("/api/pairing").get_json()["you"] == "viewer"
    assert act(client) == (403, "not_paired")
    assert table.snapshot() is before


def test_a_press_lets_the_phone_that_asked_act(app: Flask, client: FlaskClient, door: Door) -> None:
    asked = client.post("/api/pairing", json={"name": "Ana's phone"})
    assert asked.get_json()["waiting"] == {
        "name": "Ana's phone",
        "left_s": pytest.approx(60, abs=5),
        "yours": True,
    }
    assert act(client) == (403, "not_paired")
    other = app.test_client()
    assert other.get("/api/pairing").get_json()["waiting"]["yours"] is False
    door.let_in()
    assert act(other) == (403, "not_paired")
    assert act(client) == (200, None)
    assert client.get("/api/pairing").get_json()["name"] == "Ana's phone"


def test_the_cookie_is_careful_and_lasts(client: FlaskClient, door: Door) -> None:
    cookie = client.post("/api/pairing", json={"name": "phone"}).headers["Set-Cookie"]
    for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=34560000"):
        assert part in cookie
    door.let_in()
    assert COOKIE in client.get("/api/pairing").headers["Set-Cookie"], "each visit makes it last anew"
    secure = client.post("/api/pairing", json={"name": "x"}, base_url="https://localhost")
    assert "Secure" in secure.headers["Set-Cookie"]


def test_a_phone_s_own_press_opens_nothing(app: Flask, client: FlaskClient, door: Door) -> None:
    joined(client, door)
    other = app.test_client()
    other.post("/api/pairing", json={"name": "Mallory"})
    for kind in ("press", "hold", "long_hold"):
        act(client, {"type": kind})
    assert other.get("/api/pairing").get_json()["you"] == "waiting"


def test_paired_phones_are_listed_and_removed(app: Flask, client: FlaskClient, door: Door) -> None:
    assert client.get("/api/phones").get_json()["code"] == "not_paired"
    joined(client, door)
    other = app.test_client()
    joined(other, door, "<b>Ben</b>")
    phones = client.get("/api/phones").get_json()["phones"]
    assert [(phone["name"], phone["you"]) for phone in phones] == [
        ("Ana's phone", True),
        ("<b>Ben</b>", False),
    ]
    left = client.delete(f"/api/phones/{phones[1]['id']}", json={}).get_json()["phones"]
    assert [phone["name"] for phone in left] == ["Ana's phone"]
    assert act(other) == (403, "not_paired")
    assert client.delete("/api/phones/none", json={}).status_code == 404


def test_phones_stay_paired_over_a_restart(client: FlaskClient, door: Door, path: Path, table: Table) -> None:
    joined(client, door)
    later = create_app(table, door=Door(StoredPhones(path), PlainClock())).test_client()
    kept = client.get_cookie(COOKIE)
    assert kept is not None
    later.set_cookie(COOKIE, kept.value)
    assert act(later) == (200, None)


def test_hidden_hands_are_for_those_who_play(app: Flask, client: FlaskClient, door: Door) -> None:
    joined(client, door)
    act(client)
    assert client.get("/api/hands/0").status_code == 200
    assert app.test_client().get("/api/hands/0").get_json()["code"] == "not_paired"


@pytest.mark.parametrize("body", ["name", [], {}, {"name": 7}, {"name": ""}, {"name": "x" * 41}], ids=str)
def test_what_is_no_name(client: FlaskClient, body: object) -> None:
    answer = client.post("/api/pairing", json=body)
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_name")


def test_two_at_once_and_taking_back(app: Flask, client: FlaskClient, door: Door) -> None:
    client.post("/api/pairing", json={"name": "Ana"})
    busy = app.test_client().post("/api/pairing", json={"name": "Ben"})
    assert (busy.status_code, busy.get_json()["code"]) == (409, "pairing_busy")
    assert client.delete("/api/pairing", json={}).get_json()["you"] == "viewer"
    assert not door.hears(Gesture.PRESS)


def test_every_route_that_changes_something_is_kept(app: Flask, client: FlaskClient) -> None:
    changing = [
        (method, rule)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}
        if rule.endpoint not in ASKING
    ]
    assert changing
    for method, rule in changing:
        address = rule.rule.replace("<phone_id>", "x").replace("<int:seat>", "0")
        answer = client.open(address, method=method, json={})
        assert (answer.status_code, answer.get_json()["code"]) == (403, "not_paired"), address


def test_without_a_door_everybody_may(table: Table) -> None:
    client = create_app(table).test_client()
    assert client.get("/api/pairing").get_json() == {
        "needed": False,
        "you": "paired",
        "name": None,
        "waiting": None,
        "sentence": None,
    }
    assert act(client) == (200, None)
    assert client.get("/api/phones").get_json() == {"phones": []}

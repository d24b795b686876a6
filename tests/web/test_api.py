"""The API: snapshot, intents, picture, cards, hands; and what is refused before it reaches the table."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from companion.table.conductor import Table
from companion.web import create_app
from companion.web.app import BODY_LIMIT_BYTES
from tests.web.table_at_hand import ToldReader, card, dice, table_at_hand


@pytest.fixture
def reader() -> ToldReader:
    return ToldReader()


@pytest.fixture
def table(reader: ToldReader) -> Iterator[Table]:
    with table_at_hand(reader) as running:
        yield running


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(table, allowed_hosts=["Spieltisch.example"]).test_client()


def ask(client: FlaskClient, revision: int | None = None, **intent: Any) -> TestResponse:
    seen = client.get("/api/snapshot").json["revision"] if revision is None else revision  # type: ignore[index]
    return client.post("/api/intents", json={"revision": seen, "intent": intent})


def started(client: FlaskClient, *, hidden: bool = False) -> None:
    ask(client, type="start_game", players=["Ana", "Ben"], first=0, hidden=hidden)
    for holder, sizes in enumerate(((3, 2), (4,), (6,))):
        answer = ask(client, type="name_card", holder=holder, card=card(*sizes))
        assert answer.status_code == 200


def json_of(answer: TestResponse) -> dict[str, Any]:
    body = answer.get_json()
    assert isinstance(body, dict)
    return body


def test_snapshot_has_its_revision_as_etag(client: FlaskClient) -> None:
    first = client.get("/api/snapshot")
    assert first.headers["ETag"] == f'"{json_of(first)["revision"]}"'
    again = client.get("/api/snapshot", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    ask(client, type="start_game", players=["Ana", "Ben"], first=1, hidden=False)
    newer = client.get("/api/snapshot", headers={"If-None-Match": first.headers["ETag"]})
    assert newer.status_code == 200
    assert json_of(newer)["game"]["seat"] == 1


def test_an_accepted_intent_is_answered_with_the_new_snapshot(client: FlaskClient) -> None:
    started(client)
    answer = json_of(ask(client, type="enter_throw", dice=dice("rrrbgg")))
    assert answer["accepted"] is True
    assert [holder["light"] for holder in answer["snapshot"]["game"]["holders"]] == ["yes", "change", None]


def test_what_the_rules_refuse_is_a_conflict_with_a_code(client: FlaskClient) -> None:
    started(client)
    answer = ask(client, type="take", holder=0, change=None)
    body = json_of(answer)
    assert (answer.status_code, body["accepted"], body["code"]) == (409, False, "wrong_stage")
    assert body["sentence"]
    assert body["snapshot"]["phase"] == "throw"


def test_a_stale_intent_is_answered_with_what_is_true_now(client: FlaskClient) -> None:
    started(client)
    seen = json_of(client.get("/api/snapshot"))["revision"]
    ask(client, type="enter_throw", dice=dice("rrrbgg"))
    answer = ask(client, revision=seen, type="enter_throw", dice=dice("yyyyyy"))
    body = json_of(answer)
    assert (answer.status_code, body["code"]) == (409, "stale")
    assert [die["colour"] for die in body["snapshot"]["game"]["dice"]][:3] == ["red"] * 3


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        {"revision": 1},
        {"intent": {"type": "press"}},
        {"revision": "1", "intent": {"type": "press"}},
        {"revision": True, "intent": {"type": "press"}},
        {"revision": 1, "intent": "press"},
        {"revision": 1, "intent": {"type": "dance"}},
        {"revision": 1, "intent": {"type": "take", "holder": 3, "change": None}},
        {"revision": 1, "intent": {"type": "start_game", "players": ["Ana"], "first": 0, "hidden": False}},
    ],
    ids=str,
)
def test_what_is_no_intent_is_a_bad_request_with_a_sentence(client: FlaskClient, body: object) -> None:
    answer = client.post("/api/intents", json=body)
    assert answer.status_code == 400
    assert json_of(answer)["code"] == "bad_intent"
    assert json_of(answer)["sentence"]


def test_json_that_is_broken_is_a_bad_request(client: FlaskClient) -> None:
    answer = client.post("/api/intents", data=b'{"revision":', content_type="application/json")
    assert (answer.status_code, json_of(answer)["code"]) == (400, "bad_request")


@pytest.mark.parametrize("path", ["/api/intents", "/api/pairing"])
@pytest.mark.parametrize("text", ["[" * 20_000, '{"revision": ' + "9" * 5000 + "}"])
def test_json_beyond_all_measure_is_a_bad_request(client: FlaskClient, path: str, text: str) -> None:
    answer = client.post(path, data=text.encode(), content_type="application/json")
    assert (answer.status_code, json_of(answer)["code"]) == (400, "bad_request")
    assert json_of(answer)["sentence"]


def test_only_json_is_taken(client: FlaskClient) -> None:
    text = json.dumps({"revision": 1, "intent": {"type": "press"}})
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = client.post("/api/intents", data=text, content_type=kind)
        assert (answer.status_code, json_of(answer)["code"]) == (415, "not_json")


def test_a_request_that_is_too_large_is_refused(client: FlaskClient) -> None:
    text = json.dumps({"revision": 1, "intent": {"type": "press", "more": "x" * BODY_LIMIT_BYTES}})
    answer = client.post("/api/intents", data=text, content_type="application/json")
    assert (answer.status_code, json_of(answer)["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://[bad"},
        {"Origin": "http://localhost:81"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
def test_other_sites_may_not_act(client: FlaskClient, headers: dict[str, str]) -> None:
    body = {
        "revision": 1,
        "intent": {"type": "start_game", "players": ["A", "B"], "first": 0, "hidden": False},
    }
    answer = client.post("/api/intents", json=body, headers=headers)
    assert (answer.status_code, json_of(answer)["code"]) == (403, "wrong_origin")
    assert json_of(client.get("/api/snapshot"))["phase"] == "lobby"


def test_the_own_page_may_act(client: FlaskClient) -> None:
    body = {
        "revision": 1,
        "intent": {"type": "start_game", "players": ["A", "B"], "first": 0, "hidden": False},
    }
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/intents", json=body, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "localhost.evil.example", "", "::1::", "[zz]"]
)
def test_an_unknown_host_is_refused(client: FlaskClient, host: str) -> None:
    answer = client.get("/api/snapshot", headers={"Host": host})
    assert (answer.status_code, json_of(answer)["code"]) == (421, "wrong_host")


@pytest.mark.parametrize(
    "host", ["localhost:8000", "127.0.0.1", "192.168.1.7:80", "[::1]:8000", "spieltisch.EXAMPLE"]
)
def test_own_names_and_addresses_are_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/api/snapshot", headers={"Host": host}).status_code == 200


def test_unknown_addresses_and_methods_have_a_sentence(client: FlaskClient) -> None:
    missing, method = client.get("/api/nothing"), client.get("/api/intents")
    assert (missing.status_code, json_of(missing)["code"]) == (404, "not_found")
    assert (method.status_code, json_of(method)["code"]) == (405, "bad_method")
    assert "POST" in method.headers["Allow"]
    assert client.get("/nothing").content_type.startswith("text/plain")


def test_the_picture_of_the_last_reading_is_a_jpeg(
    client: FlaskClient, reader: ToldReader, table: Table
) -> None:
    started(client)
    reader.tell("rrrbgg", "colour_unsure", unsure=3)
    revision = json_of(ask(client, type="press"))["snapshot"]["revision"]
    newer = table.wait_newer(revision, timeout_s=60)
    assert newer is not None
    reading = newer.to_json()["reading"]
    answer = client.get(f"/api/picture/{reading['picture']}.jpg")
    assert (answer.status_code, answer.content_type) == (200, "image/jpeg")
    assert answer.data.startswith(b"\xff\xd8")
    assert client.get("/api/picture/other.jpg").status_code == 404


def test_cards_met_at_the_table_come_first(client: FlaskClient) -> None:
    ask(client, type="start_game", players=["Ana", "Ben"], first=0, hidden=False)
    odd = {"groups": [[2, "blue"], [1, None]], "points": 7, "action": "theft"}
    ask(client, type="name_card", holder=1, card=odd)
    cards = json_of(client.get("/api/cards"))["cards"]
    assert cards[0] == odd
    assert len(cards) > 8


def test_hidden_hands_are_only_in_their_own_answer(client: FlaskClient) -> None:
    started(client, hidden=True)
    ask(client, type="enter_throw", dice=dice("rrrbgg"))
    ask(client, type="take", holder=0, change=None)
    snapshot = json_of(client.get("/api/snapshot"))
    assert snapshot["game"]["hands"] is None
    assert snapshot["game"]["players"][0]["points"] is None
    answer = client.get("/api/hands/0")
    assert json_of(answer)["cards"] == [card(3, 2)]
    assert answer.headers["Cache-Control"] == "no-store"
    assert client.get("/api/hands/2").status_code == 404


def test_every_answer_carries_the_policy(client: FlaskClient) -> None:
    for path in ("/", "/api/snapshot", "/static/main.js", "/api/nothing", "/favicon.ico"):
        answer = client.get(path)
        answer.close()
        headers = answer.headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 20) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
TYPES = """press hold long_hold name_card look_at_cards take pass draw steal exchange end_early undo redo
enter_throw correct_throw correct_event dismiss_reading abandon_game start_game"""
FIELDS = "players first hidden holder card change other victim received given player dice index"
kinds, fields = st.sampled_from(TYPES.split()), st.sampled_from(FIELDS.split())
intents = st.builds(
    lambda kind, rest: {"type": kind, **rest}, kinds, st.dictionaries(fields, values, max_size=5)
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.fixed_dictionaries({"revision": st.integers(0, 500), "intent": intents}) | values)
def test_no_request_brings_the_server_down(client: FlaskClient, body: object) -> None:
    answer = client.post("/api/intents", data=json.dumps(body), content_type="application/json")
    assert answer.status_code in (200, 400, 409)
    assert client.get("/api/snapshot").status_code == 200

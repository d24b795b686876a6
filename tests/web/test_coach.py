"""The coach's address: the odds of what lies open, for who asks; nothing pushed, nothing hidden used."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.coach import counsel as counsel_module
from companion.table.conductor import Table
from companion.web import coach as coach_module
from companion.web import create_app
from tests.web.table_at_hand import card, dice, table_at_hand
from tests.web.test_api import ask, json_of


@pytest.fixture
def table() -> Iterator[Table]:
    with table_at_hand() as running:
        yield running


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(table).test_client()


def started(client: FlaskClient, *, hidden: bool = False) -> None:
    ask(client, type="start_game", players=["Ana", "Ben"], first=0, hidden=hidden)
    for holder, sizes in enumerate(((3,), (4,), (6,))):
        assert ask(client, type="name_card", holder=holder, card=card(*sizes)).status_code == 200


def odds(client: FlaskClient) -> dict[str, Any]:
    answer = client.get("/api/odds")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return json_of(answer)


def refused(client: FlaskClient) -> str:
    answer = client.get("/api/odds")
    assert answer.status_code == 409
    body = json_of(answer)
    assert body["code"] == "no_odds"
    return str(body["sentence"])


def test_before_the_first_throw(client: FlaskClient, table: Table) -> None:
    started(client)
    told = odds(client)
    assert told["revision"] == table.snapshot().revision
    assert 0.92 < told["best"]["chance"][0] < 0.93
    assert (told["best"]["keep"], told["best"]["take"]) == ([], None)
    assert told["again"] is told["all_six"] is told["inherit"] is None


def test_taking_now_against_throwing_again(client: FlaskClient) -> None:
    started(client)
    ask(client, type="enter_throw", dice=dice("rrrbgy"))
    told = odds(client)
    assert told["best"]["chance"][0] == 1.0
    assert told["again"]["chance"][0] == 0.0
    assert told["again"]["keep"] == [0, 1, 2]
    ask(client, type="enter_throw", dice=dice("rrrbgo", kept=(0, 1, 2)))
    told = odds(client)
    assert told["best"]["chance"][0] == 0.0, "lost by throwing again (rule 3.4)"


def test_inherited_dice(client: FlaskClient) -> None:
    ask(client, type="start_game", players=["Ana", "Ben"], first=0, hidden=False)
    for holder, sizes in enumerate(((5,), (4,), (6,))):
        ask(client, type="name_card", holder=holder, card=card(*sizes))
    for letters in ("rrbbgo", "rrbbgo", "rrrbgo"):
        ask(client, type="enter_throw", dice=dice(letters))
    told = odds(client)
    assert told["inherit"]["keep"] == [0, 1, 2]
    assert told["best"]["points"] == pytest.approx(max(told["inherit"]["points"], told["all_six"]["points"]))


def test_no_position_no_odds(client: FlaskClient) -> None:
    assert "no throw or decision" in refused(client)
    ask(client, type="start_game", players=["Ana", "Ben"], first=0, hidden=False)
    assert "name it first" in refused(client)


def test_odds_are_worked_out_once_for_each_revision(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def counted(position: Any) -> Any:
        asked.append(position)
        return counsel_module.counsel(position)

    monkeypatch.setattr(coach_module, "counsel", counted)
    started(client)
    assert odds(client) == odds(client)
    assert len(asked) == 1
    ask(client, type="enter_throw", dice=dice("rrbbgy"))
    odds(client)
    assert len(asked) == 2


def test_hidden_scores_change_nothing_and_nothing_is_pushed(client: FlaskClient, table: Table) -> None:
    started(client, hidden=True)
    before = table.snapshot().revision
    told = odds(client)
    assert set(told) == {"revision", "best", "again", "all_six", "inherit"}
    assert table.snapshot().revision == before
    assert "chance" not in client.get("/api/snapshot").text

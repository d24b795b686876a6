"""Refusals: each stable code is raised, changes nothing, and says a sentence."""

import re

import pytest

from companion.game.decide import apply
from companion.game.events import Event
from companion.game.refusal import Code, Refused
from companion.game.replay import Stopped
from tests.conftest import ROOT
from tests.game.table_talk import PASS, card, end_early, opening, play, reveal, start, steal, take, throw

OPEN = opening("3", "4", "6")
SHORT = opening("3", "3", "3", piles=(1, 1, 1))
WON_ALL = [*SHORT, throw("rrro yb"), take(0), throw("rrro yb"), take(1), throw("rrro yb"), take(2)]
THEFT = [*opening(card("3"), card("3", 1, "theft"), card("6")), throw("rrro yb"), take(0), reveal(0, "3")]

REFUSALS: dict[Code, tuple[list[Event], Event]] = {
    Code.WRONG_STAGE: (OPEN, take(0)),
    Code.NO_THROW_LEFT: ([*OPEN, throw("royg bp"), throw("royg bp"), throw("rrro yb")], throw("rrrr yb")),
    Code.WRONG_DICE: (OPEN, type(throw("royg bp"))(throw("royg bp").dice[:5])),
    Code.NOTHING_THROWN: ([*OPEN, throw("royg bp")], throw("ROYG BP")),
    Code.ALL_DICE_NEEDED: (OPEN, throw("Royg bp")),
    Code.KEPT_DIE_DIFFERS: ([*OPEN, throw("royg bp")], throw("OOyg bp")),
    Code.CARD_UNKNOWN: (OPEN[:2], throw("royg bp")),
    Code.NOT_AVAILABLE: ([*OPEN, throw("rrro yb"), throw("RRRo yb")], take(0)),
    Code.NOT_MADE: ([*OPEN, throw("rrro yb")], take(1)),
    Code.CHANGE_NOT_ALLOWED: ([*OPEN, throw("rrro yb")], take(1, "3r")),
    Code.PILE_EMPTY: ([*SHORT, throw("rrro yb"), take(0)], reveal(0, "3")),
    Code.NO_SUCH_SEAT: ([*THEFT, throw("rrro yb"), take(1)], steal(1, card("3"))),
    Code.NO_SUCH_CARD: ([*THEFT, throw("rrro yb"), take(1)], steal(0, card("3", 9))),
    Code.MAY_NOT_END: (OPEN, end_early(0)),
    Code.GAME_OVER: (WON_ALL, PASS),
}


def test_every_code_has_its_case() -> None:
    assert set(REFUSALS) == set(Code)


@pytest.mark.parametrize("code", Code, ids=str)
def test_refused(code: Code) -> None:
    events, event = REFUSALS[code]
    before, again = play(*events), play(*events)
    with pytest.raises(Refused) as refused:
        apply(before, event)
    assert refused.value.code is code
    assert refused.value.sentence
    assert "\n" not in refused.value.sentence
    assert str(refused.value) == f"{code}: {refused.value.sentence}"
    assert before == again


@pytest.mark.parametrize("event", [*OPEN[1:], PASS, throw("royg bp"), take(0), end_early(0)], ids=repr)
def test_before_the_start_nothing_is_allowed_but_the_start(event: Event) -> None:
    with pytest.raises(Refused) as refused:
        apply(None, event)
    assert refused.value.code is Code.WRONG_STAGE


def test_a_game_starts_once() -> None:
    with pytest.raises(Refused) as refused:
        apply(play(*OPEN), start())
    assert refused.value.code is Code.WRONG_STAGE


@pytest.mark.parametrize(
    ("events", "event", "code"),
    [
        pytest.param(WON_ALL, OPEN[0], Code.GAME_OVER, id="game over before a second start"),
        pytest.param(
            [*OPEN, throw("rrro yb"), take(0), reveal(0, "3"), throw("royg bp")],
            throw("OOYG BP"),
            Code.NOTHING_THROWN,
            id="nothing thrown before kept dice that differ",
        ),
        pytest.param(OPEN[:2], throw("Royg bp"), Code.ALL_DICE_NEEDED, id="kept dice before an unknown card"),
        pytest.param(
            [*OPEN, throw("rrro yb"), throw("RRRo yb")],
            take(0, "3r"),
            Code.NOT_AVAILABLE,
            id="a lost card before a change that is not allowed",
        ),
        pytest.param(
            [*OPEN, throw("rrro yb")],
            take(2, "3r"),
            Code.CHANGE_NOT_ALLOWED,
            id="a change that is not allowed before a card that is not made",
        ),
    ],
)
def test_of_several_reasons_the_documented_one_is_told(events: list[Event], event: Event, code: Code) -> None:
    with pytest.raises(Refused) as refused:
        apply(play(*events), event)
    assert refused.value.code is code


def test_the_docs_list_each_code() -> None:
    text = (ROOT / "docs" / "record.md").read_text("utf-8")
    assert re.findall(
        r"^\| `([a-z_]+)` \| [^|]+ \|$", text.partition("## When it stops")[2], re.MULTILINE
    ) == [str(code) for code in Code]


def test_a_stopped_replay_tells_one_line_whatever_names_hold() -> None:
    told = str(Stopped(3, Code.NO_SUCH_CARD, "A\x1b[31mna\u202e\nMaria has no such card", refused=True))
    assert told == "line 3: no_such_card: A [31mna Maria has no such card"

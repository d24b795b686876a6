"""What the camera sees in the holders: a name where it is sure, never a mistake."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.table import intents
from companion.table.decide import ReadingArrived
from companion.table.sights import CardsSeen, Sight, Why
from companion.table.state import Pending, Picture
from companion.vision.card_reader import HolderState
from tests.table.at_the_table import FOUR, SIX, THREE, dice, reading
from tests.table.seeing import ALL_RED, NONE, REDS, known, new, sight, started, won


def test_a_first_press_names_all_cards_and_is_judged_by_them() -> None:
    table = started(())
    table.reads_with_cards("wr wr wr wb bg bo", known(THREE), known(FOUR), known(SIX))
    assert table.shown.phase == "decide"
    assert table.cards == [THREE, FOUR, SIX]
    assert table.leds == "S--"
    assert [event["type"] for event in table.events] == ["start", "reveal", "reveal", "reveal", "throw"]
    facts = [fact for fact in table.shown.said if fact.key == "card_seen"]
    assert [fact.params["holder"] for fact in facts] == [0, 1, 2]


def test_each_name_by_the_camera_is_a_step_that_undo_takes_back() -> None:
    table = started(())
    table.sees(known(THREE), known(FOUR))
    undo = table.shown.undo
    assert undo is not None
    assert (undo.key, undo.params["holder"]) == ("card_seen", 1)
    table.does(intents.Undo())
    assert table.cards == [THREE, None, None]


def test_what_the_camera_named_outlives_a_restart_as_such() -> None:
    table = started(())
    table.sees(known(THREE))
    again = table.restarted()
    undo = again.shown.undo
    assert undo is not None
    assert undo.key == "card_seen"


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (new(), Why.NEW),
        (sight(HolderState.UNSURE, THREE, runner_up=FOUR), Why.UNSURE),
        (sight(HolderState.UNSURE, THREE), Why.UNSURE),
        (sight(HolderState.EMPTY), None),
        (sight(HolderState.BLOCKED), None),
    ],
)
def test_what_is_not_known_for_sure_is_never_named(seen: Sight, why: Why | None) -> None:
    table = started(())
    table.reads_with_cards("wr wr wr wb bg bo", known(THREE), known(FOUR), seen)
    assert table.cards == [THREE, FOUR, None]
    assert table.why == [None, None, why]
    assert table.shown.phase == "card_needed"
    assert table.leds == "--L"
    table.does(intents.NameCard(2, SIX))
    assert table.shown.phase == "decide"
    assert table.why == [None] * 3


def test_a_held_throw_is_made_when_its_last_card_is_seen() -> None:
    table = started(())
    table.reads_with_cards("wr wr wr wb bg bo", known(THREE), known(FOUR))
    assert table.shown.phase == "card_needed"
    table.sees(None, None, known(SIX), glance=True)
    assert table.shown.phase == "decide"
    assert table.said == ["card_seen", "throw_made"]
    table.does(intents.Undo())
    assert table.shown.phase == "card_needed"


def test_a_newer_throw_stands_instead_of_one_that_waited_for_cards() -> None:
    table = started(())
    table.reads_with_cards("wr wr wr wb bg bo")
    table.reads_with_cards("wg wg wg wb bg bo", known(THREE), known(FOUR), known(SIX))
    assert table.shown.phase == "decide"
    assert [event["dice"][0]["colour"] for event in table.events if event["type"] == "throw"] == ["green"]


def test_a_doubtful_newer_reading_leaves_the_throw_that_waited() -> None:
    table = started(())
    table.reads_with_cards("wr wr wr wb bg bo")
    table.reads_with_cards(
        "wg wg wg wb bg bo", known(THREE), known(FOUR), known(SIX), problems=("hand_in_view",)
    )
    assert table.shown.phase == "decide"
    assert [event["dice"][0]["colour"] for event in table.events if event["type"] == "throw"] == ["red"]


def test_a_spoiled_picture_asks_nothing_but_what_is_known_counts() -> None:
    table = started(())
    table.reads_with_cards("wr wr wr wb bg bo", known(THREE), new(), problems=("too_dark",))
    assert table.cards == [THREE, None, None]
    assert table.why == [None] * 3


def test_an_uncovered_card_is_watched_until_it_is_known() -> None:
    table = won()
    assert table.watched == {0}
    table.sees(known(NONE), glance=True)
    assert table.cards == [NONE, FOUR, SIX]
    assert table.watched == frozenset()


def test_the_card_just_won_is_never_taken_for_the_next_one() -> None:
    table = won()
    table.sees(known(REDS), glance=True)
    assert (table.cards[0], table.why[0]) == (None, None), "people need a moment to take it away"
    table.reads_with_cards("wr wg wr wb bg bo", known(REDS))
    assert (table.cards[0], table.why[0]) == (None, Why.SAME_AGAIN)
    table.does(intents.NameCard(0, REDS))
    assert table.shown.phase == "decide"
    assert table.lessons == [], "it was known already"


def test_a_sight_from_before_the_take_says_nothing_of_the_next_card() -> None:
    table = started((REDS, FOUR, SIX))
    table.throws(ALL_RED)
    before = table.asked
    table.does(intents.Take(0))
    table.sees(known(NONE), asked=before)
    assert table.cards[0] is None


def test_a_sight_of_another_game_says_nothing() -> None:
    table = started(())
    table.sees(known(THREE), asked=replace(table.asked, game_id="other"))
    assert table.cards == [None] * 3


def test_who_names_a_card_while_its_picture_is_read_is_right() -> None:
    table = started(())
    before = table.asked
    table.does(intents.NameCard(0, FOUR))
    table.sees(known(THREE), asked=before)
    assert (table.cards[0], table.why[0]) == (FOUR, None)


def test_a_new_game_knows_nothing_of_the_last_ones_cards() -> None:
    table = started(())
    table.sees(new(), known(FOUR))
    table.does(intents.AbandonGame())
    table.does(intents.StartGame(("Ana", "Ben"), 0))
    assert table.why == [None] * 3
    assert table.watched == frozenset()


def test_an_empty_pile_is_not_looked_at() -> None:
    table = won()
    asked = table.asked
    assert asked.unknown == (0,)
    empty = replace(asked, piles=(0, *asked.piles[1:]))
    assert empty.unknown == ()


def test_a_reading_that_comes_too_late_still_tells_the_cards() -> None:
    table = started(())
    assert table.presses() is None
    pending = table.state.waiting
    assert isinstance(pending, Pending)
    cards = CardsSeen(table.asked, (known(THREE), None, None))
    table.does(intents.EnterThrow(dice(ALL_RED)))
    table.does(ReadingArrived(pending.token, reading(ALL_RED), Picture("9", (4, 3)), cards))
    assert table.cards[0] == THREE
    assert table.shown.phase == "card_needed"

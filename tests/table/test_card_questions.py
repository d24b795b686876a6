"""Where the camera is not sure of a card, or people say otherwise: who is asked what, and when it ends."""

from __future__ import annotations

from companion.table import intents
from companion.table.card_sight import asked_of
from companion.table.sights import Why
from companion.table.state import Setup
from companion.vision.card_reader import HolderState
from tests.table.at_the_table import FOUR, SIX, THREE, AtTheTable
from tests.table.seeing import NONE, REDS, Seeing, known, new, sight, started, won


def test_an_unsure_card_offers_both_and_a_new_one_the_guess() -> None:
    table = started(())
    table.sees(sight(HolderState.UNSURE, THREE, runner_up=FOUR), new(guess=SIX, look="b2"))
    game = table.shown.game
    assert game is not None
    first, second = game.holders[0].question, game.holders[1].question
    assert first is not None
    assert second is not None
    assert (first.cards, first.look) == ((THREE, FOUR), "a1")
    assert (second.cards, second.guess, second.look) == ((), SIX, "b2")


def test_a_name_that_was_taken_back_is_asked_for_not_given_again() -> None:
    table = started(())
    table.sees(known(THREE))
    table.does(intents.Undo())
    table.reads_with_cards("wr wr wr wb bg bo", known(THREE), known(FOUR), known(SIX))
    assert table.cards == [None, FOUR, SIX]
    assert table.why == [Why.TAKEN_BACK, None, None]
    table.does(intents.NameCard(0, THREE))
    assert table.shown.phase == "decide"


def test_undoing_further_makes_the_camera_free_again() -> None:
    table = won()
    table.sees(known(NONE), glance=True)
    table.does(intents.Undo())
    assert table.watched == frozenset()
    table.does(intents.Undo())
    table.does(intents.Take(0))
    assert table.watched == {0}
    table.sees(known(NONE), glance=True)
    assert table.cards[0] == NONE


def test_a_card_that_looks_otherwise_than_named_is_asked_about_and_not_changed() -> None:
    table = started()
    table.sees(known(REDS))
    assert (table.cards[0], table.why[0]) == (THREE, Why.DIFFERS)
    table.does(intents.NameCard(0, REDS))
    assert (table.cards[0], table.why[0]) == (REDS, None)
    assert table.said == ["card_corrected"]


def test_people_may_say_that_the_name_is_right_which_is_no_event_of_the_game() -> None:
    table = started()
    table.throws("wr wr wr wb bg bo")
    table.throws("wr* wr* wr* wb bg bo")
    events = table.events
    table.sees(known(REDS))
    table.does(intents.NameCard(0, THREE))
    assert table.why[0] is None
    assert table.events == events, "a lost card that is named anew would be open again"
    table.sees(known(REDS))
    assert table.why[0] is None, "it is not asked twice"
    assert table.lessons == []


def test_a_disagreement_ends_when_the_picture_agrees() -> None:
    table = started()
    table.sees(known(REDS))
    table.sees(known(THREE))
    assert table.why[0] is None


def test_a_question_asked_already_makes_no_news() -> None:
    table = started(())
    table.sees(new())
    revision = table.shown.revision
    table.sees(new())
    assert table.shown.revision == revision


def test_people_may_ask_the_camera_to_look() -> None:
    table = started(())
    assert table.watched == frozenset(), "the last game's cards may lie there still"
    table.does(intents.LookAtCards())
    assert table.watched == {0, 1, 2}
    table.sees(known(THREE), known(FOUR), known(SIX), glance=True)
    assert table.ask(intents.LookAtCards()) == "cards_named"


def test_who_can_not_look_says_why() -> None:
    hand = AtTheTable()
    hand.start(cards=())
    assert hand.ask(intents.LookAtCards()) == "cards_by_hand"
    folder = Seeing(Setup(reads_cards=True))
    assert folder.ask(intents.LookAtCards()) == "no_game"
    folder.start(cards=())
    assert folder.ask(intents.LookAtCards()) == "next_picture"


def test_cards_by_hand_leave_the_camera_out() -> None:
    table = AtTheTable()
    table.start(cards=())
    assert asked_of(table.state) is None
    assert table.shown.cards is None

"""What the camera sees in the holders: a name where it is sure, else a question, never a mistake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.game.cards import Card
from companion.table import intents
from companion.table.card_sight import asked_of, watch_of
from companion.table.decide import ReadingArrived
from companion.table.sights import Asked, CardsSeen, Lesson, Sight, Why
from companion.table.state import Pending, Picture, Setup
from companion.vision.card_reader import HolderReading, HolderState
from tests.table.at_the_table import FOUR, SIX, THREE, AtTheTable, dice, free, named, reading

NONE, REDS = free(5, points=4), named("red", "red", "red", points=5)
ALL_RED = "wr wr wr wr br br"
Cards = Sequence[Card | None]


class Seeing(AtTheTable):
    """A table whose camera reads the cards; what it sees is told."""

    def __init__(self, setup: Setup | None = None) -> None:
        super().__init__(setup or Setup(reads_cards=True, glances=True))
        self.lessons: list[Lesson] = []

    def _take(self, decision: object) -> None:
        super()._take(decision)  # type: ignore[arg-type]
        lesson = getattr(decision, "lesson", None)
        if lesson is not None:
            self.lessons.append(lesson)

    @property
    def asked(self) -> Asked:
        asked = asked_of(self.state)
        assert asked is not None
        return asked

    def sees(self, *sights: Sight | None, glance: bool = False, asked: Asked | None = None) -> None:
        """Let a sight of the holders arrive."""
        told = (*sights, None, None, None)[:3]
        self.does(CardsSeen(asked or self.asked, told, glance))

    def reads_with_cards(self, text: str, *sights: Sight | None, problems: Sequence[str] = ()) -> None:
        """Press, and have dice and cards of its picture read."""
        assert self.presses() is None
        pending = self.state.waiting
        assert isinstance(pending, Pending)
        self.throws_moved += 1
        seen = reading(text, problems=problems, moved_px=33.0 * self.throws_moved)
        cards = CardsSeen(self.asked, (*sights, None, None, None)[:3])
        self.does(ReadingArrived(pending.token, seen, Picture(str(pending.token), (1024, 768)), cards))

    @property
    def why(self) -> list[Why | None]:
        """Why each holder's card is asked about."""
        game = self.shown.game
        assert game is not None
        return [None if one.question is None else one.question.why for one in game.holders]

    @property
    def cards(self) -> list[Card | None]:
        game = self.shown.game
        assert game is not None
        return [holder.card for holder in game.holders]

    @property
    def watched(self) -> frozenset[int]:
        watch = watch_of(self.state)
        return frozenset() if watch is None else watch.holders


def sight(
    state: HolderState,
    card: Card | None = None,
    *,
    look: str | None = "a1",
    runner_up: Card | None = None,
    guess: Card | None = None,
) -> Sight:
    return Sight(HolderReading(state, card, 0.97, runner_up, guess, None), look)


def known(card: Card, look: str | None = "a1") -> Sight:
    return sight(HolderState.KNOWN, card, look=look)


def new(guess: Card | None = THREE, look: str | None = "a1") -> Sight:
    return sight(HolderState.NEW, look=look, guess=guess)


def started(cards: Cards = (THREE, FOUR, SIX)) -> Seeing:
    table = Seeing()
    table.start(cards=[card for card in cards if card is not None])
    return table


def won() -> Seeing:
    """A table where the left card was just taken, so that another one lies there."""
    table = started((REDS, FOUR, SIX))
    table.throws(ALL_RED)
    table.does(intents.Take(0))
    return table


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


def test_naming_teaches_the_camera_once() -> None:
    table = started(())
    table.sees(new(look="a1"), sight(HolderState.UNSURE, THREE, runner_up=FOUR, look="b2"), known(SIX))
    table.does(intents.NameCard(0, THREE))
    table.does(intents.NameCard(1, FOUR))
    assert table.lessons == [Lesson("a1", THREE), Lesson("b2", FOUR)]


def test_a_slip_is_unlearned_when_it_is_put_right() -> None:
    table = started(())
    table.sees(new())
    table.does(intents.NameCard(0, FOUR))
    table.does(intents.NameCard(0, THREE))
    assert table.lessons == [Lesson("a1", FOUR), Lesson("a1", THREE, instead_of=FOUR)]


def test_a_slip_is_unlearned_after_an_undo_too() -> None:
    table = started(())
    table.sees(new())
    table.does(intents.NameCard(0, FOUR))
    table.does(intents.Undo())
    table.does(intents.NameCard(0, THREE))
    assert table.lessons[-1] == Lesson("a1", THREE, instead_of=FOUR)


def test_a_camera_that_erred_learns_from_who_puts_it_right() -> None:
    table = started(())
    table.sees(known(THREE))
    table.does(intents.NameCard(0, REDS))
    assert table.lessons == [Lesson("a1", REDS, mistaken_for=THREE)]
    table.does(intents.NameCard(0, FOUR))
    assert table.lessons[1:] == [Lesson("a1", FOUR, instead_of=REDS, mistaken_for=REDS)]
    table.does(intents.NameCard(0, THREE))
    assert table.lessons[2:] == [Lesson("a1", THREE, instead_of=FOUR, mistaken_for=FOUR)]


def test_a_card_without_a_picture_teaches_nothing() -> None:
    table = started(())
    table.sees(new(look=None), sight(HolderState.BLOCKED))
    table.does(intents.NameCard(0, THREE))
    table.does(intents.NameCard(1, FOUR))
    assert table.lessons == []


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

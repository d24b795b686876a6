"""A table whose camera reads the cards, and what it may see in a holder."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game.cards import Card
from companion.table import intents
from companion.table.card_sight import asked_of, watch_of
from companion.table.decide import ReadingArrived
from companion.table.sights import Asked, CardsSeen, Lesson, Sight, Why
from companion.table.state import Pending, Picture, Setup
from companion.vision.card_reader import HolderReading, HolderState
from tests.table.at_the_table import FOUR, SIX, THREE, AtTheTable, free, named, reading

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

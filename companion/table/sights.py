"""Sights: what the camera saw in the holders, what it asks people about it, and where it still looks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.game.cards import Card
from companion.game.events import HOLDER_COUNT
from companion.vision.card_reader import HolderReading


class Why(StrEnum):
    """Why the camera asks which card lies in a holder."""

    NEW = "new"
    """No known card looks like it."""
    UNSURE = "unsure"
    """It hesitates between known cards, or it may be a new one."""
    SAME_AGAIN = "same_again"
    """It looks like the card that was just taken from there: perhaps that one lies there still."""
    TAKEN_BACK = "taken_back"
    """People took this name back; it is not given again without them."""
    DIFFERS = "differs"
    """The card was named otherwise than it looks."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about a holder: the cards that it may be, likeliest first, and a first guess.

    `look` is the id of the picture to show (`Table.look`), None where there is none.
    """

    why: Why
    look: str | None
    cards: tuple[Card, ...] = ()
    guess: Card | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """One holder as one picture shows it; `look` is the id of the card's own picture, if that was taken."""

    reading: HolderReading
    look: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """The holders at the moment a picture was asked for; what has changed since is not judged by it."""

    game_id: str
    piles: tuple[int, ...]
    cards: tuple[Card | None, ...]
    """Those that are named; None: unknown, or no card is left."""

    @property
    def unknown(self) -> tuple[int, ...]:
        """The holders whose card has no name."""
        return tuple(
            holder
            for holder, (pile, card) in enumerate(zip(self.piles, self.cards, strict=True))
            if pile and card is None
        )


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """What a picture shows in each holder; None where it was not looked at.

    A glance is a picture that nobody pressed for: people may not have taken away yet what they won.
    """

    asked: Asked
    sights: tuple[Sight | None, ...]
    is_glance: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """The card whose picture is `look` is this one; the picture was learned as `instead_of` before.

    The camera was sure of `mistaken_for`: what it knows of that card may be a picture of this one.
    """

    look: str
    card: Card
    instead_of: Card | None = None
    mistaken_for: Card | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What is remembered of a holder as long as its pile has so many cards."""

    pile: int
    sight: Sight
    question: Question | None = None
    learned: Card | None = None
    """What the sight's picture was learned as."""


@dataclass(frozen=True, slots=True)
class Sights:
    """All that the camera remembers of the holders of one game; nothing of it outlives the program."""

    game_id: str | None = None
    seen: tuple[Seen | None, ...] = (None,) * HOLDER_COUNT
    taken_back: frozenset[tuple[int, int, Card]] = frozenset()
    """Holder, cards in its pile, and the name that people took back there."""
    watched: frozenset[int] = frozenset()
    """The holders that are looked at until their card is known."""
    as_before: frozenset[int] = frozenset()
    """Those of them in which the card that was won may lie still: only what has changed counts."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What to look at between presses: these holders, as they were at this moment."""

    asked: Asked
    holders: frozenset[int]
    as_before: frozenset[int]

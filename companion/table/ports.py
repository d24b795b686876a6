"""Ports: what the table needs from the world, as protocols that real and simulated devices fulfil."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from companion.game.cards import Card
from companion.vision.card_look import CardLook
from companion.vision.card_reader import HolderReading
from companion.vision.reading import Reading

Frame = npt.NDArray[np.uint8]
"""A picture, shape (height, width, 3), BGR, 0–255."""

Reader = Callable[[Frame], Reading]
"""Picture to reading; what `companion.vision.read.read_picture` does with a profile."""


class CameraFault(Exception):
    """The camera gives no picture now: a stable code, and a sentence that says what to do."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class JournalFault(Exception):
    """An entry could not be kept; the journal is as it was before. The sentence says what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class DeckFault(Exception):
    """A card could not be learned; it may be asked for again. The sentence says what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class CardEye(Protocol):
    """Reads the cards in the holders, and learns those that people name; one thread calls it."""

    def read(self, frame: Frame, holders: Collection[int]) -> Sequence[HolderReading | None]:
        """Return what lies in each of these holders (0 to 2), None for the others.

        Raises:
            ZonesError: the frame has another shape than those of the calibration.
        """

    def look(self, frame: Frame, holder: int) -> CardLook | None:
        """Return the card's own picture, None where no whole card is seen."""

    def changed(self, before: Frame, now: Frame) -> tuple[bool, bool, bool]:
        """Tell for each holder whether something moved there between two frames."""

    def learn(
        self, look: CardLook, card: Card, instead_of: Card | None, mistaken_for: Card | None = None
    ) -> None:
        """Keep what `card` looks like; `instead_of` is what the same picture was learned as before, and
        `mistaken_for` the card that it was surely taken for.

        Raises:
            DeckFault: it is not kept, though it may be known until the program ends.
        """


class LedPattern(StrEnum):
    """What one holder's LED does; devices render the pattern in time."""

    OFF = "off"
    STEADY = "steady"
    """The card can be taken."""
    SLOW_BLINK = "slow_blink"
    """The card can be taken with the black-dice change."""
    FAST_BLINK = "fast_blink"
    """The button's marker is on this card."""
    READING = "reading"
    """The press was heard, the dice are being read."""
    LOOK_AT_PHONE = "look_at_phone"
    """Something waits for a tap on a phone."""
    TAKEN = "taken"
    """A short flash that ends by itself in the dark: the card was taken."""


LedPatterns = tuple[LedPattern, LedPattern, LedPattern]
"""One pattern a holder, from left to right as the players call them."""


class Camera(Protocol):
    """Where pictures come from."""

    def capture(self) -> Frame:
        """Return a picture taken now; may block for a while.

        Raises:
            CameraFault: there is none to be had.
        """

    def close(self) -> None:
        """Let the device go; may be called again."""


class Leds(Protocol):
    """The three LEDs of the holders."""

    def show(self, patterns: LedPatterns) -> None:
        """Show these patterns from now on; called only when they change, and must not block."""


class Clock(Protocol):
    """A clock that only goes forward."""

    def now_s(self) -> float:
        """Return seconds since some fixed moment."""


class Journal(Protocol):
    """The durable log of the table."""

    def append(self, *entries: Mapping[str, Any]) -> None:
        """Keep these entries, all or none; when this returns they outlive a power cut.

        An entry with `"do": "start"` begins a new game.

        Raises:
            JournalFault: it could not be kept, and nothing was.
        """

    def entries(self) -> Sequence[Mapping[str, Any]]:
        """Return the entries of the current game, its start first.

        Raises:
            JournalFault: they can not be read.
        """

    def known_cards(self) -> Sequence[Mapping[str, Any]]:
        """Return the cards met at this table in any game, as JSON objects, most recent first."""

"""A table for tests of the web: in memory, its dice typed or read by a reader that is told what it sees."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from companion.game.deck import default_deck
from companion.store.memory import MemoryJournal
from companion.table.conductor import Table
from companion.table.ports import Frame, LedPatterns
from companion.vision.reading import DieSeen, Point, Reading

NAMES = {"r": "red", "o": "orange", "y": "yellow", "g": "green", "b": "blue", "p": "purple"}
SIZE = (320, 240)


class NoLeds:
    """LEDs that nobody looks at."""

    def show(self, patterns: LedPatterns) -> None:
        pass


class PlainClock:
    """The computer's own clock."""

    def now_s(self) -> float:
        return time.monotonic()


class StillCamera:
    """A camera that always sees the same grey table."""

    def capture(self) -> Frame:
        return np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)

    def close(self) -> None:
        pass


class ToldReader:
    """Reads what it was told last; `problems` make the reading doubtful."""

    def __init__(self) -> None:
        self.reading = Reading((), ("too_few_dice",), False)

    def tell(self, letters: str, *problems: str, unsure: int | None = None, kept: Sequence[int] = ()) -> None:
        """Six letters, four white dice first; die `unsure` has little confidence and purple as runner-up."""
        dice = tuple(
            DieSeen(
                "white" if place < 4 else "black",
                NAMES[letter],
                "reserve" if place in kept else "track",
                (40.0 + 45 * place, 60.0 + 120 * (place % 2)),
                _square(40.0 + 45 * place, 60.0 + 120 * (place % 2)),
                0.4 if place == unsure else 0.99,
                "purple" if place == unsure else "red",
                ("colour_unsure",) if place == unsure else (),
            )
            for place, letter in enumerate(letters)
        )
        self.reading = Reading(dice, tuple(problems), not problems)

    def __call__(self, frame: Frame) -> Reading:
        assert frame.shape == (SIZE[1], SIZE[0], 3)
        return self.reading


@contextmanager
def table_at_hand(reader: ToldReader | None = None) -> Iterator[Table]:
    """Yield a table that runs; with a reader it has a camera."""
    camera = None if reader is None else StillCamera()
    cards = default_deck().cards
    with Table(MemoryJournal(), reader, camera, NoLeds(), PlainClock(), deck=cards) as table:
        yield table


def dice(letters: str, kept: Sequence[int] = ()) -> list[dict[str, Any]]:
    """Dice as JSON: six letters, four white dice first."""
    return [
        {"body": "white" if place < 4 else "black", "colour": NAMES[letter], "kept": place in kept}
        for place, letter in enumerate(letters)
    ]


def card(*sizes: int, points: int = 2, action: str | None = None) -> dict[str, Any]:
    """A card as JSON with groups of any colour."""
    return {"groups": [[size, None] for size in sizes], "points": points, "action": action}


def _square(x: float, y: float) -> tuple[Point, Point, Point, Point]:
    return ((x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 9), (x - 9, y + 9))

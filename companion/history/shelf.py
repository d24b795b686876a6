"""The shelf that past games are taken from, as a port; the store fulfils it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class ShelfFault(Exception):
    """Past games can not be read now; the message is the sentence for people."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class ShelfMark:
    """One game on the shelf: its id, when it began (ISO 8601, UTC), and how far its entries go."""

    game_id: str
    started_at: str
    last_entry: int
    """A number that grows with each entry: a game with the same one is unchanged."""


@dataclass(frozen=True, slots=True)
class ShelfEntry:
    """One entry of a game's journal, and when it was kept (ISO 8601, UTC)."""

    kept_at: str
    body: Mapping[str, Any]


class Shelf(Protocol):
    """Gives the games that were begun at this table."""

    def marks(self) -> Sequence[ShelfMark]:
        """Return all games, newest first; the first may still be under way.

        Raises:
            ShelfFault: they can not be read.
        """

    def entries(self, game_id: str) -> Sequence[ShelfEntry]:
        """Return a game's entries in their order, () where there is no such game.

        Raises:
            ShelfFault: they can not be read.
        """

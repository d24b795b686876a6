"""The three piles of a game, shuffled: the open card follows from how many are left."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from companion.game.cards import Card
from companion.game.events import HOLDER_COUNT, PILE_SIZE


class Piles:
    """The deck as it was shuffled for one game.

    The order follows from the game's id alone, so that a game taken up again after a restart finds its cards,
    and one that is undone finds them where they lay.
    """

    def __init__(self, deck: Sequence[Card], game_id: str) -> None:
        """Shuffle `deck`, which must have three full piles."""
        if len(deck) < HOLDER_COUNT * PILE_SIZE:
            raise ValueError(f"a deck has {HOLDER_COUNT * PILE_SIZE} cards, this one {len(deck)}")
        digest = hashlib.sha256(game_id.encode()).digest()
        shuffled = list(deck)
        random.Random(digest).shuffle(shuffled)
        self.game_id = game_id
        self._piles = tuple(
            tuple(shuffled[PILE_SIZE * holder : PILE_SIZE * (holder + 1)]) for holder in range(HOLDER_COUNT)
        )

    def visible(self, holder: int, left: int) -> Card | None:
        """The card that lies open on `holder` (0 to 2) when `left` cards are there; None when none is."""
        return self._piles[holder][PILE_SIZE - left] if 0 < left <= PILE_SIZE else None

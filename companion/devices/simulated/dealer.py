"""The dealer: uncovers the next card in the scene when one is taken, and may name it as a phone would."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from companion.devices.simulated.piles import Piles
from companion.devices.simulated.table import Cards, SimulatedTable
from companion.game.cards import Card
from companion.game.judge import Standing
from companion.table.conductor import Table
from companion.table.intents import LookAtCards, NameCard
from companion.table.phase import Phase
from companion.table.snapshot import GameView, Snapshot

_WAIT_S = 0.5


class Dealer:
    """Keeps a simulated table's cards in step with the game; `names_cards` says whether it also names them.

    It names a card when one was just uncovered, or when a throw waits for its name; not after an undo that
    took the name back, since people who undo further must not race the dealer. Where the camera reads the
    cards, the dealer only says when a game's cards are dealt, and that an uncovered card is just like the one
    that lay on it, which no camera can tell from that one.
    """

    def __init__(self, table: Table, scene: SimulatedTable, deck: Sequence[Card]) -> None:
        self.names_cards = False
        self._table = table
        self._scene = scene
        self._deck = tuple(deck)
        self._piles: Piles | None = None
        self._left: tuple[int, ...] = ()
        self._uncovered: set[int] = set()
        self._alike: set[int] = set()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="dealer", daemon=True)

    def start(self) -> None:
        """Begin to watch the table."""
        self._thread.start()

    def close(self) -> None:
        """Stop; may be called again."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(4 * _WAIT_S)

    def follow(self, snapshot: Snapshot) -> None:
        """Show the cards of this snapshot, and name those that were just uncovered."""
        game = snapshot.game
        if game is None:
            return
        is_dealt = self._piles is None or self._piles.game_id != game.game_id
        if self._piles is None or is_dealt:
            self._piles = Piles(self._deck, game.game_id)
            self._left = ()
        left = tuple(holder.pile for holder in game.holders)
        waits = snapshot.phase == Phase.CARD_NEEDED
        self._uncovered |= {
            holder
            for holder in range(len(left))
            if waits or not self._left or left[holder] < self._left[holder]
        }
        cards = self._open_cards(self._piles, left)
        self._alike |= {
            holder
            for holder, before in enumerate(self._left)
            if snapshot.cards is not None
            and left[holder] == before - 1
            and cards[holder] == self._piles.visible(holder, before)
        }
        self._left = left
        self._scene.show_cards(cards)
        self._name(game, cards, snapshot.revision)
        if not self.names_cards and is_dealt and snapshot.cards is not None:
            self._table.submit(LookAtCards())  # refused where all have their names: a game taken up again

    def _open_cards(self, piles: Piles, left: tuple[int, ...]) -> Cards:
        first, second, third = (piles.visible(holder, count) for holder, count in enumerate(left))
        return first, second, third

    def _name(self, game: GameView, cards: Cards, revision: int) -> None:
        for holder in sorted(self._uncovered if self.names_cards else self._alike):
            card = cards[holder]
            if game.holders[holder].standing is not Standing.UNKNOWN or card is None:
                self._uncovered.discard(holder)
                self._alike.discard(holder)
                continue
            outcome = self._table.submit(NameCard(holder, card), revision)
            if not outcome.accepted:
                return  # someone was quicker, or the table waits: the next snapshot tells
            revision = outcome.snapshot.revision
            self._uncovered.discard(holder)
            self._alike.discard(holder)

    def _work(self) -> None:
        seen = self._table.snapshot()
        self.follow(seen)
        while not self._closing.is_set():
            newer = self._table.wait_newer(seen.revision, _WAIT_S)
            if newer is not None:
                seen = newer
                self.follow(newer)

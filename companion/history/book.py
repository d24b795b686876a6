"""The book of past games: digests kept in memory, whole games and their luck worked out when asked for."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from dataclasses import replace
from itertools import islice

from companion.coach.lattice import COLOUR_COUNT
from companion.coach.luck import TurnLuck, turns_of
from companion.history.past_game import Digest, PastGame, Status, digest_of, past_game
from companion.history.shelf import Shelf, ShelfMark
from companion.table.log import LogError

LOG = logging.getLogger(__name__)
OPEN_GAMES = 6
"""Whole games held at once; one is some hundred kilobytes."""

Luck = tuple[TurnLuck, ...]


class LuckBusy(Exception):
    """The luck of some game is being worked out; ask again in a moment."""


class HistoryBook:
    """Reads a shelf; safe to use from several threads."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._reading = threading.RLock()
        self._counting = threading.Lock()
        self._digests: dict[str, tuple[int, Digest | None]] = {}
        self._open: OrderedDict[tuple[str, int], PastGame] = OrderedDict()
        self._luck: dict[str, tuple[int, Luck]] = {}

    def digests(self, most: int | None = None) -> tuple[Digest, ...]:
        """Return the games that may be looked at, newest first, at most so many.

        The newest game appears once it is over, or was left with its scores open: until then it belongs to
        the scoreboard, which keeps hidden what is to be hidden.

        Raises:
            ShelfFault: the games can not be read.
        """
        with self._reading:
            found = (self._digest(mark, newest=place == 0) for place, mark in enumerate(self._shelf.marks()))
            return tuple(islice((digest for digest in found if digest is not None), most))

    def game(self, game_id: str) -> PastGame | None:
        """Return a whole game, or None where there is no such game to look at.

        Raises:
            ShelfFault: it can not be read.
        """
        with self._reading:
            for place, mark in enumerate(self._shelf.marks()):
                if mark.game_id == game_id:
                    return None if self._digest(mark, newest=place == 0) is None else self._read(mark)
        return None

    def luck(self, game_id: str) -> Luck | None:
        """Return luck and losses of each turn, worked out once; None where there is no such game.

        It takes about a quarter of a second, on a Raspberry Pi some seconds; one game after the other, and
        nobody waits for the one before.

        Raises:
            ShelfFault: the game can not be read.
            LuckBusy: another game's is being worked out.
        """
        game, known = self.game(game_id), self.known_luck(game_id)
        if game is None or known is not None:
            return known
        if not self._counting.acquire(blocking=False):
            raise LuckBusy
        try:
            known = self.known_luck(game_id)
            if known is not None:
                return known
            coachable = len(game.sitting.state.colours) == COLOUR_COUNT
            luck = turns_of(game.events) if coachable else ()
            self._luck[game_id] = (self._digests[game_id][0], luck)
            return luck
        finally:
            self._counting.release()

    def known_luck(self, game_id: str) -> Luck | None:
        """Return the luck of a game if it is worked out already."""
        known, digest = self._luck.get(game_id), self._digests.get(game_id)
        return known[1] if known is not None and digest is not None and known[0] == digest[0] else None

    def _digest(self, mark: ShelfMark, *, newest: bool) -> Digest | None:
        known = self._digests.get(mark.game_id)
        if known is None or known[0] != mark.last_entry:
            game = self._read(mark)
            known = (mark.last_entry, None if game is None else digest_of(game))
            self._digests[mark.game_id] = known
        digest = known[1]
        if digest is None or digest.status is Status.FINISHED:
            return digest
        if newest:
            return digest if digest.status is Status.LEFT and not digest.hidden else None
        return replace(digest, status=Status.LEFT)

    def _read(self, mark: ShelfMark) -> PastGame | None:
        key = (mark.game_id, mark.last_entry)
        if key in self._open:
            self._open.move_to_end(key)
            return self._open[key]
        try:
            game = past_game(mark.started_at, self._shelf.entries(mark.game_id))
        except LogError as error:
            # One game that does not fit must not hide the others.
            LOG.warning("game %s is left out of the history: %s", mark.game_id, error)
            return None
        if game is not None:
            self._open[key] = game
            while len(self._open) > OPEN_GAMES:
                self._open.popitem(last=False)
        return game

"""The book: the club's games in memory, and what is counted of them, kept until a game more is stored."""

from __future__ import annotations

import threading
from bisect import insort
from collections.abc import Callable, Sequence
from typing import TypeVar

from companion.club.ledger import Kept, Ledger
from companion.club.ratings import Ratings
from companion.club.results import Delivery, Result
from companion.club.seasons import season_of

Counted = TypeVar("Counted")
MOST_COUNTED = 64


class Book:
    """Reads a ledger once, and follows what is stored through it; used from several threads."""

    def __init__(self, ledger: Ledger, season: str) -> None:
        """Read the ledger; `season` is the length of one (`companion.club.seasons.KINDS`).

        Raises:
            DatabaseFault: it can not be read.
        """
        self._ledger = ledger
        self._season = season
        self._lock = threading.RLock()
        self._results: list[Result] = []
        self._ratings = Ratings()
        self._counted: dict[object, object] = {}
        self._is_behind = False
        """Whether games may be in the ledger that are not counted here."""
        self._read()

    def store(self, deliveries: Sequence[Delivery]) -> list[Kept]:
        """Keep these (`Ledger.store`), and count them from now on.

        Raises:
            DatabaseFault: nothing was kept, or it is not counted yet; then to store it again counts it.
        """
        kept = self._ledger.store(deliveries)
        new = [delivery for delivery, what in zip(deliveries, kept, strict=True) if what is Kept.NEW]
        if self._is_behind:
            self._read()
        elif new:
            self._is_behind = True
            self._take_up(new)
        self._is_behind = False
        return kept

    def results(self, season: str | None = None) -> Sequence[Result]:
        """Return the games of a season, or all, in order."""
        if season is None:
            with self._lock:
                return tuple(self._results)
        return self.counted(
            ("games", season),
            lambda: tuple(one for one in self.results() if season_of(one.ended_at, self._season) == season),
        )

    def seasons(self) -> Sequence[str]:
        """Return the names of all seasons that have games, the newest first."""
        return self.counted(
            "seasons",
            lambda: tuple(
                dict.fromkeys(season_of(one.ended_at, self._season) for one in reversed(self.results()))
            ),
        )

    def ratings(self) -> Ratings:
        """Return the ratings after all games."""
        with self._lock:
            return self._ratings

    def counted(self, what: object, count: Callable[[], Counted]) -> Counted:
        """Return what was counted under the name `what` since the last game, or count it."""
        with self._lock:
            if what not in self._counted:
                if len(self._counted) >= MOST_COUNTED:
                    self._counted.clear()
                self._counted[what] = count()
            return self._counted[what]  # type: ignore[return-value]

    def _read(self) -> None:
        results, ratings = self._ledger.results(), Ratings()
        ratings.add(results)
        with self._lock:
            self._results, self._ratings = results, ratings
            self._counted.clear()

    def _take_up(self, new: Sequence[Delivery]) -> None:
        ids = {delivery.game_id for delivery in new}
        results = sorted((one.result for one in new if one.result is not None), key=lambda one: one.order)
        with self._lock:
            left = [one for one in self._results if one.game_id not in ids]
            only_later = len(left) == len(self._results) and all(
                one.order > self._ratings.last for one in results
            )
            for result in results:
                insort(left, result, key=lambda one: one.order)
            self._results = left
            if only_later:
                self._ratings.add(results)
            else:
                # A game came late, or was corrected: all ratings after it are others.
                self._ratings = Ratings()
                self._ratings.add(left)
            self._counted.clear()

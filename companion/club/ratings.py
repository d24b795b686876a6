"""Ratings of players in games of two to six, by Plackett and Luce as Weng and Lin update them (openskill).

They follow from the games in the order in which they ended, and from nothing else: worked out anew they are
the same, to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

from companion.club.results import Result


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is likely to be: `mu`, give or take `sigma`."""

    mu: float
    sigma: float
    games: int

    @property
    def cautious(self) -> float:
        """What the player is at least with near certainty, three sigma below: by this they are ranked."""
        return self.mu - 3 * self.sigma


class Ratings:
    """Ratings after some games; each further one must not be before the last."""

    def __init__(self) -> None:
        self._model = PlackettLuce()
        self._now: dict[str, tuple[PlackettLuceRating, int]] = {}
        self._last: tuple[str, str] = ("", "")

    @property
    def last(self) -> tuple[str, str]:
        """The order of the last game that was counted."""
        return self._last

    def add(self, results: Iterable[Result]) -> None:
        """Count games, in their order."""
        for result in results:
            assert result.order > self._last, "games are rated in the order in which they ended"
            self._last = result.order
            before = [self._now.get(seat.key, (self._model.rating(), 0)) for seat in result.seats]
            teams = [[rating] for rating, _ in before]
            after = self._model.rate(teams, ranks=[float(seat.place) for seat in result.seats])
            for seat, (rating,), (_, games) in zip(result.seats, after, before, strict=True):
                self._now[seat.key] = (rating, games + 1)

    def of(self, key: str) -> Rating:
        """Return a player's rating, a beginner's where none is known."""
        rating, games = self._now.get(key, (self._model.rating(), 0))
        return Rating(float(rating.mu), float(rating.sigma), games)

"""Patience: why finished games wait while the broker is there, and how long until the next try."""

from __future__ import annotations

from collections.abc import Set

from companion.table.state import Health, HealthState

SOON_S, AGAIN_S = 2.0, 60.0
"""After how long a game that the broker did not take, or that nobody listened to, is handed over again; twice
as long each time, up to the second."""

NOBODY_LISTENS = (
    "The broker is there, but finished games wait: nobody listens for them yet. "
    "Start the club, if there is one."
)
REFUSED = (
    "The broker is there, but refuses finished games ({why}), which wait; check the table's rights there."
)


class Patience:
    """Knows what a broker answered to the games that it was handed; for one thread, but for `health`."""

    def __init__(self) -> None:
        self.set_back: set[str] = set()
        """Games that the broker refused in this round: the others go first."""
        self.nobody_listens = False
        """Whether the broker said of the last game that nobody listens for it."""
        self._refuses: dict[str, str] = {}
        self._pause_s = SOON_S

    @property
    def health(self) -> Health:
        """How the link is that a broker answers on: in order, and why games wait, if any do."""
        if self.nobody_listens:
            return Health(HealthState.OK, NOBODY_LISTENS)
        why = next(iter(tuple(self._refuses.values())), None)
        return Health(HealthState.OK, None if why is None else REFUSED.format(why=why))

    def begin_anew(self) -> None:
        """Forget what a broker answered that was away since then."""
        self.set_back.clear()
        self._refuses = {}
        self.nobody_listens = False
        self._pause_s = SOON_S

    def nobody_heard(self) -> None:
        """Nobody listened to a game."""
        self.nobody_listens = True

    def refused(self, game_id: str, why: str) -> None:
        """A game was refused."""
        self.nobody_listens = False
        self.set_back.add(game_id)
        self._refuses = {**self._refuses, game_id: why}

    def accepted(self, game_id: str) -> None:
        """A game was taken."""
        self.nobody_listens = False
        self._refuses = {game: why for game, why in self._refuses.items() if game != game_id}
        self._pause_s = SOON_S

    def only_these_wait(self, games: Set[str]) -> None:
        """Nothing waits any more but these, and what was set back."""
        games = games | self.set_back
        self.nobody_listens &= bool(games)
        self._refuses = {game: why for game, why in self._refuses.items() if game in games}

    def pause_s(self) -> float:
        """Return how long to wait before the next try; each time longer."""
        pause_s, self._pause_s = self._pause_s, min(2 * self._pause_s, AGAIN_S)
        return pause_s

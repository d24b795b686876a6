"""A series of games: who sits where, spread over processes, the same for a seed whatever their number."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

from companion.coach.planning import PlanningRobot
from companion.coach.robots import GreedyRobot, Robot
from companion.game.deck import default_deck
from companion.game.events import Event
from companion.game.record import MAX_PLAYERS, MIN_PLAYERS
from companion.selfplay.erratic import ErraticRobot
from companion.selfplay.figures import GameFigures, figures_of
from companion.selfplay.game import play_game

ROBOTS: dict[str, Callable[[str], Robot]] = {
    "greedy": lambda _: GreedyRobot(),
    "planning": lambda _: PlanningRobot(),
    "erratic": ErraticRobot,
}
"""Each kind of robot, made with a seed of its own."""

GAMES_A_TASK = 4
"""So many games go to a process at once: few, so that progress is seen and no process has long to end."""

ERRATIC_EVERY = 4
"""In a mixed series one of so many games is played by erratic robots alone: they never end it early, so that
the rules of the late game come into play."""


@dataclass(frozen=True, slots=True)
class Series:
    """Games to play, each fully told by the series and its number."""

    seed: int
    robots: tuple[str, ...] = ()
    """Kinds that sit down in turn; each game begins one further, so that all sit everywhere. (): a mix of
    all kinds."""
    players: int | None = None
    """How many play; None: 2 to 6 in turn."""

    def seats(self, number: int) -> tuple[str, ...]:
        """Return the kinds of robots by seat in game `number` (from 0)."""
        kinds = self.robots or tuple(ROBOTS)
        if not self.robots and number % ERRATIC_EVERY == ERRATIC_EVERY - 1:
            kinds = ("erratic",)
        count, begin = self.players, number
        if count is None:
            # The same count comes back after `spread` games, one kind further on.
            spread = MAX_PLAYERS - MIN_PLAYERS + 1
            count, begin = MIN_PLAYERS + number % spread, number // spread
        return tuple(kinds[(begin + seat) % len(kinds)] for seat in range(count))


@dataclass(frozen=True, slots=True)
class SeriesGame:
    """One finished game of a series."""

    number: int
    figures: GameFigures
    events: tuple[Event, ...]


def play_one(series: Series, number: int) -> SeriesGame:
    """Play game `number` of the series with the default deck.

    Raises:
        LawBroken: see `play_game`; the error's note says which game it was.
    """
    seed = f"{series.seed}/{number}"
    names = series.seats(number)
    robots: list[Robot] = [ROBOTS[name](f"{seed}/{seat}") for seat, name in enumerate(names)]
    played = play_game(robots, default_deck().cards, seed)
    return SeriesGame(number, figures_of(played, names), played.events)


def play_series(series: Series, numbers: Sequence[int], jobs: int) -> Iterator[SeriesGame]:
    """Yield the games of these numbers in order, played by `jobs` processes (1: this one).

    Raises:
        LawBroken: as `play_one`.
    """
    play = partial(play_one, series)
    if jobs == 1:
        yield from map(play, numbers)
        return
    with ExitStack() as stack:
        pool = stack.enter_context(ProcessPoolExecutor(jobs, mp_context=get_context("spawn")))
        # Whoever stops listening, or a broken law, need not wait for games that nobody will see.
        stack.callback(pool.shutdown, wait=True, cancel_futures=True)
        yield from pool.map(play, numbers, chunksize=GAMES_A_TASK)

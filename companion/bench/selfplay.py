"""How the time of selfplay grows with the number of games, and what a throw of it costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence

from companion.bench import Figure
from companion.bench.coach import ONE_THREAD
from companion.selfplay.series import Series, play_series

NAME = "selfplay"
HELP = "robots' games: time for twice as many, and time a throw"

GAMES = 20
SERIES = Series(seed=1, robots=("greedy", "planning"))
GROWTH_LIMIT = 2.5
"""Twice the games may take twice the time, and what a busy machine adds."""


def run() -> Sequence[Figure]:
    """Play the same games once and twice over, in a process of its own whose BLAS has one thread."""
    child = subprocess.run(
        [sys.executable, "-c", "from companion.bench import selfplay; selfplay.print_measured()"],
        env=os.environ | ONE_THREAD,
        capture_output=True,
        text=True,
        check=True,
    )
    short_s, long_s, throws = json.loads(child.stdout)
    return (
        Figure(f"{2 * GAMES} games / {GAMES} games", long_s / short_s, "×", GROWTH_LIMIT),
        Figure("a throw: decided, played through the table, counted", short_s / throws * 1e3, "ms"),
    )


def print_measured() -> None:
    """Write the process's own seconds for the games once, and twice over, and their throws, as JSON."""
    once = list(range(GAMES))
    _seconds(once)  # what is remembered of cards and dice, and would make the first run the slower one
    short_s, throws = _seconds(once)
    long_s, _ = _seconds(once + once)
    json.dump((short_s, long_s, throws), sys.stdout)


def _seconds(numbers: Sequence[int]) -> tuple[float, int]:
    begun_s = time.process_time()
    throws = sum(game.figures.throws for game in play_series(SERIES, numbers, jobs=1))
    return time.process_time() - begun_s, throws

"""What the coach costs: the odds of three cards against one 300×300 matrix product in the same process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence

import numpy as np

from companion.bench import Figure
from companion.coach.lattice import lattice
from companion.coach.odds import cached_takeability, cached_turn_values, odds
from companion.coach.position import Position
from companion.game.cards import Card, Group

NAME = "coach"
HELP = "the exact odds of a turn with three cards, against a 300×300 float64 matrix product"

ROUNDS = 25
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Read by the BLAS libraries when they load, hence the process of its own."""

CARDS = (
    Card((Group(3), Group(2)), 2),
    Card((Group(4, "red"),), 3),
    Card((Group(2, "blue"), Group(2, "red"), Group(2)), 4),
)


def run() -> Sequence[Figure]:
    """Measure in a process of its own, in which BLAS has one thread."""
    child = subprocess.run(
        [sys.executable, "-c", "from companion.bench import coach; coach.print_measured()"],
        env=os.environ | ONE_THREAD,
        capture_output=True,
        text=True,
        check=True,
    )
    scratch, cached, peak_mb = json.loads(child.stdout)
    return (
        Figure("odds of three new cards / matrix product", scratch, "×", 30),
        Figure("odds of three cards met before / matrix product", cached, "×", 15),
        Figure("peak memory of the odds", peak_mb, "MB", 50),
    )


def print_measured() -> None:
    """Write the three figures of `run` to standard output as JSON."""
    json.dump(measured(), sys.stdout)


def measured() -> tuple[float, float, float]:
    """Return cost from scratch, cost with takeability remembered (both in matrix products), and peak MB."""
    tracemalloc.start()
    lattice()
    odds(Position(CARDS))
    peak_mb = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    factor = np.random.default_rng(1).random((300, 300))

    def cards_met_before() -> None:
        cached_turn_values.cache_clear()
        odds(Position(CARDS))

    def from_scratch() -> None:
        cached_takeability.cache_clear()
        cards_met_before()

    # Interleaved, and the best of each, so that a busy moment of the machine hits all alike.
    jobs: tuple[Callable[[], object], ...] = (
        lambda: factor @ factor,
        from_scratch,
        cards_met_before,
    )
    best = [
        min(times) for times in zip(*([_seconds(job) for job in jobs] for _ in range(ROUNDS)), strict=True)
    ]
    return best[1] / best[0], best[2] / best[0], peak_mb


def _seconds(job: Callable[[], object]) -> float:
    begun_s = time.perf_counter()
    job()
    return time.perf_counter() - begun_s

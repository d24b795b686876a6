"""What pattern an LED's line shows, told from how its state changes in time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.devices.led_cycles import CYCLES
from companion.table.ports import LedPattern

STEP_MS = 10
WATCHED_MS = 3600
"""Two rounds and a half of the longest pattern."""
ALIKE = 0.9
"""How much of the time an LED must be as its pattern says: an emulated machine is not always on time."""

REPEATING = [pattern for pattern in LedPattern if CYCLES[pattern].repeats]


def states_of(steps: Sequence[Sequence[Any]], place: int, ended_ms: int) -> list[bool]:
    """Return an LED's state every 10 ms, from `(ms, states)` at each change."""
    states: list[bool] = []
    ends = [ms for ms, _ in steps[1:]] + [ended_ms]
    for (_, lit), end_ms in zip(steps, ends, strict=True):
        while len(states) * STEP_MS < end_ms:
            states.append(bool(lit[place]))
    return states


def pattern_of(states: Sequence[bool]) -> LedPattern | None:
    """Return the pattern that an LED repeats, wherever in it the states begin; None where it is none."""
    best, pattern = max((_alikeness(states, one), one) for one in REPEATING)
    return pattern if best >= ALIKE else None


def patterns_of(watched: dict[str, Any]) -> tuple[str | None, ...]:
    """Return the names of the patterns on the watched lines."""
    steps, ended_ms = watched["steps"], watched["ended_ms"]
    found = [pattern_of(states_of(steps, place, ended_ms)) for place in range(len(steps[0][1]))]
    return tuple(None if pattern is None else str(pattern) for pattern in found)


def _alikeness(states: Sequence[bool], pattern: LedPattern) -> float:
    cycle = CYCLES[pattern]
    return max(
        sum(cycle.is_lit(begun_ms + STEP_MS * place) == lit for place, lit in enumerate(states)) / len(states)
        for begun_ms in range(0, cycle.length_ms, STEP_MS)
    )

"""Simulated LEDs: remember what they were told and since when, so that a page can draw them in time."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from companion.devices.led_cycles import CYCLES
from companion.table.ports import Clock, LedPattern, LedPatterns

DARK: LedPatterns = (LedPattern.OFF, LedPattern.OFF, LedPattern.OFF)


@dataclass(frozen=True, slots=True)
class Shown:
    """The patterns now, the second (of the clock) at which each began, and how often they changed."""

    patterns: LedPatterns
    since_s: tuple[float, float, float]
    changes: int


class SimulatedLeds:
    """Three LEDs that exist only in memory; safe to use from several threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        began_s = clock.now_s()
        self._shown = Shown(DARK, (began_s, began_s, began_s), 0)

    def show(self, patterns: LedPatterns) -> None:
        """Show these patterns from now on; an LED that keeps its pattern goes on in step."""
        now_s = self._clock.now_s()
        with self._lock:
            before = self._shown
            since = [
                began if old is new else now_s
                for old, new, began in zip(before.patterns, patterns, before.since_s, strict=True)
            ]
            self._shown = Shown(patterns, (since[0], since[1], since[2]), before.changes + 1)

    def shown(self) -> Shown:
        """What they show now."""
        return self._shown

    def lit(self, now_s: float) -> tuple[bool, bool, bool]:
        """Which are lit at this moment of the clock."""
        shown = self._shown
        first, second, third = (
            CYCLES[pattern].is_lit(max(0.0, (now_s - since_s) * 1000))
            for pattern, since_s in zip(shown.patterns, shown.since_s, strict=True)
        )
        return first, second, third

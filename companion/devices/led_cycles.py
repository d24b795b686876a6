"""How each LED pattern looks in time: short, distinct cycles that every device renders alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.table.ports import LedPattern


@dataclass(frozen=True, slots=True)
class Cycle:
    """Steps of (milliseconds, lit), gone through again and again, or once and then dark."""

    steps: tuple[tuple[int, bool], ...]
    repeats: bool = True

    @property
    def length_ms(self) -> int:
        """How long one round takes."""
        return sum(length for length, _ in self.steps)

    def is_lit(self, since_ms: float) -> bool:
        """Tell whether the LED is lit `since_ms` milliseconds (≥ 0) after the pattern began."""
        if not self.repeats and since_ms >= self.length_ms:
            return False
        within = since_ms % self.length_ms
        for length, lit in self.steps:
            if within < length:
                return lit
            within -= length
        return False

    def next_change_ms(self, since_ms: float) -> float | None:
        """Return when, in ms since the pattern began and after `since_ms`, the LED changes; None if never."""
        lit = self.is_lit(since_ms)
        boundary = since_ms - since_ms % self.length_ms
        for length, _ in self.steps * 2:
            boundary += length
            if boundary > since_ms and self.is_lit(boundary) != lit:
                return boundary
        return None


CYCLES: Mapping[LedPattern, Cycle] = MappingProxyType(
    {
        LedPattern.OFF: Cycle(((1000, False),)),
        LedPattern.STEADY: Cycle(((1000, True),)),
        LedPattern.SLOW_BLINK: Cycle(((800, True), (800, False))),
        LedPattern.FAST_BLINK: Cycle(((170, True), (170, False))),
        LedPattern.READING: Cycle(((80, True), (320, False))),
        # Two short ones and a long pause, unlike any steady blink, also from the corner of the eye.
        LedPattern.LOOK_AT_PHONE: Cycle(((130, True), (150, False), (130, True), (1000, False))),
        LedPattern.TAKEN: Cycle(((170, True), (170, False)) * 3, repeats=False),
    }
)
"""No LED flashes more than three times in any second (WCAG 2.3.1)."""

"""Signals: what all three LEDs do together for a while, in the place of the table's patterns; no threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType

from companion.table.gestures import HOLD_S, LONG_HOLD_S

Lit = tuple[bool, bool, bool]

DARK: Lit = (False, False, False)
FULL: Lit = (True, True, True)
TURN: tuple[Lit, ...] = ((True, False, False), (False, True, False), (False, False, True))

TRIAL_STEP_S = 0.6
"""How long each LED is lit when they are tried in turn."""
ASKED_STEP_S = 0.25
"""So long each LED is lit while a phone waits for a press; each flashes once a second."""
ASKED_ROUNDS = 60
"""For as long as a phone's wish lasts."""
HALF_WAY_S = (HOLD_S + LONG_HOLD_S) / 2


class Signal(IntEnum):
    """Each signal; of several at a time the greatest is shown."""

    ASKED = 1
    """A phone asks to act: the light walks from left to right, until the button is pressed."""
    LET_IN = 2
    """It was let in: all light up once, long."""
    TRIAL = 3
    """Each lights in turn, once."""
    HELD = 4
    """The button is down: one LED when it is a hold, two half way on, all three when it is a long hold."""


@dataclass(frozen=True, slots=True)
class Course:
    """Steps of (seconds, what is lit; None: the table's patterns), gone through once."""

    steps: tuple[tuple[float, Lit | None], ...]
    stays: bool = False
    """Whether the last step lasts until the signal is taken back."""

    def at(self, since_s: float) -> tuple[Lit | None, float | None]:
        """Return what is lit so many seconds (≥ 0) after it began, and after how many that may change.

        None for what is lit: the table's patterns show through. None for when: never by itself.
        """
        end_s = 0.0
        for length_s, lit in self.steps:
            end_s += length_s
            if since_s < end_s:
                return lit, end_s
        return (self.steps[-1][1] if self.stays else None), None


COURSES: Mapping[Signal, Course] = MappingProxyType(
    {
        Signal.ASKED: Course(tuple((ASKED_STEP_S, lit) for lit in (*TURN, DARK)) * ASKED_ROUNDS),
        Signal.LET_IN: Course(((0.2, DARK), (1.2, FULL), (0.2, DARK))),
        Signal.TRIAL: Course(tuple((TRIAL_STEP_S, lit) for lit in TURN)),
        Signal.HELD: Course(
            (
                (HOLD_S, None),
                (HALF_WAY_S - HOLD_S, (True, False, False)),
                (LONG_HOLD_S - HALF_WAY_S, (True, True, False)),
                (0.1, FULL),
            ),
            stays=True,
        ),
    }
)
"""How each goes; none flashes more than three times in any second (WCAG 2.3.1)."""

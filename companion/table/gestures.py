"""Gestures: the button's edges become press, hold and long hold, on release; time is an argument."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.table.intents import Hold, Intent, LongHold, Press

HOLD_S = 0.8
LONG_HOLD_S = 3.0
DEBOUNCE_S = 0.010
"""A contact counts once it was still for so long: chatter lasts up to 5 ms, the shortest tap 30 ms."""


class Gesture(Enum):
    """What was done with the button."""

    PRESS = "press"
    HOLD = "hold"
    LONG_HOLD = "long_hold"

    @property
    def intent(self) -> Intent:
        """What the table is asked for by it."""
        match self:
            case Gesture.PRESS:
                return Press()
            case Gesture.HOLD:
                return Hold()
            case Gesture.LONG_HOLD:
                return LongHold()


@dataclass(frozen=True, slots=True)
class Gestures:
    """The button's contact so far, as a value; each edge or look gives the next one and what was recognised.

    Feed every edge to `edge`, chatter included, and call `look` at `due_s`: the end of a gesture is certain
    only when the contact has been still for DEBOUNCE_S. Times are seconds of one clock that goes forward.
    """

    down: bool = False
    """The contact as it counts."""
    since_s: float = 0.0
    """When it came to count so."""
    raw: bool = False
    raw_since_s: float = 0.0

    @property
    def due_s(self) -> float | None:
        """When `look` has something to find out, or None."""
        return None if self.raw == self.down else self.raw_since_s + DEBOUNCE_S

    def edge(self, down: bool, now_s: float) -> tuple[Gestures, Gesture | None]:
        """Return what follows from the contact closing (`down`) or opening at `now_s`."""
        settled, gesture = self.look(now_s)
        if down == settled.raw:
            return settled, gesture
        return Gestures(settled.down, settled.since_s, down, now_s), gesture

    def look(self, now_s: float) -> tuple[Gestures, Gesture | None]:
        """Return what is certain at `now_s`: a contact that has been still long enough counts."""
        # Compared with the very sum that `due_s` tells, so that a look at that moment finds something.
        if self.due_s is None or now_s < self.due_s:
            return self, None
        settled = Gestures(self.raw, self.raw_since_s, self.raw, self.raw_since_s)
        return settled, None if settled.down else gesture_after(self.raw_since_s - self.since_s)

    def coming(self, now_s: float) -> Gesture | None:
        """Return what letting go now would give, to be shown while the button is down; None when up."""
        return gesture_after(now_s - self.since_s) if self.down else None


def gesture_after(down_s: float) -> Gesture:
    """Return what it means that the button was down for so long."""
    if down_s < HOLD_S:
        return Gesture.PRESS
    return Gesture.HOLD if down_s < LONG_HOLD_S else Gesture.LONG_HOLD

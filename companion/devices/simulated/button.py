"""The simulated button: how long it was held becomes edges, and edges become gestures as on the real one."""

from __future__ import annotations

from collections.abc import Callable

from companion.table.conductor import Table
from companion.table.gestures import DEBOUNCE_S, Gesture, Gestures
from companion.table.ports import Clock


def gesture_of(held_s: float, up_s: float) -> Gesture | None:
    """What comes of a contact that was closed for `held_s` and opened at `up_s`; None for mere chatter."""
    contact, _ = Gestures().edge(True, up_s - held_s)
    contact, _ = contact.edge(False, up_s)
    return contact.look(up_s + 2 * DEBOUNCE_S)[1]


class SimulatedButton:
    """A button whose gestures go to the table as intents, but for those that `taken` takes first."""

    def __init__(
        self, table: Table, clock: Clock, taken: Callable[[Gesture], bool] = lambda _gesture: False
    ) -> None:
        self._table = table
        self._clock = clock
        self._taken = taken

    def held(self, held_s: float) -> None:
        """The button was let go now, after `held_s` seconds (≥ 0); what the table refuses, it says itself."""
        gesture = gesture_of(held_s, self._clock.now_s())
        if gesture is not None and not self._taken(gesture):
            self._table.submit(gesture.intent)

"""A drawn table that throws its own dice: button, LEDs and page can be tried without a camera."""

from __future__ import annotations

from collections.abc import Callable

from companion.devices.lock import Lock
from companion.devices.simulated.table import SimulatedTable
from companion.devices.streaming import Shot
from companion.table.ports import Frame


class SelfThrowing:
    """A running camera above a simulated table whose dice are thrown whenever the last throw was read."""

    def __init__(self, table: SimulatedTable, pause: Callable[[], None]) -> None:
        """`pause` waits from one frame to the next."""
        self._table = table
        self._pause = pause
        self._is_read = True

    def open(self, lock: Lock) -> None:
        """Nothing to open, and nothing to lock."""

    def small(self) -> Frame:
        """Return the next frame, after a throw if the last one was read."""
        if self._is_read:
            self._table.throw(everything=True)
            self._is_read = False
        self._pause()
        return self._table.picture()[1]

    def still(self) -> Shot:
        """Return the frame that is read."""
        frame = self.small()
        self._is_read = True
        return Shot(frame)

    def close(self) -> None:
        """Nothing to let go."""

"""The system's clock that only goes forward."""

from __future__ import annotations

import time


class MonotonicClock:
    """Seconds since some moment before the program began; unmoved by a change of the time of day."""

    def now_s(self) -> float:
        """Return the seconds now."""
        return time.monotonic()

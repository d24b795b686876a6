"""gpiozero's mock pins, and a button on them whose contact chatters as real ones do."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def mock_factory(*, pwm: bool = False) -> Iterator[Any]:
    """Yield a pin factory that exists only in memory."""
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    factory = MockFactory(pin_class=MockPWMPin) if pwm else MockFactory()
    try:
        yield factory
    finally:
        factory.close()


class StandingClock:
    """A clock that stands until it is moved."""

    def __init__(self, now_s: float = 1000.0) -> None:
        self.time_s = now_s

    def now_s(self) -> float:
        """Return the time it was moved to."""
        return self.time_s

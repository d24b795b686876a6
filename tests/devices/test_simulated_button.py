"""The simulated button goes through the same gestures as the real one."""

import pytest

from companion.devices.simulated.button import gesture_of
from companion.table.gestures import Gesture


@pytest.mark.parametrize(
    ("held_s", "expected"),
    [
        (0.002, None),
        (0.05, Gesture.PRESS),
        (0.7, Gesture.PRESS),
        (0.9, Gesture.HOLD),
        (2.9, Gesture.HOLD),
        (3.1, Gesture.LONG_HOLD),
        (60.0, Gesture.LONG_HOLD),
    ],
)
def test_how_long_it_was_held_decides(held_s: float, expected: Gesture | None) -> None:
    assert gesture_of(held_s, 1000.0) is expected

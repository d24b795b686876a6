"""Settling: after a press, frames are watched until the dice lie still; then, and only then, one is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.devices.streaming import CameraTrouble
from companion.table.advice import PROBLEM_ADVICE
from companion.table.ports import Clock, Frame
from companion.vision.stillness import Stillness, StillnessState


class Watcher(Protocol):
    """What tells whether the frames since a press are still: `StillnessWatcher`, anew for each press."""

    def feed(self, frame_bgr: Frame, now_s: float) -> Stillness:
        """Take in the next frame, and say what follows."""


def settle(next_frame: Callable[[], Frame], watcher: Watcher, clock: Clock) -> None:
    """Read frames until they are still.

    Raises:
        CameraTrouble: they did not come to rest within the watcher's limit; the code is a reading's problem.
    """
    while True:
        verdict = watcher.feed(next_frame(), clock.now_s())
        if verdict.state is StillnessState.STILL:
            return
        if verdict.state is StillnessState.GIVEN_UP:
            code = next(iter(verdict.problems), "moving")
            advice = PROBLEM_ADVICE[code]
            raise CameraTrouble(code, f"{advice[:1].upper()}{advice[1:]}.")

"""The measures of the vision bench measure what they say."""

import numpy as np
import pytest

from companion.bench.vision import peak_frames

FRAME_BYTES = 8_000_000


@pytest.mark.parametrize("frames", [1, 3])
def test_peak_memory_is_counted_in_frames(frames: int) -> None:
    def work() -> None:
        for _ in range(2):
            held = [np.ones(FRAME_BYTES, np.uint8) for _ in range(frames)]
            del held

    # One more frame may still be in hand while the list is made anew.
    assert frames - 0.1 <= peak_frames(work, FRAME_BYTES) <= frames + 1.3


def test_work_that_holds_nothing_costs_nothing() -> None:
    assert peak_frames(lambda: None, FRAME_BYTES) < 0.2

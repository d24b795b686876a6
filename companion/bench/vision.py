"""What a reading costs: against one colour conversion of the same frame, as frames grow, and in memory.

The yardstick is `cv2.cvtColor(frame, COLOR_BGR2LAB)` of the same frame, timed in turn with the reading on one
thread, so that the ratio says the same on a fast and on a slow machine. Times are the processor's, of all
threads: other programs that want it meanwhile do not count. Pictures are those of the simulated table; where
a die is missing all the table is looked at closely, which is what a reading costs at worst.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from time import process_time

import cv2
import numpy as np
import numpy.typing as npt

from companion.bench import Figure
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.table import SimulatedTable
from companion.vision.profile import Profile
from companion.vision.read import read_picture

NAME = "vision"
HELP = "one reading against one conversion to Lab of the same frame, on one thread"

#: A reading of a frame as the camera gives it may cost twice the conversion, and four frames of memory.
COST_LIMIT, MEMORY_LIMIT_FRAMES = 2.0, 4.0
WIDTHS_PX = (820, 1640, 3280)
#: Cost may grow as the pixels; so much more is within what timing can tell.
GROWTH_LIMIT = 1.1
_ROUNDS = 15

Frame = npt.NDArray[np.uint8]


def run() -> list[Figure]:
    """Cost as a ratio for three widths, its growth relative to the growth of the pixels, and peak memory."""
    table = SimulatedTable(seed=1, pose=Pose(width_px=1640, height_px=1232))
    profile = table.calibrated()
    table.throw(everything=True)
    frame = table.picture()[1]
    figures = []
    seconds: dict[int, float] = {}
    with one_thread():
        for width_px in WIDTHS_PX:
            sized = _at_width(frame, width_px)
            reading_s, conversion_s = reading_and_conversion_s(sized, profile)
            seconds[width_px] = reading_s
            limit = COST_LIMIT if width_px == 1640 else None
            figures += [
                Figure(f"reading of a {width_px} wide frame", reading_s * 1e3, "ms"),
                Figure(
                    f"the same over its conversion to Lab, {width_px} wide",
                    reading_s / conversion_s,
                    "×",
                    limit,
                ),
            ]
        for small, large in pairwise(WIDTHS_PX):
            growth = seconds[large] / seconds[small] / (large / small) ** 2
            figures.append(
                Figure(f"growth of cost over growth of pixels, {small} to {large}", growth, "×", GROWTH_LIMIT)
            )
        table.lose_die()
        reading_s, conversion_s = reading_and_conversion_s(table.picture()[1], profile)
        worst = "a reading with a die missing over the conversion, 1640 wide"
        figures.append(Figure(worst, reading_s / conversion_s, "×"))
        frames = peak_frames(lambda: read_picture(frame, profile), frame.nbytes)
        figures.append(Figure("peak memory of a reading, in frames of 1640", frames, "", MEMORY_LIMIT_FRAMES))
    return figures


def reading_and_conversion_s(frame: Frame, profile: Profile, rounds: int = _ROUNDS) -> tuple[float, float]:
    """Least times of a reading and of the conversion, taken in turn so that both see the same machine."""
    read_picture(frame, profile)
    readings, conversions = [], []
    for _ in range(rounds):
        readings.append(_timed(lambda: read_picture(frame, profile)))
        conversions.append(_timed(lambda: cv2.cvtColor(frame, cv2.COLOR_BGR2LAB)))
    return min(readings), min(conversions)


def peak_frames(work: Callable[[], object], frame_bytes: int) -> float:
    """Most memory that ``work`` held beyond what was there before, in frames.

    What Python and numpy allocate is counted exactly; what OpenCV holds inside a call is seen, on Linux, in
    the process's resident peak. The larger of the two is told.
    """
    work()
    before = _resident_bytes("VmRSS")
    _reset_resident_peak()
    work()
    resident = _resident_bytes("VmHWM") - before
    tracemalloc.start()
    try:
        base = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        work()
        traced = tracemalloc.get_traced_memory()[1] - base
    finally:
        tracemalloc.stop()
    return max(resident, traced, 0) / frame_bytes


@contextmanager
def one_thread() -> Iterator[None]:
    """OpenCV on one thread inside the block."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(before)


def _timed(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def _at_width(frame: Frame, width_px: int) -> Frame:
    if width_px == frame.shape[1]:
        return frame
    size_px = (width_px, round(frame.shape[0] * width_px / frame.shape[1]))
    how = cv2.INTER_AREA if width_px < frame.shape[1] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(frame, size_px, interpolation=how), np.uint8)


def _resident_bytes(field: str) -> int:
    """A field of /proc/self/status in bytes; 0 where there is none."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    for line in status.read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    return 0


def _reset_resident_peak() -> None:
    """Begin the resident peak anew (Linux); elsewhere, or where it is not allowed, it only grows."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return

"""Are the dice still? Frames and their times go in, a verdict comes out; no clock and no camera here.

A rounded die can spin on a corner with its centre at rest, and slowly. So motion is told from pixels, in
windows as large as a die, against the first frame of the present calm and not only the last frame: what
creeps adds up. Windows compare local contrast, so that a lamp that flickers or is dimmed is no motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np

from companion.vision.frame import FrameModel, reaches_in
from companion.vision.frame_light import compare_light
from companion.vision.frame_view import Bytes, Floats, small_view

#: Without any motion since the press: this many frames alike, over this long (as public reports advise).
STILL_FRAMES, STILL_S = 4, 0.13
#: After any motion, nothing may move for this long.
CALM_S = 0.7
#: It is given up, with the reason, when nothing has come to rest this long after the press.
LIMIT_S = 8.0
#: Added to local brightness (grey levels) before dividing: noise in the dark is no contrast.
_DARK_LEVEL = 24.0
#: A window has moved when its mean contrast changed by so much beyond what noise changes the usual one
#: by. Measured: a die turned in place by 4 degrees gives 0.012 (median), noise of 3 grey levels 0.001.
_MOVED_CONTRAST, _NOISE_TIMES = 0.008, 3.0


class StillnessState(Enum):
    """What the frames since the press say."""

    WAITING = "waiting"
    STILL = "still"
    GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True)
class Stillness:
    """The verdict after a frame: read it now, wait on, or give up.

    ``calm_s`` is how long nothing has moved; ``problems`` says why it is not still, in the codes of a
    reading: ``moving``, ``hand_in_view``; empty where only time is wanting.
    """

    state: StillnessState
    calm_s: float
    problems: tuple[str, ...]


class StillnessWatcher:
    """Watches the frames after one press; make a new one for each press.

    ``feed`` depends on nothing but the frames and the times given to it. Times are in seconds of any steady
    clock; the first frame's time counts as that of the press.
    """

    def __init__(self, model: FrameModel, limit_s: float = LIMIT_S) -> None:
        self._model = model
        self._limit_s = limit_s
        self._window_px = max(3, round(model.zones.die_mm * model.anchors.px_per_mm) | 1)
        self._pressed_s: float | None = None
        self._calm: Floats | None = None
        self._calm_since_s = 0.0
        self._calm_frames = 0
        self._has_moved = False
        self._hand_seen = False

    def feed(self, frame_bgr: Bytes, now_s: float) -> Stillness:
        """Take in the next frame (H, W, 3), uint8 BGR, taken at ``now_s``.

        Raises:
            FrameError: the frame is none.
        """
        view = small_view(frame_bgr, self._model.anchors.view_px)
        contrast = self._contrast(view)
        if self._pressed_s is None:
            self._pressed_s = now_s
        moved = self._calm is not None and self._differs(contrast, self._calm)
        if self._calm is None or moved:
            self._calm, self._calm_since_s, self._calm_frames = contrast, now_s, 0
            self._has_moved = self._has_moved or moved
        self._calm_frames += 1
        hand = reaches_in(compare_light(view, self._model.light), self._model)
        self._hand_seen = self._hand_seen or hand
        calm_s = now_s - self._calm_since_s
        wanted_s = CALM_S if self._has_moved or self._hand_seen else STILL_S
        if hand:
            # The calm that counts begins when the hand has left.
            self._calm_since_s, self._calm_frames, calm_s = now_s, 1, 0.0
        problems = tuple(code for code, there in (("moving", moved), ("hand_in_view", hand)) if there)
        if not problems and self._calm_frames >= STILL_FRAMES and calm_s >= wanted_s:
            return Stillness(StillnessState.STILL, calm_s, ())
        if now_s - self._pressed_s >= self._limit_s:
            return Stillness(StillnessState.GIVEN_UP, calm_s, problems or ("moving",))
        return Stillness(StillnessState.WAITING, calm_s, problems)

    def _contrast(self, view_bgr: Bytes) -> Floats:
        """Local contrast of the view: by how much a pixel differs from its window, in brightnesses."""
        grey = np.asarray(cv2.cvtColor(view_bgr, cv2.COLOR_BGR2GRAY), np.float32)
        smooth = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8), np.float32)
        around = np.asarray(cv2.blur(grey, (self._window_px, self._window_px)), np.float32)
        return np.asarray((smooth - around) / (around + _DARK_LEVEL), np.float32)

    def _differs(self, contrast: Floats, calm: Floats) -> bool:
        """Whether a window of the watched table has changed."""
        change = cv2.blur(cv2.absdiff(contrast, calm), (self._window_px, self._window_px))
        halves = np.asarray(change, np.float32)[::2, ::2]
        watched = self._model.light.watched
        seen = halves[: watched.shape[0], : watched.shape[1]][watched]
        usual = float(np.median(seen))
        return float(seen.max()) > _MOVED_CONTRAST + _NOISE_TIMES * usual

"""All zones of a table seen from above, one below another on one sheet, so that each step is taken once.

Where they lie, and what the empty table shows there, is a `companion.vision.find_plan.Plan`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.find_hidden import mark_hidden
from companion.vision.find_plan import Plan, Tower, halved, seen_from_above, smoothed
from companion.vision.find_scene import (
    Bytes,
    Floats,
    Scene,
    light_gain,
    lit,
    noise_curve,
    planes_of,
)
from companion.vision.geometry import Matrix, Points, View

# Change is kept in bytes while it is worked out: so many steps to a unit of noise.
_CHANGE_STEPS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """One picture's zones, made ready for sampling."""

    plan: Plan
    image: Bytes
    """(h, w, 4): as seen, BGR and a channel without a meaning."""
    layers: Floats
    """(h, w, 4): smoothed BGR, 0..255, and the change against the empty table in units of its noise, to 4.

    Where the tower hides the table the change is `HIDDEN`.
    """
    half: Floats
    """(h / 2, w / 2, 4): the same at half the size."""
    noise: Floats
    """(256,) standard deviation of the raw picture's colours, by brightness."""
    gains: Floats
    """By window how much brighter than in the empty picture each channel is, (windows, 3)."""
    to_frame: Matrix
    """From the pixels of the zones' picture to the frame's (3x3)."""

    @property
    def empty(self) -> Bytes:
        """The smoothed empty table as it was, (h, w, 4)."""
        return self.plan.smooth

    @property
    def die_mm(self) -> float:
        """A die's side."""
        return self.plan.die_mm

    @property
    def px_per_mm(self) -> float:
        """The sheet's scale."""
        return self.plan.px_per_mm

    @property
    def margin_mm(self) -> float:
        """The sheet's millimetres run from its own corner."""
        return 0.0

    def zone_of(self, places: Points) -> npt.NDArray[np.intp]:
        """In which window each place lies, (n, 2 or more) mm → (n,)."""
        return self.plan.window_of(places)

    def rows_of(self, places: Points) -> Floats:
        """The first and the last row of each place's window, (n, 2)."""
        return np.asarray(self.plan.row_limits[self.plan.window_of(places)], np.float32)

    def depth_mm(self, places: Points) -> npt.NDArray[np.float64]:
        """Where a die's base appears relative to its top, for places on the sheet: (n, 2 …) → (n, 2)."""
        across, down, at_corner = self.plan.slopes[:, :, self.plan.window_of(places)]
        return np.asarray((across * places[:, 0] + down * places[:, 1] + at_corner).T, np.float64)

    def gain_of(self, places: Points) -> Floats:
        """The gain of each place's window, (n, 2 or more) mm → (n, 3)."""
        return np.asarray(self.gains[self.plan.window_of(places)], np.float32)

    def scenes(self) -> tuple[Scene, ...]:
        """Each zone by itself."""
        plan = self.plan
        return tuple(
            Scene(
                view=View(
                    floor=window.floor.moved(self.to_frame),
                    image=self.image[window.rows, :, :3],
                    px_per_mm=plan.px_per_mm,
                    margin_mm=window.margin_mm,
                    to_px=self.to_frame @ window.to_px,
                ),
                layers=self.layers[window.rows],
                empty=plan.smooth[window.rows],
                gain=gain,
                noise=self.noise,
                base_shift=window.base_shift,
                die_mm=plan.die_mm,
            )
            for window, gain in zip(plan.windows, self.gains, strict=True)
        )


def make_sheet(levels: Sequence[Bytes], plan: Plan, to_frame: Matrix) -> Sheet:
    """Prepare a picture; `to_frame` takes pixels of the zones' picture to the frame's (3x3).

    `levels` are the frame and, perhaps, it halved once, twice and so on. The last that shows all that the
    sheet can is taken.
    """
    level = max(0, min(len(levels) - 1, int(math.log2(plan.frame_px_per_px(to_frame)))))
    to_level = np.diag([0.5**level, 0.5**level, 1.0]) @ to_frame
    image = seen_from_above(levels[level], plan.windows, plan.size_px, to_level)
    px_per_die = plan.px_per_mm * plan.die_mm
    smooth = smoothed(image, px_per_die)
    half = halved(smooth)
    noise = noise_curve(image, smooth)
    planes = planes_of(half)
    expected = [plane.copy() for plane in plan.half_planes]
    gains: list[Floats] = []
    for window in plan.windows:
        rows = window.half_rows
        empty = [plane[rows] for plane in plan.half_planes]
        gain = light_gain([plane[rows] for plane in planes], empty)
        gains.append(gain)
        for plane, in_light in zip(expected, lit(empty, gain), strict=True):
            plane[rows] = in_light
    apart = [cv2.absdiff(one, other) for one, other in zip(planes, expected, strict=True)]
    change = _change(apart, planes, expected, noise)
    layers = _layers(smooth, cv2.resize(change, plan.size_px, interpolation=cv2.INTER_LINEAR))
    if plan.tower is not None:
        beyond = _beyond(planes, plan.windows[0].half_rows, plan.tower, gains[0], noise)
        whole_size = cv2.resize(beyond, plan.size_px, interpolation=cv2.INTER_LINEAR)
        mark_hidden(layers, plan.tower.behind, np.asarray(whole_size, np.float32))
    return Sheet(
        plan=plan,
        image=image,
        layers=layers,
        half=_layers(half, change),
        noise=noise,
        gains=np.array(gains),
        to_frame=to_frame,
    )


def _change(
    apart: Sequence[cv2.typing.MatLike], planes: Sequence[Bytes], expected: Sequence[Bytes], noise: Floats
) -> Bytes:
    """How far the strongest channel is `apart` from what is expected, in steps of a fraction of the noise."""
    strongest = _strongest(apart)
    level = cv2.max(_strongest(planes), _strongest(expected))
    # sixteen times finer than a byte holds, until it is divided
    per_noise = cv2.LUT(level, np.asarray(np.minimum(_CHANGE_STEPS * 16 / (3 + 3 * noise), 255), np.uint8))
    change = cv2.multiply(strongest, per_noise, scale=1 / 16)
    return np.asarray(cv2.GaussianBlur(change, (3, 3), 0), np.uint8)


def _beyond(planes: Sequence[Bytes], rows: slice, tower: Tower, gain: Floats, noise: Floats) -> Floats:
    """How far each place in the track's rows is from all that the empty table shows around it, in noise.

    The tower's outline is the strongest edge on the track: what blur or a small move does there is no change.
    """
    low, high = (lit([plane[rows] for plane in one], gain) for one in (tower.least, tower.most))
    here = [plane[rows] for plane in planes]
    apart = [
        cv2.max(cv2.subtract(plane, most), cv2.subtract(least, plane))
        for plane, least, most in zip(here, low, high, strict=True)
    ]
    beyond = np.zeros(planes[0].shape, np.float32)
    beyond[rows] = _change(apart, here, high, noise)
    return np.asarray(beyond / np.float32(_CHANGE_STEPS), np.float32)


def _strongest(planes: Sequence[cv2.typing.MatLike]) -> cv2.typing.MatLike:
    return cv2.max(cv2.max(planes[0], planes[1]), planes[2])


def _layers(smooth: Bytes, change: cv2.typing.MatLike) -> Floats:
    """A smoothed sheet, (h, w, 4), with the change, in steps, as its last channel."""
    layers = smooth.astype(np.float32)
    np.multiply(change, np.float32(1 / _CHANGE_STEPS), out=layers[..., 3])
    return layers

"""One zone seen from above, beside what it shows when empty: colours, change, noise, ready for sampling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.geometry import Points, View

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

# Every how many pixels noise and light are sampled: some thousand samples tell a median or mean well enough.
_NOISE_STEP, _LIGHT_STEP = 5, 5


class Seen(Protocol):
    """What faces are judged on, one zone or all of them: layers as in `Scene`, by millimetres of its own."""

    @property
    def layers(self) -> Floats:
        """As of `Scene`."""

    @property
    def expected(self) -> Bytes:
        """As of `Scene`."""

    @property
    def noise(self) -> Floats:
        """As of `Scene`."""

    @property
    def die_mm(self) -> float:
        """A die's side."""

    @property
    def px_per_mm(self) -> float:
        """Pixels of the layers to a millimetre."""

    @property
    def margin_mm(self) -> float:
        """Where its own millimetres begin, from the corner of the layers."""

    def zone_of(self, places: Points) -> npt.NDArray[np.intp]:
        """In which zone each place lies, (n, 2 or more) mm → (n,)."""

    def rows_of(self, places: Points) -> tuple[Floats, Floats]:
        """The first and the last row of each place's zone in the layers, (n, 1) each."""

    def depth_mm(self, places: Points) -> Points:
        """Where a die's base appears relative to its top, (n, 2 or more) mm → (n, 2)."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One zone's view, made ready for sampling: a part of a `companion.vision.find_sheet.Sheet`."""

    view: View
    layers: Floats
    """(h, w, 4): smoothed BGR, 0..255, and the change against the empty table in units of its noise, to 4."""
    expected: Bytes
    """(h, w, 3): the smoothed empty table in this picture's light, BGR, 0..255."""
    noise: Floats
    """(256,) standard deviation of the raw picture's colours, by brightness."""
    base_shift: npt.NDArray[np.float64]
    """2x3: affine map from a top's middle (view mm) to where the middle of the base appears, minus that."""
    die_mm: float

    @property
    def px_per_mm(self) -> float:
        """The view's scale."""
        return self.view.px_per_mm

    @property
    def margin_mm(self) -> float:
        """How far the zone's corner is from the view's."""
        return self.view.margin_mm

    def zone_of(self, places: Points) -> npt.NDArray[np.intp]:
        """There is but one zone: (n, …) → (n,) zeros."""
        return np.zeros(len(places), np.intp)

    def rows_of(self, places: Points) -> tuple[Floats, Floats]:
        """The view's first and last row, for each of the places (n, 1)."""
        first = np.zeros((len(places), 1), np.float32)
        return first, first + np.float32(len(self.layers) - 1)

    def depth_mm(self, places: Points) -> Points:
        """Where a die's base appears relative to its top: (n, 2 …) → (n, 2)."""
        return np.asarray(places[:, :2] @ self.base_shift[:, :2].T + self.base_shift[:, 2], np.float64)


def in_face(scene: Seen, places: Points, at: npt.ArrayLike) -> Floats:
    """The scene's layers at places in each face's own axes, fractions of a die from its middle.

    (n, 3 or more), (2, k) or (2, n, k) → (n, k, 4) BGR and change.
    """
    u, v = view_at(scene, places, at)
    seen = cv2.remap(scene.layers, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(*u.shape, -1)


def view_at(scene: Seen, places: Points, at: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Pixel indices in the layers of places in each face's own axes, (2, k) or (2, n, k) → (n, k) twice.

    Beyond its zone each face sees the zone's last row.
    """
    across, down = np.asarray(at, np.float32)
    place = np.asarray(places, np.float32)
    per_die, per_mm = np.float32(scene.die_mm * scene.px_per_mm), np.float32(scene.px_per_mm)
    cos, sin = per_die * np.cos(place[:, 2:3]), per_die * np.sin(place[:, 2:3])
    middle = (place[:, :2] + np.float32(scene.margin_mm)) * per_mm - np.float32(0.5)
    first, last = scene.rows_of(places)
    return (
        across * cos - down * sin + middle[:, :1],
        np.minimum(np.maximum(across * sin + down * cos + middle[:, 1:], first), last),
    )


def planes_of(image_bgr: Bytes) -> list[Bytes]:
    """A picture's channels, (h, w) each."""
    return [np.asarray(plane, np.uint8) for plane in cv2.split(image_bgr)]


def tables_of(gain: Floats) -> Bytes:
    """What each level becomes in a light that is `gain` times as bright, by channel: (3,) → (3, 256)."""
    levels = np.rint(np.arange(256, dtype=np.float32) * gain[:, None])
    return np.asarray(np.clip(levels, 0, 255), np.uint8)


def lit(planes: Sequence[Bytes], gain: Floats) -> list[Bytes]:
    """Channels, (h, w) uint8 each, in a light that is `gain` times as bright."""
    return [
        np.asarray(cv2.LUT(plane, row), np.uint8) for plane, row in zip(planes, tables_of(gain), strict=True)
    ]


def noise_curve(image: Bytes, smooth: Bytes) -> Floats:
    """Noise by brightness (256 values): what smoothing takes off, averaged over bands of equal brightness."""
    sparse = smooth[::_NOISE_STEP, ::_NOISE_STEP]
    grain = cv2.absdiff(image[::_NOISE_STEP, ::_NOISE_STEP], sparse)
    # how often each grain occurs in each of sixteen bands
    pairs = (sparse.astype(np.intp) >> 4 << 8) + grain
    often = np.bincount(pairs.ravel(), minlength=16 * 256).reshape(16, 256)
    number = often.sum(axis=1)
    usable = number >= 60
    if not usable.any():
        return np.full(256, 4.0, np.float32)
    # 1.25: the standard deviation of a normal distribution over its mean absolute value
    deviation = 1.25 * (often @ np.arange(256.0))[usable] / number[usable]
    curve = np.interp(np.arange(256), np.flatnonzero(usable) * 16 + 8, deviation)
    return np.asarray(curve, np.float32)


def light_gain(now: Sequence[Bytes], then: Sequence[Bytes]) -> Floats:
    """How much brighter each channel is than in the empty picture: the median over the zone, shape (3,).

    Both are a zone's three channels, (h, w) uint8 each.
    """
    ours, empty = (
        np.stack([plane[::_LIGHT_STEP, ::_LIGHT_STEP].ravel() for plane in planes]) for planes in (now, then)
    )
    usable = (empty.min(axis=0) > 8) & (np.maximum(ours, empty).max(axis=0) < 250)
    count = int(usable.sum())
    if count < 50:
        return np.ones(3, np.float32)
    ratio = (ours[:, usable] + np.float32(2)) / (empty[:, usable] + np.float32(2))
    ratio.partition(count // 2, axis=1)
    return np.asarray(ratio[:, count // 2], np.float32)

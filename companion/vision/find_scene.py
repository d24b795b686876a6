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
    def empty(self) -> Bytes:
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

    def rows_of(self, places: Points) -> Floats:
        """The first and the last row of each place's zone in the layers, (n, 2)."""

    def depth_mm(self, places: Points) -> Points:
        """Where a die's base appears relative to its top, (n, 2 or more) mm → (n, 2)."""

    def gain_of(self, places: Points) -> Floats:
        """How much brighter than in the empty picture each channel is at each place: → (n, 3)."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One zone's view, made ready for sampling: a part of a `companion.vision.find_sheet.Sheet`."""

    view: View
    layers: Floats
    """(h, w, 4): smoothed BGR, 0..255, and the change against the empty table in units of its noise, to 4."""
    empty: Bytes
    """(h, w, 4): the smoothed empty table as it was, BGR and a channel without a meaning."""
    gain: Floats
    """(3,): how much brighter than in the empty picture each channel is."""
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

    def rows_of(self, places: Points) -> Floats:
        """The view's first and last row, for each of the places (n, 2)."""
        return np.full((len(places), 2), (0, len(self.layers) - 1), np.float32)

    def depth_mm(self, places: Points) -> Points:
        """Where a die's base appears relative to its top: (n, 2 …) → (n, 2)."""
        return np.asarray(places[:, :2] @ self.base_shift[:, :2].T + self.base_shift[:, 2], np.float64)

    def gain_of(self, places: Points) -> Floats:
        """The zone's gain, for each of the places (n, 3)."""
        return np.broadcast_to(self.gain, (len(places), 3))


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Supposed faces in a scene, to be looked at in their own axes: fractions of a die from their middles."""

    axes: Floats
    """(n, 2, 2): from a face's own axes to pixels of the scene's layers."""
    middles: Floats
    """(n, 2, 1): pixel indices in the layers."""
    rows: Floats
    """(n, 2): the first and the last row that each may see; beyond them it sees those."""

    @classmethod
    def of(cls, scene: Seen, places: Points) -> Faces:
        """Faces at places (n, 3 or more: x, y mm, angle rad)."""
        place = np.asarray(places, np.float32)
        per_die, per_mm = np.float32(scene.die_mm * scene.px_per_mm), np.float32(scene.px_per_mm)
        axes = np.empty((len(place), 2, 2), np.float32)
        axes[:, 0, 0] = axes[:, 1, 1] = per_die * np.cos(place[:, 2])
        axes[:, 1, 0] = per_die * np.sin(place[:, 2])
        axes[:, 0, 1] = -axes[:, 1, 0]
        middles = (place[:, :2, None] + np.float32(scene.margin_mm)) * per_mm - np.float32(0.5)
        return cls(axes, middles, scene.rows_of(places))

    def moved(self, off: Floats) -> Faces:
        """The same faces with their middles moved in their own axes, (n, 2, 1)."""
        return Faces(self.axes, self.middles + self.axes @ off, self.rows)

    def pixels(self, at: Floats) -> tuple[Floats, Floats]:
        """Pixel indices of places in the faces' own axes, (2, k) or (n, 2, k) → (n, k) twice."""
        u_v = self.axes @ at
        u_v += self.middles
        u, v = u_v[:, 0], u_v[:, 1]
        np.minimum(np.maximum(v, self.rows[:, :1], out=v), self.rows[:, 1:], out=v)
        return u, v


def in_face(scene: Seen, places: Points, at: Floats) -> Floats:
    """The scene's layers at places in each face's own axes, fractions of a die from its middle.

    (n, 3 or more), (2, k) or (n, 2, k) → (n, k, 4) BGR and change.
    """
    return samples_at(scene.layers, *Faces.of(scene, places).pixels(at))


def samples_at(picture: Floats | Bytes, u: Floats, v: Floats) -> Floats:
    """A scene's layers, or another picture of that size, (h, w, 4), at pixel indices: (n, k) → (n, k, 4)."""
    if not u.size:
        return np.empty((*u.shape, picture.shape[2]), np.float32)
    seen = cv2.remap(picture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(*u.shape, 4)


def by_channel(samples: Floats) -> Floats:
    """Samples with their channels apart: (k, n, 4) → (4, k, n)."""
    planes = np.empty((4, *samples.shape[:2]), np.float32)
    # into these very planes: any others would be filled in their stead
    cv2.split(samples.astype(np.float32, copy=False), list(planes))
    return planes


def planes_of(image: Bytes) -> list[Bytes]:
    """The colours of a picture, (h, w, 3 or more): (h, w) each."""
    return [np.asarray(plane, np.uint8) for plane in cv2.split(image)[:3]]


def lit(planes: Sequence[Bytes], gain: Floats) -> list[Bytes]:
    """Channels, (h, w) uint8 each, in a light that is `gain` times as bright."""
    return [
        np.asarray(cv2.convertScaleAbs(plane, alpha=times), np.uint8)
        for plane, times in zip(planes, gain.tolist(), strict=True)
    ]


def noise_curve(image: Bytes, smooth: Bytes) -> Floats:
    """Noise by brightness (256 values): what smoothing takes off, averaged over bands of equal brightness.

    Both are (h, w, 3 or more), of which the first three channels are looked at.
    """
    raw, sparse = (
        np.ascontiguousarray(one[::_NOISE_STEP, ::_NOISE_STEP, :3]).ravel() for one in (image, smooth)
    )
    grain = np.maximum(raw, sparse) - np.minimum(raw, sparse)
    # how often each grain occurs in each of sixteen bands
    pairs = ((sparse & np.uint8(0xF0)).astype(np.uint16) << 4) + grain
    often = np.bincount(pairs, minlength=16 * 256).reshape(16, 256)
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
        np.array([plane[::_LIGHT_STEP, ::_LIGHT_STEP] for plane in planes]).reshape(3, -1)
        for planes in (now, then)
    )
    usable = (empty.min(axis=0) > 8) & (np.maximum(ours, empty).max(axis=0) < 250)
    count = np.count_nonzero(usable)
    if count < 50:
        return np.ones(3, np.float32)
    ratio = (ours + np.float32(2)) / (empty + np.float32(2))
    ratio[:, ~usable] = np.inf
    ratio.partition(count // 2, axis=1)
    return np.asarray(ratio[:, count // 2], np.float32)

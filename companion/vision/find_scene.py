"""One zone seen from above, beside what it shows when empty: colours, change, noise, ready for sampling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.geometry import View, apply

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

# A view's smoothing, standard deviation in fractions of a die.
SMOOTH_FRAC = 0.55 / 16
# Change is kept in bytes while it is worked out: so many steps to a unit of noise.
_CHANGE_STEPS = 64
# Every how many pixels noise and light are sampled: some thousand samples tell a median or mean well enough.
_NOISE_STEP, _LIGHT_STEP = 5, 5


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """The empty table in the same view as a scene, uint8 BGR, at the scene's size and at half of it."""

    view: Bytes
    half: Bytes

    @classmethod
    def of(cls, view_bgr: Bytes, px_per_die: float) -> Reference:
        """From the view of the empty table, (h, w, 3) uint8 BGR."""
        smooth = _smoothed(view_bgr, px_per_die)
        return cls(smooth, _halved(smooth))


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One zone's view, made ready for sampling."""

    view: View
    layers: Floats
    """(h, w, 4): smoothed BGR, 0..255, and the change against the empty table in units of its noise, to 4."""
    half: Floats
    """(h / 2, w / 2, 4): the same at half the size."""
    reference: Reference
    gain: Floats
    """(3,) how much brighter than in the empty picture each channel is."""
    noise: Floats
    """(256,) standard deviation of the raw picture's colours, by brightness."""
    base_shift: npt.NDArray[np.float64]
    """2x3: affine map from a top's middle (view mm) to where the middle of the base appears, minus that."""
    die_mm: float

    @property
    def expected(self) -> Bytes:
        """(h, w, 3): the smoothed empty table in this picture's light, BGR, 0..255."""
        return np.asarray(cv2.merge(_lit(_planes(self.reference.view), self.gain)), np.uint8)


def make_scene(view: View, reference: Reference, die_mm: float) -> Scene:
    """Prepare a view; `reference` is the empty table in the same view."""
    smooth = _smoothed(view.image, view.px_per_mm * die_mm)
    half = _halved(smooth)
    noise = noise_curve(view.image, smooth)
    planes, empty = _planes(half), _planes(reference.half)
    gain = light_gain(planes, empty)
    expected = _lit(empty, gain)
    strongest = _strongest([cv2.absdiff(one, other) for one, other in zip(planes, expected, strict=True)])
    level = cv2.max(_strongest(planes), _strongest(expected))
    # the change in steps, sixteen times finer than a byte holds until it is divided
    per_noise = cv2.LUT(level, np.asarray(np.minimum(_CHANGE_STEPS * 16 / (3 + 3 * noise), 255), np.uint8))
    change = cv2.multiply(strongest, per_noise, scale=1 / 16)
    change = cv2.GaussianBlur(change, (3, 3), 0)
    return Scene(
        view=view,
        layers=_layers(smooth, cv2.resize(change, smooth.shape[1::-1], interpolation=cv2.INTER_LINEAR)),
        half=_layers(half, change),
        reference=reference,
        gain=gain,
        noise=noise,
        base_shift=base_shift(view, die_mm),
        die_mm=die_mm,
    )


def _smoothed(image_bgr: Bytes, px_per_die: float) -> Bytes:
    """A view, (h, w, 3) uint8 BGR, without its finest grain."""
    sigma = SMOOTH_FRAC * px_per_die
    return np.asarray(cv2.GaussianBlur(image_bgr, (5, 5), sigma), np.uint8)


def _halved(image: Bytes) -> Bytes:
    height, width = image.shape[0] // 2, image.shape[1] // 2
    even = image[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _planes(image_bgr: Bytes) -> list[Bytes]:
    return [np.asarray(plane, np.uint8) for plane in cv2.split(image_bgr)]


def _lit(planes: Sequence[Bytes], gain: Floats) -> list[cv2.typing.MatLike]:
    """The empty table's channels in a light that is `gain` times as bright."""
    rows = np.clip(np.rint(np.arange(256, dtype=np.float32) * gain[:, None]), 0, 255).astype(np.uint8)
    return [cv2.LUT(plane, row) for plane, row in zip(planes, rows, strict=True)]


def _layers(bgr: Bytes, change: cv2.typing.MatLike) -> Floats:
    planes = [plane.astype(np.float32) for plane in (*cv2.split(bgr), change)]
    planes[3] *= np.float32(1 / _CHANGE_STEPS)
    return np.asarray(cv2.merge(planes), np.float32)


def _strongest(planes: Sequence[cv2.typing.MatLike]) -> cv2.typing.MatLike:
    return cv2.max(cv2.max(planes[0], planes[1]), planes[2])


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
    if usable.sum() < 50:
        return np.ones(3, np.float32)
    ratio = (ours[:, usable] + np.float32(2)) / (empty[:, usable] + np.float32(2))
    return np.asarray(np.median(ratio, axis=1), np.float32)


def base_shift(view: View, die_mm: float) -> npt.NDArray[np.float64]:
    """Where a die's base appears relative to its top, as an affine function of the place (2x3, mm)."""
    _, to_top = view.floor.lift(die_mm)
    on_floor = view.floor.plane_to_px(0.0)
    width, height = view.floor.size_mm
    places = np.array([[0, 0], [width, 0], [width, height], [0, height], [width / 2, height / 2]], np.float64)
    shift = apply(to_top, apply(on_floor, places)) - places
    # The least squares plane through the four corners and the middle.
    across = (shift[1] + shift[2] - shift[0] - shift[3]) / (2 * width)
    down = (shift[2] + shift[3] - shift[0] - shift[1]) / (2 * height)
    middle = shift.mean(axis=0) - across * width / 2 - down * height / 2
    return np.column_stack([across, down, middle])

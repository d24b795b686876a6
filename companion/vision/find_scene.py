"""One zone seen from above beside what it shows when empty: colours, change, noise, ready for sampling."""

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
_NOISE_STEP, _LIGHT_STEP = 5, 11


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One zone's view, made ready for sampling."""

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


def smoothed(image_bgr: Bytes, px_per_mm: float, die_mm: float) -> Bytes:
    """A view, (h, w, 3) uint8 BGR, without its finest grain."""
    return np.asarray(cv2.GaussianBlur(image_bgr, (0, 0), SMOOTH_FRAC * die_mm * px_per_mm), np.uint8)


def make_scene(view: View, reference_bgr: Bytes, die_mm: float) -> Scene:
    """Prepare a view; `reference_bgr` is the empty table in the same view, `smoothed`."""
    smooth = smoothed(view.image, view.px_per_mm, die_mm)
    noise = noise_curve(view.image, smooth)
    gain = light_gain(smooth, reference_bgr)
    brighter = np.clip(np.rint(np.arange(256, dtype=np.float32) * gain[:, None]), 0, 255).astype(np.uint8)
    planes = cv2.split(smooth)
    expected = [cv2.LUT(plane, row) for plane, row in zip(cv2.split(reference_bgr), brighter, strict=True)]
    strongest = _strongest([cv2.absdiff(one, other) for one, other in zip(planes, expected, strict=True)])
    level = cv2.max(_strongest(planes), _strongest(expected))
    # the change in steps, sixteen times finer than a byte holds until it is divided
    per_noise = cv2.LUT(level, np.asarray(np.minimum(_CHANGE_STEPS * 16 / (3 + 3 * noise), 255), np.uint8))
    change = cv2.multiply(strongest, per_noise, scale=1 / 16)
    change = cv2.GaussianBlur(change, (0, 0), SMOOTH_FRAC * die_mm * view.px_per_mm)
    layers = cv2.merge([*planes, change]).astype(np.float32)
    layers[..., 3] *= 1 / _CHANGE_STEPS
    return Scene(
        view, layers, np.asarray(cv2.merge(expected), np.uint8), noise, base_shift(view, die_mm), die_mm
    )


def _strongest(planes: Sequence[cv2.typing.MatLike]) -> cv2.typing.MatLike:
    return cv2.max(cv2.max(planes[0], planes[1]), planes[2])


def noise_curve(image: Bytes, smooth: Bytes) -> Floats:
    """Noise by brightness (256 values): what smoothing takes off, averaged over bands of equal brightness."""
    sparse = smooth[::_NOISE_STEP, ::_NOISE_STEP]
    grain = cv2.absdiff(image[::_NOISE_STEP, ::_NOISE_STEP], sparse).reshape(-1)
    band = (sparse >> 4).reshape(-1)
    number = np.bincount(band, minlength=16)
    total = np.bincount(band, weights=grain, minlength=16)
    usable = number >= 60
    if not usable.any():
        return np.full(256, 4.0, np.float32)
    # 1.25: the standard deviation of a normal distribution over its mean absolute value
    deviation = 1.25 * total[usable] / number[usable]
    return np.interp(np.arange(256), np.flatnonzero(usable) * 16 + 8, deviation).astype(np.float32)


def light_gain(smooth: Bytes, reference: Bytes) -> Floats:
    """How much brighter each channel is than in the empty picture: the median over the zone, shape (3,)."""
    now = smooth[::_LIGHT_STEP, ::_LIGHT_STEP].reshape(-1, 3)
    then = reference[::_LIGHT_STEP, ::_LIGHT_STEP].reshape(-1, 3)
    usable = (then.min(axis=1) > 8) & (np.maximum(now, then).max(axis=1) < 250)
    if usable.sum() < 50:
        return np.ones(3, np.float32)
    ratio = (now[usable].T + np.float32(2)) / (then[usable].T + np.float32(2))
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

"""Evidence for one die: what a picture shows along the edges, rim and middle of a supposed top face.

A supposed die is a place (x, y in the zone's millimetres) and an angle in the top-plane view, where
every upright die is a square of one known size. Its base, seen past the top face on the two sides that face
the camera, is known as well. All samples of all suppositions are taken in one call.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.geometry import View, apply

Floats = npt.NDArray[np.float32]

# Fractions of a die's side: where the rim, the outside, the middle and the lower edges are sampled.
ALONG_FRAC = np.linspace(-0.33, 0.33, 5)
RIM_FRAC = 0.445
OUTSIDE_FRAC = 0.565
MIDDLE_FRAC = np.linspace(-0.34, 0.34, 6)
BASE_IN_FRAC = -0.06
BASE_OUT_FRAC = 0.07
# A side face narrower than this (fraction of a die) shows no lower edge of its own.
SIDE_SEEN_FRAC = 0.12

FEATURES = (
    "edge1", "edge2", "edge_low", "edge3", "edge4", "base", "base_missing", "rim_uneven",
    "rim_uneven_root", "ink",
    "ink_low", "ink_offset", "ink_tint", "ink_tint_low", "ink_share", "ink_share_low", "changed",
    "changed_low", "rim_chroma", "rim_level",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One zone's view, made ready for sampling."""

    view: View
    layers: Floats
    """(h, w, 4): smoothed BGR, 0..255, and the change against the empty table in units of its noise."""
    expected: Floats
    """(h, w, 3): the smoothed empty table in this picture's light, BGR, 0..255."""
    noise: Floats
    """(256,) standard deviation of the raw picture's colours, by brightness."""
    base_shift: npt.NDArray[np.float64]
    """2x3: affine map from a top's middle (view mm) to where the middle of the base appears, minus that."""
    die_mm: float


def make_scene(view: View, empty_bgr: npt.NDArray[np.uint8], die_mm: float) -> Scene:
    """Prepare a view and the empty table in the same view."""
    sigma = 0.55 * view.px_per_mm
    smooth = cv2.GaussianBlur(view.image, (0, 0), sigma)
    reference = cv2.GaussianBlur(empty_bgr, (0, 0), sigma)
    noise = noise_curve(view.image, np.asarray(smooth, np.uint8))
    gain = light_gain(np.asarray(smooth, np.uint8), np.asarray(reference, np.uint8))
    expected = np.minimum(reference.astype(np.float32) * gain, 255)
    layers = np.empty((*smooth.shape[:2], 4), np.float32)
    layers[..., :3] = smooth
    difference = np.abs(layers[..., :3] - expected).max(axis=2)
    level = np.maximum(smooth.max(axis=2), expected.max(axis=2).astype(np.uint8))
    layers[..., 3] = cv2.GaussianBlur(difference / (3 + 3 * noise[level]), (0, 0), sigma)
    return Scene(view, layers, expected, noise, base_shift(view, die_mm), die_mm)


def noise_curve(image: npt.NDArray[np.uint8], smooth: npt.NDArray[np.uint8]) -> Floats:
    """Noise by brightness (256 values): what smoothing takes off, averaged over bands of equal brightness."""
    grain = cv2.absdiff(image, smooth)[::3, ::3].reshape(-1)
    band = smooth[::3, ::3].reshape(-1) >> 4
    number = np.bincount(band, minlength=16)
    total = np.bincount(band, weights=grain, minlength=16)
    usable = number >= 60
    if not usable.any():
        return np.full(256, 4.0, np.float32)
    deviation = (
        1.25 * total[usable] / number[usable]
    )  # of a normal distribution, from the mean absolute value
    return np.interp(np.arange(256), np.flatnonzero(usable) * 16 + 8, deviation).astype(np.float32)


def light_gain(smooth: npt.NDArray[np.uint8], reference: npt.NDArray[np.uint8]) -> Floats:
    """How much brighter each channel is than in the empty picture: the median over the zone, shape (3,)."""
    now = smooth[::4, ::4].reshape(-1, 3).astype(np.float32)
    then = reference[::4, ::4].reshape(-1, 3).astype(np.float32)
    usable = (then.min(axis=1) > 8) & (now.max(axis=1) < 250) & (then.max(axis=1) < 250)
    if usable.sum() < 50:
        return np.ones(3, np.float32)
    return np.asarray(np.median((now[usable] + 2) / (then[usable] + 2), axis=0), np.float32)


def base_shift(view: View, die_mm: float) -> npt.NDArray[np.float64]:
    """Where a die's base appears relative to its top, as an affine function of the place (2x3, mm)."""
    _, to_top = view.floor.lift(die_mm)
    on_floor = view.floor.plane_to_px(0.0)
    width, height = view.floor.size_mm
    places = np.array([[0, 0], [width, 0], [width, height], [0, height], [width / 2, height / 2]], np.float64)
    shift = apply(to_top, apply(on_floor, places)) - places
    return np.asarray(
        np.linalg.lstsq(np.hstack([places, np.ones((5, 1))]), shift, rcond=None)[0].T, dtype=np.float64
    )


def _pattern() -> Floats:
    """Fixed samples in fractions of a die, (n, 2): rim of four sides, outside of four sides, middle."""
    points = []
    for distance in (RIM_FRAC, OUTSIDE_FRAC):
        for side in range(4):
            cos, sin = math.cos(side * math.pi / 2), math.sin(side * math.pi / 2)
            points += [(cos * distance - sin * step, sin * distance + cos * step) for step in ALONG_FRAC]
    points += [(x, y) for y in MIDDLE_FRAC for x in MIDDLE_FRAC]
    return np.array(points, np.float32)


PATTERN = _pattern()
_N = len(ALONG_FRAC)
_ALONG = ALONG_FRAC.astype(np.float32)
_FIXED = len(PATTERN)
_MIDDLE = PATTERN[8 * _N :]
_FROM_MIDDLE = np.hypot(_MIDDLE[:, 0], _MIDDLE[:, 1])
_ROUND = (_FROM_MIDDLE < 0.4).astype(np.float32)
_CORE = (_FROM_MIDDLE < 0.2).astype(np.float32)
_CORE /= _CORE.sum()


def measure(scene: Scene, places: npt.NDArray[np.float64]) -> Floats:
    """Features of upright dice (x_mm, y_mm, angle_rad), shape (n, 3) → (n, len(FEATURES))."""
    place = places.astype(np.float32)
    cos, sin = scene.die_mm * np.cos(place[:, 2]), scene.die_mm * np.sin(place[:, 2])
    axes = np.stack([cos, sin, -sin, cos], axis=1).reshape(-1, 2, 2)
    depth = place[:, :2] @ scene.base_shift[:, :2].T + scene.base_shift[:, 2]
    return measure_shapes(scene, place[:, :2], axes, depth)


def measure_shapes(
    scene: Scene, middles: npt.ArrayLike, axes: npt.ArrayLike, depths: npt.ArrayLike
) -> Floats:
    """Features of faces of any pose: middles (n, 2), axes (n, 2, 2), depths (n, 2), all mm.

    `axes[:, 0]` and `axes[:, 1]` are where the face's own unit vectors, a die long, appear in the view, and
    `depths` where the opposite face's middle appears relative to the face's. Gives (n, len(FEATURES)).
    """
    per_mm, margin = scene.view.px_per_mm, scene.view.margin_mm
    middle, axis, depth = (np.asarray(values, np.float32) for values in (middles, axes, depths))
    one, other = axis[:, 0], axis[:, 1]
    area = one[:, :1] * other[:, 1:] - one[:, 1:] * other[:, :1]
    # the opposite face's shift in the face's own axes, fractions of a die; it is seen on one side of
    # each axis
    own_x = (depth[:, :1] * other[:, 1:] - depth[:, 1:] * other[:, :1]) / area
    own_y = (one[:, :1] * depth[:, 1:] - one[:, 1:] * depth[:, :1]) / area
    x = np.empty((len(middle), _FIXED + 4 * _N), np.float32)
    y = np.empty_like(x)
    x[:, :_FIXED], y[:, :_FIXED] = PATTERN[:, 0], PATTERN[:, 1]
    side_x, side_y = np.where(own_x < 0, -1, 1), np.where(own_y < 0, -1, 1)
    for row, delta in enumerate((BASE_IN_FRAC, BASE_OUT_FRAC)):
        part = slice(_FIXED + 2 * row * _N, _FIXED + (2 * row + 1) * _N)
        x[:, part], y[:, part] = own_x + side_x * (0.5 + delta), own_y + _ALONG
        part = slice(part.stop, part.stop + _N)
        x[:, part], y[:, part] = own_x + _ALONG, own_y + side_y * (0.5 + delta)
    offset = (middle + np.float32(margin)) * np.float32(per_mm) - np.float32(0.5)
    one, other = one * np.float32(per_mm), other * np.float32(per_mm)
    samples = sampled(
        scene,
        x * one[:, :1] + y * other[:, :1] + offset[:, :1],
        x * one[:, 1:] + y * other[:, 1:] + offset[:, 1:],
    )
    return _features(scene, samples, np.abs(np.hstack([own_x, own_y])))


def sampled(scene: Scene, u: npt.ArrayLike, v: npt.ArrayLike) -> Floats:
    """The scene's layers at pixel indices (n, k) → (n, k, 4)."""
    columns, rows = np.asarray(u, np.float32), np.asarray(v, np.float32)
    samples = np.empty((*columns.shape, 4), np.float32)
    for start in range(0, len(columns), 30000):  # remap takes at most 32767 rows
        part = slice(start, start + 30000)
        samples[part] = cv2.remap(
            scene.layers, columns[part], rows[part], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    return samples


def _edges(inside: Floats, outside: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """How surely and how much lines of samples differ from the next ones: (n, lines, along, 3) twice →
    (n, lines).
    """
    difference = inside - outside
    mean = difference.mean(axis=2)
    strength = (mean**2).sum(axis=2)
    spread = np.maximum((difference**2).sum(axis=3).mean(axis=2) - strength, 0)
    strength = np.sqrt(strength)
    return strength / (strength + 0.7 * np.sqrt(spread) + 3 + noise[:, None]), strength


def _tint(colours: Floats) -> Floats:
    """Colour without brightness, (n, 3) → (n, 3); dark colours have little of it."""
    return np.asarray(colours / (colours.sum(axis=1, keepdims=True) + 30), np.float32)


def _features(scene: Scene, samples: Floats, seen: Floats) -> Floats:
    n = len(samples)
    colours, change = samples[..., :3], samples[..., 3]
    rim = colours[:, : 4 * _N].reshape(n, 4, _N, 3)
    outside = colours[:, 4 * _N : 8 * _N].reshape(n, 4, _N, 3)
    middle = colours[:, 8 * _N : _FIXED]
    base = colours[:, _FIXED:].reshape(n, 2, 2, _N, 3)
    sides = np.sort(rim.mean(axis=2), axis=1)
    body = (sides[:, 1] + sides[:, 2]) / 2
    noise = scene.noise[np.clip(body.max(axis=1), 0, 255).astype(np.uint8)]
    edges, steps = _edges(rim, outside, noise)
    edges = np.sort(edges, axis=1)
    visible = np.clip((seen - SIDE_SEEN_FRAC) / SIDE_SEEN_FRAC, 0, 1)
    bases, _ = _edges(base[:, 0], base[:, 1], noise)
    unevenness = np.abs(rim - body[:, None, None]).sum(axis=3).mean(axis=(1, 2))
    from_body = middle - body[:, None]
    ink = np.sqrt((from_body**2).sum(axis=2))
    core_colour = np.einsum("nkc,k->nc", middle, _CORE)
    core = np.sqrt(((core_colour - body) ** 2).sum(axis=1))
    weight = np.maximum(ink - 0.5 * core[:, None], 0) * _ROUND
    centre = weight @ _MIDDLE / (weight.sum(axis=1, keepdims=True) + 1e-3)
    offset = np.hypot(centre[:, 0], centre[:, 1])
    sure_ink = core / (core + 3 + 0.5 * noise)
    ink_share = core / (core + 0.25 * steps.mean(axis=1) + 1 + 0.3 * noise)
    ink_tint = np.sqrt(((_tint(core_colour) - _tint(body)) ** 2).sum(axis=1))
    face_change = np.minimum(np.concatenate([change[:, : 4 * _N], change[:, 8 * _N : _FIXED]], axis=1), 1.5)
    low = np.partition(face_change, 10, axis=1)[:, :10].mean(axis=1)
    brightest = body.max(axis=1)
    uneven = unevenness / (core + 30 + noise)
    return np.column_stack([
        edges[:, :2], np.maximum(0.3 - edges[:, 0], 0), edges[:, 2:], (bases * visible).sum(axis=1),
        ((1 - bases) * visible).sum(axis=1), uneven, np.sqrt(uneven), sure_ink, np.maximum(0.5 - sure_ink, 0),
        offset * sure_ink, ink_tint, np.maximum(0.08 - ink_tint, 0), ink_share, np.maximum(0.4 -
        ink_share, 0), face_change.mean(axis=1), low,
        (brightest - body.min(axis=1)) / (brightest + 20), np.abs(brightest / 255 - 0.45),
    ]).astype(np.float32)  # fmt: skip

"""Evidence for one die: what a picture shows along the edges, rim and middle of a supposed top face.

A supposed die is a place (x, y in the sheet's millimetres) and an angle in the top-plane view, where
every upright die is a square of one known size. Its base, seen past the top face on the two sides that face
the camera, is known as well. All samples of all suppositions are taken in one call.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.find_hidden import counterparts, fill_hidden
from companion.vision.find_scene import Floats, Scene
from companion.vision.find_sheet import Sheet

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
CHANGED = FEATURES.index("changed")


def _pattern() -> Floats:
    """Fixed samples in fractions of a die, (n, 2): outside of four sides, rim of four sides, middle."""
    points = []
    for distance in (OUTSIDE_FRAC, RIM_FRAC):
        for side in range(4):
            cos, sin = math.cos(side * math.pi / 2), math.sin(side * math.pi / 2)
            points += [(cos * distance - sin * step, sin * distance + cos * step) for step in ALONG_FRAC]
    points += [(x, y) for y in MIDDLE_FRAC for x in MIDDLE_FRAC]
    return np.array(points, np.float32)


PATTERN = _pattern()
_N = len(ALONG_FRAC)
_ALONG = ALONG_FRAC.astype(np.float32)[:, None]
_FIXED = len(PATTERN)
_ALL = _FIXED + 4 * _N
_OUTSIDE, _RIM, _MIDDLE, _FACE = (
    slice(0, 4 * _N), slice(4 * _N, 8 * _N), slice(8 * _N, _FIXED), slice(4 * _N, _FIXED)
)  # fmt: skip
_BASE_IN, _BASE_OUT = slice(_FIXED, _FIXED + 2 * _N), slice(_FIXED + 2 * _N, _ALL)
_COUNTERPARTS = counterparts(PATTERN)
_AT = PATTERN[_MIDDLE]
_FROM_MIDDLE = np.hypot(_AT[:, 0], _AT[:, 1])
_ROUND = (_FROM_MIDDLE < 0.4).astype(np.float32)
# Weighted sums over the middle's samples: x, y and 1, inside the symbol's reach.
_MOMENTS = (np.column_stack([_AT, np.ones(len(_AT))]).astype(np.float32) * _ROUND[:, None]).T.copy()
_PER_LINE = np.kron(np.eye(4), np.full((1, _N), 1 / _N)).astype(np.float32)


def _averages() -> Floats:
    """Rows that average samples: the outside of four sides, the rim of four sides, the core."""
    weights = np.zeros((9, _ALL), np.float32)
    weights[:4, _OUTSIDE] = weights[4:8, _RIM] = _PER_LINE
    core = (_FROM_MIDDLE < 0.2).astype(np.float32)
    weights[8, _MIDDLE] = core / core.sum()
    return weights


_AVERAGES = _averages()
# The face's least changed samples, so many, tell whether all of it has changed.
_LEAST_CHANGED = 10
_CHANGE_LIMIT = np.float32(1.5)


def measure(sheet: Sheet, places: npt.NDArray[np.float64]) -> Floats:
    """Features of upright dice (x and y on the sheet in mm, angle in rad), (n, 3) → (n, len(FEATURES))."""
    place = places.astype(np.float32)
    die_mm = np.float32(sheet.plan.die_mm)
    cos, sin = die_mm * np.cos(place[:, 2]), die_mm * np.sin(place[:, 2])
    axes = np.stack([cos, sin, -sin, cos], axis=1).reshape(-1, 2, 2)
    return measure_shapes(sheet, place[:, :2], axes, sheet.depth_mm(places))


def measure_shapes(
    sheet: Sheet, middles: npt.ArrayLike, axes: npt.ArrayLike, depths: npt.ArrayLike
) -> Floats:
    """Features of faces of any pose: middles (n, 2), axes (n, 2, 2), depths (n, 2), all mm on the sheet.

    `axes[:, 0]` and `axes[:, 1]` are where the face's own unit vectors, a die long, appear on the sheet, and
    `depths` where the opposite face's middle appears relative to the face's. Gives (n, len(FEATURES)).
    """
    per_mm = np.float32(sheet.plan.px_per_mm)
    middle, axis, depth = (np.asarray(values, np.float32).T for values in (middles, axes, depths))
    one_x, other_x, one_y, other_y = axis.reshape(4, -1)
    area = one_x * other_y - one_y * other_x
    # the opposite face's shift in the face's own axes, fractions of a die; it is seen on one side of
    # each axis
    own = np.stack([depth[0] * other_y - depth[1] * other_x, one_x * depth[1] - one_y * depth[0]]) / area
    x = np.empty((_ALL, len(area)), np.float32)
    y = np.empty_like(x)
    x[:_FIXED], y[:_FIXED] = PATTERN[:, :1], PATTERN[:, 1:]
    outwards = np.where(own < 0, np.float32(-1), np.float32(1))
    for part, delta in ((_BASE_IN, BASE_IN_FRAC), (_BASE_OUT, BASE_OUT_FRAC)):
        half, edge = part.start + _N, own + outwards * np.float32(0.5 + delta)
        x[part.start : half], y[part.start : half] = edge[0], own[1] + _ALONG
        x[half : part.stop], y[half : part.stop] = own[0] + _ALONG, edge[1]
    column, row = middle * per_mm - np.float32(0.5)
    columns = x * (one_x * per_mm) + y * (other_x * per_mm) + column
    rows = x * (one_y * per_mm) + y * (other_y * per_mm) + row
    return _features(sheet.noise, sampled(sheet, columns, rows), np.abs(own))


# cv2.remap takes at most 32767 rows or columns at once.
_MOST_AT_ONCE = 30000


def sampled(seen: Sheet | Scene, u: npt.ArrayLike, v: npt.ArrayLike) -> Floats:
    """The layers of a sheet or scene at pixel indices (k, n) → (k, n, 4)."""
    columns, rows = np.asarray(u, np.float32), np.asarray(v, np.float32)
    parts = [
        cv2.remap(
            seen.layers,
            columns[:, start : start + _MOST_AT_ONCE],
            rows[:, start : start + _MOST_AT_ONCE],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for start in range(0, columns.shape[1], _MOST_AT_ONCE)
    ]
    return np.asarray(parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1), np.float32)


def by_channel(samples: Floats) -> Floats:
    """Samples with their channels apart: (k, n, 4) → (4, k, n)."""
    planes = np.empty((4, *samples.shape[:2]), np.float32)
    cv2.mixChannels([samples], list(planes), [0, 0, 1, 1, 2, 2, 3, 3])
    return planes


def _sure(mean: Floats, square: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """How surely and how much lines of samples differ from the next ones.

    `mean` (3, lines, n) is a line's mean difference by channel, `square` (lines, n) the mean of its squared
    length; gives (lines, n) twice.
    """
    strength = (mean * mean).sum(axis=0)
    spread = np.sqrt(np.maximum(square - strength, 0))
    strength = np.sqrt(strength)
    return strength / (strength + np.float32(0.7) * spread + (noise + 3)), strength


def _tint(colours: Floats) -> Floats:
    """Colour without brightness, (3, n) → (3, n); dark colours have little of it."""
    return np.asarray(colours / (colours.sum(axis=0) + 30), np.float32)


def sorted_four(rows: Floats) -> Floats:
    """Four rows, (4, …), sorted element by element, in place."""
    for one, other in ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2)):
        smaller = np.minimum(rows[one], rows[other])
        np.maximum(rows[one], rows[other], out=rows[other])
        rows[one] = smaller
    return rows


def _bases_shown(change: Floats) -> Floats:
    """Whether at least most of either lower edge is seen, (2, n), by the samples' change, (k, n)."""
    hidden = np.minimum(change[_BASE_IN], change[_BASE_OUT]) < 0
    return np.asarray(hidden.reshape(2, _N, -1).mean(axis=1) < 0.5, np.float32)


def _features(curve: Floats, samples: Floats, seen: Floats) -> Floats:
    planes = by_channel(samples)
    if planes[3].min() < 0:
        seen = seen * _bases_shown(planes[3])
        fill_hidden(planes, _COUNTERPARTS)
    colours, change = planes[:3], planes[3]
    means = _AVERAGES @ colours
    outside, rim, core_colour = means[:, :4], means[:, 4:8], means[:, 8]
    # of the four sides' colours the mean of the middle two, channel by channel
    body = (rim.sum(axis=1) - rim.max(axis=1) - rim.min(axis=1)) / 2
    brightest = body.max(axis=0)
    noise = curve[np.clip(brightest, 0, 255).astype(np.uint8)]
    step = colours[:, _RIM] - colours[:, _OUTSIDE]
    square = np.asarray((step * step).sum(axis=0), np.float32)
    edges, steps = _sure(rim - outside, _PER_LINE @ square, noise)
    edges = sorted_four(edges)
    visible = np.clip((seen - SIDE_SEEN_FRAC) / SIDE_SEEN_FRAC, 0, 1)
    step = colours[:, _BASE_IN] - colours[:, _BASE_OUT]
    square = np.asarray((step * step).sum(axis=0), np.float32)
    lines = _PER_LINE[:2, : 2 * _N]
    bases, _ = _sure(np.asarray(lines @ step, np.float32), lines @ square, noise)
    core = np.sqrt(((core_colour - body) ** 2).sum(axis=0))
    from_rim = np.abs(colours[:, _RIM] - body[:, None]).sum(axis=(0, 1)) / (4 * _N)
    uneven = from_rim / (core + 30 + noise)
    from_body = colours[:, _MIDDLE] - body[:, None]
    ink = np.sqrt((from_body * from_body).sum(axis=0))
    moments = _MOMENTS @ np.maximum(ink - core / 2, 0)
    offset = np.hypot(moments[0], moments[1]) / (moments[2] + np.float32(1e-3))
    sure_ink = core / (core + 3 + noise / 2)
    ink_share = core / (core + steps.mean(axis=0) / 4 + 1 + np.float32(0.3) * noise)
    tint = _tint(core_colour) - _tint(body)
    ink_tint = np.sqrt((tint * tint).sum(axis=0))
    face_change = np.minimum(change[_FACE], _CHANGE_LIMIT)
    # quicker along rows that lie together
    ordered = np.ascontiguousarray(face_change.T)
    ordered.partition(_LEAST_CHANGED, axis=1)
    low = ordered[:, :_LEAST_CHANGED].mean(axis=1)
    seen_bases = bases * visible
    return np.stack([
        edges[0], edges[1], np.maximum(0.3 - edges[0], 0), edges[2], edges[3],
        seen_bases.sum(axis=0), (visible - seen_bases).sum(axis=0), uneven, np.sqrt(uneven),
        sure_ink, np.maximum(0.5 - sure_ink, 0), offset * sure_ink, ink_tint, np.maximum(0.08 - ink_tint, 0),
        ink_share, np.maximum(0.4 - ink_share, 0), face_change.mean(axis=0), low,
        (brightest - body.min(axis=0)) / (brightest + 20), np.abs(brightest / 255 - 0.45),
    ]).astype(np.float32).T  # fmt: skip

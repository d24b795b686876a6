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
from companion.vision.find_scene import Floats, Scene, by_channel
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
CHANGE_LIMIT = np.float32(1.5)


def _samples() -> Floats:
    """Where all samples are, (_ALL, 6), of which the base's depend on how it appears.

    A sample is the sum of its row times these: where the base appears relative to the top, the face's first
    axis and then its second one as far as they point to where the base is seen, both axes, and the middle.
    """
    rows = np.zeros((_ALL, 6), np.float32)
    rows[:, 5] = 1
    rows[:_FIXED, 3:5] = PATTERN
    rows[_FIXED:, 0] = 1
    for part, delta in ((_BASE_IN, BASE_IN_FRAC), (_BASE_OUT, BASE_OUT_FRAC)):
        half = part.start + _N
        rows[part.start : half, 1] = rows[half : part.stop, 2] = 0.5 + delta
        rows[part.start : half, 4] = rows[half : part.stop, 3] = ALONG_FRAC
    return rows


_SAMPLES = _samples()


def measure(sheet: Sheet, places: npt.NDArray[np.float64]) -> Floats:
    """Features of upright dice (x and y on the sheet in mm, angle in rad), (n, 3) → (n, len(FEATURES))."""
    place = np.ascontiguousarray(places.T, np.float32)
    die_mm = np.float32(sheet.plan.die_mm)
    depth = np.ascontiguousarray(sheet.depth_mm(places).T, np.float32)
    cos, sin = np.cos(place[2]), np.sin(place[2])
    # the base's shift in the face's own axes; it is seen on one side of each
    own_x, own_y = cos * depth[0] + sin * depth[1], cos * depth[1] - sin * depth[0]
    parts = np.empty((6, 2, len(places)), np.float32)
    parts[0] = depth
    parts[3] = die_mm * cos, die_mm * sin
    parts[4] = -parts[3, 1], parts[3, 0]
    parts[1], parts[2] = np.copysign(1, own_x) * parts[3], np.copysign(1, own_y) * parts[4]
    parts[5] = place[:2]
    at = (_SAMPLES @ parts.reshape(6, -1)).reshape(_ALL, 2, -1)
    at *= np.float32(sheet.plan.px_per_mm)
    at -= np.float32(0.5)
    seen = np.abs(np.array([own_x, own_y])) / die_mm
    return _features(sheet.noise, sampled(sheet, at[:, 0], at[:, 1]), seen)


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
    noise = curve[brightest.astype(np.uint8)]
    step = colours[:, _RIM] - colours[:, _OUTSIDE]
    square = np.asarray((step * step).sum(axis=0), np.float32)
    edges, steps = _sure(rim - outside, _PER_LINE @ square, noise)
    edges = sorted_four(edges)
    visible = np.minimum(np.maximum(seen / SIDE_SEEN_FRAC - 1, 0), 1)
    step = colours[:, _BASE_IN] - colours[:, _BASE_OUT]
    square = np.asarray((step * step).sum(axis=0), np.float32)
    lines = _PER_LINE[:2, : 2 * _N]
    bases, _ = _sure(np.asarray(lines @ step, np.float32), lines @ square, noise)
    core = np.sqrt(((core_colour - body) ** 2).sum(axis=0))
    from_rim = np.abs(colours[:, _RIM] - body[:, None]).reshape(12 * _N, -1).sum(axis=0) / (4 * _N)
    uneven = from_rim / (core + 30 + noise)
    from_body = colours[:, _MIDDLE] - body[:, None]
    ink = np.sqrt((from_body * from_body).sum(axis=0))
    moments = _MOMENTS @ np.maximum(ink - core / 2, 0)
    offset = np.hypot(moments[0], moments[1]) / (moments[2] + np.float32(1e-3))
    sure_ink = core / (core + 3 + noise / 2)
    ink_share = core / (core + steps.sum(axis=0) / 16 + 1 + np.float32(0.3) * noise)
    tint = _tint(core_colour) - _tint(body)
    ink_tint = np.sqrt((tint * tint).sum(axis=0))
    face_change = np.minimum(change[_FACE], CHANGE_LIMIT)
    # quicker along rows that lie together
    ordered = np.ascontiguousarray(face_change.T)
    ordered.partition(_LEAST_CHANGED, axis=1)
    low = ordered[:, :_LEAST_CHANGED].sum(axis=1) / _LEAST_CHANGED
    seen_bases = bases * visible
    return np.array([
        edges[0], edges[1], np.maximum(0.3 - edges[0], 0), edges[2], edges[3],
        seen_bases.sum(axis=0), (visible - seen_bases).sum(axis=0), uneven, np.sqrt(uneven),
        sure_ink, np.maximum(0.5 - sure_ink, 0), offset * sure_ink, ink_tint, np.maximum(0.08 - ink_tint, 0),
        ink_share, np.maximum(0.4 - ink_share, 0), face_change.sum(axis=0) / len(face_change), low,
        (brightest - body.min(axis=0)) / (brightest + 20), np.abs(brightest / 255 - 0.45),
    ], np.float32).T  # fmt: skip

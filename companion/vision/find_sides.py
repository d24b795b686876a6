"""What is seen around a die's outline: sides where none should be, and none where one should be.

A level die shows a side only where the camera's place says, and that side ends where its base is. A
leaning one turns another side up, beyond that outline, and may turn the expected one away.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.few import median
from companion.vision.find_scene import Faces, Floats, Seen, by_channel, samples_at

Values = npt.NDArray[np.float64]

_NORMALS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)], np.float32)
_TANGENTS = np.array([(0, 1), (0, -1), (-1, 0), (1, 0)], np.float32)
# Lines beside each side, so far outside the outline (fractions of a die; a sixteenth is a millimetre of a
# common die), and where they are sampled along it.
_OUT = np.arange(-3.0, 9.01, 0.75).astype(np.float32) / 16
_ACROSS = np.linspace(-0.36, 0.36, 9, dtype=np.float32)
_NEAR, _FAR, _JUST_OUTSIDE = (
    slice(*np.searchsorted(_OUT, (low / 16, high / 16)).tolist())
    for low, high in ((1.4, 3.9), (3.5, 7.0), (0.8, 2.4))
)
# Edges are looked for between lines two apart; their middles.
_BETWEEN = _OUT[1:-1]
_AT_OUTLINE, _BEYOND = (
    slice(*np.searchsorted(_BETWEEN, (low / 16, high / 16)).tolist())
    for low, high in ((-0.9, 0.9), (1.9, 7.6))
)
# What sums up a line's samples, and means over its middle and its ends; a product is numpy's quickest sum.
_ONES = np.ones(len(_ACROSS), np.float32)
_MIDDLE = np.array([0, 0, 0, 1, 1, 1, 0, 0, 0], np.float32) / 3
_ENDS = np.array([1, 1, 0, 0, 0, 0, 0, 1, 1], np.float32) / 4
# Nearer than this to the middle of another die a sample shows that one.
_OTHERS_FRAC = 0.85
# A side narrower than this is as good as unseen; one wider than that must show.
_UNSEEN_FRAC, _SEEN_FRAC = 1.5 / 16, 2.0 / 16
# From this width on a side's base is expected to be seen, from twice as much for sure.
_SHOWS_FRAC = 0.12
# What is taken for a die whose sides are all narrower: as is usual for level dice.
_USUAL_CONTRAST, _USUAL_FLOOR = 1.2, 0.0
_MOST_NOISES = 8.0
# Of a side of which the tower hides more than this nothing is told.
_MOST_HIDDEN = 0.3
_FLOOR_LIKE = 0.7


def side_witnesses(scene: Seen, spots: Values) -> Values:
    """Eight witnesses of each die, spots (n, 4: x, y mm, angle rad, score) → (n, 8).

    Something brighter than the floor near the outline, and farther out (logarithms, units of noise); the
    surest edge beyond a side that should not show; the least sure edge along the outline, and the sum of
    those along the sides that should show; ink in the middle beyond a side (difference of tint); for the
    side that should show most: its contrast to what is beyond it (logarithm), and how much it is like the
    floor, in shadow or not (0: not).
    """
    n = len(spots)
    die = scene.die_mm
    cos, sin = np.cos(spots[:, 2]), np.sin(spots[:, 2])
    shift = scene.depth_mm(spots) / die
    own = np.stack([shift[:, 0] * cos + shift[:, 1] * sin, shift[:, 1] * cos - shift[:, 0] * sin], axis=1)
    own = own.astype(np.float32)
    depth = np.maximum(own @ _NORMALS.T, 0)
    aside = np.where(depth > 0, own @ _TANGENTS.T, 0)
    out = 0.5 + depth[:, :, None] + _OUT
    across = _ACROSS + aside[:, :, None]
    shape = (n, len(_NORMALS), len(_OUT), len(_ACROSS))
    normals, tangents = _NORMALS.T[:, :, None, None], _TANGENTS.T[:, :, None, None]
    places = out[:, None, :, :, None] * normals + across[:, None, :, None, :] * tangents
    at = places.reshape(n, 2, -1)
    u, v = Faces.of(scene, spots).pixels(at)
    # channels first: numpy is slow along an axis of three
    layers, empty = (
        by_channel(samples_at(picture, u, v)).reshape(-1, *shape) for picture in (scene.layers, scene.empty)
    )
    seen, hidden = layers[:3], layers[3] < 0
    # in whole levels, as the picture itself is
    floor = np.rint(np.minimum(empty[:3] * scene.gain_of(spots).T[:, :, None, None, None], 255))
    others = _of_others(spots, scene.zone_of(spots), shift, at, die)
    free = ~(others.reshape(shape) | hidden)
    noise = scene.noise[seen.max(axis=0).astype(np.uint8)]
    near, far = _brighter(seen, floor, noise, free)
    edges = _edges(seen, noise, free)
    beyond = np.where(depth < _UNSEEN_FRAC, edges[:, :, _BEYOND].max(axis=2), 0).max(axis=1)
    outline = edges[:, :, _AT_OUTLINE].max(axis=2)
    unseen = (hidden[:, :, 1:-1][:, :, _AT_OUTLINE] @ _ONES).mean(axis=2) / len(_ACROSS) > _MOST_HIDDEN
    outline = _as_others(outline, unseen)
    showing = np.clip(depth / _SHOWS_FRAC - 1, 0, 1)
    bases = (outline * showing).sum(axis=1)
    contrast, floor_like = _expected_side(seen, floor, noise, free, np.where(unseen, 0, depth))
    return np.column_stack(
        [near, far, beyond, outline.min(axis=1), bases, _inked(seen, free), contrast, floor_like]
    )


def _as_others(outline: Floats, unseen: npt.NDArray[np.bool_]) -> Floats:
    """Edges along each die's sides, (n, 4), where those that are hidden are taken to be as its others are."""
    seen = ~unseen
    usual = (outline * seen).sum(axis=1, keepdims=True) / np.maximum(seen.sum(axis=1, keepdims=True), 1)
    return np.where(seen, outline, usual)


def _of_others(
    spots: Values, zone: npt.NDArray[np.intp], shift: Values, at: Floats, die_mm: float
) -> npt.NDArray[np.bool_]:
    """Which places in the dice's own axes, (n, 2, k) fractions, show another die's top or base, (n, k).

    `zone` (n,) tells which dice may stand in each other's way.
    """
    cos, sin = np.cos(spots[:, 2]), np.sin(spots[:, 2])
    there = np.zeros(at[:, 0].shape, np.bool_)
    across, down = at[:, 0], at[:, 1]
    farthest = np.sqrt((across * across + down * down).max()) + _OTHERS_FRAC
    # from each die to the others' tops and bases: (2, dice, others, 2)
    middles = np.stack([spots[:, :2], spots[:, :2] + shift * die_mm])
    gap = (middles[:, None] - spots[:, None, :2]) / die_mm
    near = (gap * gap).sum(axis=3) < farthest**2
    near &= (zone[:, None] == zone) & (spots[:, 3] > 0) & ~np.eye(len(spots), dtype=np.bool_)
    for which, one, other in np.argwhere(near):
        x, y = gap[which, one, other]
        own_x, own_y = x * cos[one] + y * sin[one], y * cos[one] - x * sin[one]
        there[one] |= (across[one] - own_x) ** 2 + (down[one] - own_y) ** 2 < _OTHERS_FRAC**2
    return there


def _brighter(
    seen: Floats, floor: Floats, noise: Floats, free: npt.NDArray[np.bool_]
) -> tuple[Values, Values]:
    """What is brighter than the floor on the worst side, near the outline and farther out."""
    brighter = ((seen - floor) / ((6 + noise) + np.float32(0.12) * floor)).max(axis=0)
    brighter *= free
    results = []
    for lines in (_NEAR, _FAR):
        along = np.sort(median(brighter[:, :, lines], axis=2), axis=2)[:, :, -5:].sum(axis=2) / 5
        results.append(np.log1p(np.minimum(np.maximum(along.max(axis=1), 0), _MOST_NOISES)))
    return results[0], results[1]


def _edges(seen: Floats, noise: Floats, free: npt.NDArray[np.bool_]) -> Floats:
    """How sure edges are between lines two apart, (n, 4, lines - 2), 0..1; 0 where others hide most of it."""
    both = free[:, :, 2:] & free[:, :, :-2]
    step = (seen[:, :, :, 2:] - seen[:, :, :, :-2]) * both
    shown = both @ _ONES
    number = np.maximum(shown, 1)
    mean = (step @ _ONES) / number
    square = (mean * mean).sum(axis=0)
    spread = np.sqrt(np.maximum((step * step).sum(axis=0) @ _ONES / number - square, 0))
    strength = np.sqrt(square)
    sure = strength / (strength + 0.7 * spread + 3 + (noise[:, :, 1:-1] @ _ONES) / len(_ACROSS))
    return np.asarray(np.where(shown >= 5, sure, 0), np.float32)


def _inked(seen: Floats, free: npt.NDArray[np.bool_]) -> Values:
    """How the middle of the lines near the outline differs in tint from their ends, on the worst side."""
    lines = seen[:, :, :, _NEAR]
    middle, ends = (np.asarray(lines @ part, np.float32) for part in (_MIDDLE, _ENDS))
    gap = _tint(middle) - _tint(ends)
    differs = np.sqrt((gap * gap).sum(axis=0))
    differs = np.where(free[:, :, _NEAR] @ _ONES >= len(_ACROSS) - 1, differs, 0)
    return np.asarray(median(differs, axis=2).max(axis=1), np.float64)


def _tint(colours: Floats) -> Floats:
    """Colour without brightness, channels first."""
    return np.asarray(colours / (colours.sum(axis=0) + 30), np.float32)


def _expected_side(
    seen: Floats, floor: Floats, noise: Floats, free: npt.NDArray[np.bool_], depth: Values
) -> tuple[Values, Values]:
    """Of the side that should show most: contrast to what is beyond it, and likeness to the floor."""
    dice = np.arange(len(depth))
    side = depth.argmax(axis=1)
    width = depth[dice, side]
    seen, floor = seen[:, dice, side], floor[:, dice, side]
    noise, free = noise[dice, side], free[dice, side]
    on_side = free & ((width[:, None] > 0.7 / 16 - _OUT) & (_OUT < -0.5 / 16))[:, :, None]
    count = on_side.sum(axis=(1, 2))
    number = np.maximum(count, 1)
    inside = (seen * on_side).sum(axis=(2, 3)) / number
    outside = seen[:, :, _JUST_OUTSIDE].mean(axis=(2, 3))
    level = np.maximum(inside, outside).max(axis=0)
    unit = 3 + 0.5 * noise.mean(axis=(1, 2)) + 0.03 * level
    contrast = np.minimum(np.log1p(np.sqrt(((outside - inside) ** 2).sum(axis=0)) / unit), 2.5)
    share = np.minimum((seen * floor).sum(axis=0) / ((floor * floor).sum(axis=0) + 1), 1.1)
    rest = seen - share * floor
    unlike = np.log1p(np.sqrt((rest * rest).sum(axis=0)) / (4 + 0.7 * noise + 0.06 * seen.max(axis=0)))
    floor_like = np.maximum(_FLOOR_LIKE - (unlike * on_side).sum(axis=(1, 2)) / number, 0)
    shows = (width > _SEEN_FRAC) & (count > 0)
    return np.where(shows, contrast, _USUAL_CONTRAST), np.where(shows, floor_like, _USUAL_FLOOR)

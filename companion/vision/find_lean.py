"""Does a die lean? Three witnesses: its sides, its symbol, and how well a level square fits.

A level die shows sides only where the camera's place says, and a symbol as wide as it is long. A leaning one
shows a side where none should be, and a symbol squeezed across its lean (symbols look alike after some
part of a turn, so their second moments are round).
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.find_evidence import sampled
from companion.vision.find_scene import Scene

Values = npt.NDArray[np.float64]

# Just outside the outline that a level die would have, in mm, and along it in fractions of a die.
_BEYOND_MM = (1.6, 2.6, 3.6)
_BEYOND_ALONG = np.linspace(-0.3, 0.3, 5)
# Nearer than this to the middle of another die (fractions of a die) a sample shows that one.
_OTHERS_FRAC = 0.85
_FACE = np.linspace(-0.46, 0.46, 15)
_FACE_X, _FACE_Y = (grid.ravel() for grid in np.meshgrid(_FACE, _FACE))
_FACE_REACH = np.hypot(_FACE_X, _FACE_Y)
_FACE_RIM = np.maximum(np.abs(_FACE_X), np.abs(_FACE_Y)) > 0.40


# Weights of the three witnesses and the log odds from which a die is taken to lean. Fitted by logistic
# regression, leave-one-table-out, level and leaning dice in balance (`companion.evaluation.finder_fit`).
_BEYOND_WEIGHT, _SQUEEZED_WEIGHT, _SCORE_WEIGHT, _BIAS = 4.3, 18.2, -0.61, -1.85
LEANS_FROM = 1.0


def lean_odds(scene: Scene, place: Values, score: float, others: Values) -> float:
    """Log odds that the die at `place` (x, y mm, angle rad), found with `score`, leans.

    `others` (n, 2 or more) are the places of the other dice in this view.
    """
    outside = float(np.log1p(min(max(beyond(scene, place, others), 0.0), 8.0)))
    shape = float(np.sqrt(min(squeezed(scene, place), 0.3)))
    return _BEYOND_WEIGHT * outside + _SQUEEZED_WEIGHT * shape + _SCORE_WEIGHT * score + _BIAS


def beyond(scene: Scene, place: Values, others: Values) -> float:
    """How much lies beyond a level die's outline on its worst side, in units of noise; shadows do not count.

    `others` (n, 2) are the middles of the other dice. From about 1 on something is there that is
    brighter than the floor, or has a colour of its own.
    """
    die = scene.die_mm
    cos, sin = np.cos(place[2]), np.sin(place[2])
    axes = np.array([[cos, sin], [-sin, cos]])
    own = axes @ (scene.base_shift[:, :2] @ place[:2] + scene.base_shift[:, 2])
    points = []
    for normal, along in (((1, 0), (0, 1)), ((-1, 0), (0, 1)), ((0, 1), (1, 0)), ((0, -1), (1, 0))):
        out = max(float(own @ normal), 0.0)
        aside = float(own @ along) if out > 0 else 0.0
        for distance in _BEYOND_MM:
            for step in _BEYOND_ALONG:
                points.append(
                    np.multiply(normal, die / 2 + out + distance) + np.multiply(along, step * die + aside)
                )
    mm = np.array(points) @ axes + place[:2]
    index = ((mm + scene.view.margin_mm) * scene.view.px_per_mm - 0.5).astype(np.float32)
    seen = sampled(scene, index[None, :, 0], index[None, :, 1])[0, :, :3]
    floor = cv2.remap(
        scene.expected,
        index[None, :, 0],
        index[None, :, 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )[0]
    noise = scene.noise[np.clip(seen.max(axis=1), 0, 255).astype(np.uint8)][:, None]
    brighter = ((seen - floor) / (6 + noise + 0.12 * floor)).max(axis=1)
    if len(others):
        gap = np.linalg.norm(mm[:, None] - others[None, :, :2], axis=2).min(axis=1)
        brighter[gap < _OTHERS_FRAC * die] = 0
    by_side = np.median(brighter.reshape(4, len(_BEYOND_MM), len(_BEYOND_ALONG)), axis=1)
    return float(np.sort(by_side, axis=1)[:, -3:].mean(axis=1).max())


def squeezed(scene: Scene, place: Values) -> float:
    """How far the symbol is from round, 0 (upright) to 1: the difference of its second moments over
    their sum.
    """
    cos, sin = np.cos(place[2]) * scene.die_mm, np.sin(place[2]) * scene.die_mm
    offset = (place[:2] + scene.view.margin_mm) * scene.view.px_per_mm - 0.5
    u = (_FACE_X * cos - _FACE_Y * sin) * scene.view.px_per_mm + offset[0]
    v = (_FACE_X * sin + _FACE_Y * cos) * scene.view.px_per_mm + offset[1]
    colours = sampled(scene, u[None], v[None])[0, :, :3]
    body = np.median(colours[_FACE_RIM], axis=0)
    ink = colours[_FACE_REACH < 0.15].mean(axis=0) - body
    share = np.clip((colours - body) @ ink / (ink @ ink + 1e-3), 0, 1)
    share = np.where((share > 0.35) & (_FACE_REACH < 0.42), share, 0)
    total = share.sum() + 1e-6
    x, y = _FACE_X - share @ _FACE_X / total, _FACE_Y - share @ _FACE_Y / total
    xx, yy, xy = share @ (x * x), share @ (y * y), share @ (x * y)
    return float(np.hypot(xx - yy, 2 * xy) / (xx + yy + 1e-6))

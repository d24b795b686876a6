"""Where dice may lie: suppositions from what changed and how its edges run, made better step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.find_evidence import measure
from companion.vision.find_scene import Floats, Scene

Places = npt.NDArray[np.float64]
Scorer = Callable[[Floats], Floats]

# The coarse look has one pixel a millimetre; lengths below are millimetres for a die of 16 mm.
CLOSE_MM = 9
ERODE_MM = 5
GRID_MM = 2
TURN_REACH_MM = 6.5
SEED_DISTANCE_MM = 4.0
MAX_SEEDS = 28
STEPS = ((0.8, 4.0), (0.4, 2.0), (0.2, 1.0))


@dataclass(frozen=True, slots=True)
class Look:
    """How closely to look: the change (in units of noise) that counts, and the angles tried at each place.

    The edges' direction is mostly the die's own, or, where the symbol's edges win, half a quarter turn
    from it.
    """

    changed_from: float
    turns_deg: tuple[float, ...]


FIRST_LOOK = Look(0.7, (0.0, 45.0))
# For dice in deep shadow, and those whose symbol hides the direction of their sides.
SECOND_LOOK = Look(0.3, (0.0, 15.0, 30.0, 45.0, 60.0, 75.0))

_MOVES = np.array([(x, y, turn) for x in (-1, 0, 1) for y in (-1, 0, 1) for turn in (-1, 0, 1)], np.float64)


def suppose(scene: Scene, slack_mm: float, changed_from: float) -> tuple[Places, Places]:
    """Places worth a look, (n, 2) in the zone's mm, and the likeliest angle of each, (n,) rad.

    A die's middle lies inside what changed, holes filled; `slack_mm` is how far outside the zone it may lie.
    """
    scale = 1 / scene.view.px_per_mm
    size = (round(scene.layers.shape[1] * scale), round(scene.layers.shape[0] * scale))
    small = np.asarray(cv2.resize(scene.view.image, size, interpolation=cv2.INTER_AREA), np.uint8)
    changed = cv2.resize(scene.layers[..., 3], size, interpolation=cv2.INTER_AREA) > changed_from
    inside = _filled(changed.astype(np.uint8))
    grid_y, grid_x = np.nonzero(inside[GRID_MM // 2 :: GRID_MM, GRID_MM // 2 :: GRID_MM])
    column, row = grid_x * GRID_MM + GRID_MM // 2, grid_y * GRID_MM + GRID_MM // 2
    places = np.column_stack([column, row]) + 0.5 - scene.view.margin_mm
    limit = np.array(scene.view.floor.size_mm) + slack_mm
    kept = ((places > -slack_mm) & (places < limit)).all(axis=1)
    turns = _edge_turns(small)[row[kept], column[kept]]
    return np.asarray(places[kept], np.float64), np.asarray(turns, np.float64)


def _filled(changed: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    pad = CLOSE_MM
    wide = cv2.copyMakeBorder(changed, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    closing = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (CLOSE_MM, CLOSE_MM))
    eroding = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (ERODE_MM, ERODE_MM))
    core = cv2.erode(cv2.morphologyEx(wide, cv2.MORPH_CLOSE, closing), eroding)
    return np.asarray(core[pad:-pad, pad:-pad], np.uint8)


def _edge_turns(small: npt.NDArray[np.uint8]) -> Floats:
    """The direction of the edges around each pixel, modulo a quarter turn, in radians.

    Directions are averaged as unit vectors of four times their angle, so that the four sides of a
    square agree.
    """
    smooth = cv2.GaussianBlur(small, (0, 0), 0.6)
    along_x = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3)
    along_y = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3)
    real = cv2.transform(cv2.multiply(along_x, along_x) - cv2.multiply(along_y, along_y), np.ones((1, 3)))
    imaginary = cv2.transform(2 * cv2.multiply(along_x, along_y), np.ones((1, 3)))
    weight = (real * real + imaginary * imaginary + 1) ** -0.75
    four_cos = cv2.GaussianBlur((real * real - imaginary * imaginary) * weight, (0, 0), TURN_REACH_MM)
    four_sin = cv2.GaussianBlur(2 * real * imaginary * weight, (0, 0), TURN_REACH_MM)
    return np.asarray(np.arctan2(four_sin, four_cos) / 4, np.float32)


def with_turns(places: Places, turns: Places, offsets_deg: tuple[float, ...]) -> Places:
    """Every place with each of its angles: (n, 2), (n,) → (n · offsets, 3)."""
    offsets = np.radians(offsets_deg)
    angles = (turns[:, None] + offsets).ravel()
    return np.column_stack([np.repeat(places, len(offsets), axis=0), angles])


def best_apart(places: Places, scores: Floats, distance_mm: float, most: int) -> npt.NDArray[np.intp]:
    """Indices of the best suppositions, none nearer to a better one than `distance_mm`."""
    kept: list[int] = []
    for index in np.argsort(-scores, kind="stable"):
        gap = places[kept, :2] - places[index, :2]
        if not kept or ((gap**2).sum(axis=1) > distance_mm**2).all():
            kept.append(int(index))
            if len(kept) >= most:
                break
    return np.array(kept, np.intp)


def improve(scene: Scene, score: Scorer, places: Places, scores: Floats) -> tuple[Places, Floats]:
    """Move and turn each supposition to where it scores best, in steps that shrink."""
    places, scores = places.copy(), scores.copy()
    for step_mm, step_deg in STEPS:
        moves = _MOVES * (step_mm, step_mm, np.radians(step_deg))
        moving = np.arange(len(places))
        for _ in range(6):
            tried = places[moving, None] + moves
            found = score(measure(scene, tried.reshape(-1, 3))).reshape(len(moving), len(moves))
            best = found.argmax(axis=1)
            top = found[np.arange(len(moving)), best]
            better = top > scores[moving] + 1e-4
            best, top, moving = best[better], top[better], moving[better]
            if len(moving) == 0:
                break
            places[moving] += moves[best]
            scores[moving] = top
    return places, scores


def search(scene: Scene, score: Scorer, slack_mm: float, look: Look = FIRST_LOOK) -> tuple[Places, Floats]:
    """The best suppositions of one view: places (n, 3), scores (n,), best first."""
    spots, turns = suppose(scene, slack_mm, look.changed_from)
    if len(spots) == 0:
        return np.empty((0, 3)), np.empty(0, np.float32)
    places = with_turns(spots, turns, look.turns_deg)
    scores = score(measure(scene, places))
    kept = best_apart(places, scores, SEED_DISTANCE_MM, MAX_SEEDS)
    places, scores = improve(scene, score, places[kept], scores[kept])
    kept = best_apart(places, scores, SEED_DISTANCE_MM, MAX_SEEDS)
    return places[kept], scores[kept]

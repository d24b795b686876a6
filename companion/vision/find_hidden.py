"""What the tower hides of a die: where it may stand in the way, and nothing has changed there.

The zones tell the tower's footprint; from there it rises towards where the camera sees higher things. How
high it is, nobody says; but before it the picture is as it was with the empty table.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.find_scene import Scene
from companion.vision.find_symbol import in_face
from companion.vision.geometry import Floor, Points, Quad, apply

Values = npt.NDArray[np.float64]

# Towers are lower than this.
_HIGHEST_MM = 150.0
# A sample that changed less than this (units of noise) shows what the empty table showed.
_UNCHANGED = 0.5
_STEPS = np.linspace(-0.45, 0.45, 11)
_FACE_AT = np.array([(x, y) for y in _STEPS for x in _STEPS], np.float32)


def behind_tower(floor: Floor, tower_px: Quad, die_mm: float) -> Points:
    """The outline, in a zone's mm in the plane of the dice's tops, of where a tower may hide something.

    `tower_px` is its footprint in the pixels that the floor's maps lead to; gives (k, 2).
    """
    foot = apply(floor.lift(0.0)[1], tower_px)
    top = apply(floor.plane_to_px(_HIGHEST_MM), foot)
    around = cv2.convexHull(np.vstack([tower_px, top]).astype(np.float32))[:, 0]
    return apply(floor.lift(die_mm)[1], np.asarray(around, np.float64))


def hidden_share(scene: Scene, spots: Values, outline: Points) -> Values:
    """How much of each face is hidden, spots (n, 3 or more: x, y mm, angle rad) → (n,), 0..1."""
    cos, sin = np.cos(spots[:, 2:3]) * scene.die_mm, np.sin(spots[:, 2:3]) * scene.die_mm
    x = _FACE_AT[:, 0] * cos - _FACE_AT[:, 1] * sin + spots[:, :1]
    y = _FACE_AT[:, 0] * sin + _FACE_AT[:, 1] * cos + spots[:, 1:2]
    following = np.roll(outline, -1, axis=0)
    way = following - outline
    turns = way[:, 0] * (y[..., None] - outline[:, 1]) - way[:, 1] * (x[..., None] - outline[:, 0])
    behind = (turns > 0).all(axis=2) | (turns < 0).all(axis=2)
    change = in_face(scene, spots, np.broadcast_to(_FACE_AT, (len(spots), *_FACE_AT.shape)))[..., 3]
    return np.asarray((behind & (change < _UNCHANGED)).mean(axis=1), np.float64)

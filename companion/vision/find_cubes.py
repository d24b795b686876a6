"""Dice supposed anywhere on a floor, level or leaning: where each visible face appears on the sheet.

The camera's place above the floor is known from the zones, a die is a cube of known size, and its lowest
point rests on the floor. So a few numbers say where all that can be seen of it must be.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.geometry import Floor

Values = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]

#: Columns of a pose: where the middle of the top face appears (mm on the sheet, in the plane of level dice's
#: tops), how the die is turned (rad), and about which way on the floor it is then tipped, and how far (rad).
X, Y, TURN, WAY, TILT = range(5)
POSE = 5
#: Which of three faces is the top; those before are the sides. Each looks along the axis of its number.
TOP = 2
# The axes that lie in each face.
_ACROSS, _ALONG = np.array([1, 0, 0]), np.array([2, 2, 1])
# What changes by less than this from column to column (square millimetres) does not.
_LEVEL = 1e-6


def eye_mm(floor: Floor) -> Values:
    """Where the camera of a floor's picture is: x, y and height in the zone's millimetres, (3,)."""
    ahead = np.column_stack([floor.floor_to_px[:, :2], floor.up])
    return np.asarray(-np.linalg.solve(ahead, floor.floor_to_px[:, 2]), np.float64)


def rotations(poses: Values) -> Values:
    """How the axes of supposed dice lie, (m, 5) → (m, 3, 3): a column each, the top's normal last."""
    (cos, x, up), (sin, y, tipped) = np.cos(poses[:, TURN:].T), np.sin(poses[:, TURN:].T)
    # Rodrigues' formula for an axis that lies on the floor, of dice turned about the upright before
    flat = 1 - up
    along_x, along_y = flat * (x * cos + y * sin), flat * (y * cos - x * sin)
    axes = np.empty((3, 3, len(poses)))
    axes[0] = up * cos + along_x * x, along_y * x - up * sin, tipped * y
    axes[1] = up * sin + along_x * y, up * cos + along_y * y, -tipped * x
    axes[2] = tipped * (x * sin - y * cos), tipped * (y * sin + x * cos), up
    return axes.transpose(2, 0, 1)


def visible_faces(poses: Values, eye: Values, die_mm: float, to_mm: Values) -> tuple[Values, Flags]:
    """The two sides that may be seen, and the top: maps (3, 3, 3, m), and which of them are seen, (3, m).

    A map takes (column, row, 1) of a grid that `to_mm` (3, 3) lays on the sheet to homogeneous fractions of a
    die from a face's middle, the last positive on the camera's side. `eye` is as of `eye_mm`, on the sheet.
    The maps' axes are: what is multiplied, what comes out, the face, the pose. A face's own axes point to the
    side of it that the eye is on.
    """
    axes = rotations(poses).transpose(1, 2, 0)
    half = die_mm / 2
    # the lowest corner is on the floor
    high = half * (np.abs(axes[2]).sum(axis=0) + axes[2, 2])
    nearer = (eye[2] - high) / (eye[2] - die_mm)
    from_top = np.array([*((eye[:2, None] - poses[:, :2].T) * nearer), eye[2] - high])
    # how far the eye is from the die's middle along each axis, the sides' pointing to its side
    apart = (axes * from_top[:, None]).sum(axis=0)
    apart[2] += half
    axes = axes * np.where(apart >= 0, 1.0, -1.0)
    apart = np.abs(apart)
    # where the ray from the eye to a place on the sheet meets the plane of a face
    ahead = apart - half
    by_ray = np.empty((3, 3, 3, len(poses)))
    for form, along in enumerate((_ACROSS, _ALONG)):
        by_ray[:, form] = ahead * axes.take(along, axis=1) - apart.take(along, axis=0) * axes
    by_ray[:, 2] = -die_mm * axes
    to_ray = to_mm - np.outer((*eye[:2], eye[2] - die_mm + 1), (0, 0, 1))
    return (to_ray.T @ by_ray.reshape(3, -1)).reshape(by_ray.shape), ahead > 0


def spans(faces: Values, seen: Flags, halves: Values, side: int) -> tuple[Indices, Indices]:
    """Which pixels squares on visible faces cover, each row's first and the one after its last.

    The squares reach so many of a die's sides from a face's middle as `halves` (k,) tell. Faces are as of
    `visible_faces`, on a grid of `side` rows and columns. → (side, k, 3, m) twice, the end never before the
    first and as that where none is covered.
    """
    ahead = halves[:, None, None] * faces[:, None, 2]
    across = faces[:, :2, None]
    # what is positive on the inner side of each of four lines
    lines = np.concatenate([ahead[:, None] + across, ahead[:, None] - across], axis=1)
    shape = lines.shape[2:]
    per_column, per_row, at_corner = lines.reshape(3, 4, -1)
    per_column = np.where(np.abs(per_column) < _LEVEL, _LEVEL, per_column)
    slope, start = (np.asarray(-one / per_column, np.float32) for one in (per_row, at_corner))
    crossing = np.arange(side, dtype=np.float32)[:, None, None] * slope + start
    begins = per_column > 0
    never = np.float32(np.inf)
    first = (crossing + np.where(begins, np.float32(0), -never)).max(axis=1).reshape(side, *shape)
    last = (crossing + np.where(begins, never, np.float32(0))).min(axis=1).reshape(side, *shape)
    last[:, :, ~seen] = -1
    first = np.minimum(np.maximum(np.ceil(first), 0), side).astype(np.intp)
    end = np.minimum(np.floor(last) + 1, side).astype(np.intp)
    return first, np.maximum(end, first)

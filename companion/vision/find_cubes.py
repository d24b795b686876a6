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

#: Columns of a pose: where the middle of the top face appears (mm on the sheet, in the plane of level dice's
#: tops), how the die is turned (rad), and about which way on the floor it is then tipped, and how far (rad).
X, Y, TURN, WAY, TILT = range(5)
POSE = 5


def eye_mm(floor: Floor) -> Values:
    """Where the camera of a floor's picture is: x, y and height in the zone's millimetres, (3,)."""
    ahead = np.column_stack([floor.floor_to_px[:, :2], floor.up])
    return np.asarray(-np.linalg.solve(ahead, floor.floor_to_px[:, 2]), np.float64)


def rotations(poses: Values) -> Values:
    """How the axes of supposed dice lie, (m, 5) → (m, 3, 3): a column each, the top's normal last."""
    cos, sin = np.cos(poses[:, TURN]), np.sin(poses[:, TURN])
    x, y = np.cos(poses[:, WAY]), np.sin(poses[:, WAY])
    tipped, up = np.sin(poses[:, TILT]), np.cos(poses[:, TILT])
    flat = 1 - up
    none, one = np.zeros(len(poses)), np.ones(len(poses))
    turn = np.array([[cos, -sin, none], [sin, cos, none], [none, none, one]])
    # Rodrigues' formula for an axis that lies on the floor
    tip = np.array(
        [
            [up + flat * x * x, flat * x * y, tipped * y],
            [flat * x * y, up + flat * y * y, -tipped * x],
            [-tipped * y, tipped * x, up],
        ]
    )
    return np.asarray(np.einsum("ijm,jkm->mik", tip, turn))


def visible_faces(poses: Values, eye: Values, die_mm: float) -> tuple[Values, Flags]:
    """The top and the two sides that may be seen: maps to the sheet, (m, 3, 3, 3), and which are, (m, 3).

    A map takes (u, v, 1), fractions of a die from a face's middle, to homogeneous millimetres of the sheet.
    `eye` is as of `eye_mm`, on the sheet.
    """
    axes = rotations(poses)
    half = die_mm / 2
    top = axes[:, :, 2]
    # the lowest corner is on the floor
    high = half * (np.abs(axes[:, 2]).sum(axis=1) + top[:, 2])
    nearer = (eye[2] - high) / (eye[2] - die_mm)
    middles = np.column_stack([eye[:2] + (poses[:, :2] - eye[:2]) * nearer[:, None], high]) - half * top
    towards = np.einsum("mij,mi->mj", axes, eye - middles)
    signs = np.where(towards[:, :2] >= 0, 1.0, -1.0)
    seen = np.column_stack([towards[:, 2] > half, np.abs(towards[:, :2]) > half])
    one, other = axes[:, :, 0], axes[:, :, 1]
    normals = np.stack([top, one * signs[:, :1], other * signs[:, 1:]], axis=1)
    across = np.stack([one, other, one], axis=1)
    along = np.stack([other, top, top], axis=1)
    points = np.stack([die_mm * across, die_mm * along, middles[:, None] + half * normals], axis=3)
    # what is `below` the camera is seen the nearer to the point under it
    below = -points[:, :, 2]
    below[:, :, 2] += eye[2]
    beside = points[:, :, :2].copy()
    beside[:, :, :, 2] -= eye[:2]
    maps = np.empty_like(points)
    maps[:, :, :2] = beside * (eye[2] - die_mm) + eye[:2, None] * below[:, :, None]
    maps[:, :, 2] = below
    return maps, seen

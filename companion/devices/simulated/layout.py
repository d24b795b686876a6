"""The simulated table's parts and their places, in millimetres.

Table coordinates: x to the east, y to the south, z upwards; the origin is the track's inner north-west corner
on the felt. North is where the card holders stand, the reserve strip lies to the south.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float64]

DIE_MM = 16.0
TRACK_MM = (220.0, 150.0)
WALL_THICK_MM = 8.0
WALL_HIGH_MM = 14.0
RESERVE_MM = (220.0, 42.0)
RESERVE_NORTH_MM = 170.0
CARD_MM = (63.0, 88.0)
CARD_HIGH_MM = 7.0
"""Height of the visible card: the holder's plate and the pile below it."""
HOLDER_WEST_MM = (9.5, 78.5, 147.5)
HOLDER_NORTH_MM = -108.0
HOLDER_RIM_MM = 3.0


@dataclass(frozen=True, slots=True)
class Box:
    """A solid box: centre, half edge lengths, and a rotation whose columns are its own axes."""

    centre_mm: Vectors
    half_mm: Vectors
    rotation: Vectors

    def corners_mm(self) -> Vectors:
        """The eight corners, shape (8, 3)."""
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
        return np.asarray(self.centre_mm + (signs * self.half_mm) @ self.rotation.T, dtype=np.float64)


def upright_box(west: float, north: float, east: float, south: float, top: float, bottom: float = 0.0) -> Box:
    """A box along the table's axes between the given limits, all in millimetres."""
    low, high = np.array([west, north, bottom]), np.array([east, south, top])
    return Box((low + high) / 2, (high - low) / 2, np.eye(3))


def wall_boxes() -> tuple[Box, ...]:
    """The track's walls: north, east, south, west."""
    width, depth = TRACK_MM
    out = WALL_THICK_MM
    return (
        upright_box(-out, -out, width + out, 0.0, WALL_HIGH_MM),
        upright_box(width, 0.0, width + out, depth, WALL_HIGH_MM),
        upright_box(-out, depth, width + out, depth + out, WALL_HIGH_MM),
        upright_box(-out, 0.0, 0.0, depth, WALL_HIGH_MM),
    )


def tower_box() -> Box:
    """The tower at the track's west end; it stands outside and hides no part of the felt."""
    return upright_box(-70.0, 44.0, -12.0, 106.0, 95.0)


def holder_box(holder: int) -> Box:
    """The plate of one holder (0 to 2 from the west), a little larger than its card."""
    west, rim = HOLDER_WEST_MM[holder], HOLDER_RIM_MM
    south = HOLDER_NORTH_MM + CARD_MM[1] + rim
    return upright_box(west - rim, HOLDER_NORTH_MM - rim, west + CARD_MM[0] + rim, south, CARD_HIGH_MM - 0.5)


def led_mm(holder: int) -> tuple[float, float, float]:
    """Where a holder's LED sits: before its card, towards the track."""
    return HOLDER_WEST_MM[holder] + CARD_MM[0] / 2, HOLDER_NORTH_MM + CARD_MM[1] + 6.0, CARD_HIGH_MM


def standing_boxes() -> tuple[Box, ...]:
    """Everything that stands on the table and throws a shadow, dice left out."""
    return (*wall_boxes(), tower_box(), *(holder_box(holder) for holder in range(3)))

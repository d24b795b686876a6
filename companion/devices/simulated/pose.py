"""The simulated camera's place and lens, and the zones a person would mark in its picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.devices.simulated import layout
from companion.vision.geometry import Quad, Zones, as_quad

Vectors = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pose:
    """A pinhole camera above the table.

    `pitch_rad` tilts it to look north from its place, `roll_rad` to look east, `turn_rad` turns it about its
    own axis. `focal_frac` is the focal length over the picture's width: 0.85 sees 61 degrees across, as
    common Raspberry Pi cameras do. Pixels are counted from the picture's top-left corner.
    """

    x_mm: float = 95.0
    y_mm: float = 96.0
    z_mm: float = 400.0
    pitch_rad: float = math.radians(7.0)
    roll_rad: float = math.radians(-1.2)
    turn_rad: float = math.radians(1.4)
    focal_frac: float = 0.85
    width_px: int = 1280
    height_px: int = 960

    @property
    def focal_px(self) -> float:
        """The focal length in pixels."""
        return self.focal_frac * self.width_px

    def place_mm(self) -> Vectors:
        """The camera's place, shape (3,)."""
        return np.array([self.x_mm, self.y_mm, self.z_mm])

    def axes(self) -> Vectors:
        """Rows: the picture's right, its down, the looking direction, in table coordinates; shape (3, 3)."""
        straight = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, -1]])
        cp, sp = math.cos(self.pitch_rad), math.sin(self.pitch_rad)
        cr, sr = math.cos(self.roll_rad), math.sin(self.roll_rad)
        ct, st = math.cos(self.turn_rad), math.sin(self.turn_rad)
        pitch = np.array([[1, 0, 0], [0, cp, sp], [0, -sp, cp]])
        roll = np.array([[cr, 0, -sr], [0, 1, 0], [sr, 0, cr]])
        turn = np.array([[ct, st, 0], [-st, ct, 0], [0, 0, 1]])
        return np.asarray(turn @ roll @ pitch @ straight, dtype=np.float64)

    def matrix(self) -> Vectors:
        """Homogeneous map from table coordinates relative to the camera to pixels, shape (3, 3)."""
        focal = self.focal_px
        lens = np.array([[focal, 0, self.width_px / 2], [0, focal, self.height_px / 2], [0, 0, 1]])
        return np.asarray(lens @ self.axes(), dtype=np.float64)

    def project(self, points_mm: Vectors) -> Vectors:
        """Pixels of points, shape (n, 3) → (n, 2)."""
        seen = (np.asarray(points_mm, dtype=np.float64) - self.place_mm()) @ self.matrix().T
        return np.asarray(seen[:, :2] / seen[:, 2:], dtype=np.float64)

    def rays(self, points_px: Vectors) -> Vectors:
        """Unit directions into the scene through pixels, shape (n, 2) → (n, 3)."""
        homogeneous = np.column_stack([points_px, np.ones(len(points_px))])
        directions = homogeneous @ np.linalg.inv(self.matrix()).T
        return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True), dtype=np.float64)

    def bumped(self, east_mm: float, south_mm: float, turn_rad: float) -> Pose:
        """The camera after someone ran into its stand."""
        return replace(
            self, x_mm=self.x_mm + east_mm, y_mm=self.y_mm + south_mm, turn_rad=self.turn_rad + turn_rad
        )

    def zones(self) -> Zones:
        """Where a careful person would mark the zones in this camera's picture."""

        def quad(west: float, north: float, size_mm: tuple[float, float], high: float) -> Quad:
            east, south = west + size_mm[0], north + size_mm[1]
            corners = [[west, north, high], [east, north, high], [east, south, high], [west, south, high]]
            return as_quad(np.round(self.project(np.array(corners)), 1))

        return Zones(
            size_px=(self.width_px, self.height_px),
            track_px=quad(0.0, 0.0, layout.TRACK_MM, 0.0),
            track_mm=layout.TRACK_MM,
            reserve_px=quad(0.0, layout.RESERVE_NORTH_MM, layout.RESERVE_MM, 0.0),
            reserve_mm=layout.RESERVE_MM,
            die_mm=layout.DIE_MM,
            holders_px=tuple(
                quad(west, layout.HOLDER_NORTH_MM, layout.CARD_MM, layout.CARD_HIGH_MM)
                for west in layout.HOLDER_WEST_MM
            ),
        )

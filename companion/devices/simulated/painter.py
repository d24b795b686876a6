"""Painting flat surfaces into the camera's view: what colour each pixel shows and how much light arrives."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.devices.simulated import layout
from companion.devices.simulated.layout import Box
from companion.devices.simulated.light import Lamp, Patch, shadow_on
from companion.devices.simulated.pose import Pose

Vectors = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]

UP = np.array([0.0, 0.0, 1.0])
FLOOR, WALLS, OTHER = 1, (2, 3, 4, 5), 6
"""Kinds of surfaces: the table's plane, the inner walls, anything else."""

_OVER = 2
_LAMP_POINTS = 16
_SHADE_STEP_PX = 4
_ROOM_AT_SIDES = 0.6


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the picture, in its pixels."""

    left_px: int
    top_px: int
    width_px: int
    height_px: int

    @property
    def part(self) -> tuple[slice, slice]:
        """Rows and columns, to cut the part out of a picture."""
        bottom, right = self.top_px + self.height_px, self.left_px + self.width_px
        return slice(self.top_px, bottom), slice(self.left_px, right)


def whole_picture(pose: Pose) -> Window:
    """All that the camera sees."""
    return Window(0, 0, pose.width_px, pose.height_px)


def picture_map(patch: Patch, pose: Pose, scale: float = 1.0) -> Vectors:
    """The homography from a patch's grid to the picture enlarged by `scale`, both from pixel middles."""
    width, height = patch.size_px
    origin = patch.corner_mm - pose.place_mm()
    plane = np.column_stack([patch.across_mm / width, patch.down_mm / height, origin])
    to_corner = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    from_corner = np.array([[scale, 0, -0.5], [0, scale, -0.5], [0, 0, 1]])
    return np.asarray(from_corner @ pose.matrix() @ plane @ to_corner, dtype=np.float64)


def _shift(x: float, y: float) -> Vectors:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], dtype=np.float64)


class Painter:
    """Paints surfaces over each other within a window, the farther ones first, at a finer resolution.

    Of the lamp only place and radius matter here. `kind` is 0 where nothing was painted.
    """

    def __init__(self, pose: Pose, lamp: Lamp, window: Window) -> None:
        self.pose, self.lamp, self.window = pose, lamp, window
        self.width, self.height = window.width_px * _OVER, window.height_px * _OVER
        self.paint: Floats = np.zeros((self.height, self.width, 3), np.float32)
        self.light: Floats = np.zeros((self.height, self.width, 2), np.float32)
        self.kind = np.zeros((self.height, self.width), np.uint8)
        self.boxes = layout.standing_boxes()
        self.sources = lamp.points_mm(_LAMP_POINTS)

    def add(self, patch: Patch, paint: Floats, kind: int, room: Floats | float = 1.0) -> None:
        """Paint a patch: reflectance on its grid or one colour, `room` its share of the room's light."""
        width, height = patch.size_px
        corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]) - [0.5, 0.5, 0]
        left, top = self.window.left_px * _OVER, self.window.top_px * _OVER
        move = _shift(-left, -top) @ picture_map(patch, self.pose, _OVER)
        outline = corners @ move.T
        if outline[:, 2].min() <= 0:
            return
        flat = outline[:, :2] / outline[:, 2:]
        low = np.clip(np.floor(flat.min(axis=0)).astype(int) - 1, 0, [self.width, self.height])
        high = np.clip(np.ceil(flat.max(axis=0)).astype(int) + 2, 0, [self.width, self.height])
        if (high <= low).any():
            return
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        into_part = _shift(-low[0], -low[1]) @ move
        inside = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(inside, np.round((flat - low) * 16).astype(np.int32), 1, shift=4)
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        on_grid = paint if paint.ndim == 3 else np.tile(paint, (2, 2, 1))
        stretch = np.diag([width / on_grid.shape[1], height / on_grid.shape[0], 1.0])
        border = cv2.BORDER_REPLICATE
        painted = cv2.warpPerspective(on_grid, into_part @ stretch, size, borderMode=border)
        lit = cv2.warpPerspective(self._lit(patch, room), into_part, size, borderMode=border)
        cv2.copyTo(painted, inside, self.paint[part])
        cv2.copyTo(lit, inside, self.light[part])
        cv2.copyTo(np.full((size[1], size[0]), kind, np.uint8), inside, self.kind[part])

    def _lit(self, patch: Patch, room: Floats | float) -> Floats:
        """Lamp and room light on the patch's grid, shape (h, w, 2)."""
        width, height = patch.size_px
        points, (rows, columns) = patch.points_mm(_SHADE_STEP_PX)
        strength = self.lamp.strength(points, patch.normal).reshape(rows, columns).astype(np.float32)
        direct = cv2.resize(strength, (width, height), interpolation=cv2.INTER_LINEAR)
        hidden = shadow_on(patch, self.boxes, self.sources)
        lit = np.empty((height, width, 2), np.float32)
        lit[..., 0] = direct * (1 - cv2.GaussianBlur(hidden, (0, 0), max(0.5, patch.px_per_mm)))
        lit[..., 1] = room
        return lit

    def add_box(self, box: Box, paint: Floats) -> None:
        """Paint the faces of an upright box that look at the camera."""
        self.add_sides(box, paint)
        self.add_top(box, paint)

    def add_top(self, box: Box, paint: Floats) -> None:
        """Paint the upper face of an upright box."""
        x, y, _ = box.half_mm * 2
        corner = box.centre_mm + box.half_mm * [-1, -1, 1]
        self.add(Patch(corner, np.array([x, 0.0, 0.0]), np.array([0.0, y, 0.0]), UP, 2.0), paint, OTHER)

    def add_sides(self, box: Box, paint: Floats, kind: int = OTHER) -> None:
        """Paint the upright faces of an upright box that look at the camera."""
        x, y, z = box.half_mm * 2
        low, high = box.centre_mm - box.half_mm, box.centre_mm + box.half_mm
        east, south, down = np.array([x, 0.0, 0.0]), np.array([0.0, y, 0.0]), np.array([0.0, 0.0, -z])
        west_top = np.array([low[0], low[1], high[2]])
        faces = (
            Patch(west_top, east, down, np.array([0.0, -1, 0]), 2.0),
            Patch(west_top + south, east, down, np.array([0.0, 1, 0]), 2.0),
            Patch(west_top, south, down, np.array([-1.0, 0, 0]), 2.0),
            Patch(west_top + east, south, down, np.array([1.0, 0, 0]), 2.0),
        )
        for patch in faces:
            if float((self.pose.place_mm() - patch.corner_mm) @ patch.normal) > 0:
                self.add(patch, paint, kind, _ROOM_AT_SIDES)

    def painted(self) -> tuple[Floats, Floats, Floats]:
        """Paint (h, w, 3), lamp's and room's share (h, w), in the camera's pixels, 0 where unpainted."""
        light = self._shrunk(self.light)
        return self._shrunk(self.paint), light[..., 0].copy(), light[..., 1].copy()

    def share(self, kind: int | None = None) -> Floats:
        """Which part of each pixel shows surfaces of this kind, or any at all, shape (h, w)."""
        shown = self.kind > 0 if kind is None else self.kind == kind
        return self._shrunk(shown.astype(np.float32))

    def _shrunk(self, fine: Floats) -> Floats:
        size = (self.window.width_px, self.window.height_px)
        return np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), dtype=np.float32)

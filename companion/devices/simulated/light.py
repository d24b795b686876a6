"""The lamp above the table: how much of its light reaches a place, and the soft shadows of boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.devices.simulated.layout import Box

Vectors = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]

_EDGES = tuple((a, b) for a in range(8) for b in range(a + 1, 8) if (a ^ b) in (1, 2, 4))
_SUB_PX_BITS = 4
AIM_MM = (110.0, 60.0, 0.0)
"""The place on the table where the lamp's direct light counts as 1."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """A round lamp that shines downwards, and the light of the room.

    `brightness` scales the lamp, `tint_rgb` colours it; `room_rgb` is the light from everywhere, where 1 is
    as much as the undimmed lamp gives a white sheet in the middle of the table.
    """

    place_mm: tuple[float, float, float] = (-40.0, -190.0, 780.0)
    radius_mm: float = 55.0
    brightness: float = 1.0
    tint_rgb: tuple[float, float, float] = (1.0, 0.93, 0.82)
    room_rgb: tuple[float, float, float] = (0.26, 0.28, 0.31)

    def centre_mm(self) -> Vectors:
        """The middle of the lamp, shape (3,)."""
        return np.array(self.place_mm)

    def points_mm(self, count: int) -> Vectors:
        """Points spread evenly over the lamp's disc (Vogel's sunflower), shape (count, 3)."""
        index = np.arange(count) + 0.5
        radius = self.radius_mm * np.sqrt(index / count)
        angle = index * np.pi * (3 - np.sqrt(5))
        flat = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(count)])
        return np.asarray(flat + self.centre_mm(), dtype=np.float64)

    def direct_bgr(self) -> Floats:
        """The lamp's light in the middle of the table, order B G R."""
        return np.array(self.tint_rgb[::-1], np.float32) * np.float32(self.brightness)

    def room_bgr(self) -> Floats:
        """The room's light, order B G R."""
        return np.array(self.room_rgb[::-1], np.float32)

    def strength(self, points_mm: Vectors, normals: Vectors) -> Vectors:
        """Direct light without shadows, 1 on the table at AIM_MM; shapes (n, 3) and (3,) or (n, 3) → (n,).

        Inverse square of the distance, Lambert's cosine on both ends.
        """
        aim = self.centre_mm() - np.array(AIM_MM)
        reference = aim[2] ** 2 / np.dot(aim, aim) ** 2
        towards = self.centre_mm() - points_mm
        square = np.einsum("ij,ij->i", towards, towards)
        facing = np.maximum(np.sum(towards * normals, axis=1), 0.0)
        leaving = np.maximum(towards[:, 2], 0.0)
        return np.asarray(facing * leaving / square**2 / reference, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Patch:
    """A flat rectangle: a corner, its two edges (table millimetres) and the side its surface looks to."""

    corner_mm: Vectors
    across_mm: Vectors
    down_mm: Vectors
    normal: Vectors
    px_per_mm: float

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of its own grid."""
        across, down = np.linalg.norm(self.across_mm), np.linalg.norm(self.down_mm)
        return max(1, round(float(across) * self.px_per_mm)), max(1, round(float(down) * self.px_per_mm))

    def points_mm(self, step_px: int = 1) -> tuple[Vectors, tuple[int, int]]:
        """Table coordinates of every `step_px`-th grid point, shape (n, 3), and their (rows, columns)."""
        width, height = self.size_px
        columns, rows = max(2, width // step_px), max(2, height // step_px)
        u = (np.arange(columns) + 0.5) / columns
        v = (np.arange(rows) + 0.5) / rows
        grid = (
            self.corner_mm
            + u[None, :, None] * self.across_mm[None, None, :]
            + v[:, None, None] * self.down_mm[None, None, :]
        )
        return grid.reshape(-1, 3), (rows, columns)


def shadow_on(patch: Patch, boxes: Sequence[Box], sources_mm: Vectors) -> Floats:
    """The part of the lamp that boxes hide from each grid point of a patch, 0 to 1, shape (height, width)."""
    width, height = patch.size_px
    hidden = np.zeros((height, width), np.uint16)
    layer = np.zeros((height, width), np.uint8)
    for source in sources_mm:
        layer[:] = 0
        any_drawn = False
        for box in boxes:
            outline = _shadow_outline(patch, box, source)
            if outline is not None:
                cv2.fillConvexPoly(layer, outline, 1, lineType=cv2.LINE_8, shift=_SUB_PX_BITS)
                any_drawn = True
        if any_drawn:
            hidden += layer
    return hidden.astype(np.float32) / np.float32(len(sources_mm))


def _shadow_outline(patch: Patch, box: Box, source: Vectors) -> npt.NDArray[np.int32] | None:
    """The outline of a box's shadow in the patch's grid, fixed-point pixels; None where there is none."""
    corners = box.corners_mm()
    above = (corners - patch.corner_mm) @ patch.normal
    lamp_above = float((source - patch.corner_mm) @ patch.normal)
    if lamp_above <= 1.0:
        return None
    solid = [corners[index] for index in range(8) if above[index] > 1e-6]
    if not solid:
        return None
    for a, b in _EDGES:
        if (above[a] > 0) != (above[b] > 0):
            share = above[a] / (above[a] - above[b])
            solid.append(corners[a] + share * (corners[b] - corners[a]))
    points = np.array(solid)
    heights = np.maximum((points - patch.corner_mm) @ patch.normal, 0.0)
    if heights.max() >= 0.98 * lamp_above:
        return None
    cast = source + (points - source) * (lamp_above / (lamp_above - heights))[:, None] - patch.corner_mm
    width, height = patch.size_px
    x = cast @ patch.across_mm / np.dot(patch.across_mm, patch.across_mm) * width
    y = cast @ patch.down_mm / np.dot(patch.down_mm, patch.down_mm) * height
    if x.max() < 0 or y.max() < 0 or x.min() > width or y.min() > height:
        return None
    grid = np.clip(np.column_stack([x, y]) - 0.5, -4000, 8000) * (1 << _SUB_PX_BITS)
    hull = cv2.convexHull(grid.astype(np.float32))
    return np.round(hull).astype(np.int32)


def visible_share(points_mm: Vectors, boxes: Sequence[Box], sources_mm: Vectors) -> Vectors:
    """The part of the lamp that points, shape (n, 3), see past boxes, 0 to 1, shape (n,)."""
    if not boxes:
        return np.ones(len(points_mm))
    seen = np.zeros(len(points_mm))
    starts = [np.ascontiguousarray(((points_mm - box.centre_mm) @ box.rotation).T) for box in boxes]
    for source in sources_mm:
        blocked = np.zeros(len(points_mm), dtype=bool)
        for box, start in zip(boxes, starts, strict=True):
            enter, leave = _slabs(start, (source - box.centre_mm) @ box.rotation, box.half_mm)
            blocked |= (enter < leave) & (leave > 1e-6) & (enter < 1.0)
        seen += ~blocked
    return np.asarray(seen / len(sources_mm), dtype=np.float64)


def _slabs(start: Vectors, end: Vectors, half_mm: Vectors) -> tuple[Vectors, Vectors]:
    """Where ways from points, shape (3, n), to one end enter and leave a box (Kay and Kajiya's slabs)."""
    enter = np.full(start.shape[1], -np.inf)
    leave = np.full(start.shape[1], np.inf)
    for axis in range(3):
        step = end[axis] - start[axis]
        step[np.abs(step) < 1e-9] = 1e-9
        middle = -start[axis] / step
        reach = np.abs(half_mm[axis] / step)
        np.maximum(enter, middle - reach, out=enter)
        np.minimum(leave, middle + reach, out=leave)
    return enter, leave

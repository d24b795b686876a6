"""What stands still on the simulated table: wood, felt, walls, tower, holders and cards, ready to be lit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.devices.simulated import layout
from companion.devices.simulated.card_face import CARD_PX_PER_MM, card_face
from companion.devices.simulated.inks import linear_bgr
from companion.devices.simulated.layout import Box
from companion.devices.simulated.light import Lamp, Patch, shadow_on
from companion.devices.simulated.pose import Pose
from companion.game.cards import Card

Vectors = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Cards = tuple[Card | None, Card | None, Card | None]

FELT = linear_bgr(0x4C7A66)
_RESERVE = 0xB9A98C
_WOOD = 0x8A5E3A
_RAIL = 0x5B3A24
_TOWER = 0x6E4A31
_HOLDER = 0x3E3A44
_OVER = 2
_LAMP_POINTS = 16
_SHADE_STEP_PX = 4
_CORNER_MM = 9.0
_ROOM_AT_SIDES = 0.6
_UP = np.array([0.0, 0.0, 1.0])
_TABLE = (-280.0, -260.0, 520.0, 340.0)


@dataclass(frozen=True, slots=True)
class Still:
    """The table without dice, one value a pixel of the camera's picture.

    `paint` is linear reflectance (h, w, 3) B G R; `direct` and `room` say how much of the lamp's and of the
    room's light arrives (h, w); `floor` and `walls` which part of the pixel shows the table's plane and each
    inner wall.
    """

    paint: Floats
    direct: Floats
    room: Floats
    floor: Floats
    walls: tuple[Floats, ...]


def floor_patch() -> Patch:
    """The part of the table's plane on which dice throw their shadows."""
    west, north, east, south = -30.0, -20.0, 250.0, 232.0
    return Patch(
        np.array([west, north, 0.0]), np.array([east - west, 0, 0]), np.array([0, south - north, 0]), _UP, 2.0
    )


def wall_patches() -> tuple[Patch, ...]:
    """The inner faces of the walls: north, east, south, west."""
    width, depth = layout.TRACK_MM
    down = np.array([0, 0, -layout.WALL_HIGH_MM])
    top = layout.WALL_HIGH_MM
    east, south = np.array([width, 0.0, 0.0]), np.array([0.0, depth, 0.0])
    return (
        Patch(np.array([0.0, 0.0, top]), east, down, np.array([0.0, 1, 0]), 3.0),
        Patch(np.array([width, 0.0, top]), south, down, np.array([-1.0, 0, 0]), 3.0),
        Patch(np.array([0.0, depth, top]), east, down, np.array([0.0, -1, 0]), 3.0),
        Patch(np.array([0.0, 0.0, top]), south, down, np.array([1.0, 0, 0]), 3.0),
    )


def picture_map(patch: Patch, pose: Pose, scale: float = 1.0) -> Vectors:
    """The homography from a patch's grid to the picture enlarged by `scale`, both from pixel middles."""
    width, height = patch.size_px
    origin = patch.corner_mm - pose.place_mm()
    plane = np.column_stack([patch.across_mm / width, patch.down_mm / height, origin])
    to_corner = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    from_corner = np.array([[scale, 0, -0.5], [0, scale, -0.5], [0, 0, 1]])
    return np.asarray(from_corner @ pose.matrix() @ plane @ to_corner, dtype=np.float64)


class _Painter:
    """Paints surfaces over each other, the farther ones first, at a finer resolution."""

    def __init__(self, pose: Pose, lamp: Lamp) -> None:
        self.pose, self.lamp = pose, lamp
        self.width, self.height = pose.width_px * _OVER, pose.height_px * _OVER
        self.paint: Floats = np.zeros((self.height, self.width, 3), np.float32)
        self.light: Floats = np.zeros((self.height, self.width, 2), np.float32)
        self.kind = np.zeros((self.height, self.width), np.uint8)
        self.boxes = layout.standing_boxes()
        self.sources = lamp.points_mm(_LAMP_POINTS)

    def add(
        self, patch: Patch, paint: Floats, kind: int, room: Floats | float = 1.0, own: Box | None = None
    ) -> None:
        """Paint a patch: reflectance on its grid or one colour, `room` its share of the room's light."""
        width, height = patch.size_px
        corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]) - [0.5, 0.5, 0]
        move = picture_map(patch, self.pose, _OVER)
        outline = corners @ move.T
        if outline[:, 2].min() <= 0:
            return
        flat = outline[:, :2] / outline[:, 2:]
        low = np.clip(np.floor(flat.min(axis=0)).astype(int) - 1, 0, [self.width, self.height])
        high = np.clip(np.ceil(flat.max(axis=0)).astype(int) + 2, 0, [self.width, self.height])
        if (high <= low).any():
            return
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], dtype=np.float64)
        inside = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(inside, np.round((flat - low) * 16).astype(np.int32), 1, shift=4)
        mask = inside.astype(bool)
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        border = cv2.BORDER_REPLICATE
        if paint.ndim == 1:
            self.paint[part][mask] = paint
        else:
            warped = cv2.warpPerspective(paint, shift @ move, size, flags=cv2.INTER_LINEAR, borderMode=border)
            self.paint[part][mask] = warped[mask]
        lit = self._lit(patch, room, own)
        warped = cv2.warpPerspective(lit, shift @ move, size, flags=cv2.INTER_LINEAR, borderMode=border)
        self.light[part][mask] = warped[mask]
        self.kind[part][mask] = kind

    def _lit(self, patch: Patch, room: Floats | float, own: Box | None) -> Floats:
        """Lamp and room light on the patch's grid, shape (h, w, 2)."""
        width, height = patch.size_px
        points, (rows, columns) = patch.points_mm(_SHADE_STEP_PX)
        strength = self.lamp.strength(points, patch.normal).reshape(rows, columns).astype(np.float32)
        direct = cv2.resize(strength, (width, height), interpolation=cv2.INTER_LINEAR)
        hidden = shadow_on(patch, [box for box in self.boxes if box is not own], self.sources)
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
        self.add(Patch(corner, np.array([x, 0.0, 0.0]), np.array([0.0, y, 0.0]), _UP, 2.0), paint, 0, own=box)

    def add_sides(self, box: Box, paint: Floats, kind: int = 0) -> None:
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
                self.add(patch, paint, kind, _ROOM_AT_SIDES, own=box)

    def finish(self) -> Still:
        """Bring everything to the camera's resolution."""
        size = (self.pose.width_px, self.pose.height_px)

        def shrunk(fine: Floats) -> Floats:
            return np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), dtype=np.float32)

        light = shrunk(self.light)
        parts = [shrunk((self.kind == kind).astype(np.float32)) for kind in range(1, 6)]
        return Still(
            shrunk(self.paint), light[..., 0].copy(), light[..., 1].copy(), parts[0], tuple(parts[1:])
        )


@lru_cache(maxsize=3)
def still_table(pose: Pose, lamp_place: Lamp, cards: Cards) -> Still:
    """Paint the table without dice; of the lamp only place and radius matter here."""
    painter = _Painter(pose, lamp_place)
    west, north, east, south = _TABLE
    across, down = np.array([east - west, 0, 0]), np.array([0, south - north, 0])
    painter.add(Patch(np.array([west, north, 0.0]), across, down, _UP, 2.5), _wood(), 1)
    painter.add(
        _lying(0.0, layout.RESERVE_NORTH_MM, layout.RESERVE_MM, 0.0, 4.0), _cloth(_RESERVE, (880, 168)), 1
    )
    felt = _lying(0.0, 0.0, layout.TRACK_MM, 0.0, 4.0)
    painter.add(felt, _felt(felt.size_px), 1, room=_room_between_walls(felt))
    for index, wall in enumerate(layout.wall_boxes()):
        painter.add_sides(wall, linear_bgr(_RAIL), 2 + index)
    for wall in layout.wall_boxes():
        painter.add_top(wall, linear_bgr(_RAIL))
    for holder, card in enumerate(cards):
        painter.add_box(layout.holder_box(holder), linear_bgr(_HOLDER))
        if card is not None:
            place = _lying(
                layout.HOLDER_WEST_MM[holder],
                layout.HOLDER_NORTH_MM,
                layout.CARD_MM,
                layout.CARD_HIGH_MM,
                CARD_PX_PER_MM,
            )
            painter.add(place, card_face(card), 0, own=layout.holder_box(holder))
    painter.add_box(layout.tower_box(), linear_bgr(_TOWER))
    return painter.finish()


def _lying(west: float, north: float, size_mm: tuple[float, float], high: float, px_per_mm: float) -> Patch:
    across, down = np.array([size_mm[0], 0, 0]), np.array([0, size_mm[1], 0])
    return Patch(np.array([west, north, high]), across, down, _UP, px_per_mm)


def _room_between_walls(felt: Patch) -> Floats:
    """The walls hide part of the room from the felt beside them."""
    points, (rows, columns) = felt.points_mm()
    x, y = points[:, 0], points[:, 1]
    width, depth = layout.TRACK_MM
    near = np.minimum.reduce([x, y, width - x, depth - y])
    share = 1 - 0.4 * np.exp(-near / _CORNER_MM)
    return np.asarray(share.reshape(rows, columns), dtype=np.float32)


def _grain(size_px: tuple[int, int], sigmas: Sequence[tuple[float, float, float]], seed: int) -> Floats:
    """Noise about 0 of several sizes (sigma across, sigma down, strength), shape (h, w); always the same."""
    rng = np.random.default_rng(seed)
    total = np.zeros((size_px[1], size_px[0]), np.float32)
    for across, down, strength in sigmas:
        # Soft noise is made small and enlarged: a wide blur of the whole would cost seconds.
        x_step, y_step = max(1, int(across / 2)), max(1, int(down / 2))
        small = rng.standard_normal((size_px[1] // y_step + 1, size_px[0] // x_step + 1), dtype=np.float32)
        soft = cv2.GaussianBlur(small, (0, 0), across / x_step, sigmaY=down / y_step)
        soft = cv2.resize(soft, size_px, interpolation=cv2.INTER_CUBIC)
        total += soft * np.float32(strength / max(float(soft.std()), 1e-6))
    return total


@lru_cache(maxsize=1)
def _wood() -> Floats:
    """A board with its grain from west to east."""
    west, north, east, south = _TABLE
    size = (round((east - west) * 2.5), round((south - north) * 2.5))
    grain = _grain(size, [(60, 1.6, 0.09), (200, 9, 0.10), (3, 0.8, 0.04)], 11)
    board: Floats = (linear_bgr(_WOOD) * (1 + grain)[..., None].clip(0.4, 1.8)).astype(np.float32)
    return board


def _cloth(colour: int, size_px: tuple[int, int]) -> Floats:
    grain = _grain(size_px, [(0.8, 0.8, 0.05), (20, 20, 0.03)], 5)
    return np.asarray(linear_bgr(colour) * (1 + grain)[..., None], dtype=np.float32)


def _felt(size_px: tuple[int, int]) -> Floats:
    grain = _grain(size_px, [(1.0, 1.0, 0.07), (30, 30, 0.05)], 7)
    return np.asarray(FELT * (1 + grain)[..., None], dtype=np.float32)

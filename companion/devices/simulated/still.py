"""What stands still on the simulated table: wood, felt, walls, tower, holders and cards, ready to be lit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.devices.simulated import layout
from companion.devices.simulated.card_face import CARD_PX_PER_MM, card_face
from companion.devices.simulated.inks import linear_bgr
from companion.devices.simulated.light import Lamp, Patch
from companion.devices.simulated.painter import FLOOR, OTHER, UP, WALLS, Painter, Window, whole_picture
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
_CORNER_MM = 9.0
_WOOD_PX_PER_MM = 2.5
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
        np.array([west, north, 0.0]), np.array([east - west, 0, 0]), np.array([0, south - north, 0]), UP, 2.0
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


@lru_cache(maxsize=3)
def still_table(pose: Pose, lamp: Lamp, cards: Cards) -> Still:
    """Paint the table with these cards, but without dice; of the lamp only place and radius matter here."""
    still = _bare_table(pose, lamp)
    paint, direct, room = still.paint.copy(), still.direct.copy(), still.room.copy()
    for holder, card in enumerate(cards):
        if card is None:
            continue
        west = layout.HOLDER_WEST_MM[holder]
        place = _lying(west, layout.HOLDER_NORTH_MM, layout.CARD_MM, layout.CARD_HIGH_MM, CARD_PX_PER_MM)
        window = _window_around(place, pose)
        painter = Painter(pose, lamp, window)
        painter.add(place, card_face(card), OTHER)
        uncovered = 1 - painter.share()
        for whole, part in zip((paint, direct, room), painter.painted(), strict=True):
            whole[window.part] = (
                whole[window.part] * (uncovered[..., None] if part.ndim == 3 else uncovered) + part
            )
    return replace(still, paint=paint, direct=direct, room=room)


def _window_around(patch: Patch, pose: Pose) -> Window:
    """The part of the picture that shows a patch."""
    across, down = patch.across_mm, patch.down_mm
    corners = np.array([[0, 0, 0], across, across + down, down]) + patch.corner_mm
    seen = pose.project(corners)
    limits = np.array([pose.width_px, pose.height_px])
    low = np.clip(np.floor(seen.min(axis=0)).astype(int) - 1, 0, limits - 1)
    high = np.clip(np.ceil(seen.max(axis=0)).astype(int) + 1, low + 1, limits)
    return Window(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))


@lru_cache(maxsize=2)
def _bare_table(pose: Pose, lamp: Lamp) -> Still:
    painter = Painter(pose, lamp, whole_picture(pose))
    west, north, east, south = _TABLE
    across, down = np.array([east - west, 0, 0]), np.array([0, south - north, 0])
    painter.add(Patch(np.array([west, north, 0.0]), across, down, UP, _WOOD_PX_PER_MM), _wood(), FLOOR)
    reserve = _lying(0.0, layout.RESERVE_NORTH_MM, layout.RESERVE_MM, 0.0, 4.0)
    painter.add(reserve, _cloth(linear_bgr(_RESERVE), reserve.size_px), FLOOR)
    felt = _lying(0.0, 0.0, layout.TRACK_MM, 0.0, 4.0)
    painter.add(felt, _cloth(FELT, felt.size_px), FLOOR, room=_room_between_walls(felt))
    for kind, wall in zip(WALLS, layout.wall_boxes(), strict=True):
        painter.add_sides(wall, linear_bgr(_RAIL), kind)
    for wall in layout.wall_boxes():
        painter.add_top(wall, linear_bgr(_RAIL))
    for holder in range(3):
        painter.add_box(layout.holder_box(holder), linear_bgr(_HOLDER))
    painter.add_box(layout.tower_box(), linear_bgr(_TOWER))
    return Still(*painter.painted(), painter.share(FLOOR), tuple(painter.share(kind) for kind in WALLS))


def _lying(west: float, north: float, size_mm: tuple[float, float], high: float, px_per_mm: float) -> Patch:
    across, down = np.array([size_mm[0], 0, 0]), np.array([0, size_mm[1], 0])
    return Patch(np.array([west, north, high]), across, down, UP, px_per_mm)


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
    size = (round((east - west) * _WOOD_PX_PER_MM), round((south - north) * _WOOD_PX_PER_MM))
    grain = _grain(size, [(60, 1.6, 0.09), (200, 9, 0.10), (3, 0.8, 0.04)], 11)
    board: Floats = (linear_bgr(_WOOD) * (1 + grain)[..., None].clip(0.4, 1.8)).astype(np.float32)
    return board


def _cloth(colour: Floats, size_px: tuple[int, int]) -> Floats:
    """Fibres and wear."""
    grain = _grain(size_px, [(1.0, 1.0, 0.06), (30, 30, 0.05)], 7)
    return np.asarray(colour * (1 + grain)[..., None], dtype=np.float32)

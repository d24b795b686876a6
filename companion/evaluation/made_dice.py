"""Dice drawn into a picture of an empty table: solid cubes with rounded edges, level or leaning.

For teaching the finder what a leaning die looks like: the pictures with truth have few. The camera is that of
the table's zones; one ray for each ninth of a pixel meets the cube, whose faces bear a symbol each.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.colour import linear_from_srgb
from companion.vision.geometry import Floor

Values = npt.NDArray[np.float64]

COLOURS = {
    "red": (200, 28, 36),
    "orange": (238, 112, 18),
    "yellow": (246, 208, 30),
    "green": (22, 142, 62),
    "blue": (24, 82, 186),
    "purple": (112, 44, 142),
}
BODIES = {"white": (234, 231, 224), "black": (24, 24, 26)}
STYLES = ("symbol", "square", "disc", "full")
# Corners of the symbols, and how far in every second one lies (1: a polygon).
_SYMBOLS = ((5, 0.48), (3, 1.0), (4, 1.0), (6, 1.0), (8, 0.72), (4, 0.4))
_SYMBOL_PX = 96
_PARTS = 3
_STEPS = 9


def turned(axis: tuple[float, float, float], angle: float) -> Values:
    """The rotation about an axis of length 1 (Rodrigues), (3, 3)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


class Camera:
    """Where the camera of a floor's picture is, and which way its pixels look; all in the zone's mm."""

    def __init__(self, floor: Floor) -> None:
        self._ahead = np.column_stack([floor.floor_to_px[:, :2], floor.up])
        self._offset = floor.floor_to_px[:, 2]
        self._back = np.linalg.inv(self._ahead)
        self.place_mm = -self._back @ self._offset
        middle = self._back @ (self._ahead @ [*np.divide(floor.size_mm, 2), 0.0] + self._offset)
        self._way = -np.sign(middle[2])

    def project(self, points_mm: npt.ArrayLike) -> Values:
        """Points, (n, 3), in pixels, (n, 2)."""
        seen = np.asarray(points_mm, np.float64) @ self._ahead.T + self._offset
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def rays(self, pixels: Values) -> Values:
        """Directions of length 1 in which pixels, (n, 2), look, (n, 3)."""
        ways = self._way * np.column_stack([pixels, np.ones(len(pixels))]) @ self._back.T
        return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True))


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp seen in some directions, (k, 3), and the share of the light that comes from it."""

    ways: Values
    share: float


@dataclass(frozen=True, slots=True)
class MadeDie:
    """A cube: its middle and rotation, what is printed on it, how round it is and how it shines."""

    zone: str
    half_mm: float
    """Half its side."""
    middle_mm: Values
    rotation: Values
    body: str
    inks: tuple[str, ...]
    style: str
    palette: dict[str, Values]
    """Linear B G R of each ink."""
    round_mm: float
    gloss: tuple[float, float]
    """How much of the lamp it mirrors, and how sharply."""
    veils: Values
    """Light of the room that each face mirrors, (6,)."""
    leaning: bool

    @property
    def corners_mm(self) -> Values:
        """(8, 3)."""
        signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return np.asarray(self.middle_mm + self.half_mm * signs @ self.rotation.T)

    @property
    def top(self) -> tuple[str, Values, Values]:
        """Of the face that looks up most: its ink, its corners (4, 3) and its middle (3,)."""
        up = self.rotation[2]
        axis = int(np.abs(up).argmax())
        normal, one, other = np.zeros(3), np.zeros(3), np.zeros(3)
        normal[axis], one[(axis + 1) % 3], other[(axis + 2) % 3] = np.sign(up[axis]), 1, 1
        around = [normal + a * one + b * other for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        face = 2 * axis + int(up[axis] < 0)
        corners = self.middle_mm + self.half_mm * np.array(around) @ self.rotation.T
        return self.inks[face], corners, self.middle_mm + self.half_mm * self.rotation @ normal


def drawn(die: MadeDie, camera: Camera, light: Light, low: Values, high: Values) -> tuple[Values, Values]:
    """What a die shows between two corners of the picture: light (h, w, 3), in units of what a white surface
    that lies level gives, and coverage (h, w).
    """
    width, height = (high - low).astype(int)
    across = low[0] + (np.arange(width * _PARTS) + 0.5) / _PARTS
    down = low[1] + (np.arange(height * _PARTS) + 0.5) / _PARTS
    ways = camera.rays(np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2))
    hit, points = _met((camera.place_mm - die.middle_mm) @ die.rotation, ways @ die.rotation, die)
    there = points @ die.rotation.T + die.middle_mm
    above = there[:, 2] > -0.05
    hit, points, there = hit[above], points[above], there[above]
    shown, covered = np.zeros((len(ways), 3)), np.zeros(len(ways))
    shown[hit], covered[hit] = _lit(die, light, points, there, camera.place_mm), 1
    shape = (height, _PARTS, width, _PARTS)
    return shown.reshape(*shape, 3).mean(axis=(1, 3)), covered.reshape(shape).mean(axis=(1, 3))


def _met(start: Values, ways: Values, die: MadeDie) -> tuple[npt.NDArray[np.intp], Values]:
    """Which rays meet the cube, and where, in its own axes: from the sharp cube on by its distance."""
    safe = np.where(np.abs(ways) < 1e-9, 1e-9, ways)
    middle, reach = -start / safe, np.abs(die.half_mm / safe)
    enter, leave = (middle - reach).max(axis=1), (middle + reach).min(axis=1)
    rays = np.flatnonzero(enter < leave)
    along = enter[rays]
    for _ in range(_STEPS):
        along = along + _distance(start + along[:, None] * ways[rays], die)
    points = start + along[:, None] * ways[rays]
    on = (_distance(points, die) < 0.06) & (along <= leave[rays] + 0.05)
    return rays[on], points[on]


def _distance(points: Values, die: MadeDie) -> Values:
    beyond = np.maximum(np.abs(points) - (die.half_mm - die.round_mm), 0)
    return np.asarray(np.sqrt((beyond * beyond).sum(axis=1)) - die.round_mm)


def _lit(die: MadeDie, light: Light, points: Values, there: Values, eye_mm: Values) -> Values:
    outward = np.maximum(np.abs(points) - (die.half_mm - die.round_mm), 0) * np.sign(points)
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-9)
    normals = outward @ die.rotation.T
    facing = np.mean([np.maximum(normals @ way, 0) for way in light.ways], axis=0)
    level = max(float(light.ways[:, 2].mean()), 0.2)
    # the floor hides part of the room from the sides, most where they meet it
    sky = (0.35 + 0.325 * (normals[:, 2] + 1)) * (0.55 + 0.45 * np.clip(there[:, 2] / 9, 0, 1))
    shade = light.share * facing / level + (1 - light.share) * sky
    towards_eye = eye_mm - there
    towards_eye /= np.linalg.norm(towards_eye, axis=1, keepdims=True)
    halfway = towards_eye + light.ways.mean(axis=0)
    halfway /= np.linalg.norm(halfway, axis=1, keepdims=True)
    mirrored = die.gloss[0] * np.maximum((normals * halfway).sum(axis=1), 0) ** die.gloss[1]
    face, paint = _painted(die, points)
    return np.asarray(paint * shade[:, None] + (mirrored + die.veils[face])[:, None])


def _painted(die: MadeDie, points: Values) -> tuple[npt.NDArray[np.intp], Values]:
    """On which face points of the surface lie, and what is printed there, linear B G R."""
    axis = np.abs(points).argmax(axis=1)
    each = np.arange(len(points))
    face = 2 * axis + (points[each, axis] < 0)
    flat = np.stack([points[each, (axis + 1) % 3], points[each, (axis + 2) % 3]]) / (2 * die.half_mm) + 0.5
    column, row = np.clip((flat * _SYMBOL_PX).astype(int), 0, _SYMBOL_PX - 1)
    paint = np.tile(linear_from_srgb(BODIES[die.body])[::-1], (len(points), 1))
    for number, ink in enumerate(die.inks):
        on = face == number
        share = symbol(die.style, list(COLOURS).index(ink))[row[on], column[on]][:, None]
        paint[on] = paint[on] * (1 - share) + die.palette[ink] * share
    return np.asarray(face, np.intp), paint


def symbol(style: str, number: int) -> Values:
    """How much of each part of a face is ink, (_SYMBOL_PX, _SYMBOL_PX), 0..1."""
    side = 4 * _SYMBOL_PX
    canvas = np.zeros((side, side), np.uint8)
    if style == "full":
        canvas[side // 11 : -side // 11, side // 11 : -side // 11] = 255
    elif style == "square":
        wide = round(0.27 * side)
        canvas[side // 2 - wide : side // 2 + wide, side // 2 - wide : side // 2 + wide] = 255
        round_px = np.ones((side // 11, side // 11), np.uint8)
        canvas = np.asarray(cv2.dilate(canvas, round_px), np.uint8)
    elif style == "disc":
        cv2.circle(canvas, (side // 2, side // 2), round(0.336 * side), 255, -1)
    else:
        corners, inner = _SYMBOLS[number]
        turns = np.arange(2 * corners) * np.pi / corners - np.pi / 2
        reach = 0.36 * side * np.where(np.arange(2 * corners) % 2 == 0, 1, inner)
        if inner == 1:
            turns, reach = turns[::2], reach[::2]
        points = np.column_stack([np.cos(turns), np.sin(turns)]) * reach[:, None] + side / 2
        cv2.fillPoly(canvas, [np.round(points).astype(np.int32)], 255)
    small = cv2.resize(canvas, (_SYMBOL_PX, _SYMBOL_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float64) / 255

"""Dice as solid cubes with rounded edges, seen by casting one ray for each part of a pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.devices.simulated import layout
from companion.devices.simulated.inks import SYMBOL_PX, linear_bgr, paint_bgr, symbol
from companion.devices.simulated.light import Lamp, Patch, shadow_on, visible_share
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.scene import FACE_AXES, SceneDie
from companion.game.dice import Body

Vectors = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]

ROUND_MM = 1.5
_PARTS = 3
_STEPS = 10
_LAMP_POINTS = 7
_BODIES = {Body.WHITE: 0xEDEBE4, Body.BLACK: 0x26262A}
_GLOSS = 0.08
_GLOSS_POWER = 60.0
_NEAR_FLOOR_MM = 9.0


@dataclass(frozen=True, slots=True)
class DieImage:
    """One die in the picture: place, linear light (h, w, 3) B G R times coverage, coverage (h, w)."""

    left_px: int
    top_px: int
    light: Floats
    coverage: Floats
    distance_mm: float


def die_image(
    die: SceneDie, others: Sequence[layout.Box], pose: Pose, lamp: Lamp, floor_bgr: Floats
) -> DieImage | None:
    """Look at one die; None where it is out of view. `others` may shade it, the floor shines up at it."""
    box = die.box()
    corners = pose.project(box.corners_mm())
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, [pose.width_px, pose.height_px])
    width, height = int(high[0] - low[0]), int(high[1] - low[1])
    if width <= 0 or height <= 0:
        return None
    fine_x = low[0] + (np.arange(width * _PARTS) + 0.5) / _PARTS
    fine_y = low[1] + (np.arange(height * _PARTS) + 0.5) / _PARTS
    grid = np.stack(np.meshgrid(fine_x, fine_y), axis=-1).reshape(-1, 2)
    directions = pose.rays(grid)
    start = (pose.place_mm() - box.centre_mm) @ box.rotation
    hits, points = _meet(start, directions @ box.rotation)
    light = np.zeros((len(grid), 3), np.float32)
    light[hits] = _shade(die, box, points, -directions[hits], others, lamp, floor_bgr)
    covered = np.zeros(len(grid), np.float32)
    covered[hits] = 1.0
    shape = (height, _PARTS, width, _PARTS)
    return DieImage(
        int(low[0]),
        int(low[1]),
        light.reshape(*shape, 3).mean(axis=(1, 3)),
        covered.reshape(shape).mean(axis=(1, 3)),
        float(np.linalg.norm(pose.place_mm() - box.centre_mm)),
    )


def _meet(start: Vectors, directions: Vectors) -> tuple[npt.NDArray[np.intp], Vectors]:
    """Which rays meet the rounded cube, and where, in the die's own axes.

    Slabs give the sharp cube; from there steps of the distance to the rounded one lead onto it.
    """
    half = layout.DIE_MM / 2
    safe = np.where(np.abs(directions) < 1e-9, 1e-9, directions)
    middle, reach = -start / safe, np.abs(half / safe)
    first, last = (middle - reach).T, (middle + reach).T
    enter = np.maximum(np.maximum(first[0], first[1]), first[2])
    leave = np.minimum(np.minimum(last[0], last[1]), last[2])
    candidates = np.flatnonzero((enter < leave) & (leave > 0))
    steps = directions[candidates]
    along = enter[candidates]
    for _ in range(_STEPS):
        along = along + _distance(start + along[:, None] * steps)
    points = start + along[:, None] * steps
    on = (_distance(points) < 0.05) & (along <= leave[candidates] + 0.05)
    return candidates[on], points[on]


def _distance(points: Vectors) -> Vectors:
    """Distance in mm to the surface of the rounded cube, points (n, 3) in the die's own axes."""
    beyond = np.maximum(np.abs(points) - (layout.DIE_MM / 2 - ROUND_MM), 0.0)
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", beyond, beyond)) - ROUND_MM, dtype=np.float64)


def _shade(
    die: SceneDie,
    box: layout.Box,
    points: Vectors,
    towards_eye: Vectors,
    others: Sequence[layout.Box],
    lamp: Lamp,
    floor_bgr: Floats,
) -> Floats:
    """Light that leaves surface points (n, 3, die's axes) towards the eye, linear B G R, shape (n, 3)."""
    inner = np.maximum(np.abs(points) - (layout.DIE_MM / 2 - ROUND_MM), 0.0) * np.sign(points)
    normals = inner / np.maximum(np.linalg.norm(inner, axis=1, keepdims=True), 1e-9) @ box.rotation.T
    places = points @ box.rotation.T + box.centre_mm
    paint = _paint(die.body, points)
    direct = lamp.strength(places, normals)
    near = [other for other in others if _may_shade(other, box, lamp)]
    lit = np.flatnonzero(direct > 0)
    direct[lit] *= visible_share(places[lit] + normals[lit] * 0.05, near, lamp.points_mm(_LAMP_POINTS))
    upness = (normals[:, 2] + 1) / 2
    # The felt hides part of the room from the sides, most where they meet it, and sends its own colour back.
    open_sky = upness * (0.55 + 0.45 * np.clip(places[:, 2] / _NEAR_FLOOR_MM, 0, 1))
    room = lamp.room_bgr() * open_sky[:, None] + 0.5 * floor_bgr * (1 - upness)[:, None]
    halfway = _unit(_unit(lamp.centre_mm() - places) + towards_eye)
    gloss = _GLOSS * np.maximum(np.einsum("ij,ij->i", normals, halfway), 0.0) ** _GLOSS_POWER * (direct > 0)
    leaving = paint * (room + lamp.direct_bgr() * direct[:, None]) + lamp.direct_bgr() * gloss[:, None]
    return np.asarray(leaving, dtype=np.float32)


def _unit(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float64)


def _paint(body: Body, points: Vectors) -> Floats:
    """What is printed at surface points: body or ink, linear B G R, shape (n, 3)."""
    axis = np.abs(points).argmax(axis=1)
    sign = np.sign(points[np.arange(len(points)), axis])
    paints = np.tile(linear_bgr(_BODIES[body]), (len(points), 1))
    base = linear_bgr(_BODIES[body])
    for colour, face_axis, way in FACE_AXES:
        on = np.flatnonzero((axis == face_axis) & (sign == way))
        flat = points[on][:, [(face_axis + 1) % 3, (face_axis + 2) % 3]]
        cell = np.clip(((flat / layout.DIE_MM + 0.5) * SYMBOL_PX).astype(int), 0, SYMBOL_PX - 1)
        ink = symbol(colour)[cell[:, 1], cell[:, 0]][:, None]
        paints[on] = base * (1 - ink) + paint_bgr(colour) * ink
    return np.asarray(paints, dtype=np.float32)


def _may_shade(other: layout.Box, die: layout.Box, lamp: Lamp) -> bool:
    """Whether the other box's shadow falls near the die: looked up on the felt around it."""
    side = layout.DIE_MM
    around = Patch(
        np.array([die.centre_mm[0] - 1.2 * side, die.centre_mm[1] - 1.2 * side, 0.0]),
        np.array([2.4 * side, 0.0, 0.0]),
        np.array([0.0, 2.4 * side, 0.0]),
        np.array([0.0, 0.0, 1.0]),
        0.5,
    )
    return bool(shadow_on(around, [other], lamp.points_mm(4)).any())

"""What people do with the dice: throw them, set them aside, take them back, turn one to another colour."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from companion.devices.simulated import layout
from companion.devices.simulated.inks import COLOURS
from companion.devices.simulated.scene import Place, Scene, SceneDie

TOUCH_SHARE = 0.12
"""How often a thrown die comes to rest against another one."""
_WALL_GAP_MM = 0.4
_TOUCH_MM = 0.01
_TRIES = 400
_SLOT_WEST_MM = 20.0
_SLOT_STEP_MM = 36.0


def throw(
    scene: Scene, indices: Collection[int], rng: np.random.Generator, touch_share: float = TOUCH_SHARE
) -> Scene:
    """Throw the dice at `indices`: new faces, places and turns on the track; the others stay."""
    lying = [die for index, die in enumerate(scene.dice) if index not in indices and die.place is Place.TRACK]
    for index in sorted(indices):
        colour = COLOURS[int(rng.integers(len(COLOURS)))]
        thrown = replace(scene.dice[index], colour=colour, place=Place.TRACK, lean_rad=0.0, lean_to_rad=0.0)
        placed = _come_to_rest(thrown, lying, rng, touch_share)
        lying.append(placed)
        scene = scene.with_die(index, placed)
    return scene


def set_aside(scene: Scene, index: int, rng: np.random.Generator) -> Scene:
    """Put a die in the first free place of the reserve strip, its face unchanged (rule 3.3)."""
    die = scene.dice[index]
    if die.place is Place.RESERVE:
        return scene
    taken = [other.x_mm for other in scene.dice if other.place is Place.RESERVE]
    slots = [_SLOT_WEST_MM + _SLOT_STEP_MM * slot for slot in range(len(scene.dice))]
    free = next(x for x in slots if all(abs(x - other) > _SLOT_STEP_MM / 2 for other in taken))
    middle = layout.RESERVE_NORTH_MM + layout.RESERVE_MM[1] / 2
    x_mm, y_mm = free + rng.uniform(-4, 4), middle + rng.uniform(-5, 5)
    yaw = float(rng.uniform(-0.25, 0.25))
    put = replace(die, place=Place.RESERVE, x_mm=x_mm, y_mm=y_mm, yaw_rad=yaw, lean_rad=0.0, lean_to_rad=0.0)
    return scene.with_die(index, put)


def take_back(scene: Scene, index: int, rng: np.random.Generator) -> Scene:
    """Put a die from the reserve (or out of the tower) back on the track, its face unchanged."""
    die = scene.dice[index]
    if die.place is Place.TRACK and die.lean_rad == 0.0:
        return scene
    lying = [other for other in scene.dice if other is not die and other.place is Place.TRACK]
    back = replace(die, place=Place.TRACK, lean_rad=0.0, lean_to_rad=0.0)
    return scene.with_die(index, _come_to_rest(back, lying, rng, 0.0))


def turn(scene: Scene, index: int, colour: str) -> Scene:
    """Turn a die to another colour where it lies (rule 5.2)."""
    return scene.with_die(index, replace(scene.dice[index], colour=colour))


def lean_on_wall(scene: Scene, index: int, rng: np.random.Generator) -> Scene:
    """Let a die get cocked at the track's north wall: on its south edge, the north one against the wall.

    Where other dice leave no place there, nothing changes.
    """
    die = scene.dice[index]
    lean_rad = float(rng.uniform(math.radians(22), math.radians(34)))
    side = layout.DIE_MM
    # Cross-section: from its centre, the raised lower edge is this far to the north.
    reach_mm = side / 2 * (math.cos(lean_rad) + math.sin(lean_rad))
    others = [other for other in scene.dice if other is not die and other.place is Place.TRACK]
    for _ in range(_TRIES):
        x_mm = float(rng.uniform(side, layout.TRACK_MM[0] - side))
        leaning = replace(
            die,
            place=Place.TRACK,
            x_mm=x_mm,
            y_mm=reach_mm + 0.2,
            yaw_rad=0.0,
            lean_rad=lean_rad,
            lean_to_rad=math.pi / 2,
        )
        if all(math.hypot(x_mm - other.x_mm, leaning.y_mm - other.y_mm) > 1.7 * side for other in others):
            return scene.with_die(index, leaning)
    return scene


def stick_in_tower(scene: Scene, index: int) -> Scene:
    """Let a die get stuck in the tower, out of sight."""
    return scene.with_die(index, replace(scene.dice[index], place=Place.TOWER))


def _come_to_rest(
    die: SceneDie, lying: Sequence[SceneDie], rng: np.random.Generator, touch_share: float
) -> SceneDie:
    """Find a place on the track where the die overlaps no other, sometimes flush against one."""
    for attempt in range(_TRIES):
        if lying and attempt < 12 and rng.random() < touch_share:
            placed = _beside(die, lying[int(rng.integers(len(lying)))], rng)
        else:
            yaw = float(rng.uniform(0, math.pi / 2))
            x_mm = float(rng.uniform(0, layout.TRACK_MM[0]))
            y_mm = float(rng.uniform(0, layout.TRACK_MM[1]))
            placed = replace(die, x_mm=x_mm, y_mm=y_mm, yaw_rad=yaw)
        if _is_on_track(placed) and not any(overlap(placed, other) for other in lying):
            return placed
    raise RuntimeError("no free place on the track")


def _beside(die: SceneDie, other: SceneDie, rng: np.random.Generator) -> SceneDie:
    """Flush against one of the four sides of another die, shifted along it."""
    side = int(rng.integers(4)) * math.pi / 2 + other.yaw_rad
    away, along = layout.DIE_MM + 0.05, float(rng.uniform(-0.6, 0.6)) * layout.DIE_MM
    x_mm = other.x_mm + away * math.cos(side) - along * math.sin(side)
    y_mm = other.y_mm + away * math.sin(side) + along * math.cos(side)
    return replace(die, x_mm=x_mm, y_mm=y_mm, yaw_rad=other.yaw_rad)


def _is_on_track(die: SceneDie) -> bool:
    corners = die.footprint_mm()
    limits = np.array(layout.TRACK_MM) - _WALL_GAP_MM
    return bool((corners >= _WALL_GAP_MM).all() and (corners <= limits).all())


def overlap(one: SceneDie, other: SceneDie) -> bool:
    """Tell whether two upright dice would stand in each other."""
    if math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) >= math.sqrt(2) * layout.DIE_MM:
        return False
    if other.lean_rad or one.lean_rad:
        return True
    gaps = [_gap_mm(one, other), _gap_mm(other, one)]
    return max(gaps) < -_TOUCH_MM


def _gap_mm(one: SceneDie, other: SceneDie) -> float:
    """How far the other die is beyond a side of this one; negative where no side separates them."""
    axes = np.array(
        [[math.cos(one.yaw_rad), math.sin(one.yaw_rad)], [-math.sin(one.yaw_rad), math.cos(one.yaw_rad)]]
    )
    across = (other.footprint_mm() - [one.x_mm, one.y_mm]) @ axes.T
    gaps = np.maximum(across.min(axis=0), -across.max(axis=0)) - layout.DIE_MM / 2
    return float(gaps.max())

"""What lies on the simulated table: six dice, three cards; and what a person's hand does with them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from companion.devices.simulated import layout
from companion.devices.simulated.inks import COLOURS
from companion.game.cards import Card
from companion.game.dice import Body

Vectors = npt.NDArray[np.float64]


class Place(StrEnum):
    """Where a die is."""

    TRACK = "track"
    RESERVE = "reserve"
    TOWER = "tower"
    """Stuck inside, out of sight."""


FACE_AXES = (
    ("red", 2, 1),
    ("orange", 0, 1),
    ("yellow", 1, 1),
    ("green", 2, -1),
    ("blue", 0, -1),
    ("purple", 1, -1),
)
"""How every die is printed: colour, its axis (0 x, 1 y, 2 z of the die) and the direction along it."""


@dataclass(frozen=True, slots=True)
class SceneDie:
    """One die: its body, the colour that is up, and where it lies.

    `x_mm`, `y_mm` are table coordinates of its centre, `yaw_rad` turns it about the vertical. `lean_rad` tips
    it towards `lean_to_rad` (a direction in the plane, 0 east, a quarter turn south), as against a wall.
    `on_mm` is how high above the table it stands, as on another die.
    """

    body: Body
    colour: str
    place: Place
    x_mm: float
    y_mm: float
    yaw_rad: float
    lean_rad: float = 0.0
    lean_to_rad: float = 0.0
    on_mm: float = 0.0

    def rotation(self) -> Vectors:
        """Columns: the die's own axes in table coordinates, shape (3, 3)."""
        lean = _about(np.array([-math.sin(self.lean_to_rad), math.cos(self.lean_to_rad), 0.0]), self.lean_rad)
        yaw = _about(np.array([0.0, 0.0, 1.0]), self.yaw_rad)
        return np.asarray(lean @ yaw @ _up(self.colour), dtype=np.float64)

    def box(self) -> layout.Box:
        """The die as a solid box, standing on the table by its lowest corner."""
        half = np.full(3, layout.DIE_MM / 2)
        rotation = self.rotation()
        height = self.on_mm + float(np.abs(rotation[2]).sum() * layout.DIE_MM / 2)
        return layout.Box(np.array([self.x_mm, self.y_mm, height]), half, rotation)

    def footprint_mm(self) -> Vectors:
        """The corners of the square it stands on (upright), shape (4, 2)."""
        angles = self.yaw_rad + np.pi / 4 + np.arange(4) * np.pi / 2
        radius = layout.DIE_MM / math.sqrt(2)
        return np.column_stack([self.x_mm + radius * np.cos(angles), self.y_mm + radius * np.sin(angles)])


def _about(axis: Vectors, angle_rad: float) -> Vectors:
    """Rotation about a unit axis (Rodrigues), shape (3, 3)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turned = np.eye(3) + math.sin(angle_rad) * cross + (1 - math.cos(angle_rad)) * cross @ cross
    return np.asarray(turned, dtype=np.float64)


def _up(colour: str) -> Vectors:
    """The rotation that brings a colour's face to the top."""
    axis, direction = next((axis, way) for name, axis, way in FACE_AXES if name == colour)
    if axis == 2:
        return np.eye(3) if direction > 0 else _about(np.array([1.0, 0, 0]), math.pi)
    if axis == 0:
        return _about(np.array([0.0, 1, 0]), -direction * math.pi / 2)
    return _about(np.array([1.0, 0, 0]), direction * math.pi / 2)


@dataclass(frozen=True, slots=True)
class Scene:
    """What the camera can see but the light: the dice, and each holder's visible card (None: empty)."""

    dice: tuple[SceneDie, ...] = ()
    cards: tuple[Card | None, Card | None, Card | None] = (None, None, None)

    def visible_dice(self) -> tuple[SceneDie, ...]:
        """All dice but those stuck in the tower."""
        return tuple(die for die in self.dice if die.place is not Place.TOWER)

    def with_die(self, index: int, die: SceneDie) -> Scene:
        """The scene with one die put differently."""
        return replace(self, dice=(*self.dice[:index], die, *self.dice[index + 1 :]))


BODIES = (Body.WHITE,) * 4 + (Body.BLACK,) * 2
"""Rule 1.1."""


def fresh_dice(colours: tuple[str, ...] = COLOURS) -> tuple[SceneDie, ...]:
    """The six dice in two tidy rows in the middle of the track, with these colours up."""
    return tuple(
        SceneDie(
            body,
            colour,
            Place.TRACK,
            50.0 + 60.0 * (index % 3),
            48.0 + 56.0 * (index // 3),
            0.3 + 0.45 * index,
        )
        for index, (body, colour) in enumerate(zip(BODIES, colours, strict=True))
    )

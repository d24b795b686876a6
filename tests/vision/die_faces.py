"""Draws top faces of dice with known truth for the tests: one light, shading, a veil of gloss, blur and
noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

SIDE_PX = 40
_LEVELS = 12.92, 0.0031308
INKS = {
    "red": (0.70, 0.02, 0.03),
    "orange": (1.00, 0.21, 0.01),
    "yellow": (1.10, 0.80, 0.03),
    "green": (0.02, 0.33, 0.07),
    "blue": (0.02, 0.11, 0.60),
    "purple": (0.20, 0.04, 0.32),
}
"""Linear RGB in units of the white body."""

SHAPES = ("star", "triangle", "diamond", "hexagon", "cross", "disc")


@dataclass(frozen=True)
class DrawnFace:
    """One face to draw: how bright the light on it is, how much gloss lies on it, and how it is turned."""

    body: str
    colour: str
    shading: float = 1.0
    veil: float = 0.0
    turn_deg: float = 0.0
    shape: str = "disc"


@dataclass(frozen=True)
class Light:
    """The light of a picture, linear RGB of a white body in it, with the camera's faults."""

    rgb: tuple[float, float, float] = (0.45, 0.42, 0.38)
    blur_px: float = 0.8
    noise_levels: float = 1.5


def draw(
    faces: Sequence[DrawnFace], light: Light | None = None, seed: int = 1
) -> tuple[npt.NDArray[np.uint8], list[list[tuple[float, float]]]]:
    """A frame, uint8 BGR, with the faces in a row, and their corners, each from another start corner."""
    given = light or Light()
    rng = np.random.default_rng(seed)
    pitch = 2 * SIDE_PX
    linear = np.full((pitch, pitch * len(faces), 3), 0.05) * given.rgb
    quads = []
    for index, face in enumerate(faces):
        middle = (pitch * index + SIDE_PX, SIDE_PX)
        patch = _face(face)
        turn = cv2.getRotationMatrix2D((4 * SIDE_PX, 4 * SIDE_PX), face.turn_deg, 1.0)
        placed = np.zeros((8 * SIDE_PX, 8 * SIDE_PX, 4), np.float32)
        placed[2 * SIDE_PX : 6 * SIDE_PX, 2 * SIDE_PX : 6 * SIDE_PX] = patch
        turned = cv2.warpAffine(placed, turn, (8 * SIDE_PX, 8 * SIDE_PX))
        small = cv2.resize(turned, (pitch, pitch), interpolation=cv2.INTER_AREA).astype(np.float64)
        seen = small[..., :3] * given.rgb
        spot = linear[:, pitch * index : pitch * (index + 1)]
        spot[:] = seen + (1 - small[..., 3:]) * spot
        angle = np.deg2rad(-face.turn_deg)
        corners = SIDE_PX / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        placed_at = corners @ rotation.T + middle
        quads.append([(float(x), float(y)) for x, y in np.roll(placed_at, index % 4, axis=0)])
    return _developed(linear, given, rng), quads


def _face(face: DrawnFace) -> npt.NDArray[np.float32]:
    """RGBA in units of the light, four times as fine as the frame."""
    side = 4 * SIDE_PX
    body = (1.0, 1.0, 1.0) if face.body == "white" else (0.02, 0.02, 0.02)
    share = np.zeros((side, side), np.uint8)
    middle, radius = side / 2, 0.35 * side
    if face.shape == "disc":
        cv2.circle(share, (side // 2, side // 2), round(radius), 255, -1, cv2.LINE_AA)
    elif face.shape == "full":
        margin = round(0.1 * side)
        cv2.rectangle(share, (margin, margin), (side - margin, side - margin), 255, -1)
    else:
        count, inner = {
            "star": (5, 0.48),
            "triangle": (3, 1),
            "diamond": (4, 1),
            "hexagon": (6, 1),
            "cross": (4, 0.4),
        }[face.shape]
        points = []
        steps = 2 * count if inner != 1 else count
        for step in range(steps):
            reach = radius * (inner if inner != 1 and step % 2 else 1)
            angle = -np.pi / 2 + 2 * np.pi * step / steps
            points.append((middle + reach * np.cos(angle), middle + reach * np.sin(angle)))
        cv2.fillPoly(share, [np.array(points, np.int32)], 255, cv2.LINE_AA)
    ink = (share / 255.0)[..., None]
    surface = ink * np.array(INKS[face.colour]) + (1 - ink) * np.array(body)
    seen = face.shading * surface + face.veil
    return np.concatenate([seen, np.ones((side, side, 1))], axis=2).astype(np.float32)


def _developed(
    linear: npt.NDArray[np.float64], light: Light, rng: np.random.Generator
) -> npt.NDArray[np.uint8]:
    if light.blur_px:
        linear = np.asarray(cv2.GaussianBlur(linear, (0, 0), light.blur_px))
    clipped = np.clip(linear, 0, 1)
    slope, knee = _LEVELS
    encoded = np.where(clipped <= knee, clipped * slope, 1.055 * clipped ** (1 / 2.4) - 0.055)
    levels = 255 * encoded + rng.normal(0, light.noise_levels, encoded.shape)
    return np.ascontiguousarray(np.clip(np.rint(levels), 0, 255).astype(np.uint8)[..., ::-1])


def six(
    shapes: Sequence[str] = ("disc",) * 6, blacks: Sequence[int] = (4, 5), turn_deg: float = 0.0
) -> list[DrawnFace]:
    """Six faces, six colours, two of them on black bodies."""
    return [
        DrawnFace("black" if index in blacks else "white", colour, shape=shape, turn_deg=turn_deg + 7 * index)
        for index, (colour, shape) in enumerate(zip(INKS, shapes, strict=True))
    ]

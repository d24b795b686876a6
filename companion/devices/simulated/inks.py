"""The six colours as they are printed: paints in linear light, and a symbol for each."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")

PAINTS = {
    "red": 0xC8202B,
    "orange": 0xF0801C,
    "yellow": 0xF6CC1D,
    "green": 0x1F9448,
    "blue": 0x1F57BE,
    "purple": 0x7B349C,
}
"""sRGB as 0xRRGGBB under white light."""

SYMBOL_PX = 96
"""Side of a symbol's coverage picture: one face of a die."""

_OVER = 8


def linear_bgr(srgb: int) -> Floats:
    """Linear reflectance 0 to 1, order B G R, shape (3,), of an sRGB colour 0xRRGGBB (IEC 61966-2-1)."""
    channels = np.array([srgb & 255, srgb >> 8 & 255, srgb >> 16 & 255], dtype=np.float64) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear.astype(np.float32)


def paint_bgr(colour: str) -> Floats:
    """Linear reflectance of one of the six inks, shape (3,)."""
    return linear_bgr(PAINTS[colour])


def _star(points: int, inner_frac: float, turn_rad: float = 0.0) -> npt.NDArray[np.float64]:
    """Outline of a star in the unit circle, shape (2 · points, 2); one point looks up."""
    angles = turn_rad - np.pi / 2 + np.arange(2 * points) * np.pi / points
    radii = np.where(np.arange(2 * points) % 2 == 0, 1.0, inner_frac)
    return np.column_stack([radii * np.cos(angles), radii * np.sin(angles)])


def _polygon(corners: int, turn_rad: float = 0.0) -> npt.NDArray[np.float64]:
    """Outline of a regular polygon in the unit circle, shape (corners, 2)."""
    angles = turn_rad - np.pi / 2 + np.arange(corners) * 2 * np.pi / corners
    return np.column_stack([np.cos(angles), np.sin(angles)])


def outline(colour: str) -> npt.NDArray[np.float64]:
    """Outline of a colour's symbol about (0, 0), y downwards, within 1.0; shape (n, 2)."""
    outlines = {
        "red": _star(5, 0.48),
        "orange": _polygon(3) * [1.0, 1.0] + [0.0, 0.2],
        "yellow": _polygon(4),
        "green": _polygon(6, np.pi / 6),
        "blue": _polygon(40),
        "purple": _star(4, 0.42, np.pi / 4),
    }
    return np.asarray(outlines[colour], dtype=np.float64)


@lru_cache(maxsize=16)
def symbol(colour: str, radius_frac: float = 0.68) -> Floats:
    """Coverage 0 to 1 of a face by a colour's symbol, shape (SYMBOL_PX, SYMBOL_PX).

    `radius_frac` is the symbol's radius over half the face's side. The array is shared: not to be changed.
    """
    side = SYMBOL_PX * _OVER
    canvas = np.zeros((side, side), np.uint8)
    points = (outline(colour) * radius_frac + 1) * side / 2
    cv2.fillPoly(canvas, [np.round(points).astype(np.int32)], 255)
    small = cv2.resize(canvas, (SYMBOL_PX, SYMBOL_PX), interpolation=cv2.INTER_AREA)
    coverage = (small.astype(np.float32) / 255).astype(np.float32)
    coverage.setflags(write=False)
    return coverage

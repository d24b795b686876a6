"""What people mean by the names of colours: a rough prior, which only calibration uses.

The six dice of the colours picture differ among themselves; the palette puts the right name to each, and
helps to tell an ink's own colour from gloss that lies over it. Reading never looks at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.vision.colour import linear_from_srgb

Floats = npt.NDArray[np.float64]

#: Printed inks as 8-bit sRGB, as on most games; the white they are printed on reflects about 0.82.
DEFAULT_PALETTE: Mapping[str, tuple[int, int, int]] = {
    "red": (200, 30, 40),
    "orange": (235, 115, 25),
    "yellow": (245, 205, 40),
    "green": (25, 140, 65),
    "blue": (25, 80, 180),
    "purple": (110, 45, 140),
}
WHITE_REFLECTS = 0.82
#: How far prints are from the ink meant: a share of each channel, and a share of white in the channels it
#: takes away; a share of all channels together.
_INK_SHARE, _INK_FLOOR, _INK_TOGETHER = 0.28, 0.03, 0.12


@dataclass(frozen=True, slots=True)
class Palette:
    """Names, with the ink meant by each in units of white, (c, 3), and how far real inks are from it, (c, 3,
    3).
    """

    names: tuple[str, ...]
    inks: Floats
    spread: Floats

    @classmethod
    def of(cls, colours: Mapping[str, tuple[int, int, int]] | None = None) -> Palette:
        """From 8-bit sRGB colours by name; the default six where none are given."""
        given = DEFAULT_PALETTE if colours is None else colours
        inks = linear_from_srgb(list(given.values())) / WHITE_REFLECTS
        own = (_INK_FLOOR**2 + (_INK_SHARE * inks) ** 2)[:, :, None] * np.eye(3)
        together = _INK_TOGETHER**2 * inks[:, :, None] * inks[:, None, :]
        return cls(tuple(given), inks, own + together)

    def seen_by(self, light: Floats, vividness: float) -> Palette:
        """The palette as a camera shows it that makes colours more vivid, in this light (3,) linear RGB.

        Such a camera moves each pixel away from its own grey by that factor, which keeps the grey: the inks
        in units of white move likewise, further where the light is far from neutral, and even below zero.
        """
        grey = light.mean()
        before = grey + (light - grey) / vividness
        shown = self.inks * before
        greys = shown.mean(axis=1, keepdims=True)
        return replace(self, inks=(greys + vividness * (shown - greys)) / light)

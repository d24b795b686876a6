"""The face of a card as it is drawn on the simulated table: groups as rows of symbols, points, action."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.devices.simulated import layout
from companion.devices.simulated.inks import COLOURS, PAINTS, linear_bgr, outline
from companion.game.cards import Card

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

CARD_PX_PER_MM = 6.0
_OVER = 2
_PAPER = 0xF4EFE2
_INK = 0x2B2A33
_FRAME = 0x8C8577
_ACTION_WORDS = {"replay": "REPLAY", "theft": "THEFT", "exchange": "EXCHANGE", "super_exchange": "SUPER EX"}
_FULL_TURN_DEG = 360
_ROWS_WIDE_MM, _ROWS_HIGH_MM, _ROW_GAP_MM, _DIE_GAP_MM = 54.0, 42.0, 2.2, 1.6
"""The room for the rows of dice, and the gaps between rows and between the dice of a row."""
_LARGEST_DIE_MM = 5.4
"""Half the side of a die on a card with few of them."""


def _srgb(value: int) -> tuple[int, int, int]:
    return value & 255, value >> 8 & 255, value >> 16 & 255


class _Sheet:
    """A canvas in card millimetres, drawn at twice the resolution that is handed out."""

    def __init__(self) -> None:
        self.scale = CARD_PX_PER_MM * _OVER
        width, height = (round(side * self.scale) for side in layout.CARD_MM)
        self.canvas: Bytes = np.full((height, width, 3), _srgb(_PAPER), np.uint8)

    def polygon(self, points_mm: npt.NDArray[np.float64], paint: int) -> None:
        points = np.round(points_mm * self.scale * 16).astype(np.int32)
        cv2.fillPoly(self.canvas, [points], _srgb(paint), lineType=cv2.LINE_AA, shift=4)

    def frame(self, inset_mm: float, paint: int, thick_mm: float) -> None:
        inset = round(inset_mm * self.scale)
        height, width = self.canvas.shape[:2]
        corner = (width - inset, height - inset)
        cv2.rectangle(self.canvas, (inset, inset), corner, _srgb(paint), max(1, round(thick_mm * self.scale)))

    def disc(self, x_mm: float, y_mm: float, radius_mm: float, paint: int) -> None:
        centre = (round(x_mm * self.scale), round(y_mm * self.scale))
        cv2.circle(self.canvas, centre, round(radius_mm * self.scale), _srgb(paint), -1, cv2.LINE_AA)

    def wheel(self, x_mm: float, y_mm: float, radius_mm: float) -> None:
        """Six sectors in the six colours: any one colour."""
        centre = (round(x_mm * self.scale), round(y_mm * self.scale))
        axes = (round(radius_mm * self.scale),) * 2
        step = _FULL_TURN_DEG // len(COLOURS)
        for index, colour in enumerate(COLOURS):
            start = index * step - 90
            cv2.ellipse(
                self.canvas, centre, axes, 0, start, start + step, _srgb(PAINTS[colour]), -1, cv2.LINE_AA
            )

    def text(self, words: str, x_mm: float, y_mm: float, high_mm: float, paint: int) -> None:
        """Centred at a place."""
        face, thick = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(high_mm * self.scale / 7))
        (_, unit_high), _ = cv2.getTextSize(words, face, 1.0, thick)
        size = high_mm * self.scale / unit_high
        (wide, high), _ = cv2.getTextSize(words, face, size, thick)
        origin = (round(x_mm * self.scale - wide / 2), round(y_mm * self.scale + high / 2))
        cv2.putText(self.canvas, words, origin, face, size, _srgb(paint), thick, cv2.LINE_AA)

    def linear(self) -> Floats:
        """The sheet at its resolution as linear reflectance 0 to 1, B G R."""
        height, width = self.canvas.shape[:2]
        small = cv2.resize(self.canvas, (width // _OVER, height // _OVER), interpolation=cv2.INTER_AREA)
        table = np.array(
            [linear_bgr(value << 16 | value << 8 | value)[0] for value in range(256)], np.float32
        )
        return np.asarray(table[small], dtype=np.float32)


@lru_cache(maxsize=64)
def card_face(card: Card) -> Floats:
    """Linear reflectance of a card's face, shape (h, w, 3), B G R, north up. Shared: not to be changed."""
    sheet = _Sheet()
    width, height = layout.CARD_MM
    sheet.frame(2.6, _FRAME, 0.7)
    sheet.disc(10.5, 11.5, 6.0, _INK)
    sheet.text(str(card.points), 10.5, 11.5, 6.5, _PAPER)
    # One row a group: a group in two rows would look like two groups.
    rows = card.groups
    most = max(group.size for group in rows)
    radius = min(
        _LARGEST_DIE_MM,
        _ROWS_HIGH_MM / 2 / len(rows),
        ((_ROWS_WIDE_MM + _DIE_GAP_MM) / most - _DIE_GAP_MM) / 2,
    )
    step = 2 * radius + _ROW_GAP_MM
    top = height / 2 + 1.0 - step * (len(rows) - 1) / 2
    for row, group in enumerate(rows):
        y_mm = top + row * step
        for column in range(group.size):
            x_mm = width / 2 + (column - (group.size - 1) / 2) * (2 * radius + _DIE_GAP_MM)
            if group.colour is None:
                sheet.wheel(x_mm, y_mm, radius * 0.92)
            else:
                sheet.polygon(outline(group.colour) * radius + [x_mm, y_mm], PAINTS[group.colour])
    if card.action is not None:
        sheet.text(_ACTION_WORDS[card.action.value], width / 2, height - 10.0, 4.6, _INK)
    face = sheet.linear()
    face.setflags(write=False)
    return face

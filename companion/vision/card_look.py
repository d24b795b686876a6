"""One look at a card: its face cut out of a frame, straight and of one size, and what is derived from it.

Faces are compared in *tone*: 8-bit levels in proportion to light to the power 0.8, which is nearly linear.
There a veil of gloss adds the same little amount to dark and to bright print, as it does to the light itself;
in the camera's own levels it would lift black print by more than two kinds of ink differ.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from companion.vision.card_view import CARD_MM, Bytes, Floats, rectified
from companion.vision.geometry import Quad, mm_to_px

Triple = tuple[float, float, float]

#: Resolution at which the picture of a look is kept, for people and for better cameras.
KEPT_PX_PER_MM = 4
KEPT_SIZE_PX = (round(CARD_MM[0]) * KEPT_PX_PER_MM, round(CARD_MM[1]) * KEPT_PX_PER_MM)
#: Resolution at which faces are compared: strokes of print are half a millimetre wide or more.
FACE_PX_PER_MM = 2
FACE_SIZE_PX = (round(CARD_MM[0]) * FACE_PX_PER_MM, round(CARD_MM[1]) * FACE_PX_PER_MM)
#: Width and height of the thumbnail by which likely cards are chosen, 4 mm a cell.
THUMB_SIZE = (16, 22)
#: Tone is light to this power (of sRGB levels: to 2.2 times it).
TONE_POWER = 0.8
#: Keeps the logarithm of black finite, in tone levels.
FLOOR_TONE = 6.0
_JPEG_QUALITY = 92


class CardLookError(ValueError):
    """A stored look that can not be used; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class CardLook:
    """A card's face as a camera saw it, packed.

    `jpeg` is its picture, 4 pixels a mm (252 by 352), whichever way up, 8 to 20 kB: what is kept and what is
    used are the same. `white_rgb` is the linear light 0..1 of a white die under that camera when its table
    was calibrated: what "white" was there.
    """

    jpeg: bytes
    white_rgb: Triple

    @classmethod
    def of(cls, picture_bgr: Bytes, white_rgb: Triple) -> CardLook:
        """Pack a picture, (h, w, 3) uint8 BGR; one of another size is brought to the right one."""
        picture = picture_bgr
        if (picture.shape[1], picture.shape[0]) != KEPT_SIZE_PX:
            picture = np.asarray(cv2.resize(picture, KEPT_SIZE_PX, interpolation=cv2.INTER_AREA), np.uint8)
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1]
        return cls(packed.tobytes(), white_rgb)

    def picture(self) -> Bytes:
        """The picture, (352, 252, 3) uint8 BGR.

        Raises:
            CardLookError: it is damaged.
        """
        data = np.frombuffer(self.jpeg, np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        if picture is None or (picture.shape[1], picture.shape[0]) != KEPT_SIZE_PX:
            raise CardLookError(
                f"the picture of a look is no JPEG of {KEPT_SIZE_PX[0]} by {KEPT_SIZE_PX[1]} pixels"
            )
        return np.asarray(picture, np.uint8)

    def face(self) -> Bytes:
        """The face at the size at which faces are compared, (176, 126, 3) uint8 BGR. Raises CardLookError."""
        return np.asarray(cv2.resize(self.picture(), FACE_SIZE_PX, interpolation=cv2.INTER_AREA), np.uint8)

    def turned(self) -> CardLook:
        """The same look the other way up. Raises CardLookError."""
        return CardLook.of(np.ascontiguousarray(self.picture()[::-1, ::-1]), self.white_rgb)

    def to_json_value(self) -> dict[str, Any]:
        """As JSON values; the picture is base64 text."""
        return {
            "white": [round(value, 4) for value in self.white_rgb],
            "jpeg": base64.b64encode(self.jpeg).decode("ascii"),
        }

    @classmethod
    def from_json_value(cls, value: object) -> CardLook:
        """Read what `to_json_value` gave.

        Raises:
            CardLookError: a field is missing or ill-typed, or the picture can not be used.
        """
        if not isinstance(value, Mapping):
            raise CardLookError('a look must be an object with "white" and "jpeg"')
        white, packed = value.get("white"), value.get("jpeg")
        if not isinstance(packed, str) or not isinstance(white, list) or len(white) != 3:
            raise CardLookError('a look needs "white", three numbers, and "jpeg", a picture in base64')
        if not all(type(one) in (int, float) and 0 < one < 100 for one in white):
            raise CardLookError('the "white" of a look must be three positive numbers')
        try:
            data = base64.b64decode(packed, validate=True)
        except (ValueError, binascii.Error):
            raise CardLookError("the picture of a look is no base64") from None
        look = cls(data, (float(white[0]), float(white[1]), float(white[2])))
        look.picture()
        return look


def take_look(frame_bgr: Bytes, corners_px: Quad, white_rgb: Triple) -> CardLook:
    """Cut a card's face out of a frame by its corners (NW, NE, SE, SW), for keeping."""
    return CardLook.of(
        rectified(frame_bgr, mm_to_px(corners_px, CARD_MM), CARD_MM, KEPT_PX_PER_MM), white_rgb
    )


def face_of(frame_bgr: Bytes, corners_px: Quad) -> Bytes:
    """Cut a card's face out of a frame at the size at which faces are compared."""
    return rectified(frame_bgr, mm_to_px(corners_px, CARD_MM), CARD_MM, FACE_PX_PER_MM)


@lru_cache(maxsize=1)
def _tones() -> Bytes:
    levels = (np.arange(256) / 255) ** (2.2 * TONE_POWER) * 255
    table = np.asarray(np.rint(levels), np.uint8)
    table.setflags(write=False)
    return table


def tone_of(face_bgr: Bytes) -> Bytes:
    """8-bit sRGB levels → tone levels."""
    return np.asarray(cv2.LUT(face_bgr, _tones()), np.uint8)


def thumbnail(tone: Bytes) -> Floats:
    """The face's tone in cells of 4 mm, (22, 16, 3) float32, as logarithms."""
    small = cv2.resize(tone, THUMB_SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(np.log(small + FLOOR_TONE), np.float32)


def centred(thumb: Floats) -> Floats:
    """A thumbnail without the light it was seen in: the median of each channel, mostly paper, taken off."""
    cells = np.ascontiguousarray(thumb.reshape(-1, 3).T)
    upper = cells.shape[1] // 2
    # their number is even
    cells.partition((upper - 1, upper), axis=1)
    return np.asarray(thumb - (cells[:, upper - 1] + cells[:, upper]) / 2, np.float32)

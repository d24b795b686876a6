"""The small view of a whole frame, on which everything that concerns the whole frame is judged."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

#: Longer side of the small view. A 22 cm track that fills half of the picture then has about one pixel a
#: millimetre: enough to register to a tenth of a millimetre, at a hundredth of the cost of the frame.
VIEW_LONG_PX = 416

#: A frame with a shorter side than this shows no die that could be read.
MIN_FRAME_SIDE_PX = 64


class FrameError(ValueError):
    """Not a frame: wrong type, shape or size, or a stored view that can not be decoded."""


def view_size_px(frame_size_px: tuple[int, int]) -> tuple[int, int]:
    """(width, height) of the small view of a frame of this (width, height)."""
    scale = VIEW_LONG_PX / max(frame_size_px)
    return max(1, round(frame_size_px[0] * scale)), max(1, round(frame_size_px[1] * scale))


def small_view(frame_bgr: Bytes, size_px: tuple[int, int] | None = None) -> Bytes:
    """The frame at ``size_px`` (width, height), else with its longer side at ``VIEW_LONG_PX``; uint8 BGR.

    Averaged rather than sampled, so that noise and aliasing fall: halved as long as that fits, which costs
    one pass over the frame, then brought to the exact size. A smaller frame is enlarged.

    Raises:
        FrameError: not a uint8 array of shape (H, W, 3), or a side shorter than ``MIN_FRAME_SIDE_PX``.
    """
    small = halvings(frame_bgr, size_px)[-1]
    target_px = size_px or view_size_px((frame_bgr.shape[1], frame_bgr.shape[0]))
    if (small.shape[1], small.shape[0]) != target_px:
        small = np.asarray(cv2.resize(small, target_px, interpolation=cv2.INTER_LINEAR), np.uint8)
    return small


def check_bgr(frame_bgr: npt.NDArray[np.generic]) -> None:
    """Raise FrameError where this is no uint8 array of shape (H, W, 3)."""
    if frame_bgr.dtype != np.uint8 or frame_bgr.ndim != 3 or frame_bgr.shape[2] != 3:
        raise FrameError("A frame must be an 8-bit BGR picture of shape (height, width, 3).")


def halvings(frame_bgr: Bytes, size_px: tuple[int, int] | None = None) -> tuple[Bytes, ...]:
    """The frame, and it halved once, twice and so on while no smaller than ``size_px`` (width, height).

    Without ``size_px`` as for ``small_view``. Each pixel is the mean of four; an odd last row or column is
    left out, so that in corner coordinates each is half of the one before.

    Raises:
        FrameError: as ``small_view``.
    """
    check_bgr(frame_bgr)
    frame_px = (frame_bgr.shape[1], frame_bgr.shape[0])
    if min(frame_px) < MIN_FRAME_SIDE_PX:
        raise FrameError(f"A picture of {frame_px[0]}×{frame_px[1]} pixels is too small to read dice in it.")
    target_px = size_px or view_size_px(frame_px)
    levels = [frame_bgr]
    while levels[-1].shape[1] >= 2 * target_px[0] and levels[-1].shape[0] >= 2 * target_px[1]:
        half_px = (levels[-1].shape[1] // 2, levels[-1].shape[0] // 2)
        even = levels[-1][: 2 * half_px[1], : 2 * half_px[0]]
        levels.append(np.asarray(cv2.resize(even, half_px, interpolation=cv2.INTER_AREA), np.uint8))
    return tuple(levels)


def view_to_frame(view_px: tuple[int, int], frame_px: tuple[int, int]) -> Matrix:
    """3×3 matrix from a small view of (width, height) ``view_px`` to a frame of ``frame_px``.

    Both in corner coordinates: everywhere in vision pixels are counted from the picture's top-left corner,
    the middle of the first pixel is (0.5, 0.5), so that a change of resolution is a pure scaling.
    """
    return np.array([[frame_px[0] / view_px[0], 0, 0], [0, frame_px[1] / view_px[1], 0], [0, 0, 1]])


@dataclass(frozen=True, slots=True)
class EmptyView:
    """What the empty table looked like when the profile was made.

    ``frame_size_px`` is the (width, height) of the picture it was taken from; ``jpeg`` its small view, packed
    (15 to 30 kB), so that what is stored and what is used are the same.
    """

    frame_size_px: tuple[int, int]
    jpeg: bytes

    @classmethod
    def from_picture(cls, empty_bgr: Bytes) -> EmptyView:
        """Keep the small view of the picture of the empty table.

        Raises:
            FrameError: as ``small_view``.
        """
        packed = cv2.imencode(".jpg", small_view(empty_bgr), [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
        return cls((empty_bgr.shape[1], empty_bgr.shape[0]), packed.tobytes())

    @classmethod
    def from_json_value(cls, value: Any) -> EmptyView:
        """Read back what ``to_json_value`` gave.

        Raises:
            FrameError: a field is missing, or the picture in it can not be decoded or has another size.
        """
        try:
            width_px, height_px = (int(side) for side in value["frame_size_px"])
            kept = cls((width_px, height_px), base64.b64decode(value["jpeg"], validate=True))
        except (KeyError, TypeError, ValueError, binascii.Error) as fault:
            raise FrameError("The profile's picture of the empty table can not be read.") from fault
        kept.unpack()
        return kept

    def to_json_value(self) -> dict[str, Any]:
        """As JSON values; the packed picture is base64 text."""
        return {
            "frame_size_px": list(self.frame_size_px),
            "jpeg": base64.b64encode(self.jpeg).decode("ascii"),
        }

    def unpack(self) -> Bytes:
        """The small view, uint8 BGR.

        Raises:
            FrameError: the packed picture is damaged or does not fit the frame's size.
        """
        packed = np.frombuffer(self.jpeg, np.uint8)
        decoded = cv2.imdecode(packed, cv2.IMREAD_COLOR) if packed.size else None
        if decoded is None or (decoded.shape[1], decoded.shape[0]) != view_size_px(self.frame_size_px):
            raise FrameError("The profile's picture of the empty table is damaged; calibrate again.")
        return np.asarray(decoded, np.uint8)

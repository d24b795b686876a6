"""Byte order: the one place where a camera's pixels become B, G, R."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from companion.table.ports import Frame

BGR = "RGB888"
"""libcamera names a format by the bits of a word, lowest byte last: its RGB888 is B, G, R in memory."""

FORMATS = (BGR, "BGR888", "XRGB8888", "XBGR8888", "YUV420", "NV12")
"""libcamera's formats that can be turned into frames."""


class PixelsError(ValueError):
    """The pixels are none that are known; the message says which."""


def frame_of(pixels: Any, form: str, size_px: tuple[int, int], *, full_range: bool = True) -> Frame:
    """Return the frame (h, w, 3), uint8 BGR, of pixels in one of `FORMATS`, without the padding of rows.

    `size_px` is (width, height). Rows of the planar formats may be padded: their array is as wide as a row.
    Those hold YCbCr of ITU-R BT.601: with `full_range` as JPEG has it (libcamera's sYCC), else 16 to 235.

    Raises:
        PixelsError: another format, or another shape than the format and size say.
    """
    array = np.asarray(pixels)
    width, height = size_px
    if form in ("YUV420", "NV12"):
        return _of_planes(array, form, (width, height), full_range)
    channels = {BGR: 3, "BGR888": 3, "XRGB8888": 4, "XBGR8888": 4}.get(form)
    if channels is None:
        raise PixelsError(f"pixels of the format {form} are not known; known are {', '.join(FORMATS)}")
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != channels:
        raise PixelsError(f"{form} of {width}x{height} came as {array.dtype} {array.shape}")
    if array.shape[0] < height or array.shape[1] < width:
        raise PixelsError(f"{form} of {width}x{height} came as {array.shape[1]}x{array.shape[0]}")
    colours = array[:height, :width, :3]
    ordered = colours if form in (BGR, "XRGB8888") else colours[:, :, ::-1]
    return np.ascontiguousarray(ordered)


def _of_planes(array: np.ndarray[Any, Any], form: str, size_px: tuple[int, int], full_range: bool) -> Frame:
    width, height = size_px
    stride = array.shape[1] if array.ndim == 2 else 0
    fits = array.dtype == np.uint8 and array.ndim == 2 and array.shape[0] * 2 == height * 3
    if not fits or stride < width or stride % 2 or height % 2 or width % 2:
        raise PixelsError(f"{form} of {width}x{height} came as {array.dtype} {array.shape}")
    luma, chroma = array[:height, :width], array[height:]
    if form == "NV12":
        pairs = chroma.reshape(height // 2, stride // 2, 2)
        blue, red = pairs[:, :, 0], pairs[:, :, 1]
    else:  # each plane's rows are half as long, padding and all, so that two lie in a row here
        blue, red = chroma.reshape(2, height // 2, stride // 2)
    # Without the padding, which would bleed in when chroma is enlarged.
    halves = [np.ascontiguousarray(plane[:, : width // 2]) for plane in (red, blue)]
    planes = [luma, *(np.asarray(cv2.resize(plane, (width, height)), np.uint8) for plane in halves)]
    if not full_range:
        planes = [_stretched(planes[0], 219), *(_stretched(plane, 224) for plane in planes[1:])]
    return np.asarray(cv2.cvtColor(cv2.merge(planes), cv2.COLOR_YCrCb2BGR), np.uint8)


def _stretched(plane: np.ndarray[Any, Any], steps: int) -> np.ndarray[Any, Any]:
    """Return a plane that holds `steps` steps from 16 on as one from 0 to 255."""
    table = np.clip(np.round((np.arange(256) - 16) * 255 / steps), 0, 255).astype(np.uint8)
    stretched: np.ndarray[Any, Any] = table[plane]
    return stretched

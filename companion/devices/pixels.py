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


def frame_of(pixels: Any, form: str, size_px: tuple[int, int]) -> Frame:
    """Return the frame (h, w, 3), uint8 BGR, of pixels in one of `FORMATS`, without the padding of rows.

    `size_px` is (width, height). Rows of the planar formats may be padded: their array is as wide as a row.

    Raises:
        PixelsError: another format, or another shape than the format and size say.
    """
    array = np.asarray(pixels)
    width, height = size_px
    if form in ("YUV420", "NV12"):
        return _of_planes(array, form, width, height)
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


def _of_planes(array: np.ndarray[Any, Any], form: str, width: int, height: int) -> Frame:
    stride = array.shape[1] if array.ndim == 2 else 0
    if array.dtype != np.uint8 or array.ndim != 2 or array.shape[0] * 2 != height * 3 or stride < width:
        raise PixelsError(f"{form} of {width}x{height} came as {array.dtype} {array.shape}")
    code = cv2.COLOR_YUV2BGR_I420 if form == "YUV420" else cv2.COLOR_YUV2BGR_NV12
    # Converted with its padding: in the chroma planes it ends each half row, just as it ends each row here.
    whole = cv2.cvtColor(np.ascontiguousarray(array), code)
    return np.ascontiguousarray(np.asarray(whole, np.uint8)[:, :width])

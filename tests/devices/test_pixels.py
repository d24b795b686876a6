"""Byte order: each format of libcamera becomes B, G, R; padding goes; anything else is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion.devices.pixels import PixelsError, frame_of

X_PX, Y_PX = np.meshgrid(np.arange(24), np.arange(16))
FRAME = np.dstack([40 + 8 * X_PX, 220 - 6 * Y_PX - 3 * X_PX, 30 + 10 * Y_PX + 2 * X_PX]).astype(np.uint8)
"""Colours that change slowly, so that halved chroma loses little."""

X = np.full((16, 24, 1), 255, np.uint8)
RGB = FRAME[:, :, ::-1]


def padded(array: Any, right: int) -> Any:
    return np.pad(array, ((0, 0), (0, right), (0, 0)), constant_values=77)


@pytest.mark.parametrize(
    ("form", "pixels"),
    [
        ("RGB888", FRAME),
        ("BGR888", RGB),
        ("XRGB8888", np.dstack([FRAME, X])),
        ("XBGR8888", np.dstack([RGB, X])),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_packed_formats(form: str, pixels: Any) -> None:
    assert np.array_equal(frame_of(pixels, form, (24, 16)), FRAME)
    assert np.array_equal(frame_of(padded(pixels, 8), form, (24, 16)), FRAME)


def planes(full_range: bool) -> tuple[Any, Any, Any]:
    """Y, Cb and Cr of the frame by the formulas of ITU-R BT.601, chroma halved both ways."""
    b, g, r = (FRAME[:, :, channel].astype(float) for channel in range(3))
    y = 0.299 * r + 0.587 * g + 0.114 * b
    cb, cr = (b - y) / 1.772, (r - y) / 1.402
    low, y_steps, c_steps = (0, 255, 255) if full_range else (16, 219, 224)
    halved = [part.reshape(8, 2, 12, 2).mean(axis=(1, 3)) * c_steps / 255 + 128 for part in (cb, cr)]
    parts = (y * y_steps / 255 + low, *halved)
    luma, blue, red = (np.clip(np.round(part), 0, 255).astype(np.uint8) for part in parts)
    return luma, blue, red


def i420(stride: int, full_range: bool) -> Any:
    """The frame as Y, U and V planes whose rows are padded, as libcamera lays them out."""
    y, u, v = planes(full_range)
    half = [np.pad(plane, ((0, 0), (0, (stride - 24) // 2))).reshape(4, stride) for plane in (u, v)]
    return np.vstack([np.pad(y, ((0, 0), (0, stride - 24))), *half])


def nv12(stride: int, full_range: bool) -> Any:
    """The frame as a Y plane and one of U, V pairs, rows padded."""
    y, u, v = planes(full_range)
    pairs = np.dstack([u, v]).reshape(8, 24)
    return np.vstack([np.pad(part, ((0, 0), (0, stride - 24))) for part in (y, pairs)])


@pytest.mark.parametrize("full_range", [True, False], ids=["jpeg", "video"])
@pytest.mark.parametrize("stride", [24, 32])
@pytest.mark.parametrize(("form", "made"), [("YUV420", i420), ("NV12", nv12)], ids=["YUV420", "NV12"])
def test_planar_formats(form: str, made: Any, stride: int, full_range: bool) -> None:
    frame = frame_of(made(stride, full_range), form, (24, 16), full_range=full_range)
    assert frame.shape == FRAME.shape
    assert np.abs(frame.astype(int) - FRAME.astype(int)).mean() < 3
    other = frame_of(made(stride, full_range), form, (24, 16), full_range=not full_range)
    assert np.abs(other.astype(int) - FRAME.astype(int)).mean() > 3


@pytest.mark.parametrize(
    ("form", "shape"),
    [
        ("MJPEG", (10,)),
        ("RGB888", (16, 24)),
        ("RGB888", (16, 23, 3)),
        ("XBGR8888", (16, 24, 3)),
        ("YUV420", (16, 24)),
    ],
)
def test_anything_else_is_refused(form: str, shape: tuple[int, ...]) -> None:
    with pytest.raises(PixelsError):
        frame_of(np.zeros(shape, np.uint8), form, (24, 16))

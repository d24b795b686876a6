"""Byte order: each format of libcamera becomes B, G, R; padding goes; anything else is refused."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from companion.devices.pixels import PixelsError, frame_of

RNG = np.random.default_rng(5)
FRAME = cv2.GaussianBlur(RNG.integers(0, 256, (16, 24, 3), np.uint8), (0, 0), 6).astype(np.uint8)
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


def i420(stride: int) -> Any:
    """The frame as Y, U and V planes whose rows are padded, as libcamera lays them out."""
    planes = cv2.cvtColor(FRAME, cv2.COLOR_BGR2YUV_I420)
    y, u, v = planes[:16], planes[16:20].reshape(8, 12), planes[20:].reshape(8, 12)
    half = [np.pad(plane, ((0, 0), (0, (stride - 24) // 2))).reshape(4, stride) for plane in (u, v)]
    return np.vstack([np.pad(y, ((0, 0), (0, stride - 24))), *half])


def nv12(stride: int) -> Any:
    """The frame as a Y plane and one of U, V pairs, rows padded."""
    planes = cv2.cvtColor(FRAME, cv2.COLOR_BGR2YUV_I420)
    u, v = planes[16:20].reshape(8, 12), planes[20:].reshape(8, 12)
    pairs = np.dstack([u, v]).reshape(8, 24)
    return np.vstack([np.pad(part, ((0, 0), (0, stride - 24))) for part in (planes[:16], pairs)])


@pytest.mark.parametrize("stride", [24, 32])
@pytest.mark.parametrize(("form", "made"), [("YUV420", i420), ("NV12", nv12)], ids=["YUV420", "NV12"])
def test_planar_formats(form: str, made: Any, stride: int) -> None:
    frame = frame_of(made(stride), form, (24, 16))
    assert frame.shape == FRAME.shape
    assert np.abs(frame.astype(int) - FRAME.astype(int)).mean() < 4


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

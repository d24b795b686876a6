"""Looks are kept as they are seen, read back as they were kept, and refused where they are damaged."""

import base64
from typing import Any

import numpy as np
import pytest

from companion.vision.card_look import KEPT_SIZE_PX, CardLook, CardLookError, tone_of


def look() -> CardLook:
    picture = np.zeros((352, 252, 3), np.uint8)
    picture[:176] = (200, 210, 220)
    picture[200:240, 30:90] = (30, 40, 190)
    return CardLook.of(picture, (0.5, 0.4, 0.6))


def test_json_gives_back_the_same_look() -> None:
    kept = look()
    again = CardLook.from_json_value(kept.to_json_value())
    assert again == kept
    assert again.picture().shape == (352, 252, 3)
    assert again.face().shape == (176, 126, 3)


def test_turned_twice_is_nearly_as_before() -> None:
    kept = look().picture().astype(int)
    once = look().turned()
    assert np.abs(once.picture().astype(int) - kept[::-1, ::-1]).mean() < 2
    assert np.abs(once.turned().picture().astype(int) - kept).mean() < 3


def test_a_picture_of_another_size_is_brought_to_the_right_one() -> None:
    small = CardLook.of(np.full((88, 63, 3), 90, np.uint8), (0.5, 0.5, 0.5)).picture()
    assert (small.shape[1], small.shape[0]) == KEPT_SIZE_PX


def jpeg_of(size: tuple[int, int]) -> str:
    import cv2

    return base64.b64encode(cv2.imencode(".jpg", np.zeros((*size, 3), np.uint8))[1].tobytes()).decode()


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "object"),
        ({}, "needs"),
        ({"white": [1, 1], "jpeg": "x"}, "needs"),
        ({"white": [1, 1, 0], "jpeg": "x"}, "positive"),
        ({"white": [1, 1, True], "jpeg": "x"}, "positive"),
        ({"white": [1, 1, 1], "jpeg": "?"}, "base64"),
        ({"white": [1, 1, 1], "jpeg": ""}, "JPEG"),
        ({"white": [1, 1, 1], "jpeg": "AAAA"}, "JPEG"),
        ({"white": [1, 1, 1], "jpeg": jpeg_of((100, 100))}, "252"),
    ],
)
def test_a_damaged_look_is_refused_with_a_reason(value: Any, told: str) -> None:
    with pytest.raises(CardLookError, match=told):
        CardLook.from_json_value(value)


def test_tone_is_nearly_linear_in_light() -> None:
    half, full = tone_of(np.array([[[188, 188, 188], [255, 255, 255]]], np.uint8))[0, :, 0]
    assert full == 255
    assert half / full == pytest.approx(0.5**0.8, abs=0.02)  # sRGB 188 is half the light

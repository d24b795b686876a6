"""Dice with pips in a picture that shows nothing else of a table."""

from itertools import product

import cv2
import numpy as np
import pytest

from companion.evaluation.any_dice import find_any_dice
from companion.vision.frame_view import Bytes, FrameError

PAPER = (196, 204, 208)
#: Where pips lie on a face, in quarters of its side from its middle.
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    4: tuple(product((-1, 1), repeat=2)),
    6: tuple(product((-1, 1), (-1, 0, 1))),
}
RED, BLACK, WHITE, BLUE = (38, 32, 190), (30, 28, 28), (250, 250, 248), (150, 70, 20)
LIGHT, DARK = (235, 235, 235), (20, 20, 20)


def photograph(
    dice: list[tuple[float, float, float, float, int, tuple[int, int, int], tuple[int, int, int]]],
) -> Bytes:
    """A sheet of paper under an uneven lamp with dice on it: x, y, side (px), turn (degrees), pips, body and
    pips' colour (BGR).
    """
    random = np.random.default_rng(5)
    times = 4
    large = np.full((480 * times, 640 * times, 3), PAPER, np.uint8)
    for x, y, side, turn, number, body, ink in dice:
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        to_picture = times * np.array([[cos, -sin], [sin, cos]])
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2 @ to_picture.T
        middle = times * np.array([x, y])
        cv2.fillConvexPoly(large, np.rint(corners + middle).astype(np.int32), body)
        for pip in PIPS[number]:
            at = np.array(pip) * side / 4 @ to_picture.T + middle
            centre = round(float(at[0])), round(float(at[1]))
            cv2.circle(large, centre, round(0.1 * side * times), ink, -1, cv2.LINE_AA)
    frame = cv2.resize(large, (640, 480), interpolation=cv2.INTER_AREA).astype(np.float64)
    frame *= np.linspace(0.9, 1.0, 640)[None, :, None]
    noisy = frame + random.normal(0, 2.0, frame.shape)
    return np.asarray(np.clip(np.rint(noisy), 0, 255), np.uint8)


def test_dice_of_several_sizes_bodies_and_pips_are_found_where_they_are() -> None:
    truth = [
        (120.0, 110.0, 40.0, 10.0, 1, RED, LIGHT),
        (300.0, 140.0, 40.0, 35.0, 4, BLACK, LIGHT),
        (420.0, 330.0, 46.0, 60.0, 6, BLUE, LIGHT),
        (180.0, 350.0, 36.0, 80.0, 2, WHITE, DARK),
    ]
    found = find_any_dice(photograph(truth))
    assert len(found) == len(truth)
    for x, y, side, *_ in truth:
        (face,) = (die for die in found if np.hypot(*(np.mean(die.top_px, axis=0) - (x, y))) < 0.1 * side)
        assert face.side_px == pytest.approx(side, rel=0.2)


def test_more_dice_than_a_game_has_are_found() -> None:
    truth = [
        (80.0 + 80 * column, 90.0 + 100 * row, 38.0, 20.0 * column + 7 * row, (1, 2, 4, 6)[row], RED, LIGHT)
        for row in range(4)
        for column in range(7)
    ]
    assert len(find_any_dice(photograph(truth))) >= 27


def test_paper_alone_has_no_dice() -> None:
    assert find_any_dice(photograph([])) == ()


def test_a_picture_too_small_for_any_die_has_none() -> None:
    assert find_any_dice(np.zeros((40, 60, 3), np.uint8)) == ()


@pytest.mark.parametrize("size", [(480, 640), (40, 60)], ids=["large", "too small for any die"])
def test_a_grey_picture_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(FrameError, match="8-bit BGR"):
        find_any_dice(np.zeros(size, np.uint8))

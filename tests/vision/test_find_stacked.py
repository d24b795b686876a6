"""A die on another: told where both are found, never trusted; dice side by side are no stack."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration import calibrate
from companion.devices.simulated import layout
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.renderer import Conditions, render
from companion.devices.simulated.scene import Scene, SceneDie, fresh_dice
from companion.vision.find_stacked import stacked
from companion.vision.read import PictureReader

SIDE = 16.0
POSE = Pose(width_px=1024, height_px=768)


@pytest.mark.parametrize(
    ("away_mm", "turn_deg", "told"),
    [
        pytest.param((16.0, 0.0), 0.0, False, id="flush"),
        pytest.param((15.1, 0.0), 0.0, False, id="flush-and-found-a-little-off"),
        pytest.param((14.0, 14.0), 45.0, False, id="corner-to-side"),
        pytest.param((14.0, 0.0), 0.0, True, id="two-millimetres-over-another"),
        pytest.param((15.4, 9.0), 45.0, True, id="a-corner-over-another"),
        pytest.param((0.0, 3.0), 20.0, True, id="one-nearly-on-the-other"),
        pytest.param((60.0, 0.0), 0.0, False, id="apart"),
    ],
)
def test_faces_overlap_only_of_dice_one_on_another(
    away_mm: tuple[float, float], turn_deg: float, told: bool
) -> None:
    spots = np.array([(50.0, 40.0, 0.0), (50 + away_mm[0], 40 + away_mm[1], math.radians(turn_deg))])
    assert stacked(spots, SIDE).tolist() == [told, told]
    apart = np.vstack([spots, [(150.0, 100.0, 0.3)]])
    assert stacked(apart, SIDE).tolist() == [told, told, False]


@cache
def reader() -> PictureReader:
    profile = calibrate(POSE.zones(), draw((), 1), draw(fresh_dice(), 2))
    return PictureReader(profile.zones, profile.focal_px, profile.empty, profile.faces)


def draw(dice: tuple[SceneDie, ...], seed: int) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    return np.asarray(render(Scene(dice), Conditions(pose=POSE), np.random.default_rng(seed)))


def on_another(below: int, above: int, off_mm: tuple[float, float], turn: float) -> tuple[SceneDie, ...]:
    dice = list(fresh_dice())
    low = dice[below]
    dice[above] = replace(
        dice[above],
        x_mm=low.x_mm + off_mm[0],
        y_mm=low.y_mm + off_mm[1],
        yaw_rad=turn,
        on_mm=layout.DIE_MM,
    )
    return tuple(dice)


@pytest.mark.parametrize("turn", [0.0, 0.5, 1.1])
@pytest.mark.parametrize("off_mm", [(0.0, 0.0), (3.0, -2.0), (-5.0, 4.0), (7.0, 6.0), (-7.0, -3.0)])
@pytest.mark.parametrize(("below", "above"), [(0, 3), (4, 1), (2, 5), (5, 4)])
def test_a_die_on_another_is_never_trusted(
    below: int, above: int, off_mm: tuple[float, float], turn: float
) -> None:
    reading = reader().read(draw(on_another(below, above, off_mm, turn), seed=5))
    assert not reading.trusted
    assert {"too_few_dice", "stacked_die", "leaning_die"} & set(reading.problems)


@pytest.mark.parametrize(
    ("below", "above", "off_mm", "turn"),
    [(1, 4, (0.0, -8.0), 0.6), (2, 5, (6.0, -7.0), 1.0), (2, 5, (-7.0, -7.0), 0.2)],
)
def test_where_the_lower_die_looks_out_it_is_told(
    below: int, above: int, off_mm: tuple[float, float], turn: float
) -> None:
    reading = reader().read(draw(on_another(below, above, off_mm, turn), seed=5))
    assert "stacked_die" in reading.problems


def test_dice_side_by_side_are_no_stack() -> None:
    dice = list(fresh_dice())
    for index, (other, way) in enumerate([(0, 0.0), (0, 0.5 * math.pi), (3, math.pi)], start=1):
        near = dice[other]
        turned = near.yaw_rad + way
        dice[index if index < 3 else 4] = replace(
            dice[index if index < 3 else 4],
            x_mm=near.x_mm + 16.1 * math.cos(turned),
            y_mm=near.y_mm + 16.1 * math.sin(turned),
            yaw_rad=near.yaw_rad,
        )
    reading = reader().read(draw(tuple(dice), seed=7))
    assert reading.trusted, reading.problems

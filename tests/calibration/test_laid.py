"""Six dice laid out: one that glare veils is found, and nothing is learned in place of one that lacks."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration import CalibrationRefused, Setup
from companion.vision.geometry import Zones
from tests.vision.frame_fixtures import FOLDER, load
from tests.vision.tower_scenes import Tower, clear_dice

Frame = npt.NDArray[np.uint8]
# In sides of a die, around its middle: with most of its shadow, and the others with their sides.
SHADOW_FRAC, SIDES_FRAC = 2.2, 1.05
# Where the dice lie on the white floor, in pixels; the purple one is veiled.
LYING = {
    ("purple", "white"): (363, 419),
    ("blue", "white"): (617, 221),
    ("red", "white"): (605, 416),
    ("yellow", "white"): (646, 386),
    ("orange", "black"): (542, 263),
    ("green", "black"): (696, 420),
}


def laid(folder: Path, colours: Frame) -> Setup:
    zones = Zones.from_json((folder / "zones.json").read_text("utf-8"))
    name = "empty.jpg"
    return Setup().with_zones(zones).with_empty(load(folder / name)).with_colours(colours)


def without(folder: Path, dice: list[dict[str, Any]], taken: int) -> Frame:
    """The colours picture with one die taken away: there lies what the picture of the empty table shows."""
    empty, colours = load(folder / "empty.jpg"), load(folder / "colours.jpg")
    side_px = float(np.linalg.norm(np.subtract(dice[taken]["top"][0], dice[taken]["top"][1])))
    share = np.zeros(colours.shape[:2], np.float32)
    for number, die in [(taken, dice[taken]), *enumerate(dice)]:
        frac, what = (SHADOW_FRAC, 1.0) if number == taken else (SIDES_FRAC, 0.0)
        x, y = die["centre"]
        cv2.circle(share, (round(x), round(y)), round(frac * side_px), what, -1)
    soft = np.asarray(cv2.GaussianBlur(share, (0, 0), 1.5), np.float32)[..., None]
    return np.asarray(np.round(colours * (1 - soft) + empty * soft), np.uint8)


@pytest.mark.parametrize("inside_mm", [0.0, 3.0])
def test_a_die_that_the_tower_hides_in_part_is_not_learned_from(inside_mm: float) -> None:
    """Nor is the tower's own corner, which in some light looks like one."""
    tower = Tower((50.0, 30.0, 90.0, 70.0), paint=(60, 100, 150), high_mm=110.0)
    west = float(tower.outline_mm()[:, 0].min())
    dice = list(clear_dice())
    dice[1] = replace(dice[1], x_mm=west + inside_mm, y_mm=50.0, yaw_rad=0.0)
    setup = Setup().with_zones(tower.zones()).with_empty(tower.draw(seed=1))
    with pytest.raises(CalibrationRefused, match=r"5 dice where 6 are needed.*clear of.*the tower"):
        setup.with_colours(tower.draw(dice, seed=2))
    assert setup.with_colours(tower.draw(clear_dice(), seed=3)).lesson


def test_a_white_die_that_glare_all_but_hides_on_a_white_floor_is_learned() -> None:
    folder = FOLDER / "white_floor"
    setup = laid(folder, load(folder / "colours.jpg"))
    assert setup.lesson is not None
    told = {
        (name, body): np.mean(quad, axis=0)
        for name, body, quad in zip(setup.lesson.names, setup.lesson.bodies, setup.top_faces_px, strict=True)
    }
    assert set(told) == set(LYING)
    for die, middle in told.items():
        assert middle == pytest.approx(LYING[die], abs=6), die


@pytest.mark.parametrize("table", [*(f"table{number:02}" for number in range(14)), "game50"])
@pytest.mark.parametrize("taken", range(6))
def test_nothing_is_learned_in_place_of_a_die_that_lacks(shared_data: Path, table: str, taken: int) -> None:
    folder = shared_data / ("games" if table == "game50" else "tables") / table
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    dice = next(picture["dice"] for picture in truth["pictures"] if picture["kind"] == "colours")
    with pytest.raises(CalibrationRefused) as refused:
        laid(folder, without(folder, dice, taken))
    assert refused.value.code == "wrong_number_of_dice"

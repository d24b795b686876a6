"""A die that the tower hides in part: found and named by what is seen of it, and not called leaning."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import calibrate
from companion.vision.find_evidence import PATTERN
from companion.vision.find_hidden import (
    HIDDEN,
    HIDDEN_STEPS,
    behind_tower,
    counterparts,
    fill_hidden,
    mark_hidden,
    may_lean_on,
    middle_hidden,
    middle_unseen,
    uncovered,
)
from companion.vision.geometry import Zones, floors, focal_px
from companion.vision.read import PictureReader, read_picture
from companion.vision.reading import Reading
from tests.vision.frame_fixtures import load
from tests.vision.tower_scenes import Tower, clear_dice


def test_counterparts_are_the_same_distance_from_the_middle() -> None:
    others = counterparts(PATTERN)
    assert others.shape == (5, len(PATTERN))
    for way in others:
        assert sorted(way) == list(range(len(PATTERN)))
        assert np.allclose(np.linalg.norm(PATTERN[way], axis=1), np.linalg.norm(PATTERN, axis=1), atol=1e-6)
    assert np.allclose(PATTERN[others[0]], -PATTERN, atol=1e-6)


def test_what_is_hidden_takes_after_its_counterpart_and_all_that_is_seen_stays() -> None:
    rng = np.random.default_rng(1)
    planes = rng.uniform(0, 200, (4, len(PATTERN), 3)).astype(np.float32)
    before = planes.copy()
    left = PATTERN[:, 0] < -0.05
    planes[3, left, 1] = HIDDEN
    planes[3, :, 2] = HIDDEN
    others = counterparts(PATTERN)
    fill_hidden(planes, others)
    assert np.array_equal(planes[:, ~left, 1], before[:, ~left, 1])
    assert np.array_equal(planes[:, left, 1], before[:, others[0]][:, left, 1])
    assert np.array_equal(planes[:, :, 0], before[:, :, 0])
    assert (planes[3, :, 2] == 0).all()


def test_only_what_may_be_behind_the_tower_and_did_not_change_is_hidden() -> None:
    layers = np.ones((1, 9, 4), np.float32)
    behind = np.array([[False] * 2 + [True] * 7])
    beyond = np.array([[0.1] * 5 + [2.0] * 4], np.float32)
    mark_hidden(layers, behind, beyond)
    # with the rim on either side, where what hides is mixed into what it hides
    assert (layers[0, :, 3] == HIDDEN).tolist() == [False] + [True] * 5 + [False] * 3
    assert (layers[..., :3] == 1).all()


def test_a_higher_tower_hides_more() -> None:
    zones = Zones.from_dict(
        {
            "size": [1024, 768],
            "track": [[285, 277], [762, 267], [795, 602], [267, 612]],
            "track_mm": [220, 150],
            "tower": [[277, 436], [346, 434], [343, 535], [271, 536]],
        }
    )
    assert zones.tower_px is not None
    (track,) = floors(zones, focal_px(zones))
    areas = [
        cv2.contourArea(behind_tower(track, zones.tower_px, 16.0, height).astype(np.float32))
        for height in (20.0, 60.0, 120.0)
    ]
    assert areas[0] < areas[1] < areas[2]


def test_a_face_half_behind_something_is_shown_whole() -> None:
    face = np.full((60, 60, 3), 40, np.uint8)
    cv2.rectangle(face, (15, 15), (44, 44), (230, 230, 230), -1)
    cv2.circle(face, (30, 30), 8, (20, 20, 200), -1)
    covered = face.copy()
    covered[:, :27] = (10, 90, 10)
    quad = ((15.0, 15.0), (45.0, 15.0), (45.0, 45.0), (15.0, 45.0))
    hidden = np.zeros((HIDDEN_STEPS, HIDDEN_STEPS), np.bool_)
    hidden[:, :7] = True
    whole = uncovered(covered, [(quad, hidden.ravel())])
    inside = (slice(17, 43), slice(17, 43))
    assert np.abs(whole[inside].astype(int) - face[inside]).mean() < 6
    assert np.array_equal(whole[:, :12], covered[:, :12])
    nothing = np.zeros(HIDDEN_STEPS**2, np.bool_)
    assert uncovered(covered, [(quad, nothing)]) is covered


# A white die a fifth of which is hidden; black dice on a black floor, half hidden, with symbols.
@pytest.mark.parametrize(
    ("folder_name", "picture"),
    [("games/game50", "throw10.jpg"), ("tables/table12", "throw1.jpg"), ("tables/table12", "throw6.jpg")],
)
def test_a_die_that_the_tower_hides_in_part_is_read(
    shared_data: Path, folder_name: str, picture: str
) -> None:
    folder = shared_data / folder_name
    zones = Zones.from_json((folder / "zones.json").read_text())
    profile = calibrate(zones, load(folder / "empty.jpg"), load(folder / "colours.jpg"))
    reading = read_picture(load(folder / picture), profile)
    shots = json.loads((folder / "truth.json").read_text())["pictures"]
    dice = next(shot["dice"] for shot in shots if shot["file"] == picture)
    # in the drifting light of throw6 orange on a black body is told from red with too little certainty
    assert set(reading.problems) <= ({"colour_unsure"} if picture == "throw6.jpg" else set())
    assert sorted((die.body, die.colour, die.zone) for die in reading.dice) == sorted(
        (die["body"], die["colour"], die["zone"]) for die in dice
    )


def test_a_middle_is_unseen_where_neither_it_nor_any_counterpart_is_seen() -> None:
    nothing, all_of_it, half = np.zeros((3, HIDDEN_STEPS, HIDDEN_STEPS), np.bool_)
    all_of_it[:], half[:, : HIDDEN_STEPS // 2] = True, True
    faces = np.stack([nothing, all_of_it, half]).reshape(3, -1)
    assert middle_hidden(faces).tolist() == [0, 1, 0.5]
    assert middle_unseen(faces).tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("gap_mm", "may"), [(7.0, True), (13.0, True), (15.9, True), (16.1, False), (40.0, False)]
)
def test_only_beside_its_foot_may_a_die_lean_on_the_tower(gap_mm: float, may: bool) -> None:
    foot = np.array([(50, 30), (90, 30), (90, 70), (50, 70)], np.float64)
    places = np.array([(50 - gap_mm, 50), (70, 30 - gap_mm), (90 + gap_mm, 69)])
    assert may_lean_on(foot, places, 16.0).tolist() == [may] * 3


GREY, DARK, BROWN, BLACK = (150, 160, 170), (40, 42, 45), (60, 100, 150), (15, 15, 16)
HIGH = Tower((50.0, 20.0, 80.0, 64.0), GREY, 110.0)
AT_THE_WALL, IN_THE_TRACK = (0.0, 20.0, 34.0, 64.0), (50.0, 30.0, 90.0, 70.0)


@cache
def reader(tower: Tower) -> PictureReader:
    profile = calibrate(tower.zones(), tower.draw(seed=1), tower.draw(clear_dice(), seed=2))
    return PictureReader(profile.zones, profile.focal_px, profile.empty, profile.faces)


@pytest.mark.parametrize("foot", [AT_THE_WALL, IN_THE_TRACK])
@pytest.mark.parametrize("paint", [GREY, DARK, BROWN, BLACK])
def test_a_tower_is_no_die(foot: tuple[float, float, float, float], paint: tuple[int, int, int]) -> None:
    tower = Tower(foot, paint)
    dice = clear_dice()
    whole = reader(tower).read(tower.draw(dice, seed=3))
    assert whole.trusted, whole.problems
    # whichever lacks, the tower's corners do not stand in for it
    alone = 0
    for missing in range(len(dice)):
        five = dice[:missing] + dice[missing + 1 :]
        reading = reader(tower).read(tower.draw(five, seed=4 + missing))
        assert not reading.trusted
        alone += reading.problems == ("too_few_dice",)
    assert alone >= 4


@pytest.mark.parametrize("lean_deg", [22.0, 30.0, 36.0])
@pytest.mark.parametrize("which", [0, 5])
def test_a_die_cocked_against_the_tower_that_hides_it_is_not_trusted(which: int, lean_deg: float) -> None:
    dice = list(clear_dice())
    dice[which] = HIGH.beside(dice[which], math.radians(lean_deg))
    reading = reader(HIGH).read(HIGH.draw(dice, seed=7))
    assert "leaning_die" in reading.problems or "too_few_dice" in reading.problems


def test_a_die_behind_a_high_tower_far_from_its_foot_is_level() -> None:
    dice = list(clear_dice())
    dice[0] = replace(dice[0], x_mm=HIGH.foot_mm[0] - 17.0, y_mm=50.0, yaw_rad=0.6)
    reading = reader(HIGH).read(HIGH.draw(dice, seed=8))
    assert reading.trusted, reading.problems


def test_a_die_whose_middle_the_tower_hides_is_missed_rather_than_named_by_its_paint() -> None:
    tower = Tower(IN_THE_TRACK, BROWN)
    outline = tower.outline_mm()
    west = float(outline[:, 0].min())
    dice = list(clear_dice())
    for inside_mm in (1.0, 3.0, 5.0, 8.0):
        dice[1] = replace(dice[1], x_mm=west + inside_mm, y_mm=50.0, yaw_rad=0.0)
        reading = reader(tower).read(tower.draw(dice, seed=9))
        truth = sorted((die.body.value, die.colour) for die in dice)
        assert not reading.trusted or named(reading) == truth, inside_mm


def named(reading: Reading) -> Sequence[tuple[str, str]]:
    return sorted((die.body, die.colour) for die in reading.dice)

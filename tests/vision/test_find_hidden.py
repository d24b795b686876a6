"""A die that the tower hides in part: found and named by what is seen of it, and not called leaning."""

import json
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
    uncovered,
)
from companion.vision.geometry import Zones, floors, focal_px
from companion.vision.read import read_picture
from tests.vision.frame_fixtures import load


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
    layers = np.zeros((2, 3, 4), np.float32)
    layers[..., 3] = [[0.1, 0.1, 2.0], [0.1, 0.1, 2.0]]
    mark_hidden(layers, np.array([[False, True, True]] * 2))
    assert layers[0, :, 3].tolist() == [np.float32(0.1), HIDDEN, 2.0]


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
    assert reading.trusted, reading.problems
    assert sorted((die.body, die.colour, die.zone) for die in reading.dice) == sorted(
        (die["body"], die["colour"], die["zone"]) for die in dice
    )

"""Dice drawn into pictures of empty tables lie where the truth says: the finder finds level ones there."""

import json
from pathlib import Path

import cv2
import numpy as np

from companion.evaluation.made_dice import Camera, symbol, turned
from companion.evaluation.made_pictures import make
from companion.evaluation.truth import load_table
from companion.vision.find import Finder
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import Zones, floors, focal_px


def test_a_camera_projects_to_the_pixel_whose_ray_leads_back(shared_data: Path) -> None:
    zones = Zones.from_json((shared_data / "tables" / "table10" / "zones.json").read_text())
    for floor in floors(zones, focal_px(zones)):
        camera = Camera(floor)
        points = np.array([[0.0, 0, 0], [100, 20, 16], [30, 40, 5]])
        seen = camera.project(points)
        assert np.allclose(seen[0], floor.floor_to_px[:2, 2] / floor.floor_to_px[2, 2], atol=1e-6)
        ways = points - camera.place_mm
        ways /= np.linalg.norm(ways, axis=1, keepdims=True)
        assert np.allclose(camera.rays(seen), ways, atol=1e-9)
        assert camera.place_mm[2] > 100


def test_turning_keeps_lengths_and_the_axis() -> None:
    rotation = turned((0.6, 0.8, 0.0), 0.7)
    assert np.allclose(rotation @ rotation.T, np.eye(3))
    assert np.allclose(rotation @ [0.6, 0.8, 0], [0.6, 0.8, 0])


def test_every_style_has_ink_in_the_middle_and_body_in_the_corners() -> None:
    for style in ("symbol", "square", "disc", "full"):
        for number in range(6):
            share = symbol(style, number)
            assert share[48, 48] == 1
            assert share[0, 0] == 0
            assert 0.08 < share.mean() < 0.75


def test_made_pictures_have_their_dice_where_the_truth_says(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "tables" / "table08"
    make(folder, tmp_path / "table08", 4, np.random.default_rng(3))
    table = load_table(tmp_path / "table08")
    assert len(table.pictures) == 4
    empty = np.asarray(cv2.imread(str(tmp_path / "table08" / "empty.jpg")), np.uint8)
    finder = Finder(table.zones, focal_px(table.zones), EmptyView.from_picture(empty))
    level = found_level = leaning = told = 0
    for picture in table.pictures:
        found = finder.find(np.asarray(cv2.imread(str(picture.path)), np.uint8))
        centres = np.array([die.centre_px for die in found]).reshape(-1, 2)
        for die in picture.dice:
            if die.leaning or die.cut:
                continue
            level += 1
            found_level += bool((np.hypot(*(centres - die.centre_px).T) < 5).any())
        leaning += any(die.leaning for die in picture.dice)
        told += any("leaning_die" in die.problems for die in found) and any(
            die.leaning for die in picture.dice
        )
    assert level >= 6
    assert found_level >= 0.8 * level
    assert leaning >= 3
    assert told >= leaning - 1


def test_the_truth_beside_made_pictures_tells_which_dice_lean(shared_data: Path, tmp_path: Path) -> None:
    make(shared_data / "tables" / "table01", tmp_path / "table01", 2, np.random.default_rng(5))
    shots = json.loads((tmp_path / "table01" / "truth.json").read_text())["pictures"]
    assert shots[0]["kind"] == "empty"
    for shot in shots[1:]:
        assert (shot["kind"] == "cocked") == any(die["cocked"] for die in shot["dice"])
        assert all(die["body"] in ("white", "black") for die in shot["dice"])

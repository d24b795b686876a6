"""Dice drawn into pictures of empty tables lie where the truth says: the finder finds level ones there."""

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.evaluation.made_dice import Camera, symbol, turned
from companion.evaluation.made_pictures import make
from companion.evaluation.truth import TrueTable, load_table
from companion.vision.find import Finder
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import Zones, apply, floors, focal_px


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
    table = made(shared_data / "tables" / "table08", tmp_path / "table08", 4)
    finder = finder_of(table)
    found_of: dict[bool, list[bool]] = {True: [], False: []}
    leaning_of: dict[bool, list[bool]] = {True: [], False: []}
    for picture in table.pictures:
        found = finder.find(np.asarray(cv2.imread(str(picture.path)), np.uint8))
        centres = np.array([die.centre_px for die in found]).reshape(-1, 2)
        for die in picture.dice:
            if die.cut:
                continue
            near = np.flatnonzero(np.hypot(*(centres - die.centre_px).T) < (8 if die.leaning else 5))
            found_of[die.leaning].append(len(near) > 0)
            if len(near):
                leaning_of[die.leaning].append("leaning_die" in found[int(near[0])].problems)
    assert len(found_of[False]) >= 6
    assert np.mean(found_of[False]) >= 0.8
    # which die leans is told, and not only that one of the picture does
    assert sum(leaning_of[True]) >= 3
    assert np.mean(leaning_of[True]) >= 0.75
    assert np.mean(leaning_of[False]) <= 0.1


@pytest.mark.parametrize("die_mm", [12.0, 16.0])
def test_made_dice_are_as_large_as_the_table_s(shared_data: Path, tmp_path: Path, die_mm: float) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    for name in ("empty.jpg", "colours.jpg", "truth.json", "zones.json"):
        shutil.copy(shared_data / "tables" / "table08" / name, folder / name)
    zones = json.loads((folder / "zones.json").read_text()) | {"die_mm": die_mm}
    (folder / "zones.json").write_text(json.dumps(zones))
    make(folder, tmp_path / "made", 2, np.random.default_rng(3))
    floor = floors(Zones.from_dict(zones), focal_px(Zones.from_dict(zones)))[0]
    shots = json.loads((tmp_path / "made" / "truth.json").read_text())["pictures"]
    sides = [
        np.linalg.norm(np.diff(apply(floor.lift(die_mm)[1], np.array(die["top"][:2])), axis=0))
        for shot in shots
        for die in shot["dice"]
        if not die["cocked"] and die["zone"] == "track"
    ]
    assert sides == pytest.approx([die_mm] * len(sides), rel=0.02)
    assert sides


def made(given: Path, out: Path, pictures: int) -> TrueTable:
    make(given, out, pictures, np.random.default_rng(3))
    table = load_table(out)
    assert len(table.pictures) == pictures
    return table


def finder_of(table: TrueTable) -> Finder:
    empty = np.asarray(cv2.imread(str(table.folder / "empty.jpg")), np.uint8)
    return Finder(table.zones, focal_px(table.zones), EmptyView.from_picture(empty))


def test_the_truth_beside_made_pictures_tells_which_dice_lean(shared_data: Path, tmp_path: Path) -> None:
    make(shared_data / "tables" / "table01", tmp_path / "table01", 2, np.random.default_rng(5))
    shots = json.loads((tmp_path / "table01" / "truth.json").read_text())["pictures"]
    assert shots[0]["kind"] == "empty"
    for shot in shots[1:]:
        assert (shot["kind"] == "cocked") == any(die["cocked"] for die in shot["dice"])
        assert all(die["body"] in ("white", "black") for die in shot["dice"])

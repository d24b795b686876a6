"""What is found in photographs is scored by a truth that the finder does not see."""

import json
from pathlib import Path

import cv2
import pytest

from companion.evaluation.any_dice import AnyDie
from companion.evaluation.photographs import (
    TrueDie,
    evaluate_photographs,
    matched,
    named_bodies,
    told_photographs,
)
from companion.evaluation.truth import TruthError
from tests.evaluation.test_any_dice import BLACK, BLUE, DARK, LIGHT, RED, WHITE, photograph


def face(x: float, y: float, side: float) -> AnyDie:
    half = side / 2
    corners = (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)
    return AnyDie(corners, side, 7.0)


def test_a_face_is_one_dies_and_near_by_its_own_size_as_well() -> None:
    dice = [TrueDie(100, 100, 40, ""), TrueDie(160, 100, 40, "")]
    faces = [face(112, 100, 40), face(104, 100, 40), face(175, 100, 20)]
    assert matched(dice, faces) == [(dice[0], 1)]


def test_bodies_are_named_by_the_usual_light_of_the_face() -> None:
    bodies = [(RED, LIGHT, "red"), (BLACK, LIGHT, "black"), (WHITE, DARK, "white"), (BLUE, LIGHT, "")]
    frame = photograph([(100.0 + 120 * n, 200.0, 60.0, 0.0, 6, *one[:2]) for n, one in enumerate(bodies)])
    named = named_bodies(frame, [face(100.0 + 120 * n, 200, 60) for n in range(len(bodies))])
    assert named == [name for *_, name in bodies]
    assert named_bodies(frame, []) == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two sets of one photograph; in the first a die that is cut, in the second one that is not there."""
    first = [(150.0, 120.0, 62.0, 20.0, 1, RED, LIGHT), (400.0, 300.0, 62.0, 50.0, 4, BLACK, LIGHT)]
    second = [(200.0, 200.0, 40.0, 0.0, 2, WHITE, DARK)]
    (tmp_path / "dice_mixed_kp").mkdir()
    (tmp_path / "dice_byler_d6" / "images").mkdir(parents=True)
    assert cv2.imwrite(str(tmp_path / "dice_mixed_kp" / "53.jpg"), photograph(first))
    assert cv2.imwrite(str(tmp_path / "dice_byler_d6" / "images" / "a.jpg"), photograph(second))
    bodies = ("red", "black")
    by_hand = [{"x": one[0], "y": one[1], "body": body} for one, body in zip(first, bodies, strict=True)]
    cut = {"x": 630, "y": 10, "body": "white", "outside": True}
    truth = {
        "dice_mixed_kp/53.jpg": {"dice": [*by_hand, cut]},
        "dice_byler_d6/images/a.jpg": {"dice": [{"x": 202, "y": 199, "body": "white"}]},
    }
    boxes = [{"x0": x - 25, "y0": 175, "x1": x + 25, "y1": 225} for x in (200, 400)]
    (tmp_path / "dice_truth.json").write_text(json.dumps({"images": truth}), encoding="utf-8")
    (tmp_path / "dice_byler_d6" / "annotations_all250.json").write_text(
        json.dumps({"a.jpg": {"boxes": boxes}}), encoding="utf-8"
    )
    return tmp_path


def test_dice_found_missed_and_cut_are_counted(folder: Path) -> None:
    found = evaluate_photographs(folder)
    first, second = found["dice_mixed_kp"], found["dice_byler_d6"]
    assert (first["dice"], first["found"], first["extra"], first["all_right"]) == (2, 2, 0, 1)
    assert (first["bodies"], first["bodies_right"], first["worst"]) == (2, 2, [])
    assert (second["dice"], second["found"], second["count_right"]) == (2, 1, 0)
    assert (second["bodies"], second["bodies_right"], second["worst"]) == (1, 1, [("a.jpg", 1)])
    told = "\n".join(told_photographs(found))
    assert "dice_byler_d6: 1 photographs, 2 dice" in told
    assert "found 50.0%, made up 0 (100.0% of what is found is dice)" in told
    assert "a.jpg (1 wrong)" in told


def test_a_photograph_that_is_missing_is_told(folder: Path) -> None:
    (folder / "dice_mixed_kp" / "53.jpg").unlink()
    with pytest.raises(TruthError, match=r"53\.jpg: this picture is missing"):
        evaluate_photographs(folder)


def test_a_truth_that_can_not_be_read_is_told(folder: Path) -> None:
    (folder / "dice_truth.json").write_text("{}", encoding="utf-8")
    with pytest.raises(TruthError, match="the truth of the photographs can not be read"):
        evaluate_photographs(folder)

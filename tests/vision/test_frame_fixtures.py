"""The fixture pictures: complete, small, and what concerns the whole frame told of each as it should be."""

import numpy as np
import pytest

from companion.vision.frame import FrameModel, check_frame, look_at_frame
from companion.vision.frame_view import EmptyView
from companion.vision.reading import PROBLEMS
from companion.vision.stillness import StillnessState, StillnessWatcher
from tests.vision.frame_fixtures import CALIBRATION, FOLDER, Fixture, fixtures, load, zones_of

MAX_BYTES = 70_000
FRAME_CODES = {"too_dark", "too_bright", "light_changed", "blurred", "hand_in_view", "camera_moved"}
WHITE = (0.55, 0.55, 0.55)
"""About the white bodies' linear light at calibration on these tables."""


def model_of(table: str) -> FrameModel:
    empty = EmptyView.from_picture(load(FOLDER / table / "empty.jpg"))
    return FrameModel.prepare(empty, zones_of(table))


def turning() -> list[Fixture]:
    return [fixture for fixture in fixtures() if fixture.name.startswith("turning_")]


@pytest.mark.parametrize("fixture", fixtures(), ids=str)
def test_of_the_whole_frame_exactly_its_problems_are_told(fixture: Fixture) -> None:
    model = model_of(fixture.table)
    look = look_at_frame(load(fixture.path), model)
    scale = model.anchors.px_per_mm * model.zones.size_px[0] / model.anchors.view_px[0]
    reach = model.zones.die_mm * scale / 2
    around = [(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)]
    faces = [[(die["centre_px"][0] + x, die["centre_px"][1] + y) for x, y in around] for die in fixture.dice]
    assert set(check_frame(look, model, faces, WHITE)) == FRAME_CODES & set(fixture.problems)


def test_a_die_that_turns_in_place_is_moving() -> None:
    frames = [load(fixture.path) for fixture in turning()]
    watcher = StillnessWatcher(model_of(turning()[0].table))
    verdicts = [watcher.feed(frame, number / 30) for number, frame in enumerate(frames * 3)]
    assert all(verdict.problems == ("moving",) for verdict in verdicts[1:])


def test_the_same_frame_again_and_again_with_noise_is_still() -> None:
    frame = load(turning()[0].path)
    watcher = StillnessWatcher(model_of(turning()[0].table))
    states = []
    for number in range(5):
        noise = np.random.default_rng(number).normal(0, 2, frame.shape)
        verdict = watcher.feed(np.clip(frame + noise, 0, 255).astype(np.uint8), number / 30)
        assert verdict.problems == ()
        states.append(verdict.state)
    assert states[-1] is StillnessState.STILL


@pytest.mark.parametrize("code", [code for code in PROBLEMS if code != "moving"])
def test_each_code_has_a_picture_that_raises_it_and_a_near_miss(code: str) -> None:
    assert any(code in fixture.problems for fixture in fixtures())
    assert any(code in fixture.near_miss_of for fixture in fixtures())


def test_frames_that_move_are_there() -> None:
    assert len(turning()) >= 3


def test_each_picture_has_its_reading_and_each_table_its_calibration() -> None:
    for folder in sorted(path for path in FOLDER.iterdir() if path.is_dir()):
        pictures = {path.stem for path in folder.glob("*.jpg")}
        told = {path.stem for path in folder.glob("*.json")} - {"zones"}
        assert set(CALIBRATION) <= pictures
        assert pictures - set(CALIBRATION) == told
        assert (folder / "zones.json").exists()


@pytest.mark.parametrize("fixture", fixtures(), ids=str)
def test_codes_are_known_and_pictures_small(fixture: Fixture) -> None:
    assert set(fixture.problems) | set(fixture.near_miss_of) <= set(PROBLEMS)
    assert not (fixture.problems and fixture.near_miss_of)
    assert fixture.shows
    assert fixture.path.stat().st_size <= MAX_BYTES

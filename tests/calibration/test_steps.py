"""The steps of a calibration: what is wanted when, refused out of order, and the same end by all ways."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from calibration import CalibrationRefused, Settings, Setup, Step, calibrate
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.renderer import Conditions, render
from companion.devices.simulated.scene import Scene, fresh_dice
from companion.vision.geometry import Zones, ZonesError
from companion.vision.profile import Profile
from tests.vision.frame_fixtures import FOLDER, load, zones_of

Pictures = tuple[Zones, np.ndarray, np.ndarray]


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    """Zones, the empty table, and six dice of six colours on it."""
    pose = Pose()
    rng = np.random.default_rng(5)
    conditions = Conditions(pose=pose)
    return pose.zones(), render(Scene(), conditions, rng), render(Scene(fresh_dice()), conditions, rng)


def test_each_step_asks_for_the_next(pictures: Pictures) -> None:
    zones, empty, colours = pictures
    setup = Setup()
    seen = [setup.next_step]
    ways: tuple[Callable[[Setup], Setup], ...] = (
        lambda now: now.with_zones(zones),
        lambda now: now.with_empty(empty),
        lambda now: now.with_colours(colours),
    )
    for given in ways:
        setup = given(setup)
        seen.append(setup.next_step)
    assert seen == [Step.ZONES, Step.EMPTY, Step.COLOURS, Step.DONE]
    assert all(step.advice.endswith(".") for step in Step)
    assert len(setup.top_faces_px) == 6


def test_all_at_once_is_the_same(pictures: Pictures) -> None:
    zones, empty, colours = pictures
    settings = Settings("2024-05-01T12:00:00+00:00", {"ExposureTime": 12000})
    profile = calibrate(zones, empty, colours, settings)
    stepped = Setup().with_zones(zones).with_empty(empty).with_colours(colours).profile(settings)
    assert profile == stepped
    assert Profile.from_json(profile.to_json()).faces == profile.faces
    assert profile.controls == {"ExposureTime": 12000}
    assert {ink.name for ink in profile.faces.inks} == {"red", "orange", "yellow", "green", "blue", "purple"}


def test_names_a_person_corrects(pictures: Pictures) -> None:
    zones, empty, colours = pictures
    setup = Setup().with_zones(zones).with_empty(empty).with_colours(colours)
    assert setup.lesson is not None
    names = list(setup.lesson.names)
    first, second = names.index("blue"), names.index("purple")
    names[first], names[second] = names[second], names[first]
    corrected = setup.with_names(names)
    assert corrected.lesson is not None
    assert corrected.lesson.names == tuple(names)


def test_new_zones_begin_anew(pictures: Pictures) -> None:
    zones, empty, _ = pictures
    assert Setup().with_zones(zones).with_empty(empty).with_zones(zones).next_step is Step.EMPTY


def test_steps_out_of_order_are_refused(pictures: Pictures) -> None:
    zones, empty, colours = pictures
    for early in (
        lambda: Setup().with_empty(empty),
        lambda: Setup().with_zones(zones).with_colours(colours),
        lambda: Setup().with_zones(zones).with_names([]),
        lambda: Setup().profile(),
    ):
        with pytest.raises(CalibrationRefused, match="comes first") as refused:
            early()
        assert refused.value.code == "wrong_step"


@pytest.mark.parametrize(("level", "code"), [(0, "too_dark"), (255, "light_clips")])
def test_a_picture_black_or_white_all_over(pictures: Pictures, level: int, code: str) -> None:
    zones, empty, _ = pictures
    with pytest.raises(CalibrationRefused) as refused:
        Setup().with_zones(zones).with_empty(np.full_like(empty, level))
    assert refused.value.code == code


def test_a_picture_of_another_shape(pictures: Pictures) -> None:
    zones, empty, _ = pictures
    with pytest.raises(ZonesError, match="same shape"):
        Setup().with_zones(zones).with_empty(np.ascontiguousarray(empty[:, ::2]))


@pytest.mark.parametrize("left", range(6))
def test_a_die_that_was_left_on_the_empty_table_is_told(pictures: Pictures, left: int) -> None:
    zones, _, colours = pictures
    die = replace(fresh_dice()[left], x_mm=20.0, y_mm=76.0)
    not_empty = render(Scene((die,)), Conditions(pose=Pose()), np.random.default_rng(left))
    with pytest.raises(CalibrationRefused) as refused:
        Setup().with_zones(zones).with_empty(not_empty).with_colours(colours)
    assert refused.value.code == "table_not_empty"


def test_dice_on_the_empty_table_and_none_later_are_pictures_given_the_wrong_way_round(
    pictures: Pictures,
) -> None:
    zones, empty, colours = pictures
    with pytest.raises(CalibrationRefused) as refused:
        Setup().with_zones(zones).with_empty(colours).with_colours(empty)
    assert refused.value.code == "pictures_swapped"


MOVES = {
    "along the table": Pose(x_mm=110.0),
    "turned": Pose(turn_rad=math.radians(6.0)),
    "tilted": Pose(pitch_rad=math.radians(11.0)),
    "raised": Pose(z_mm=440.0),
}


@pytest.mark.parametrize("moved", MOVES.values(), ids=MOVES)
def test_a_camera_that_was_moved_between_the_two_pictures(pictures: Pictures, moved: Pose) -> None:
    zones, empty, _ = pictures
    colours = render(Scene(fresh_dice()), Conditions(pose=moved), np.random.default_rng(3))
    with pytest.raises(CalibrationRefused, match="take both again") as refused:
        Setup().with_zones(zones).with_empty(empty).with_colours(colours)
    assert refused.value.code == "camera_moved"


def test_a_track_that_fills_the_picture(pictures: Pictures) -> None:
    """Nothing around it tells whether the camera moves, so that every reading would say that it did."""
    zones, empty, colours = pictures
    height, width = empty.shape[:2]
    corners = ((4.0, 4.0), (width - 4.0, 4.0), (width - 4.0, height - 4.0), (4.0, height - 4.0))
    filling = replace(zones, track_px=corners, reserve_px=None, tower_px=None)
    with pytest.raises(CalibrationRefused, match="move it back") as refused:
        Setup().with_zones(filling).with_empty(empty).with_colours(colours)
    assert refused.value.code == "too_little_around"


def test_a_camera_that_was_hardly_touched_between_them(pictures: Pictures) -> None:
    zones, empty, _ = pictures
    nudged = Pose(x_mm=Pose().x_mm + 0.5, turn_rad=Pose().turn_rad + math.radians(0.1))
    colours = render(Scene(fresh_dice()), Conditions(pose=nudged), np.random.default_rng(3))
    assert Setup().with_zones(zones).with_empty(empty).with_colours(colours).next_step is Step.DONE


@pytest.mark.parametrize(
    ("empty_of", "colours_of"), [("red_felt", "black_floor"), ("black_floor", "red_felt")]
)
def test_pictures_of_two_tables(empty_of: str, colours_of: str) -> None:
    empty, colours = load(FOLDER / empty_of / "empty.jpg"), load(FOLDER / colours_of / "colours.jpg")
    with pytest.raises(CalibrationRefused) as refused:
        Setup().with_zones(zones_of(empty_of)).with_empty(empty).with_colours(colours)
    assert refused.value.code == "camera_moved"


@pytest.mark.parametrize(("instead_of", "shown"), [("red", "orange"), ("yellow", "green")])
def test_a_colour_shown_twice_is_not_learned_as_another_under_a_veil(
    pictures: Pictures, instead_of: str, shown: str
) -> None:
    zones, empty, _ = pictures
    colours = tuple(shown if die.colour == instead_of else die.colour for die in fresh_dice())
    twice = render(Scene(fresh_dice(colours)), Conditions(pose=Pose()), np.random.default_rng(1))
    with pytest.raises(CalibrationRefused) as refused:
        Setup().with_zones(zones).with_empty(empty).with_colours(twice)
    assert refused.value.code in ("names_unclear", "colours_too_close")

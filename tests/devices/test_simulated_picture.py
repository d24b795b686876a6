"""The drawn picture obeys what real ones obey: geometry, light, shadow, noise."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from companion.devices.simulated import handling, layout
from companion.devices.simulated.dice_rays import die_image
from companion.devices.simulated.light import Lamp, Patch, shadow_on, visible_share
from companion.devices.simulated.mischief import CameraState, LampState, Mischief, conditions_of
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.renderer import Conditions, light_of, render
from companion.devices.simulated.scene import Place, Scene, SceneDie, fresh_dice
from companion.devices.simulated.sensor import Sensor, develop
from companion.game.dice import Body

POSE = Pose()
FLOAT = npt.NDArray[np.float64]


def at(
    picture: npt.NDArray[np.float32] | npt.NDArray[np.uint8], place_mm: tuple[float, float, float]
) -> FLOAT:
    """Mean B G R of the 5 × 5 pixels around the place where a point of the table is seen."""
    x, y = np.round(POSE.project(np.array([place_mm]))[0]).astype(int)
    return np.asarray(picture[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3).mean(axis=0), dtype=np.float64)


def single(die: SceneDie) -> Scene:
    return Scene((die,))


def test_axes_are_a_rotation_seen_in_a_mirror_free_picture() -> None:
    axes = POSE.axes()
    assert np.allclose(axes @ axes.T, np.eye(3))
    # x to the right and y down in the picture, as on the table.
    assert axes[0, 0] > 0.9
    assert axes[1, 1] > 0.9
    assert axes[2, 2] < -0.9


def test_rays_go_back_to_where_points_are_seen() -> None:
    points = np.array([[0.0, 0, 0], [220, 150, 0], [110, 75, 16], [50, -80, 7]])
    pixels = POSE.project(points)
    rays = POSE.rays(pixels)
    towards = points - POSE.place_mm()
    assert np.allclose(rays, towards / np.linalg.norm(towards, axis=1, keepdims=True))


def test_everything_marked_is_in_the_picture() -> None:
    zones = POSE.zones()
    zones.check()
    for quad in (zones.track_px, zones.reserve_px, *zones.holders_px):
        assert quad is not None
        corners = np.array(quad)
        assert (corners > 0).all()
        assert (corners < [POSE.width_px, POSE.height_px]).all()


@pytest.mark.parametrize("lean", [0.0, 0.5])
def test_a_die_is_drawn_within_the_outline_of_its_corners(lean: float) -> None:
    die = SceneDie(Body.WHITE, "red", Place.TRACK, 60, 60, 0.4, lean, 1.0)
    floor = np.zeros(3, np.float32)
    image = die_image(die, (), POSE, Lamp(), floor)
    assert image is not None
    corners = POSE.project(die.box().corners_mm())
    rows, columns = np.nonzero(image.coverage > 0.5)
    assert corners[:, 0].min() - 1 < image.left_px + columns.min()
    assert image.left_px + columns.max() < corners[:, 0].max() + 1
    assert corners[:, 1].min() - 1 < image.top_px + rows.min()
    assert image.top_px + rows.max() < corners[:, 1].max() + 1
    # Rounding the edges takes little off: most of the outline's box is filled.
    assert image.coverage.sum() > 0.5 * np.ptp(corners[:, 0]) * np.ptp(corners[:, 1])


@pytest.mark.parametrize(("colour", "strongest"), [("red", 2), ("green", 1), ("blue", 0)])
@pytest.mark.parametrize("body", list(Body))
def test_the_top_face_shows_its_colour(colour: str, strongest: int, body: Body) -> None:
    light = light_of(single(SceneDie(body, colour, Place.TRACK, 120, 80, 0.3)), Conditions())
    assert int(at(light, (120, 80, layout.DIE_MM)).argmax()) == strongest


def test_black_bodies_are_dark_and_white_ones_bright() -> None:
    def body_light(body: Body) -> float:
        light = light_of(single(SceneDie(body, "green", Place.TRACK, 120, 80, 0.0)), Conditions())
        return float(at(light, (120 - 6.5, 80 - 6.5, layout.DIE_MM)).mean())

    assert body_light(Body.WHITE) > 8 * body_light(Body.BLACK)


def test_a_die_throws_its_shadow_away_from_the_lamp() -> None:
    die = SceneDie(Body.WHITE, "green", Place.TRACK, 110, 75, 0.0)
    lamp = Lamp(place_mm=(-300.0, 75.0, 500.0), radius_mm=20.0)
    conditions = Conditions(lamp=lamp)
    bare, with_die = light_of(Scene(), conditions), light_of(single(die), conditions)
    in_shadow, lit = (110 + 8 + 7, 75, 0.0), (110 - 8 - 14, 75, 0.0)
    assert at(with_die, in_shadow).mean() < 0.6 * at(bare, in_shadow).mean()
    assert at(with_die, lit).mean() > 0.9 * at(bare, lit).mean()


def test_shadows_are_soft_at_their_rim() -> None:
    floor = Patch(np.zeros(3), np.array([200.0, 0, 0]), np.array([0, 200.0, 0]), np.array([0.0, 0, 1]), 2.0)
    post = layout.upright_box(90, 90, 110, 110, 60)
    hidden = shadow_on(floor, [post], Lamp(place_mm=(100, -300, 400), radius_mm=60).points_mm(32))
    along = hidden[:, 200]
    assert along.max() == 1.0
    partly = ((along > 0.05) & (along < 0.95)).sum() / floor.px_per_mm
    assert 5 < partly < 40


def test_both_ways_of_finding_shadows_agree() -> None:
    post = layout.upright_box(90, 90, 110, 110, 60)
    floor = Patch(np.zeros(3), np.array([200.0, 0, 0]), np.array([0, 200.0, 0]), np.array([0.0, 0, 1]), 1.0)
    sources = Lamp(place_mm=(20, -150, 500)).points_mm(16)
    points, grid = floor.points_mm()
    seen = visible_share(points, [post], sources).reshape(grid)
    outside = np.ones(grid, dtype=bool)
    outside[90:110, 90:110] = False
    assert np.abs(1 - seen - shadow_on(floor, [post], sources))[outside].mean() < 0.004


def test_a_point_under_the_lamp_counts_as_one() -> None:
    strength = Lamp().strength(np.array([[110.0, 60, 0], [110, 60, 16]]), np.array([0.0, 0, 1]))
    assert strength[0] == pytest.approx(1)
    assert strength[1] > 1


def test_noise_is_new_in_each_picture_and_grows_with_light() -> None:
    grey = np.full((60, 80, 3), 0.4, np.float32)
    dark = np.full((60, 80, 3), 0.02, np.float32)
    rng = np.random.default_rng(1)
    sensor = Sensor(blur_px=0)
    one, other = develop(grey, sensor, rng), develop(grey, sensor, rng)
    assert one.dtype == np.uint8
    assert (one != other).any()

    def noise(light: npt.NDArray[np.float32]) -> float:
        middle = develop(light, replace(sensor, corner_frac=1.0), rng).astype(float) / 255
        return float((middle**2.2).std())

    assert noise(grey) > 1.5 * noise(dark)


def test_corners_are_darker_than_the_middle() -> None:
    picture = develop(np.full((60, 80, 3), 0.5, np.float32), Sensor(), np.random.default_rng(1))
    assert picture[:4, :4].mean() < 0.95 * picture[28:32, 38:42].mean()


def test_no_picture_clips_much_under_the_calibrated_lamp() -> None:
    picture = render(Scene(fresh_dice()), Conditions(), np.random.default_rng(1))
    assert (picture.max(axis=2) == 255).mean() < 0.001
    assert picture.shape == (POSE.height_px, POSE.width_px, 3)


def test_lamp_states_change_the_light_as_they_say() -> None:
    def white(lamp: LampState) -> FLOAT:
        conditions = conditions_of(Mischief(lamp=lamp), POSE)
        return at(light_of(Scene(), conditions), (30, 190, 0.0))

    normal = white(LampState.NORMAL)
    assert white(LampState.DIM).mean() < 0.75 * normal.mean()
    assert white(LampState.OFF).mean() < 0.3 * normal.mean()
    assert white(LampState.BRIGHT).mean() > 1.3 * normal.mean()
    warm, cold = white(LampState.WARM), white(LampState.COLD)
    assert warm[2] / warm[0] > 1.3 * normal[2] / normal[0]
    assert cold[2] / cold[0] < 0.8 * normal[2] / normal[0]


def test_a_bumped_camera_sees_the_track_elsewhere() -> None:
    corner = np.array([[0.0, 0, 0]])
    nudged = conditions_of(Mischief(camera=CameraState.NUDGED), POSE).pose.project(corner)
    bumped = conditions_of(Mischief(camera=CameraState.BUMPED), POSE).pose.project(corner)
    home = POSE.project(corner)
    assert 1 < np.linalg.norm(nudged - home) < 10
    assert np.linalg.norm(bumped - home) > 40


def test_the_hand_covers_part_of_the_track() -> None:
    bare = light_of(Scene(), Conditions())
    with_hand = light_of(Scene(), Conditions(hand=True))
    palm = (146.0, 150.0, 48.0)
    assert np.abs(at(with_hand, palm) - at(bare, palm)).max() > 0.05
    assert np.allclose(at(with_hand, (20, 20, 0)), at(bare, (20, 20, 0)), atol=0.01)


def test_the_nearer_die_covers_the_farther_one() -> None:
    low = SceneDie(Body.WHITE, "red", Place.TRACK, 200, 140, 0.0)
    rng = np.random.default_rng(4)
    scene = handling.throw(Scene((low, *fresh_dice()[1:])), range(1, 6), rng, touch_share=1.0)
    light = light_of(scene, Conditions())
    for die in scene.dice:
        centre = (die.x_mm, die.y_mm, layout.DIE_MM)
        alone = light_of(single(die), Conditions())
        assert at(light, centre).argmax() == at(alone, centre).argmax(), "another die covers its middle"

"""The sheet: zones upright and to scale, whatever the camera's place; what has changed, and nothing else."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.devices.simulated.scene import Scene, fresh_dice
from companion.vision.find_scene import light_gain, noise_curve, planes_of
from companion.vision.find_sheet import make_sheet
from companion.vision.frame_view import halvings
from companion.vision.geometry import apply
from tests.vision.finder_scenes import POSE, draw, finder, sheet_of, true_places


def test_a_scene_shows_its_zone_upright_and_to_scale() -> None:
    plan = finder().plan
    for index, window in enumerate(plan.windows):
        frame = np.zeros((POSE.height_px, POSE.width_px, 3), np.uint8)
        x, y = (
            round(value - 0.5) for value in apply(window.floor.plane_to_px(plan.die_mm), [[50.0, 20.0]])[0]
        )
        frame[y - 3 : y + 4, x - 3 : x + 4] = 255
        scene = make_sheet([frame], plan, np.eye(3)).scenes()[index]
        rows, columns = np.nonzero(scene.view.image[..., 0] > 128)
        seen = np.array([[columns.mean() + 0.5, rows.mean() + 0.5]])
        assert np.abs(scene.view.view_to_mm(seen)[0] - (50, 20)).max() < 0.5
        assert np.allclose(scene.view.mm_to_view(scene.view.view_to_mm(seen)), seen)
        assert np.abs(apply(scene.view.to_px, seen)[0] - (x + 0.5, y + 0.5)).max() < 1


def test_a_picture_of_another_size_or_place_gives_the_same_sheet() -> None:
    frame = draw(Scene(fresh_dice()))
    plan = finder().plan
    shift = np.array([[1, 0, 11.0], [0, 1, -7.0], [0, 0, 1]])
    moved = cv2.warpAffine(frame, shift[:2], (POSE.width_px, POSE.height_px))
    larger = cv2.resize(frame, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    plain = make_sheet([frame], plan, np.eye(3)).layers[..., :3]
    for other, matrix in ((moved, shift), (larger, np.diag([2.0, 2.0, 1.0]))):
        there = make_sheet(halvings(np.asarray(other, np.uint8)), plan, matrix).layers[..., :3]
        assert np.abs(there - plain).mean() < 1.5


def test_of_a_frame_halved_the_last_that_shows_enough_is_taken() -> None:
    plan = finder().plan
    frame = draw(Scene(fresh_dice()))
    grey = np.full_like(frame, 128)
    fine = cv2.resize(frame, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    levels = halvings(np.asarray(fine, np.uint8))
    assert [level.shape[1] for level in levels[:3]] == [4096, 2048, 1024]
    scale = plan.frame_px_per_px(np.eye(3))
    assert 1 < scale < 2
    plain = make_sheet([frame], plan, np.eye(3)).layers[..., :3]
    there = make_sheet(
        [grey.repeat(4, 0).repeat(4, 1), grey.repeat(2, 0).repeat(2, 1), *levels[2:]],
        plan,
        np.diag([4.0, 4.0, 1.0]),
    )
    assert np.abs(there.layers[..., :3] - plain).mean() < 1.5


def test_only_what_lies_on_the_table_has_changed_in_any_light() -> None:
    dice = Scene(fresh_dice())
    sheet = sheet_of(dice)
    at_dice = np.zeros(sheet.layers.shape[:2], np.bool_)
    for x, y, _ in true_places(dice):
        column, row = (round(value * sheet.plan.px_per_mm) for value in (x, y))
        assert sheet.layers[row - 4 : row + 5, column - 4 : column + 5, 3].mean() > 1.5
        at_dice[max(row - 80, 0) : row + 81, max(column - 80, 0) : column + 81] = True
    for light in (0.5, 1.0, 1.4):
        dim = np.clip(draw(Scene(), noise=3) * light, 0, 255).astype(np.uint8)
        empty = finder().sheet(dim)
        assert np.percentile(empty.layers[..., 3], 90) < 0.7
        assert empty.gains[0] == pytest.approx(np.full(3, light), rel=0.05)
    assert np.percentile(sheet.layers[..., 3][~at_dice], 90) < 0.7


def test_noise_is_measured_by_brightness() -> None:
    ramp = np.tile(np.linspace(20, 235, 400), (300, 1))
    deviation = 1 + ramp / 60
    grain = np.random.default_rng(0).normal(0, 1, ramp.shape)
    image = np.clip(ramp + grain * deviation, 0, 255)
    colour = np.repeat(image[..., None], 3, axis=2).astype(np.uint8)
    curve = noise_curve(colour, np.asarray(cv2.GaussianBlur(colour, (9, 9), 3), np.uint8))
    for level in (40, 120, 210):
        assert curve[level] == pytest.approx(1 + level / 60, rel=0.25)


def test_gain_is_told_though_half_of_the_zone_is_covered() -> None:
    rng = np.random.default_rng(0)
    empty = rng.integers(60, 120, (120, 160, 3)).astype(np.uint8)
    now = (empty * 0.8).astype(np.uint8)
    now[:50] = 240
    assert light_gain(planes_of(now), planes_of(empty)) == pytest.approx(np.full(3, 0.8), rel=0.05)


def test_the_base_appears_where_the_camera_sees_it() -> None:
    plan = finder().plan
    sheet = sheet_of(Scene())
    for window in plan.windows:
        width, height = window.floor.size_mm
        for place in ((10.0, 10.0), (width - 10, height - 10), (width / 3, height / 2)):
            base = apply(window.floor.lift(plan.die_mm)[1], apply(window.floor.plane_to_px(0.0), [place]))[0]
            on_sheet = np.array([place]) + window.corner_mm
            assert np.abs(sheet.depth_mm(on_sheet)[0] - (base - place)).max() < 0.35


def test_a_place_belongs_to_the_window_it_lies_in() -> None:
    plan = finder().plan
    corners = np.array([window.corner_mm + 1 for window in plan.windows])
    assert plan.window_of(corners).tolist() == list(range(len(plan.windows)))


def test_true_places_are_those_of_the_table() -> None:
    scene = Scene(fresh_dice())
    turned = scene.with_die(0, replace(scene.dice[0], yaw_rad=scene.dice[0].yaw_rad + 0.2))
    moved = true_places(turned) - true_places(scene)
    assert abs(moved[0, 2]) == pytest.approx(0.2, abs=0.01)
    assert np.abs(moved[1:]).max() < 1e-9

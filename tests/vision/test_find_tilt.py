"""The second look: cubes appear where the camera sees them, and a leaning one explains a die that leans."""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.devices.simulated.scene import Place, Scene, SceneDie, fresh_dice
from companion.evaluation.made_dice import Camera, turned
from companion.game.dice import Body
from companion.vision import find_tilt
from companion.vision.find_cubes import POSE, TOP, eye_mm, rotations, spans, visible_faces
from companion.vision.find_lean import LEANS_FROM
from companion.vision.find_sheet import Sheet
from companion.vision.find_tilt import LOOKS_FROM, WITNESSES, leaning_dice, tilt_odds, tilt_witnesses
from companion.vision.find_tilt_weights import WEIGHTS
from companion.vision.geometry import apply
from tests.vision.finder_scenes import draw, finder

LEVEL = Scene(fresh_dice())


def on_sheet(sheet: Sheet) -> npt.NDArray[np.float64]:
    return finder().on_sheet(finder().spots(sheet, sheet.scenes()))


def one_die(body: Body = Body.BLACK, lean_rad: float = 0.0, lean_to_rad: float = 0.0) -> Scene:
    return Scene(
        (SceneDie(body, "green", Place.TRACK, 70.0, 60.0, 0.4, lean_rad=lean_rad, lean_to_rad=lean_to_rad),)
    )


def test_a_turn_is_about_an_axis_on_the_floor() -> None:
    poses = np.array([[0, 0, 0.3, 1.1, 0.5], [9, 9, -1.0, 4.0, 0.2]])
    for pose, axes in zip(poses, rotations(poses), strict=True):
        tip = turned((np.cos(pose[3]), np.sin(pose[3]), 0), pose[4])
        assert np.allclose(axes, tip @ turned((0, 0, 1), pose[2]))


@pytest.mark.parametrize("tilt", [0.0, 0.3, 0.7])
def test_faces_appear_where_the_camera_sees_them(tilt: float) -> None:
    """Corners of the cube, lifted back to the floor's millimetres, are projected as the made pictures do."""
    window = finder().plan.windows[0]
    camera, die_mm = Camera(window.floor), finder().plan.die_mm
    eye = eye_mm(window.floor)
    assert np.allclose(eye, camera.place_mm)
    pose = np.array([[60.0, 40.0, 0.3, 1.0, tilt]])
    faces, seen = visible_faces(pose, eye, die_mm, np.eye(3))
    to_sheet = np.asarray(np.linalg.inv(faces[:, :, TOP, 0].T), np.float64)
    axes = rotations(pose)[0]
    high = die_mm / 2 * np.abs(axes[2]).sum()
    assert seen[TOP, 0]
    top_to_px = window.floor.plane_to_px(die_mm)
    corners = apply(top_to_px, apply(to_sheet, ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))))
    middle = apply(top_to_px, apply(to_sheet, ((0.0, 0.0),)))
    assert np.allclose(middle, apply(top_to_px, pose[:, :2]))
    # the same face, by where its middle is above the floor
    up = high + die_mm / 2 * axes[2, 2]
    ground = eye[:2] + (pose[0, :2] - eye[:2]) * (eye[2] - up) / (eye[2] - die_mm)
    points = np.append(ground, up) + die_mm / 2 * np.array(
        [a * axes[:, 0] + b * axes[:, 1] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    )
    projected = camera.project(points)
    assert np.hypot(*(corners[:, None] - projected).T).min(axis=0) == pytest.approx(0, abs=1e-6)


def test_a_level_cube_stands_on_its_base() -> None:
    sheet = finder().sheet(draw(LEVEL))
    spots = on_sheet(sheet)
    window = sheet.plan.windows[0]
    spots = spots[sheet.zone_of(spots) == 0]
    poses = np.column_stack([spots[:, :3], np.zeros((len(spots), POSE - 3))])
    eye = eye_mm(window.floor) + np.append(window.corner_mm, 0)
    faces, _ = visible_faces(poses, eye, sheet.die_mm, np.eye(3))
    maps = np.asarray(np.linalg.inv(faces.transpose(3, 2, 1, 0)), np.float64)
    bases = sheet.depth_mm(spots)
    for each, base in zip(maps, bases, strict=True):
        # half a die below the middles of both sides is the outline of the base
        top = apply(each[TOP], ((0.0, 0.0),))[0]
        below = [apply(side, ((0.0, -0.5),))[0] for side in each[:TOP]]
        above = [apply(side, ((0.0, 0.5),))[0] for side in each[:TOP]]
        for low, high in zip(below, above, strict=True):
            assert np.allclose(low - high, base, atol=0.6)
            assert np.hypot(*(high - top)) == pytest.approx(sheet.die_mm / 2, abs=0.01)


def test_a_face_covers_the_pixels_that_lie_in_it() -> None:
    """Row by row as pixel by pixel, on a grid that ends within some of the dice."""
    rng = np.random.default_rng(5)
    poses = np.column_stack(
        [rng.uniform(40, 70, (40, 2)), rng.uniform(-3, 3, (40, 2)), rng.uniform(0, 0.8, 40)]
    )
    # along the rows, and level
    poses[0, 2:] = 0
    poses[1:4, 4] = 0
    side, step_mm, halves = 40, 0.9, np.array([0.5, 0.4])
    to_mm = np.array([[step_mm, 0, 40], [0, step_mm, 38], [0, 0, 1]])
    faces, seen = visible_faces(poses, np.array([90.0, 10.0, 350.0]), 16.0, to_mm)
    first, end = spans(faces, seen, halves, side)
    rows, columns = np.mgrid[:side, :side]
    pixels = np.stack([columns, rows, np.ones_like(rows)]).astype(np.float64)
    u, v, ahead = np.einsum("cofm,cyx->ofmyx", faces, pixels)
    inside = np.maximum(np.abs(u), np.abs(v)) <= halves[:, None, None, None, None] * ahead
    inside &= seen[:, :, None, None]
    first, end = (one.transpose(1, 2, 3, 0)[..., None] for one in (first, end))
    covered = (columns >= first) & (columns < end)
    assert inside.any()
    assert not inside.all()
    assert np.array_equal(covered, inside)


def test_there_is_a_weight_for_each_witness() -> None:
    sheet = finder().sheet(draw(one_die()))
    assert len(WEIGHTS) == len(WITNESSES)
    assert tilt_witnesses(sheet, on_sheet(sheet), 0, 0.0).shape == (len(WITNESSES),)


def test_what_is_surely_level_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_tilt, "tilt_odds", lambda *_: pytest.fail("looked at again"))
    sheet = finder().sheet(draw(LEVEL))
    spots = on_sheet(sheet)
    assert not leaning_dice(sheet, spots, np.full(len(spots), LOOKS_FROM)).any()


@pytest.mark.parametrize("turn", [0.0, 0.4, 0.8])
def test_level_dice_are_explained_by_level_cubes(turn: float) -> None:
    """Whatever doubt the first look left."""
    scene = LEVEL
    for index, die in enumerate(scene.dice):
        scene = scene.with_die(index, replace(die, yaw_rad=turn + 0.1 * index))
    sheet = finder().sheet(draw(scene, noise=4))
    spots = on_sheet(sheet)
    assert max(tilt_odds(sheet, spots, which, 0.0) for which in range(len(spots))) < 0


@pytest.mark.parametrize("towards_deg", [20.0, 110.0, 200.0, 290.0])
@pytest.mark.parametrize("lean_deg", [22.0, 36.0])
@pytest.mark.parametrize("body", [Body.WHITE, Body.BLACK])
def test_leaning_dice_are_explained_by_leaning_cubes(body: Body, lean_deg: float, towards_deg: float) -> None:
    sheet = finder().sheet(draw(one_die(body, np.radians(lean_deg), np.radians(towards_deg)), noise=5))
    spots = on_sheet(sheet)
    assert tilt_odds(sheet, spots[:1], 0, 0.0) > 0


@pytest.mark.parametrize("side", range(4))
def test_a_gleam_along_an_edge_is_no_raised_side(side: int) -> None:
    frame = draw(one_die(), noise=6)
    die = finder().find(frame)[0]
    corners = np.array(die.top_px)
    middle = corners.mean(axis=0)
    start, end = (middle + (corners[(side + k) % 4] - middle) * 0.9 for k in (0, 1))
    gleam = frame.copy()
    ends = [
        tuple(np.rint(16 * (one * 0.85 + other * 0.15)).astype(int).tolist())
        for one, other in ((start, end), (end, start))
    ]
    cv2.line(gleam, ends[0], ends[1], (150, 150, 150), 2, cv2.LINE_AA, 4)
    sheet = finder().sheet(gleam)
    spots = on_sheet(sheet)
    assert not leaning_dice(sheet, spots, np.full(len(spots), LEANS_FROM + 0.5)).any()


@pytest.mark.parametrize("shade", [255, 90, 3])
def test_a_face_without_any_ink_is_judged_all_the_same(shade: int) -> None:
    """Glare or gloom may hide a symbol altogether, and all that is around."""
    frame = draw(one_die())
    top = np.array(finder().find(frame)[0].top_px)
    middle = top.mean(axis=0)
    cv2.fillConvexPoly(frame, np.rint(middle + 3 * (top - middle)).astype(np.int32), (shade, shade, shade))
    sheet = finder().sheet(frame)
    spots = on_sheet(finder().sheet(draw(one_die())))[:1]
    assert np.isfinite(tilt_odds(sheet, spots, 0, 0.0))


def test_a_die_that_others_hide_altogether_is_judged_all_the_same() -> None:
    sheet = finder().sheet(draw(one_die()))
    spots = np.repeat(on_sheet(sheet)[:1], 2, axis=0)
    assert np.isfinite(tilt_odds(sheet, spots, 0, 0.0))


@pytest.mark.parametrize("first", [-0.9, 0.0, 1.0, 1.4, 1.6, 3.0, 6.0])
def test_what_both_looks_say_is_added_up(first: float) -> None:
    for scene in (LEVEL, one_die(Body.WHITE, np.radians(25), 1.0)):
        sheet = finder().sheet(draw(scene, noise=5))
        spots = on_sheet(sheet)
        odds = np.array([first + tilt_odds(sheet, spots, which, first) for which in range(len(spots))])
        told = leaning_dice(sheet, spots, np.full(len(spots), first))
        assert told.tolist() == (odds > LEANS_FROM).tolist()


def test_what_is_hardly_a_face_is_judged_by_the_first_look() -> None:
    """It may be what looks out from under another die: no level cube is seen there either."""
    sheet = finder().sheet(draw(LEVEL))
    spots = on_sheet(sheet)
    spots[:, 3] = 2.0
    assert leaning_dice(sheet, spots, np.full(len(spots), LEANS_FROM + 0.1)).all()


@pytest.mark.parametrize("lean_deg", [0.0, 16.0, 25.0])
@pytest.mark.parametrize("body", [Body.WHITE, Body.BLACK])
def test_a_last_bit_does_not_turn_the_verdict(body: Body, lean_deg: float) -> None:
    """Another processor rounds otherwise, and moves a die by some thousandth of a millimetre."""
    sheet = finder().sheet(draw(one_die(body, np.radians(lean_deg), 0.5), noise=5))
    spots = on_sheet(sheet)[:1]
    rng = np.random.default_rng(2)
    odds = []
    for _ in range(12):
        moved = spots.copy()
        moved[0, :3] += rng.normal(0, (0.003, 0.003, 1e-4))
        odds.append(tilt_odds(sheet, moved, 0, 0.0))
    assert np.ptp(odds) < 0.5

"""A moved camera: small movements are measured and undone, large ones told."""

import math

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.vision.frame_view import small_view
from companion.vision.geometry import apply
from companion.vision.registration import MAX_SHIFT_MM, Registration, register
from tests.vision.frame_scenes import POSE, Frame, dice_picture, draw, empty, model, zones

Matrix = npt.NDArray[np.float64]
SIZE_PX = (POSE.width_px, POSE.height_px)


def moved(
    frame: Frame, dx_mm: float = 0.0, dy_mm: float = 0.0, turn_deg: float = 0.0, zoom: float = 1.0
) -> tuple[Frame, Matrix]:
    """The picture after the camera moved, and how its pixels went (corner coordinates)."""
    scale = model().anchors.px_per_mm * SIZE_PX[0] / model().anchors.view_px[0]
    angle = math.radians(turn_deg)
    turn = zoom * np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    centre = np.array(SIZE_PX) / 2
    matrix = np.eye(3)
    matrix[:2, :2] = turn
    matrix[:2, 2] = centre - turn @ centre + np.array([dx_mm, dy_mm]) * scale
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    warped = cv2.warpPerspective(
        frame,
        np.linalg.inv(half) @ matrix @ half,
        SIZE_PX,
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(warped, np.uint8), matrix


def registered(frame: Frame) -> Registration:
    return register(
        small_view(frame, model().anchors.view_px), model().anchors, (frame.shape[1], frame.shape[0])
    )


def error_mm(found: Registration, matrix: Matrix) -> float:
    """How far the worst corner of the track is off, in mm."""
    corners = np.array(zones().track_px)
    off_px = apply(found.as_array(), corners) - apply(matrix, corners)
    scale = model().anchors.px_per_mm * SIZE_PX[0] / model().anchors.view_px[0]
    return float(np.linalg.norm(off_px, axis=1).max()) / scale


@pytest.mark.parametrize(
    "movement",
    [
        {},
        {"dx_mm": 0.5, "dy_mm": -0.3},
        {"dx_mm": 4.0},
        {"dx_mm": -3.0, "dy_mm": 4.0},
        {"turn_deg": 1.5},
        {"turn_deg": -1.0, "dx_mm": 2.0},
        {"zoom": 1.015},
        {"zoom": 0.99, "dx_mm": 2.0, "dy_mm": 2.0, "turn_deg": 0.8},
    ],
    ids=str,
)
def test_a_small_movement_is_measured(movement: dict[str, float]) -> None:
    frame, matrix = moved(dice_picture(), **movement)
    found = registered(frame)
    assert not found.moved
    assert error_mm(found, matrix) < 0.35
    expected = np.linalg.norm(apply(matrix, np.array(zones().track_px)) - np.array(zones().track_px), axis=1)
    scale = model().anchors.px_per_mm * SIZE_PX[0] / model().anchors.view_px[0]
    assert found.shift_mm == pytest.approx(expected.max() / scale, abs=0.35)


@pytest.mark.parametrize(
    "movement",
    [{"dx_mm": 12.0}, {"dy_mm": -25.0}, {"turn_deg": 6.0}, {"zoom": 1.08}, {"dx_mm": 60.0}],
    ids=str,
)
def test_a_large_movement_is_told_and_not_corrected(movement: dict[str, float]) -> None:
    found = registered(moved(dice_picture(), **movement)[0])
    assert found.moved
    assert found.as_array() == pytest.approx(np.eye(3))


def test_the_camera_really_pushed_not_only_the_picture() -> None:
    """Parallax of rim and cards included: the track's floor is found where it is."""
    pose = POSE.bumped(2.0, -1.5, math.radians(0.4))
    from companion.devices.simulated.renderer import Conditions
    from tests.vision.frame_scenes import dice_scene

    found = registered(draw(dice_scene(), Conditions(pose=pose), noise=7))
    scale = model().anchors.px_per_mm * SIZE_PX[0] / model().anchors.view_px[0]
    corners = apply(found.as_array(), np.array(zones().track_px))
    off_mm = np.linalg.norm(corners - np.array(pose.zones().track_px), axis=1) / scale
    assert not found.moved
    assert off_mm.max() < 0.7


@pytest.mark.parametrize(("gain", "offset"), [(0.4, 0.0), (1.4, 0.0), (0.7, 40.0)])
def test_light_does_not_matter(gain: float, offset: float) -> None:
    frame, matrix = moved(dice_picture(), dx_mm=3.0, turn_deg=0.7)
    lit = np.clip(frame * gain + offset, 0, 255).astype(np.uint8)
    found = registered(lit)
    assert not found.moved
    assert error_mm(found, matrix) < 0.5


def test_half_of_the_rim_covered_does_not_matter() -> None:
    frame, matrix = moved(dice_picture(), dx_mm=-2.0, dy_mm=1.0)
    covered = frame.copy()
    covered[:, : SIZE_PX[0] // 2 - 40] = (90, 120, 150)
    found = registered(covered)
    assert not found.moved
    assert error_mm(found, matrix) < 1.0
    assert found.covered


@pytest.mark.parametrize("width_px", [640, 1640])
def test_another_resolution_is_part_of_the_matrix(width_px: int) -> None:
    height_px = round(SIZE_PX[1] * width_px / SIZE_PX[0])
    frame = np.asarray(
        cv2.resize(dice_picture(), (width_px, height_px), interpolation=cv2.INTER_CUBIC), np.uint8
    )
    found = registered(frame)
    scaled = np.array(zones().track_px) * [width_px / SIZE_PX[0], height_px / SIZE_PX[1]]
    assert not found.moved
    assert apply(found.as_array(), np.array(zones().track_px)) == pytest.approx(
        scaled, abs=0.4 * width_px / 820
    )


def test_another_place_is_no_small_movement() -> None:
    noise = np.random.default_rng(3).integers(0, 255, empty().shape, dtype=np.uint8)
    found = registered(np.asarray(cv2.GaussianBlur(noise, (0, 0), 3), np.uint8))
    assert found.moved
    assert found.support_frac < 0.5


def test_limits_are_those_that_are_told() -> None:
    just_inside = registered(moved(dice_picture(), dx_mm=MAX_SHIFT_MM - 1)[0])
    just_outside = registered(moved(dice_picture(), dx_mm=MAX_SHIFT_MM + 1)[0])
    assert not just_inside.moved
    assert just_outside.moved

"""Whole-frame checks: each code is raised by what it names, and not by a near miss."""

import cv2
import numpy as np
import pytest

from companion.devices.simulated.mischief import CameraState, LampState, Mischief
from companion.vision.frame import check_frame, look_at_frame, reaches_in
from companion.vision.frame_view import EmptyView, FrameError, small_view, view_size_px
from tests.vision.frame_scenes import WHITE, Frame, dice_picture, dice_scene, draw, empty, model, top_faces


def codes(frame: Frame) -> tuple[str, ...]:
    """The codes told of a frame with the six dice, whose faces are known."""
    return check_frame(look_at_frame(frame, model()), model(), top_faces(dice_scene()), WHITE)


def lit(frame: Frame, red: float, green: float, blue: float) -> Frame:
    """The picture in other light: gains in linear light."""
    value = np.arange(256) / 255.0
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)
    changed = np.clip(linear[frame] * np.array([blue, green, red], np.float32), 0, 1)
    coded = np.where(changed <= 0.0031308, changed * 12.92, 1.055 * changed ** (1 / 2.4) - 0.055)
    return np.asarray(coded * 255 + 0.5, np.uint8)


def test_nothing_is_told_of_an_ordinary_picture() -> None:
    assert codes(dice_picture()) == ()
    assert check_frame(look_at_frame(empty(), model()), model(), []) == ()


@pytest.mark.parametrize("lamp", [LampState.DIM, LampState.BRIGHT, LampState.WARM, LampState.COLD])
def test_an_ordinary_change_of_lamp_is_no_problem(lamp: LampState) -> None:
    assert codes(dice_picture(Mischief(lamp=lamp))) == ()


@pytest.mark.parametrize(
    ("gains", "code"),
    [
        ((0.03, 0.03, 0.03), "too_dark"),
        ((9.0, 9.0, 9.0), "too_bright"),
        ((1.6, 0.7, 0.25), "light_changed"),
        ((0.4, 0.9, 2.2), "light_changed"),
    ],
)
def test_light_out_of_bounds_is_told(gains: tuple[float, float, float], code: str) -> None:
    assert code in codes(lit(dice_picture(), *gains))


@pytest.mark.parametrize("gains", [(0.3, 0.3, 0.3), (1.6, 1.6, 1.6), (1.25, 1.0, 0.75), (0.8, 1.0, 1.25)])
def test_light_within_bounds_is_not(gains: tuple[float, float, float]) -> None:
    assert codes(lit(dice_picture(), *gains)) == ()


@pytest.mark.parametrize(("gain", "told"), [(1.6, False), (2.4, True)])
def test_white_that_had_run_out_of_range_before_may_still_grow_as_lamps_do(gain: float, told: bool) -> None:
    look = look_at_frame(lit(dice_picture(), gain, gain, gain), model())
    assert ("too_bright" in check_frame(look, model(), [], (2.7, 2.7, 2.7))) is told


def test_a_lamp_on_half_of_the_track_is_a_changed_light() -> None:
    half = dice_picture().copy()
    half[:, : half.shape[1] * 45 // 100] = lit(half, 0.2, 0.2, 0.2)[:, : half.shape[1] * 45 // 100]
    assert "light_changed" in codes(half)


@pytest.mark.parametrize(("sigma_px", "told"), [(0.6, False), (1.5, False), (5.0, True), (8.0, True)])
def test_blur_is_told_from_a_tenth_of_a_die(sigma_px: float, told: bool) -> None:
    blurred = np.asarray(cv2.GaussianBlur(dice_picture(), (0, 0), sigma_px), np.uint8)
    assert ("blurred" in codes(blurred)) is told


def test_the_blur_that_came_is_measured() -> None:
    scale = model().anchors.px_per_mm * dice_picture().shape[1] / model().anchors.view_px[0]
    for sigma_px in (2.0, 4.0):
        blurred = np.asarray(cv2.GaussianBlur(dice_picture(), (0, 0), sigma_px), np.uint8)
        assert look_at_frame(blurred, model()).added_blur_mm == pytest.approx(sigma_px / scale, rel=0.3)


def test_noise_is_not_blur() -> None:
    noise = np.random.default_rng(1).normal(0, 8, dice_picture().shape)
    noisy = np.clip(dice_picture() + noise, 0, 255).astype(np.uint8)
    assert codes(noisy) == ()


def test_a_shaken_camera_is_blur() -> None:
    kernel = np.zeros((1, 25), np.float32)
    kernel[0, :] = 1 / 25
    assert "blurred" in codes(np.asarray(cv2.filter2D(dice_picture(), -1, kernel), np.uint8))


def test_a_hand_is_told_with_and_without_the_dice_known() -> None:
    frame = dice_picture(Mischief(hand=True))
    assert "hand_in_view" in codes(frame)
    assert reaches_in(look_at_frame(frame, model()).light, model())


def test_dice_are_no_hand() -> None:
    assert not reaches_in(look_at_frame(dice_picture(), model()).light, model())


def test_a_nudged_camera_is_corrected_and_a_bumped_one_told() -> None:
    assert codes(dice_picture(Mischief(camera=CameraState.NUDGED))) == ()
    assert "camera_moved" in codes(dice_picture(Mischief(camera=CameraState.BUMPED)))


def test_the_zones_follow_a_nudge() -> None:
    look = look_at_frame(dice_picture(Mischief(camera=CameraState.NUDGED)), model())
    assert 0.5 < look.registration.shift_mm < 5


def test_the_view_is_small_and_keeps_the_shape() -> None:
    for size_px in ((1640, 1232), (3280, 2464), (640, 480), (480, 640)):
        frame = np.full((size_px[1], size_px[0], 3), 77, np.uint8)
        view = small_view(frame)
        assert (view.shape[1], view.shape[0]) == view_size_px(size_px)
        assert max(view.shape) == 416
        assert (view == 77).all()


@pytest.mark.parametrize(
    "frame",
    [np.zeros((480, 640), np.uint8), np.zeros((480, 640, 4), np.uint8), np.zeros((40, 640, 3), np.uint8)],
    ids=["grey", "four channels", "tiny"],
)
def test_what_is_no_frame_is_refused(frame: Frame) -> None:
    with pytest.raises(FrameError):
        small_view(frame)


def test_the_empty_view_is_kept_bit_by_bit() -> None:
    kept = EmptyView.from_picture(empty())
    again = EmptyView.from_json_value(kept.to_json_value())
    assert again == kept
    assert np.array_equal(again.unpack(), kept.unpack())
    assert len(kept.jpeg) < 40_000


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {"frame_size_px": [820, 615]},
        {"frame_size_px": [820, 615], "jpeg": "???"},
        {"frame_size_px": [820, 615], "jpeg": "aGVsbG8="},
        {"frame_size_px": [1], "jpeg": ""},
    ],
)
def test_a_damaged_empty_view_is_refused(value: object) -> None:
    with pytest.raises(FrameError, match="empty table"):
        EmptyView.from_json_value(value)


def test_an_empty_view_of_another_size_is_refused() -> None:
    value = EmptyView.from_picture(empty()).to_json_value()
    value["frame_size_px"] = [820, 820]
    with pytest.raises(FrameError, match="damaged"):
        EmptyView.from_json_value(value)


def test_a_frame_of_twice_the_resolution_looks_the_same() -> None:
    frame = np.asarray(cv2.resize(dice_picture(), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    faces = [[(2 * x, 2 * y) for x, y in quad] for quad in top_faces(dice_scene())]
    assert check_frame(look_at_frame(frame, model()), model(), faces, WHITE) == ()


def test_the_picture_is_not_written_to() -> None:
    frame = draw(dice_scene(), noise=9)
    before = frame.copy()
    codes(frame)
    assert np.array_equal(frame, before)

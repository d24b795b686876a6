"""Each change does what its line tells, moves the truth with the picture, and can be repeated."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.evaluation.perturb import (
    CHANGES,
    NUDGE_DEG,
    NUDGE_MM,
    NUDGE_ZOOM,
    Change,
    moved_truth,
    moved_zones,
    track_px_per_mm,
)
from companion.vision.geometry import Zones, apply
from tests.evaluation.drawn import picture

BY_NAME = {change.name: change for change in CHANGES}
SPOTS = ((80.0, 60.0), (300.0, 90.0), (150.0, 260.0), (340.0, 270.0))


def spotted() -> npt.NDArray[np.uint8]:
    """A dim noisy picture, 400×320, with four bright spots."""
    frame = np.random.default_rng(5).integers(60, 80, (320, 400, 3), dtype=np.uint8)
    for x, y in SPOTS:
        cv2.circle(
            frame, (int(x * 16 - 8), int(y * 16 - 8)), 6 * 16, (230, 230, 230), -1, cv2.LINE_AA, shift=4
        )
    return frame


def spots_of(frame: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Centres of the bright spots in corner coordinates, (n, 2)."""
    bright = (frame.min(axis=2) > 150).astype(np.uint8)
    count, _, _, centres = cv2.connectedComponentsWithStats(bright)
    return np.asarray(centres[1:count] + 0.5, np.float64)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_the_truth_moves_with_the_picture(change: Change) -> None:
    before = spotted()
    after, matrix = change.apply_to(before, "t/throw1", 2.0)
    expected = np.array(SPOTS) if matrix is None else apply(matrix, np.array(SPOTS))
    found = spots_of(after)
    assert len(found) == len(SPOTS)
    scale = after.shape[1] / 400 if change.name.startswith("width") else 1.0
    for spot in expected:
        assert np.linalg.norm(found - spot, axis=1).min() < 0.4 * max(1.0, scale)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_a_change_can_be_repeated(change: Change) -> None:
    first = change.apply_to(spotted(), "t/throw1", 2.0)[0]
    assert np.array_equal(first, change.apply_to(spotted(), "t/throw1", 2.0)[0])
    assert first.dtype == np.uint8


def test_chance_differs_from_picture_to_picture() -> None:
    noise = BY_NAME["noise-3"]
    first, second = (noise.apply_to(spotted(), name, 2.0)[0] for name in ("t/throw1", "t/throw2"))
    assert not np.array_equal(first, second)


def test_only_resolution_and_turns_were_there_at_calibration() -> None:
    at_start = {change.name for change in CHANGES if change.also_calibration}
    assert at_start == {name for name in BY_NAME if name.startswith(("width", "turn"))}


@pytest.mark.parametrize(("name", "gain"), [("exposure-0.6", 0.6), ("exposure-1.4", 1.4)])
def test_exposure_scales_linear_light(name: str, gain: float) -> None:
    after = BY_NAME[name].apply_to(np.full((64, 64, 3), 100, np.uint8), "t/a", 2.0)[0]
    linear = ((100 / 255 + 0.055) / 1.055) ** 2.4 * gain
    assert after[0, 0, 0] == pytest.approx(255 * (1.055 * linear ** (1 / 2.4) - 0.055), abs=1)


def test_noise_has_the_told_spread() -> None:
    flat = np.full((200, 200, 3), 128, np.uint8)
    assert BY_NAME["noise-6"].apply_to(flat, "t/a", 2.0)[0].std() == pytest.approx(6, rel=0.05)


def test_a_nudge_stays_within_what_is_told() -> None:
    for number in range(20):
        matrix = BY_NAME["nudge-a"].apply_to(spotted(), f"t/{number}", 2.0)[1]
        assert matrix is not None
        zoom = float(np.hypot(matrix[0, 0], matrix[1, 0]))
        turn_deg = float(np.degrees(np.arctan2(matrix[1, 0], matrix[0, 0])))
        centre = np.array([[200.0, 160.0]])
        assert abs(zoom - 1) <= NUDGE_ZOOM + 1e-9
        assert abs(turn_deg) <= NUDGE_DEG + 1e-9
        assert np.linalg.norm(apply(matrix, centre) - centre) <= NUDGE_MM * 2.0 + 1e-6


def test_a_die_that_a_nudge_pushes_over_the_edge_is_cut() -> None:
    matrix = np.array([[1.0, 0, -95], [0, 1, 0], [0, 0, 1]])
    moved = moved_truth(picture(), matrix, (400, 320))
    assert [die.cut for die in moved.dice] == [True, False, False, True, False, False]
    assert moved.dice[1].centre_px == (105.0, 100.0)
    assert not moved.is_good


def test_zones_turn_with_the_picture() -> None:
    zones = Zones(
        size_px=(400, 320),
        track_px=((50.0, 40.0), (350.0, 40.0), (350.0, 240.0), (50.0, 240.0)),
        track_mm=(150.0, 100.0),
    )
    assert track_px_per_mm(zones) == pytest.approx(2.0)
    after, matrix = BY_NAME["turn-90"].apply_to(spotted(), "t/a", 2.0)
    turned = moved_zones(zones, matrix, (after.shape[1], after.shape[0]))
    assert turned.size_px == (320, 400)
    assert turned.track_px[0] == pytest.approx((40.0, 350.0))
    turned.check()

"""Still or not: rest, roll, spin in place, a hand, a limit; frames and times are given, nothing sleeps."""

import math
from collections.abc import Iterable

import numpy as np
import pytest

from companion.devices.simulated.mischief import Mischief
from companion.vision.stillness import Stillness, StillnessState, StillnessWatcher
from tests.vision.frame_scenes import Frame, dice_picture, dice_scene, draw, model

FRAME_S = 1 / 30


def noisy(frame: Frame, seed: int, sigma: float = 2.0) -> Frame:
    noise = np.random.default_rng(seed).normal(0, sigma, frame.shape)
    return np.clip(frame + noise, 0, 255).astype(np.uint8)


def fed(
    frames: Iterable[Frame], watcher: StillnessWatcher | None = None, start_s: float = 100.0
) -> list[Stillness]:
    """Verdicts on frames that come 30 a second."""
    watching = watcher or StillnessWatcher(model())
    return [watching.feed(frame, start_s + number * FRAME_S) for number, frame in enumerate(frames)]


def first_still_s(verdicts: list[Stillness]) -> float | None:
    """Seconds after the first frame at which it was told to be still."""
    for number, verdict in enumerate(verdicts):
        if verdict.state is StillnessState.STILL:
            return number * FRAME_S
    return None


def turning(step_deg: float, frames: int) -> list[Frame]:
    """A die that turns in place by so much a frame, its centre at rest."""
    return [
        noisy(draw(dice_scene(math.radians(step_deg * number)), noise=number + 10), number)
        for number in range(frames)
    ]


def at_rest(frames: int, frame: Frame | None = None) -> list[Frame]:
    return [noisy(dice_picture() if frame is None else frame, number + 500) for number in range(frames)]


def test_dice_at_rest_are_still_after_four_frames_and_130_ms() -> None:
    verdicts = fed(at_rest(8))
    assert first_still_s(verdicts) == pytest.approx(4 * FRAME_S)
    assert all(verdict.state is StillnessState.WAITING for verdict in verdicts[:4])
    assert all(verdict.problems == () for verdict in verdicts)


def test_few_frames_are_not_enough_however_long_they_take() -> None:
    watcher = StillnessWatcher(model())
    states = [watcher.feed(frame, 0.2 * number).state for number, frame in enumerate(at_rest(4))]
    assert states == [StillnessState.WAITING] * 3 + [StillnessState.STILL]


def test_after_motion_it_takes_seven_tenths_of_a_second() -> None:
    moving = turning(30, 4)
    verdicts = fed([*moving, *at_rest(26, moving[-1])])
    assert [verdict.problems for verdict in verdicts[1:4]] == [("moving",)] * 3
    assert first_still_s(verdicts) == pytest.approx(3 * FRAME_S + 0.7, abs=1.5 * FRAME_S)


@pytest.mark.parametrize("step_deg", [3.0, 8.0])
def test_a_die_that_spins_in_place_is_not_still(step_deg: float) -> None:
    verdicts = fed(turning(step_deg, 10))
    assert first_still_s(verdicts) is None
    assert any("moving" in verdict.problems for verdict in verdicts)


def test_a_lamp_that_flickers_or_is_dimmed_is_no_motion() -> None:
    frames = [
        noisy(
            np.clip(dice_picture() * (1 + 0.03 * math.sin(number)) - number * 0.5, 0, 255).astype(np.uint8),
            number,
        )
        for number in range(8)
    ]
    assert first_still_s(fed(frames)) == pytest.approx(4 * FRAME_S)


def test_a_hand_at_rest_is_not_stillness() -> None:
    hand = dice_picture(Mischief(hand=True))
    verdicts = fed(at_rest(12, hand))
    assert first_still_s(verdicts) is None
    assert verdicts[-1].problems == ("hand_in_view",)


def test_after_a_hand_has_gone_it_takes_seven_tenths_of_a_second() -> None:
    hand = dice_picture(Mischief(hand=True))
    verdicts = fed([*at_rest(3, hand), *at_rest(26)])
    still_s = first_still_s(verdicts)
    assert still_s is not None
    assert still_s >= 0.7 + 2 * FRAME_S


@pytest.mark.parametrize(
    ("frames", "problem"), [(turning(40, 2), "moving"), ([dice_picture(Mischief(hand=True))], "hand_in_view")]
)
def test_it_is_given_up_with_a_reason(frames: list[Frame], problem: str) -> None:
    watcher = StillnessWatcher(model(), limit_s=2.0)
    verdict = watcher.feed(frames[0], 0.0)
    for number in range(1, 30):
        verdict = watcher.feed(noisy(frames[number % len(frames)], number), number * 0.1)
        if verdict.state is not StillnessState.WAITING:
            break
    assert verdict.state is StillnessState.GIVEN_UP
    assert verdict.problems == (problem,)
    assert number * 0.1 == pytest.approx(2.0)


def test_it_depends_on_frames_and_times_alone() -> None:
    frames = [*turning(20, 3), *at_rest(24)]
    assert fed(frames, start_s=5.0) == pytest.approx(fed(frames, start_s=5.0))
    first = [verdict.state for verdict in fed(frames, start_s=0.0)]
    assert first == [verdict.state for verdict in fed(frames, start_s=1e6)]

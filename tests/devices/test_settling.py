"""From press to picture: nothing is read before the dice lie still, and a limit says why not."""

from __future__ import annotations

import math
import threading

import pytest

from companion.devices.lock import Lock
from companion.devices.settling import settle
from companion.devices.simulated.mischief import Mischief
from companion.devices.streaming import CameraTrouble, Shot
from companion.devices.supervised import SupervisedCamera
from companion.table.ports import CameraFault, Frame
from companion.table.state import Health, HealthState
from companion.vision.stillness import StillnessWatcher
from tests.devices.mock_pins import StandingClock
from tests.vision.frame_scenes import dice_picture, dice_scene, draw, model

FRAME_S = 1 / 30


class Film:
    """A camera that plays frames, the last one for ever, 30 a second of its clock."""

    def __init__(self, frames: list[Frame]) -> None:
        self.clock = StandingClock()
        self.frames = frames
        self.played = 0

    def open(self, lock: Lock) -> None:
        pass

    def small(self) -> Frame:
        self.clock.time_s += FRAME_S
        self.played += 1
        return self.frames[min(self.played, len(self.frames)) - 1]

    def still(self) -> Shot:
        return Shot(self.small())

    def close(self) -> None:
        pass


def rolling(count: int) -> list[Frame]:
    """A die that turns in place, frame by frame."""
    return [draw(dice_scene(math.radians(40 * turn)), noise=turn) for turn in range(count)]


def test_dice_at_rest_need_four_frames_and_130_ms() -> None:
    film = Film([dice_picture()])
    settle(film.small, StillnessWatcher(model()), film.clock)
    assert film.played == 5


def test_dice_that_roll_are_waited_for() -> None:
    film = Film([*rolling(3), dice_picture()])
    settle(film.small, StillnessWatcher(model()), film.clock)
    assert film.played * FRAME_S > 0.7


@pytest.mark.parametrize(("mischief", "code"), [(Mischief(hand=True), "hand_in_view")])
def test_hand_that_stays_is_told(mischief: Mischief, code: str) -> None:
    film = Film([dice_picture(mischief)])
    with pytest.raises(CameraTrouble, match="A hand is in view") as caught:
        settle(film.small, StillnessWatcher(model(), limit_s=1.0), film.clock)
    assert caught.value.code == code


def test_dice_that_do_not_rest_are_no_fault_of_the_camera() -> None:
    film = Film([dice_picture(Mischief(hand=True))])
    healths: list[Health] = []
    camera = SupervisedCamera(
        film, film.clock, watcher=lambda: StillnessWatcher(model(), limit_s=1.0), on_health=healths.append
    )
    camera.start()
    with pytest.raises(CameraFault, match="press again"):
        camera.capture()
    assert healths[-1].state is HealthState.OK
    film.frames = [dice_picture()]
    assert camera.capture().shape == dice_picture().shape
    camera.close()


def test_nothing_is_asked_of_the_camera_before_a_press() -> None:
    film, opened = Film([dice_picture()]), threading.Event()
    camera = SupervisedCamera(
        film,
        film.clock,
        watcher=lambda: StillnessWatcher(model()),
        on_health=lambda health: opened.set() if health.state is HealthState.OK else None,
    )
    camera.start()
    assert opened.wait(10)
    threading.Event().wait(0.3)
    assert film.played == 0
    camera.capture()
    threading.Event().wait(0.3)
    assert film.played == 6
    camera.close()

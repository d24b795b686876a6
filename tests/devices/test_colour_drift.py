"""Colours that drift with what lies there (picamera2 #977, #691): locked, the same dice read the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from calibration import calibrate
from companion.devices.lock import Lock
from companion.devices.picamera import PicameraDevice
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.renderer import Conditions, render
from companion.devices.simulated.scene import Scene, fresh_dice
from companion.devices.simulated.sensor import Sensor
from companion.devices.supervised import SupervisedCamera
from companion.table.ports import CameraFault, Frame
from companion.vision.profile import Profile
from companion.vision.read import read_picture
from tests.devices.fake_picamera2 import AUTOMATIC, LOCKED, Behaviour, FakePicamera2, no_colours

POSE = Pose()
SIZE_PX = (POSE.width_px, POSE.height_px)
GAINS = (1.8, 1.5)
MIXED = ("red", "orange", "yellow", "green", "blue", "purple")
REDDER = ("red", "orange", "red", "red", "red", "red")


@cache
def drawn(scene: Scene, colour_gains: tuple[float, float]) -> Frame:
    """The scene as the chip gives it under these gains (red, blue)."""
    red, blue = (gain / locked for gain, locked in zip(colour_gains, GAINS, strict=True))
    usual = Sensor()
    b, g, r = usual.gains_bgr
    sensor = replace(usual, gains_bgr=(b * blue, g, r * red))
    return render(scene, Conditions(pose=POSE, sensor=sensor), np.random.default_rng(3))


@pytest.fixture(scope="module")
def profile() -> Profile:
    return calibrate(POSE.zones(), drawn(Scene(), GAINS), drawn(Scene(fresh_dice()), GAINS))


def seen(colours: tuple[str, ...], profile: Profile, ignores: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Bodies and colours read through a camera whose white balance follows the red in view."""
    redness = colours.count("red") / len(colours)
    automatic: Mapping[str, Any] = {
        **AUTOMATIC,
        "ColourGains": (GAINS[0] - 0.7 * redness, GAINS[1] + 0.4 * redness),
    }
    camera = FakePicamera2(
        Behaviour(
            automatic=automatic,
            ignores=ignores,
            late_frames=2,
            draw=lambda values: drawn(Scene(fresh_dice(colours)), values["ColourGains"]),
        )
    )
    assert LOCKED["ColourGains"] == GAINS
    lock = Lock.of(LOCKED)
    device = PicameraDevice(0, SIZE_PX, camera.numbered, no_colours)
    supervised = SupervisedCamera(device, camera.clock, lock=lock)
    supervised.start()
    try:
        reading = read_picture(supervised.capture(), profile)
    finally:
        supervised.close()
    assert reading.trusted, reading.problems
    return sorted((die.body, die.colour) for die in reading.dice)


@pytest.mark.parametrize("colours", [MIXED, REDDER], ids=["mixed", "redder"])
def test_locked_camera_reads_the_dice_as_they_lie(colours: tuple[str, ...], profile: Profile) -> None:
    dice = fresh_dice(colours)
    assert seen(colours, profile) == sorted((str(die.body), die.colour) for die in dice)


def test_camera_that_drifts_all_the_same_gives_no_reading(profile: Profile) -> None:
    with pytest.raises(CameraFault, match="not locked"):
        seen(REDDER, profile, ignores=("ColourGains",))

"""A USB camera through a VideoCapture that behaves as drivers do: absent, busy, stale frames, unplugged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.devices.lock import Lock
from companion.devices.streaming import CameraTrouble
from companion.devices.usb_camera import PROPERTIES, STALE_FRAMES, UsbCamera

SIZE_PX = (64, 48)


class FakeCapture:
    """What `cv2.VideoCapture` gives; grabs return at once, as from a full buffer."""

    def __init__(self, *, opens: bool = True, refuses: tuple[int, ...] = (), grey: bool = False) -> None:
        self.opens = opens
        self.refuses = refuses
        self.grey = grey
        self.values: dict[int, float] = {}
        self.grabs = 0
        self.plugged = True
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return self.opens

    def set(self, place: int, value: float) -> bool:
        if place in self.refuses:
            return False
        self.values[place] = value
        return True

    def get(self, place: int) -> float:
        return self.values.get(place, 0.0)

    def grab(self) -> bool:
        self.grabs += 1
        return self.plugged

    def read(self) -> tuple[bool, Any]:
        if not self.plugged:
            return False, None
        shape = (48, 64) if self.grey else (48, 64, 3)
        return True, np.full(shape, 9, np.uint8)

    def release(self) -> None:
        self.released = True


@pytest.fixture
def node(tmp_path: Path) -> Path:
    path = tmp_path / "video0"
    path.touch()
    return path


def camera(capture: FakeCapture, node: Path) -> UsbCamera:
    return UsbCamera(0, SIZE_PX, opened=lambda _: capture, node=lambda _: node)


def test_frames_are_fresh_and_bgr(node: Path) -> None:
    capture = FakeCapture()
    usb = camera(capture, node)
    usb.open(Lock())
    grabbed = capture.grabs
    assert usb.still().frame.shape == (48, 64, 3)
    assert capture.grabs == grabbed + STALE_FRAMES
    assert capture.values[cv2.CAP_PROP_FRAME_WIDTH] == 64
    usb.close()
    usb.close()
    assert capture.released


def test_grey_camera_gives_three_channels(node: Path) -> None:
    usb = camera(FakeCapture(grey=True), node)
    usb.open(Lock())
    assert usb.small().shape == (48, 64, 3)


def test_lock_is_set_with_automatics_off_and_told_by_each_frame(node: Path) -> None:
    capture = FakeCapture()
    stored = {"exposure": 157, "gain": 4, "wb_temperature": 4200, "focus": 30}
    usb = camera(capture, node)
    usb.open(Lock.of(stored))
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert capture.values[cv2.CAP_PROP_AUTO_WB] == capture.values[cv2.CAP_PROP_AUTOFOCUS] == 0
    assert Lock.of(stored).differences(usb.still().metadata) == ()
    capture.values[PROPERTIES["wb_temperature"]] = 4600
    assert Lock.of(stored).differences(usb.still().metadata) == ("white balance 4600 for 4200",)


def test_a_webcam_is_not_locked_in_what_it_has_not(node: Path) -> None:
    capture = FakeCapture()
    capture.values |= {PROPERTIES["exposure"]: 157, PROPERTIES["gain"]: -1, PROPERTIES["focus"]: -1}
    usb = camera(capture, node)
    usb.open(Lock())
    assert usb.still().metadata == {"exposure": 157, "wb_temperature": 0}


def test_camera_that_cannot_be_locked_is_another_one(node: Path) -> None:
    usb = camera(FakeCapture(refuses=(cv2.CAP_PROP_FOCUS,)), node)
    with pytest.raises(CameraTrouble, match="focus cannot be set"):
        usb.open(Lock.of({"focus": 3}))
    usb.open(Lock.of({"focus": 0}))  # it stands there anyway


def test_what_is_not_locked_is_automatic_whatever_was_set_before(node: Path) -> None:
    """A driver keeps what was set last, also after the program that set it."""
    capture = FakeCapture(refuses=(cv2.CAP_PROP_AUTOFOCUS,))
    usb = camera(capture, node)
    usb.open(Lock.of({"exposure": 157, "wb_temperature": 4200}))
    usb.open(Lock())
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    assert capture.values[cv2.CAP_PROP_AUTO_WB] == 1


def test_absent_busy_and_unplugged_are_told(node: Path, tmp_path: Path) -> None:
    with pytest.raises(CameraTrouble) as caught:
        camera(FakeCapture(), tmp_path / "video9").open(Lock())
    assert caught.value.code == "camera_absent"
    with pytest.raises(CameraTrouble) as caught:
        camera(FakeCapture(opens=False), node).open(Lock())
    assert caught.value.code == "camera_busy"
    capture = FakeCapture()
    usb = camera(capture, node)
    usb.open(Lock())
    capture.plugged = False
    with pytest.raises(CameraTrouble) as caught:
        usb.still()
    assert caught.value.code == "camera_gone"

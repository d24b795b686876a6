"""The Pi's camera against a picamera2 that behaves as reported: late controls, drift, absence, stalls."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from companion.devices.clock import MonotonicClock
from companion.devices.lock import Lock
from companion.devices.picamera import PicameraDevice
from companion.devices.streaming import CameraTrouble
from companion.devices.supervised import Deadlines, SupervisedCamera
from companion.table.ports import CameraFault
from companion.table.state import Health, HealthState
from tests.devices.fake_picamera2 import LOCKED, OFFERED, Behaviour, FakePicamera2, no_colours

SIZE_PX = (64, 48)


AS_STORED = Lock.of(LOCKED)


def device(camera: FakePicamera2) -> PicameraDevice:
    return PicameraDevice(0, SIZE_PX, camera.numbered, no_colours)


def test_lock_is_in_the_configuration_and_the_first_frame_has_it() -> None:
    camera = FakePicamera2(Behaviour())
    found = device(camera)
    found.open(AS_STORED)
    controls = camera.configuration["controls"]
    assert {name: controls[name] for name in LOCKED} == LOCKED
    assert controls["AfMode"] == 0
    assert "AeEnable" not in controls  # it would freeze what is there now (picamera2 #933)
    shot = found.still()
    assert shot.metadata["ExposureTime"] == 12000
    found.close()
    found.close()
    assert camera.closed == 1
    assert camera.released == 1


def test_camera_that_is_not_locked_focuses_and_measures_by_itself() -> None:
    """picamera2 leaves the lens where its tuning file says unless it is told to focus."""
    camera = FakePicamera2(Behaviour())
    device(camera).open(Lock())
    assert camera.configuration["controls"]["AfMode"] == 2
    assert not set(LOCKED) & set(camera.configuration["controls"])


def test_camera_without_a_lens_to_move_is_asked_for_no_focus() -> None:
    offered = {name: value for name, value in OFFERED.items() if name not in ("AfMode", "LensPosition")}
    camera = FakePicamera2(Behaviour(offered=offered))
    device(camera).open(Lock())
    assert "AfMode" not in camera.configuration["controls"]


@pytest.mark.parametrize(
    ("sensor_px", "picture", "mode"),
    [
        ((4608, 2592), (1536, 864), (2304, 1296)),
        ((3280, 2464), (1536, 1152), (1640, 1232)),
        ((4056, 3040), (1536, 1152), (2028, 1520)),
        ((2592, 1944), (1536, 1152), (2592, 1944)),
        ((1456, 1088), (1456, 1088), (1456, 1088)),
    ],
    ids=["Camera Module 3", "Camera Module 2", "HQ Camera", "Camera Module 1", "Global Shutter"],
)
def test_the_whole_view_of_each_sensor_is_seen(
    sensor_px: tuple[int, int], picture: tuple[int, int], mode: tuple[int, int]
) -> None:
    """As rpicam-apps #511 and #630: unasked, a sensor runs in a mode that sees a part of its view."""
    camera = FakePicamera2(Behaviour(sensor_px=sensor_px))
    PicameraDevice(0, None, camera.numbered, no_colours).open(Lock())
    assert camera.configuration["main"]["size"] == picture
    assert camera.configuration["raw"] == {"size": mode}


@pytest.mark.parametrize("form", ["RGB888", "BGR888", "XBGR8888"])
def test_byte_order_is_bgr_whatever_the_camera_makes_of_the_format(form: str) -> None:
    camera = FakePicamera2(Behaviour(formats={"RGB888": form}))
    found = device(camera)
    found.open(AS_STORED)
    assert found.still().frame[0, 0].tolist() == [10, 20, 30]


def test_small_frames_have_the_whole_view() -> None:
    camera = FakePicamera2(Behaviour())
    found = device(camera)
    found.open(AS_STORED)
    assert camera.configuration["lores"] == {"size": (640, 480), "format": "YUV420"}
    assert found.small().shape == (480, 640, 3)


def test_camera_with_one_stream_gives_whole_frames_for_stillness() -> None:
    camera = FakePicamera2(Behaviour(one_stream=True))
    found = device(camera)
    found.open(AS_STORED)
    assert found.small().shape == (48, 64, 3)


def test_format_that_is_not_known_is_told() -> None:
    found = device(FakePicamera2(Behaviour(formats={"RGB888": "SBGGR10"})))
    with pytest.raises(CameraTrouble, match="SBGGR10"):
        found.open(AS_STORED)


def test_camera_without_a_control_of_the_lock_is_another_one() -> None:
    offered = {name: value for name, value in OFFERED.items() if name != "LensPosition"}
    found = device(FakePicamera2(Behaviour(offered=offered)))
    with pytest.raises(CameraTrouble, match="no lens position to set") as caught:
        found.open(AS_STORED)
    assert caught.value.code == "camera_other"


def test_long_exposure_gets_long_frames() -> None:
    camera = FakePicamera2(Behaviour())
    device(camera).open(Lock.of({"ExposureTime": 50000}))
    assert camera.configuration["controls"]["FrameDurationLimits"] == (33333, 51000)


class Supervised:
    """The camera as the table has it, with what it said of its health."""

    def __init__(self, behaviour: Behaviour, *, real_clock: bool = False, deadlines: Deadlines | None = None):
        self.camera = FakePicamera2(behaviour)
        self.healths: list[Health] = []
        self.well = threading.Event()
        self.supervised = SupervisedCamera(
            device(self.camera),
            MonotonicClock() if real_clock else self.camera.clock,
            lock=AS_STORED,
            on_health=self._heard,
            deadlines=deadlines or Deadlines(first_retry_s=0.01, last_retry_s=0.02),
        )
        self.supervised.start()

    def _heard(self, health: Health) -> None:
        self.healths.append(health)
        if health.state is HealthState.OK:
            self.well.set()

    def fault(self) -> CameraFault:
        with pytest.raises(CameraFault) as caught:
            self.supervised.capture()
        return caught.value


@pytest.mark.parametrize("late_frames", [0, 8, 80])
def test_controls_that_come_late_are_waited_for(late_frames: int) -> None:
    """As picamera2 #1287, #340 and #1278: only the frame's own metadata proves them."""
    table = Supervised(Behaviour(late_frames=late_frames))
    assert table.supervised.capture().shape == (48, 64, 3)
    assert table.camera.frames == late_frames + 1
    assert table.supervised.metadata["ExposureTime"] == 12000
    table.supervised.close()


@pytest.mark.parametrize("name", ["ColourGains", "ExposureTime", "AnalogueGain"])
def test_camera_that_does_not_lock_is_given_up_after_five_seconds(name: str) -> None:
    table = Supervised(Behaviour(ignores=(name,)))
    fault = table.fault()
    assert fault.code == "camera_not_locked"
    assert "camera is not locked" in fault.sentence
    assert 5 * 30 <= table.camera.frames <= 5 * 30 + 2
    assert table.healths[-1].state is HealthState.FAULT
    table.supervised.close()


def test_camera_that_is_late_at_boot_is_tried_until_it_comes() -> None:
    """As picamera2 #560, #866, #1048 and #627: IndexError, then busy five times, then it works."""
    errors: list[Exception] = [IndexError("list index out of range")]
    errors += [RuntimeError("Camera __init__ sequence did not complete.")] * 5
    table = Supervised(Behaviour(opening_errors=errors))
    assert table.well.wait(20)
    said = [health.sentence for health in table.healths if health.state is HealthState.FAULT]
    assert "No camera is found" in str(said[0])
    assert "in use by another program" in str(said[1])
    assert table.camera.opened == 7
    assert table.supervised.capture().shape == (48, 64, 3)
    table.supervised.close()
    assert table.camera.closed == 1


def test_press_tries_a_camera_again_at_once() -> None:
    table = Supervised(
        Behaviour(opening_errors=[IndexError("list index out of range")]),
        deadlines=Deadlines(first_retry_s=3600, last_retry_s=3600),
    )
    while len(table.healths) < 2:
        threading.Event().wait(0.01)
    assert table.supervised.capture().shape == (48, 64, 3)
    table.supervised.close()


def test_capture_that_never_returns_is_told_and_only_one_worker_is_stuck() -> None:
    """As picamera2 #1090, #1392 and #794: it blocks for ever, after hours, without an exception."""
    behaviour = Behaviour()
    table = Supervised(
        behaviour, real_clock=True, deadlines=Deadlines(call_s=0.2, first_retry_s=0.01, last_retry_s=0.02)
    )
    table.supervised.capture()
    behaviour.hangs = threading.Event()
    before = threading.active_count()
    for _ in range(5):
        assert table.fault().code == "camera_stalled"
    assert threading.active_count() == before
    assert table.supervised.stuck_s > 0
    assert "stalled" in str(table.supervised.health.sentence)
    # It comes to itself: the late frame is dropped, the camera opened anew, and play goes on.
    hung, behaviour.hangs = behaviour.hangs, None
    table.well.clear()
    hung.set()
    assert table.well.wait(20)
    assert table.supervised.stuck_s == 0
    assert table.supervised.capture().shape == (48, 64, 3)
    table.supervised.close()


def test_closing_does_not_wait_for_a_stuck_camera() -> None:
    behaviour = Behaviour()
    table = Supervised(behaviour, real_clock=True, deadlines=Deadlines(call_s=0.2))
    table.supervised.capture()
    hung = behaviour.hangs = threading.Event()
    assert table.fault().code == "camera_stalled"
    table.supervised.close()
    assert table.fault().code == "camera_closed"
    hung.set()


def test_camera_unplugged_in_the_middle_is_told_and_tried_again() -> None:
    behaviour = Behaviour(unplugged_after=2)
    table = Supervised(behaviour)
    assert table.supervised.capture() is not None
    assert table.supervised.capture() is not None
    fault = table.fault()
    assert (fault.code, "check its cable" in fault.sentence) == ("camera_gone", True)
    behaviour.unplugged_after = None
    assert np.array_equal(table.supervised.capture()[0, 0], [10, 20, 30])
    assert table.healths[-1].state is HealthState.OK
    table.supervised.close()


def test_another_lock_opens_the_camera_anew_and_each_frame_proves_it() -> None:
    table = Supervised(Behaviour(late_frames=8))
    table.supervised.capture()
    darker = Lock.of({**LOCKED, "ExposureTime": 6000})
    assert table.supervised.hold(darker).shape == (48, 64, 3)
    assert (table.camera.closed, table.camera.frames) == (1, 9)
    assert table.supervised.metadata["ExposureTime"] == 6000
    table.camera.behaviour.ignores = ("ExposureTime",)
    with pytest.raises(CameraFault, match="exposure"):
        table.supervised.photograph()
    table.supervised.close()


@pytest.mark.parametrize("code", ["camera_other", "camera_not_locked"])
def test_a_lock_that_the_camera_does_not_take_leaves_it_with_the_one_before(code: str) -> None:
    """Nor is it in the way of the next try: a lock that cannot be opened was tried first, for ever."""
    behaviour = Behaviour()
    table = Supervised(behaviour)
    if code == "camera_other":
        behaviour.offered = {name: value for name, value in OFFERED.items() if name != "LensPosition"}
        before = Lock.of({"ExposureTime": 9000})
        table.supervised.hold(before)
    else:
        before = AS_STORED
        behaviour.ignores = ("AnalogueGain",)
        behaviour.automatic = {**LOCKED}
    for _ in range(2):
        with pytest.raises(CameraFault) as caught:
            table.supervised.hold(Lock.of({**LOCKED, "AnalogueGain": 4.0}))
        assert caught.value.code == code
        assert table.supervised.lock == before
        assert table.supervised.photograph().shape == (48, 64, 3)
        assert table.healths[-1].state is HealthState.OK
    table.supervised.hold(Lock())
    assert table.supervised.lock == Lock()
    table.supervised.close()


def test_the_lock_that_is_returned_to_is_the_next_pictures_whatever_the_camera_does_now() -> None:
    table = Supervised(Behaviour())
    table.supervised.hold(Lock())
    table.camera.behaviour.opening_errors = [RuntimeError("Camera in use by another process")]
    table.supervised.return_to(AS_STORED)
    assert table.supervised.lock == AS_STORED
    assert table.fault().code == "camera_busy"
    table.supervised.photograph()
    assert table.supervised.metadata["ExposureTime"] == LOCKED["ExposureTime"]
    table.supervised.close()


def test_looking_does_not_ask_for_the_lock() -> None:
    table = Supervised(Behaviour(ignores=("ColourGains",)))
    assert table.supervised.look().shape == (48, 64, 3)
    table.supervised.close()


def test_missing_library_is_told() -> None:
    table = Supervised(Behaviour(opening_errors=[ModuleNotFoundError("No module named 'picamera2'")] * 3))
    assert "sudo apt-get install python3-picamera2" in table.fault().sentence
    table.supervised.close()

"""The real table set up in the browser: what is locked, the profile's file, and a table that begins anew."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.cli.appliance import Appliance
from companion.cli.appliance_parts import Places
from companion.cli.setting_up import desk_for, held, save
from companion.devices.clock import MonotonicClock
from companion.devices.lock import PICAMERA_NAMES, Lock
from companion.devices.picamera import PicameraDevice
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.table import SimulatedTable
from companion.devices.streaming import CameraTrouble, Shot, StreamingCamera
from companion.devices.supervised import SupervisedCamera
from companion.settings.values import CameraSettings, Settings
from companion.table.ports import CameraFault, Frame
from companion.table.state import HealthState
from companion.vision.profile import Profile
from companion.web.setup_desk import SetupDesk, SetupPort, SetupRefused
from tests.cli.test_appliance import eventually, no_pins
from tests.cli.test_run import SOON_S, Service, free_port, get, start
from tests.devices.fake_picamera2 import AUTOMATIC, Behaviour, FakePicamera2, no_colours

__all__ = ["start"]
Running = Callable[[StreamingCamera, Lock], SupervisedCamera]
POSE = Pose(width_px=820, height_px=615)
NO_LOCK = Lock()
NAMES = ("ExposureTime", "AnalogueGain", "ColourGains")
SETTLED = {"ExposureTime": 9000.0, "AnalogueGain": 1.5}


class Automatic:
    """A camera whose exposure comes to rest after a few frames, or never; once locked, it keeps that."""

    def __init__(self, table: SimulatedTable, settles: int = 5) -> None:
        self.table = table
        self.settles = settles
        self.frames = 0
        self.locks: list[Lock] = []
        self.cannot_be_locked = False

    def open(self, lock: Lock) -> None:
        if lock and self.cannot_be_locked:
            raise CameraTrouble("camera_other", "This camera's gain cannot be set.")
        self.frames = 0
        self.locks.append(lock)

    def small(self) -> Frame:
        time.sleep(0.01)
        return self.table.look()

    def still(self) -> Shot:
        self.frames += 1
        rests = self.locks[-1] or self.frames > self.settles
        exposure = 9000.0 if rests else 9000.0 + 1000.0 * (self.frames % 2)
        return Shot(self.table.look(), {"ExposureTime": exposure, "AnalogueGain": 1.5, "other": "words"})

    def close(self) -> None:
        pass


@pytest.fixture
def table() -> SimulatedTable:
    return SimulatedTable(4, POSE)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "companion.db", tmp_path / "profile.json")


@pytest.fixture
def running() -> Iterator[Running]:
    cameras: list[SupervisedCamera] = []

    def begin(device: StreamingCamera, lock: Lock) -> SupervisedCamera:
        cameras.append(SupervisedCamera(device, MonotonicClock(), lock=lock))
        cameras[-1].start()
        eventually(lambda: cameras[-1].health.state is HealthState.OK)
        return cameras[-1]

    yield begin
    for camera in cameras:
        camera.close()


def test_what_the_camera_settled_on_is_measured_and_locked(running: Running, table: SimulatedTable) -> None:
    device = Automatic(table)
    camera = running(device, NO_LOCK)
    assert held(camera, NAMES) == SETTLED
    assert device.locks == [NO_LOCK, Lock.of(SETTLED)]
    assert camera.lock == Lock.of(SETTLED)


def test_a_second_try_measures_the_light_anew(running: Running, table: SimulatedTable) -> None:
    device = Automatic(table)
    camera = running(device, NO_LOCK)
    held(camera, NAMES)
    assert held(camera, NAMES) == SETTLED
    assert device.locks == [NO_LOCK, Lock.of(SETTLED), NO_LOCK, Lock.of(SETTLED)]


@pytest.mark.parametrize("why", ["flicker", "refused", "a press"])
def test_a_second_try_that_fails_leaves_the_camera_as_it_was_locked(
    why: str, running: Running, table: SimulatedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The set-up goes on from the first try, whose lock the profile will hold."""
    device = Automatic(table)
    camera = running(device, NO_LOCK)
    held(camera, NAMES)
    if why == "flicker":
        device.settles = 10_000
    elif why == "refused":
        device.cannot_be_locked = True
    else:

        def pressed() -> Frame:
            raise CameraFault("camera_in_use", "The camera is taking a picture already.")

        monkeypatch.setattr(camera, "look", pressed)
    with pytest.raises(CameraFault):
        held(camera, NAMES)
    device.cannot_be_locked = False
    assert camera.lock == Lock.of(SETTLED)
    camera.photograph()
    assert device.locks[-1] == Lock.of(SETTLED)


def test_a_camera_that_cannot_be_locked_plays_on_without_a_lock(
    running: Running, table: SimulatedTable
) -> None:
    device = Automatic(table)
    device.cannot_be_locked = True
    camera = running(device, NO_LOCK)
    for _ in range(2):
        with pytest.raises(CameraFault, match="gain cannot be set"):
            held(camera, NAMES)
        assert camera.capture().shape == (POSE.height_px, POSE.width_px, 3)
    device.cannot_be_locked = False
    assert held(camera, NAMES) == SETTLED


def test_the_lock_that_a_table_plays_with_stays(running: Running, table: SimulatedTable) -> None:
    device, lock = Automatic(table), Lock.of(SETTLED)
    assert held(running(device, lock), NAMES, in_use=lock) == SETTLED
    assert device.locks == [lock]


def test_a_table_that_plays_without_a_lock_is_locked_by_its_set_up(
    running: Running, table: SimulatedTable
) -> None:
    """Else the six colours would be learned from pictures that the dice themselves change."""
    camera = running(Automatic(table), NO_LOCK)
    assert held(camera, NAMES, in_use=NO_LOCK) == SETTLED
    assert camera.lock == Lock.of(SETTLED)


def test_what_has_nothing_to_lock_is_left_alone(running: Running, table: SimulatedTable) -> None:
    device = Automatic(table)
    assert held(running(device, NO_LOCK), ()) == {}
    assert device.locks == [NO_LOCK]


def test_light_that_never_rests_is_told(running: Running, table: SimulatedTable) -> None:
    with pytest.raises(CameraFault) as fault:
        held(running(Automatic(table, settles=10_000), NO_LOCK), ("ExposureTime",))
    assert fault.value.code == "camera_not_locked"


def test_colours_are_learned_under_the_lock_and_not_under_what_the_dice_do_to_the_light(
    running: Running, table: SimulatedTable
) -> None:
    """White balance follows what lies there (picamera2 #977, #691); the six colours must not move it."""
    taken: list[dict[str, Any]] = []

    def drawn(values: Mapping[str, Any]) -> Frame:
        taken.append(dict(values))
        return table.look()

    automatic = dict(AUTOMATIC)
    fake = FakePicamera2(Behaviour(automatic=automatic, draw=drawn))
    size_px = (POSE.width_px, POSE.height_px)
    camera = running(PicameraDevice(0, size_px, fake.numbered, no_colours), NO_LOCK)
    kept: list[Profile] = []
    desk = SetupDesk(SetupPort(camera.photograph, lambda: held(camera, PICAMERA_NAMES), kept.append))
    desk.take_zones(POSE.zones().to_dict())
    table.take_dice_away()
    desk.take_empty()
    above_the_empty_table = {name: AUTOMATIC[name] for name in PICAMERA_NAMES}
    table.lay_six_colours()
    automatic["ColourGains"] = (1.4, 1.9)
    desk.take_colours()
    assert {name: taken[-1][name] for name in PICAMERA_NAMES} == above_the_empty_table
    desk.keep()
    assert Lock.of(kept[0].controls) == Lock.of(above_the_empty_table)


def test_a_profile_is_written_whole_or_not_at_all(table: SimulatedTable, tmp_path: Path) -> None:
    profile = table.calibrated()
    path = tmp_path / "profile.json"
    save(path, profile)
    assert Profile.from_json(path.read_text("utf-8")).zones == profile.zones
    with pytest.raises(SetupRefused) as refused:
        save(tmp_path / "nowhere" / "profile.json", profile)
    assert refused.value.code == "not_kept"
    assert [found.name for found in tmp_path.iterdir()] == ["profile.json"]


def appliance(places: Places, table: SimulatedTable, **how: Any) -> Appliance:
    def device(_settings: CameraSettings, _sight: object) -> StreamingCamera:
        return Automatic(table)

    return Appliance(Settings(), places, pins=no_pins, device=device, **how)


def test_the_desk_of_a_new_table_and_of_one_that_is_locked(places: Places, table: SimulatedTable) -> None:
    anew = threading.Event()
    with appliance(places, table) as new:
        desk = desk_for(new, anew.set, anew.set)
        assert desk is not None
        assert (desk.state()["locked"], desk.state()["zones"]) == (False, None)
        camera = new.camera
        assert camera is not None
        eventually(lambda: camera.health.state is HealthState.OK)
        desk.take_zones(POSE.zones().to_dict())
        table.take_dice_away()
        desk.take_empty()
        table.lay_six_colours()
        desk.take_colours()
        assert not anew.is_set()
        desk.keep()
        assert anew.is_set()
    profile = Profile.from_json(places.profile.read_text("utf-8"))
    assert profile.controls == SETTLED
    anew.clear()
    with appliance(places, table) as locked:
        desk = desk_for(locked, lambda: None, anew.set)
        assert desk is not None
        assert desk.state()["locked"] is True
        assert desk.state()["zones"]["track_mm"] == list(POSE.zones().track_mm)
        desk.release()
        assert anew.is_set()
    with appliance(places, table, setting_up=True) as released:
        assert not released.sight.lock
        assert released.table.snapshot().health["camera"].state is HealthState.ABSENT
        desk = desk_for(released, anew.set, anew.set)
        assert desk is not None
        assert desk.state()["locked"] is False


def test_without_a_camera_there_is_no_desk(places: Places) -> None:
    settings = Settings(camera=CameraSettings(kind="none"))
    with Appliance(settings, places, pins=no_pins) as one:
        assert desk_for(one, lambda: None, lambda: None) is None


def test_the_service_begins_anew_with_what_was_set_up(
    start: Callable[[str], Service], table: SimulatedTable, tmp_path: Path
) -> None:
    port = free_port()
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    more = f'folder = "{pictures}"\n'
    text = f'[camera]\nkind = "folder"\n{more}[page]\nhost = "127.0.0.1"\nport = {port}\n'
    service = start(text)
    service.told("READY=1")

    def step(name: str, **body: object) -> Any:
        asked = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/setup/{name}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(asked, timeout=SOON_S) as answer:
            return json.load(answer)

    def arrives(name: str) -> None:
        cv2.imwrite(str(pictures / f"{name}.png"), table.look())
        eventually(lambda: json.loads(get(port))["findings"] != [])

    table.take_dice_away()
    arrives("1-empty")
    step("zones", zones=POSE.zones().to_dict())
    step("empty")
    table.lay_six_colours()
    arrives("2-colours")
    assert step("colours")["step"] == "done"
    step("keep")
    service.told("READY=1")
    eventually(lambda: json.loads(get(port, "/api/snapshot"))["health"]["camera"]["state"] == "ok")
    profile = next(found for found in json.loads(get(port))["findings"] if found["subject"] == "profile")
    assert profile["level"] == "ok"
    assert service.ends() == 0
    assert "Traceback" not in service.log.read_text()

"""The appliance's parts as the settings want them: places of files, camera, health; nothing opened yet."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from companion.cli.data_file import data_file
from companion.cli.faults import Fault
from companion.cli.pictures import load_profile
from companion.devices.lock import Lock, LockError
from companion.devices.newest_picture import NewestPicture
from companion.devices.picamera import PicameraDevice
from companion.devices.self_throwing import SelfThrowing
from companion.devices.simulated.table import SimulatedTable
from companion.devices.streaming import SteadyCamera, StreamingCamera
from companion.devices.usb_camera import UsbCamera
from companion.settings.values import CameraSettings, Settings
from companion.store.place import default_file
from companion.table.conductor import Table
from companion.table.state import Health
from companion.vision.frame import FrameModel
from companion.vision.profile import Profile
from companion.vision.stillness import StillnessWatcher

PROFILE_NAME = "profile.json"
FIRST_SIZE_PX = (1536, 864)
"""Width and height of a USB camera's pictures before there is a profile; it takes what is nearest."""

FRAME_S = 1 / 30


@dataclass(frozen=True, slots=True)
class Places:
    """Where the games, the profile and the deck are; the deck's usual place is beside the games."""

    data: Path
    profile: Path
    deck: Path | None = None


def places_of(settings: Settings, environment: Mapping[str, str], home: Path) -> Places:
    """Return the files that the settings name, or the usual ones."""
    given = settings.table.data
    data = data_file(Path(given).expanduser()) if given else default_file(environment, home)
    profile = settings.table.profile
    deck = settings.table.deck
    return Places(
        data,
        Path(profile).expanduser() if profile else data.with_name(PROFILE_NAME),
        Path(deck).expanduser() if deck else None,
    )


@dataclass(frozen=True, slots=True)
class Sight:
    """What is needed to see: the profile if there is one that can be used, else why not."""

    profile: Profile | None
    lock: Lock
    problem: str | None = None
    simulated: SimulatedTable | None = None


def sight_of(settings: CameraSettings, place: Path) -> Sight:
    """Load the profile; a drawn table is calibrated on the spot, and no camera needs none."""
    if settings.kind == "none":
        return Sight(None, Lock(), "There is no camera, as the settings say; throws are typed on a phone.")
    if settings.kind == "simulated":
        table = SimulatedTable()
        return Sight(table.calibrated(), Lock(), None, table)
    try:
        place.stat()
    except PermissionError:
        sentence = (
            f"{place}: this user may not look there; check who may, or ask as the service's user: "
            "sudo -u companion companion doctor."
        )
        return Sight(None, Lock(), sentence)
    except OSError:
        return Sight(
            None,
            Lock(),
            f"{place}: there is no profile of this table yet; set it up on its page (/setup), or with "
            "`companion calibrate --camera`.",
        )
    try:
        profile = load_profile(place)
        return Sight(profile, Lock.of(profile.controls))
    except Fault as fault:
        return Sight(None, Lock(), fault.sentence)
    except LockError as error:
        return Sight(None, Lock(), f"{place}: {error}.")


def released(sight: Sight) -> Sight:
    """Return what is seen with while the table is set up anew: an automatic camera, and no reading."""
    return replace(
        sight,
        profile=None,
        lock=Lock(),
        problem="The table is being set up (/setup); until that is done throws are typed on a phone. Where "
        "it is not to be done after all, restart the companion: the profile is as it was.",
    )


def device_of(settings: CameraSettings, sight: Sight) -> StreamingCamera | None:
    """Return the camera of that kind, not opened; None where there is none."""
    size_px: tuple[int, int] | None = (settings.width_px, settings.height_px)
    if size_px == (0, 0):
        size_px = None if sight.profile is None else sight.profile.zones.size_px
    match settings.kind:
        case "picamera":
            return PicameraDevice(settings.number, size_px)
        case "usb":
            return UsbCamera(settings.number, size_px or FIRST_SIZE_PX)
        case "folder":
            return SteadyCamera(NewestPicture(Path(settings.folder).expanduser()), lambda: None)
        case "simulated":
            assert sight.simulated is not None
            return SelfThrowing(sight.simulated, lambda: time.sleep(FRAME_S))
    return None


def watcher_of(settings: CameraSettings, profile: Profile | None) -> Callable[[], StillnessWatcher] | None:
    """Return what makes a watcher for each press; None where nothing moves, or without a profile."""
    if profile is None or settings.kind == "folder":
        return None
    model = FrameModel.prepare(profile.empty, profile.zones)
    return lambda: StillnessWatcher(model, settings.settle_limit_s)


class HealthDesk:
    """Where devices say how they are, before and after there is a table that shows it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now: dict[str, Health] = {}
        self._table: Table | None = None

    def report(self, device: str, health: Health) -> None:
        """Take note, and tell the table."""
        with self._lock:
            self._now[device] = health
            table = self._table
        if table is not None:
            table.report_health(device, health)

    def attach(self, table: Table) -> None:
        """Tell the table how everything is now, and from now on."""
        with self._lock:
            self._table = table
            known = dict(self._now)
        for device, health in known.items():
            table.report_health(device, health)

    def now(self) -> Mapping[str, Health]:
        """Return how each device is, as it said last."""
        with self._lock:
            return dict(self._now)

"""Calibrating at a terminal with the table's own camera: it is locked first, then it takes the pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

from calibration import MarkerLayout, Setup
from calibration import Settings as TakenWith
from companion.cli.appliance_parts import Sight, device_of
from companion.cli.doctor import ask_running
from companion.cli.faults import Fault
from companion.cli.setting_up import NAMES, held
from companion.devices.clock import MonotonicClock
from companion.devices.lock import Lock
from companion.devices.supervised import SupervisedCamera
from companion.settings.values import CameraSettings, Settings
from companion.table.ports import CameraFault
from companion.vision.geometry import Zones
from companion.vision.profile import Profile
from companion.web.addresses import url_here
from companion.web.setup_desk import SetupRefused, step_of

EMPTY = "Clear the track and the reserve strip of dice and hands, then press Enter: "
EMPTY_AGAIN = "Then press Enter to try again: "
COLOURS = "Lay the six dice on the track, each with another colour up, then press Enter: "
COLOURS_AGAIN = (
    "Lay the six dice on the track, each with another colour up, then press Enter, or type both to begin "
    "anew with the empty table: "
)
NAMED = (
    "Press Enter if these are right, type the names in this order, with commas, or type again to take the "
    "picture again: "
)
UNNAMED = "Type the names in this order, with commas, or press Enter to take the picture again: "

OF_BOTH = frozenset(
    {
        "table_not_empty",
        "pictures_swapped",
        "camera_moved",
        "too_little_around",
        "light_clips",
        "too_dark",
        "blurred",
        "camera_not_locked",
    }
)
"""Refused beside the colours for what the picture of the empty table, or the lock, has as well."""

BY_HAND = "On the command line by hand means with --zones zones.json, a file that tells where they are."
"""What follows a refusal that says to mark the corners by hand: the page has handles to drag, this a file."""

SAYS_BY_HAND = frozenset({"markers_not_seen", "markers_misplaced", "markers_unknown"})

OF_NAMES = frozenset({"names_unclear", "channels_swapped", "colours_too_close", "wrong_bodies"})
"""Refused though the six dice are found: it may be that only the names are wrong."""

Result = TypeVar("Result")

Ask = Callable[[str], str]
"""Puts a question, and returns the line that a person answers with."""


@contextmanager
def opened_camera(settings: Settings, zones: Zones | None) -> Iterator[SupervisedCamera]:
    """Open the settings' camera, on automatic, with pictures of the size that the zones are for.

    Raises:
        Fault: a running companion holds it, or there is none.
    """
    device = None
    if settings.camera.kind != "simulated":
        device = device_of(_in_size(settings.camera, zones), Sight(None, Lock()))
    if device is None:
        raise Fault(
            f'[camera] kind is "{settings.camera.kind}" in the settings: set it to the kind of camera that '
            "is to be calibrated, or give pictures with --empty and --colours."
        )
    if ask_running(settings.page.host, settings.page.port) is not None:
        raise Fault(
            "the companion is running and holds the camera: set the table up on its page, "
            f"{url_here(settings.page.host, settings.page.port)}setup, or stop it first: "
            "sudo systemctl stop companion."
        )
    camera = SupervisedCamera(device, MonotonicClock())
    camera.start()
    try:
        camera.photograph()
        yield camera
    except CameraFault as fault:
        raise Fault(fault.sentence) from fault
    finally:
        camera.close()


def calibrated(
    camera: SupervisedCamera,
    kind: str,
    zones: Zones | None,
    ask: Ask,
    say: Callable[[str], object],
    names: Sequence[str] | None = None,
) -> Profile:
    """Ask for each thing to be done at the table until it does, and return the profile.

    `kind` says what of the camera can be locked; without zones the printed markers tell the track. Without
    `names` a person is asked whether the dice are named rightly.

    Raises:
        Fault: the zones are for pictures of another size, or nobody answers.
    """
    if zones is not None:
        height_px, width_px = camera.photograph().shape[:2]
        if zones.size_px != (width_px, height_px):
            raise Fault(
                f"the zones are for pictures of {zones.size_px[0]}x{zones.size_px[1]}, and this camera gives "
                f"{width_px}x{height_px}: set [camera] width_px and height_px, or measure the zones anew."
            )
    at_table = _AtTheTable(camera, NAMES.get(kind, ()), zones, ask, say, names)
    while True:
        empty, controls = at_table.emptied()
        say(_told_of_lock(camera.lock))
        setup = at_table.coloured(empty)
        if setup is not None:
            return setup.profile(TakenWith(datetime.now(UTC).isoformat(timespec="seconds"), controls))


@dataclass(frozen=True, slots=True)
class _AtTheTable:
    """A person who lays things out, and the camera that looks at them."""

    camera: SupervisedCamera
    lockable: tuple[str, ...]
    zones: Zones | None
    ask: Ask
    say: Callable[[str], object]
    names: Sequence[str] | None

    def emptied(self) -> tuple[Setup, Mapping[str, Any]]:
        """Return the set-up with the empty table, and what the camera is locked to."""
        question = EMPTY
        while True:
            self._answer(question)
            try:
                return step_of(self._empty)
            except SetupRefused as refused:
                self.say(_sentence(refused.sentence))
                if refused.code in SAYS_BY_HAND:
                    self.say(BY_HAND)
                question = EMPTY_AGAIN

    def coloured(self, empty: Setup) -> Setup | None:
        """Return the set-up with the colours learned; None where that of the empty table is to be redone."""
        question = COLOURS
        while True:
            if self._answer(question).casefold() == "both":
                return None
            question = COLOURS_AGAIN
            try:
                seen = step_of(lambda: empty.with_dice(self.camera.photograph()))
                named = self._named(seen)
            except SetupRefused as refused:
                self.say(_sentence(refused.sentence))
                if refused.code in OF_BOTH:
                    return None
            else:
                if named is not None:
                    return named

    def _empty(self) -> tuple[Setup, Mapping[str, Any]]:
        """Lock first: an earlier try's lock may be what nothing could be seen with."""
        controls = held(self.camera, self.lockable)
        picture = self.camera.photograph()
        setup = Setup() if self.zones is None else Setup().with_zones(self.zones)
        return setup.with_markers(picture, MarkerLayout()).with_empty(picture), controls

    def _named(self, seen: Setup) -> Setup | None:
        """Learn with names that a person gave or agreed to; None where another picture is wanted.

        Raises:
            SetupRefused: no names would help.
        """
        setup, names = seen, self.names
        while True:
            try:
                setup = step_of(seen.learned if names is None else partial(seen.with_names, names))
            except SetupRefused as refused:
                if refused.code in OF_NAMES:
                    setup = seen
                elif refused.code != "names_not_all":  # mistyped; what was learned before stays
                    raise
                self.say(_sentence(refused.sentence))
            for line in dice_lines(setup):
                self.say(line)
            if setup.lesson is not None and names is not None and names is self.names:
                return setup  # nobody needs to be asked
            answer = self._answer(UNNAMED if setup.lesson is None else NAMED)
            if not answer:
                return None if setup.lesson is None else setup
            if answer.casefold() == "again":
                return None
            names = [name.strip() for name in answer.split(",")]

    def _answer(self, question: str) -> str:
        try:
            return self.ask(question).strip()
        except EOFError as end:
            raise Fault(
                "nobody answers here: run this at a terminal, or set the table up on the page."
            ) from end


def dice_lines(setup: Setup) -> list[str]:
    """Return a line for each die: its number, where it lies in the picture, its name; and one for each two
    colours that are only just told apart.
    """
    names = ["which colour?"] * len(setup.top_faces_px) if setup.lesson is None else setup.lesson.names
    lines = []
    for number, (name, quad) in enumerate(zip(names, setup.top_faces_px, strict=True), start=1):
        x, y = (sum(corner[axis] for corner in quad) / 4 for axis in (0, 1))
        lines.append(f"  die {number} at {x:.0f},{y:.0f}: {name}")
    margins = () if setup.lesson is None else setup.lesson.margins
    narrow = {tuple(sorted((one.colour, one.nearest))) for one in margins if one.sureness == "narrow"}
    lines += [
        f"  {one} and {other} look much alike in this light: readings will often ask. "
        "More or whiter light helps."
        for one, other in sorted(narrow)
    ]
    return lines


def _in_size(camera: CameraSettings, zones: Zones | None) -> CameraSettings:
    if zones is None or (camera.width_px, camera.height_px) != (0, 0):
        return camera
    width_px, height_px = zones.size_px
    return replace(camera, width_px=width_px, height_px=height_px)


def _told_of_lock(lock: Lock) -> str:
    if not lock:
        return "This kind of camera has nothing to lock."
    return f"The camera is locked from now on: {lock.told()}."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"

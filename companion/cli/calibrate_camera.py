"""Calibrating at a terminal with the table's own camera: it is locked first, then it takes the pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from calibration import MarkerLayout
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
from companion.web.setup_desk import SetupDesk, SetupPort, SetupRefused

EMPTY = "Clear the track and the reserve strip of dice and hands, then press Enter: "
COLOURS = "Lay the six dice on the track, each with another colour up, then press Enter: "
NAMED = "Press Enter if these are right, or type the names in this order, with commas: "
AGAIN = "Then press Enter to try again: "

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
    kept: list[Profile] = []
    desk = SetupDesk(SetupPort(camera.photograph, lambda: held(camera, NAMES.get(kind, ())), kept.append))

    def until_it_does(question: str, step: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        while True:
            _answer(ask, question)
            try:
                return step()
            except SetupRefused as refused:
                say(_sentence(refused.sentence))
                question = AGAIN

    def empty() -> dict[str, Any]:
        if zones is None:
            desk.find_zones(list(MarkerLayout().track_mm))
        else:
            desk.take_zones(zones.to_dict())
        return desk.take_empty()

    def colours() -> dict[str, Any]:
        try:
            return desk.take_colours()
        except SetupRefused as refused:
            if refused.code != "names_unclear":
                raise
            say(_sentence(refused.sentence))
            return desk.state()  # the dice are seen, and a person names them

    if zones is not None:
        height_px, width_px = camera.photograph().shape[:2]
        if zones.size_px != (width_px, height_px):
            raise Fault(
                f"the zones are for pictures of {zones.size_px[0]}x{zones.size_px[1]}, and this camera gives "
                f"{width_px}x{height_px}: set [camera] width_px and height_px, or measure the zones anew."
            )
    until_it_does(EMPTY, empty)
    say(_told_of_lock(camera.lock))
    told = until_it_does(COLOURS, colours)
    if names is not None:
        told = _named(desk, names)
    while True:
        for line in dice_lines(told):
            say(line)
        if names is not None:
            break
        answer = _answer(ask, NAMED)
        if not answer and all(die["name"] for die in told["dice"]):
            break
        try:
            told = _named(desk, [name.strip() for name in answer.split(",")])
        except Fault as fault:
            say(_sentence(fault.sentence))
    desk.keep()
    return kept[0]


def dice_lines(told: dict[str, Any]) -> list[str]:
    """Return a line for each die: its number, where it lies in the picture, its name."""
    lines = []
    for number, die in enumerate(told["dice"], start=1):
        x, y = (sum(corner[axis] for corner in die["top_px"]) / 4 for axis in (0, 1))
        lines.append(f"  die {number} at {x:.0f},{y:.0f}: {die['name'] or 'which colour?'}")
    return lines


def _in_size(camera: CameraSettings, zones: Zones | None) -> CameraSettings:
    if zones is None or (camera.width_px, camera.height_px) != (0, 0):
        return camera
    width_px, height_px = zones.size_px
    return replace(camera, width_px=width_px, height_px=height_px)


def _named(desk: SetupDesk, names: Sequence[str]) -> dict[str, Any]:
    try:
        return desk.take_names(list(names))
    except SetupRefused as refused:
        raise Fault(refused.sentence) from refused


def _answer(ask: Ask, question: str) -> str:
    try:
        return ask(question).strip()
    except EOFError as end:
        raise Fault("nobody answers here: run this at a terminal, or set the table up on the page.") from end


def _told_of_lock(lock: Lock) -> str:
    if not lock:
        return "This kind of camera has nothing to lock."
    return f"The camera is locked from now on: {lock.told()}."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"

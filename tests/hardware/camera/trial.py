"""From a press to the lights with the real picamera2: calibrated, played and failing on the virtual camera.

Runs inside the tree that `build` makes; script/test-camera starts it. Each step is a process of its own, as
the virtual camera reads its pictures once a process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np

from calibration import calibrate
from companion.cli.pictures import load_picture, load_profile
from companion.devices.clock import MonotonicClock
from companion.devices.gpio_button import GpioButton, open_input
from companion.devices.lock import Lock
from companion.devices.picamera import PicameraDevice
from companion.devices.supervised import SupervisedCamera
from companion.game.cards import Card, Group
from companion.store.memory import MemoryJournal
from companion.table.conductor import Table
from companion.table.gestures import Gesture
from companion.table.intents import NameCard, StartGame, Undo
from companion.table.phase import Phase
from companion.table.ports import CameraFault, Frame, LedPattern, LedPatterns
from companion.table.state import Setup
from companion.vision.frame import FrameModel
from companion.vision.geometry import Zones
from companion.vision.read import read_picture
from companion.vision.reading import Reading
from companion.vision.stillness import StillnessWatcher
from tests.hardware.camera.virtual_camera import serve, virtual_camera

PICTURES, SEEN = Path("/opt/pictures"), Path("/opt/seen")
MOST_OFF = 6.0
"""Levels by which a frame may be off its picture on average."""
SIZE_PX = (1280, 960)
CARDS = tuple(Card((Group(size, None),), 1, None) for size in (4, 6, 3))
PATIENCE_S = 60.0
OFF, STEADY, SLOW, LOOK = (LedPattern.OFF, LedPattern.STEADY, LedPattern.SLOW_BLINK, LedPattern.LOOK_AT_PHONE)


class Failed(Exception):
    """What was expected is not so; the sentence says what."""


class KeptLeds:
    """LEDs that remember all they were told to show."""

    def __init__(self) -> None:
        self.shown: list[LedPatterns] = []

    def show(self, patterns: LedPatterns) -> None:
        self.shown.append(patterns)


def of(*names: str) -> list[Path]:
    """The pictures of these names."""
    return [PICTURES / f"{name}.jpg" for name in names]


def device(number: int = 0) -> PicameraDevice:
    """Our own camera class, on the real library."""
    return PicameraDevice(number, SIZE_PX, camera_of=virtual_camera)


def look(name: str) -> str:
    """Keep what our camera class gives of a picture."""
    serve(of(name))
    camera = device()
    try:
        camera.open(Lock())
        small = camera.small()
        shot = camera.still()
    finally:
        camera.close()
    expect(shot.frame.shape == (SIZE_PX[1], SIZE_PX[0], 3), f"a frame of {shot.frame.shape}")
    expect(small.shape[1] / small.shape[0] == SIZE_PX[0] / SIZE_PX[1], f"a small frame of {small.shape}")
    expect("SensorTimestamp" in shot.metadata, f"the frame's own metadata are {shot.metadata}")
    drawn = cv2.imread(str(of(name)[0]))
    off = float(np.abs(shot.frame.astype(int) - np.asarray(drawn)).mean())
    # Chroma has half the resolution; red and blue changed over, or another range, would be far more.
    expect(off < MOST_OFF, f"the frame is {off:.1f} levels off the picture")
    cv2.imwrite(str(SEEN / f"{name}.png"), shot.frame)
    return f"small frames of {small.shape[1]}x{small.shape[0]}, {off:.1f} levels off the picture"


def calibration() -> str:
    """Make the profile from what the camera class gave of the two pictures."""
    zones = Zones.from_json((PICTURES / "zones.json").read_text(encoding="utf-8"))
    empty, colours = (load_picture(SEEN / f"{name}.png") for name in ("empty", "colours"))
    (SEEN / "profile.json").write_text(calibrate(zones, empty, colours).to_json(), encoding="utf-8")
    return "from the two pictures that the camera gave"


def expect(is_so: bool, otherwise: str) -> None:
    """Go on where it is so."""
    if not is_so:
        raise Failed(otherwise)


class Rig:
    """Table, camera and button, as `companion run` puts them together, with gpiozero's mock pin."""

    def __init__(self, pictures: list[Path], limit_s: float = 8.0) -> None:
        from gpiozero.pins.mock import MockFactory

        serve(pictures)
        profile = load_profile(SEEN / "profile.json")
        clock = MonotonicClock()
        model = FrameModel.prepare(profile.empty, profile.zones)
        self.camera = SupervisedCamera(device(), clock, watcher=lambda: StillnessWatcher(model, limit_s))
        self.leds = KeptLeds()
        self.readings: list[Reading] = []
        self._profile = profile
        self.table = Table(
            MemoryJournal(), self._read, self.camera, self.leds, clock, setup=Setup(has_reserve=True)
        )
        self._pins = MockFactory()
        self._pin = self._pins.pin(23)
        self._button = GpioButton(
            open_input(self._pins, 23, inverted=False),
            clock,
            self._heard,
        )

    def _heard(self, gesture: Gesture) -> None:
        self.table.submit(gesture.intent)

    def _read(self, frame: Frame) -> Reading:
        self.readings.append(read_picture(frame, self._profile))
        return self.readings[-1]

    def __enter__(self) -> Rig:
        self.table.start()
        self.camera.start()
        self.table.submit(StartGame(("Ana", "Ben"), 0, False))
        for holder, card in enumerate(CARDS):
            self.table.submit(NameCard(holder, card))
        return self

    def __exit__(self, *_: object) -> None:
        self._button.close()
        self._pins.close()
        self.table.close()
        self.camera.close()

    def press(self) -> float:
        """Press once, and return after how many ms the lights showed what came of it."""
        before = len(self.leds.shown)
        self._pin.drive_low()
        threading.Event().wait(0.05)
        self._pin.drive_high()
        began_s = time.monotonic()
        snapshot = self.table.snapshot()
        while not self.leds.shown[before:] or snapshot.phase is Phase.READING:
            expect(time.monotonic() - began_s < PATIENCE_S, f"nothing came of the press: {snapshot.phase}")
            snapshot = self.table.wait_newer(snapshot.revision, 1.0) or self.table.snapshot()
        expect(LedPattern.READING in self.leds.shown[before], "the press was not acknowledged first")
        return (time.monotonic() - began_s) * 1000


def reads(name: str, leds: LedPatterns, phase: Phase = Phase.DECIDE) -> str:
    """Press at a picture of which the dice are known, and expect what the rules say."""
    truth = json.loads((PICTURES / "truth.json").read_text(encoding="utf-8"))[name]
    with Rig(of(name)) as rig:
        took_ms = rig.press()
        shown = rig.table.snapshot()
        seen = Counter((die.body, die.colour) for die in rig.readings[-1].dice)
        expect(shown.phase is phase, f"{name}: the table is in {shown.phase}: {rig.readings[-1].problems}")
        if phase is Phase.DECIDE:
            expect(seen == Counter(tuple(die) for die in truth), f"{name}: read as {seen}")
        expect(rig.leds.shown[-1] == leds, f"{name}: the LEDs show {rig.leds.shown[-1]}")
        rig.table.submit(Undo())
        expect(rig.camera.metadata.get("SensorTimestamp", 0) > 0, "no metadata of the frame that was read")
    return f"{took_ms:.0f} ms from letting go to the lights"


def keeps_moving() -> str:
    """Dice that lie elsewhere in every frame are never read."""
    with Rig(of("four_reds", "blacks_alike", "throw00", "throw01"), limit_s=2.0) as rig:
        rig.press()
        waiting = rig.table.snapshot()
        expect(not rig.readings, "it was read while it moved")
        expect(waiting.phase is not Phase.DECIDE, f"the table is in {waiting.phase}")
        sentence = waiting.health["camera"].sentence if waiting.reading is None else waiting.reading.sentence
        return f"it waits: {sentence}"


def held_anew() -> str:
    """Let the camera go and open it anew in the same process, as the set-up does to lock it."""
    serve(of("empty"))
    camera = SupervisedCamera(device(), MonotonicClock())
    camera.start()
    try:
        before, after = camera.look(), camera.hold(Lock())
    finally:
        camera.close()
    off = float(np.abs(before.astype(int) - after).mean())
    expect(off < MOST_OFF, f"it sees something else: {off:.1f} levels off")
    return "the same view before and after"


def refuses(number: int, lock: Lock, code: str, beside: PicameraDevice | None = None) -> str:
    """Open a camera that cannot be had, and expect advice in place of what the library raises."""
    camera = SupervisedCamera(device(number), MonotonicClock(), lock=lock)
    try:
        if beside is not None:
            beside.open(Lock())
        camera.start()
        try:
            camera.look()
        except CameraFault as fault:
            expect(fault.code == code, f"it was told as {fault.code}: {fault.sentence}")
            return fault.sentence
        raise Failed("it gave a picture")
    finally:
        camera.close()
        if beside is not None:
            beside.close()


STEPS: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "a picture of the empty table": lambda: look("empty"),
        "a picture of the six colours": lambda: look("colours"),
        "calibrated": calibration,
        "four reds": lambda: reads("four_reds", (STEADY, OFF, STEADY)),
        "both black dice alike": lambda: reads("blacks_alike", (SLOW, OFF, STEADY)),
        "a die leans": lambda: reads("leaning", (LOOK, LOOK, LOOK), Phase.DOUBT),
        "dice that move": keeps_moving,
        "opened anew, as to lock it": held_anew,
        "a lock that this camera cannot keep": lambda: refuses(0, _lock(), "camera_other"),
        "no such camera": lambda: refuses(7, Lock(), "camera_absent"),
        "a camera that another one holds": lambda: refuses(0, Lock(), "camera_busy", device()),
    }
)
"""Each by what is tried; those further down need what the first ones kept."""


def main(words: list[str]) -> int:
    """Do one step, or each in a process of its own; 0 when all is as it must be."""
    if words:
        try:
            print(STEPS[words[0]](), flush=True)
        except Failed as failed:
            print(f"FAILED: {failed}", flush=True)
            os._exit(1)  # picamera2's threads may never end
        os._exit(0)
    SEEN.mkdir(exist_ok=True)
    for count, step in enumerate(STEPS):
        done = subprocess.run(
            [sys.executable, "-m", __spec__.name, step],
            stdout=subprocess.PIPE,
            text=True,
            timeout=300,
            check=False,
        )
        print(f"camera: {step}: {done.stdout.strip()}", flush=True)
        if done.returncode != 0:
            print(f"{count} passed, 1 failed")
            return 1
    print(f"{len(STEPS)} passed, 0 failed")
    return 0


def _lock() -> Lock:
    values: dict[str, Any] = {"ExposureTime": 8000, "AnalogueGain": 2.0, "ColourGains": [1.8, 1.5]}
    return Lock.of(values)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

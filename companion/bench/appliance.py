"""From the button to the LEDs: how long a press takes to be heard, and to light what can be taken."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Sequence
from typing import Any

from companion.bench import Figure
from companion.devices.clock import MonotonicClock
from companion.devices.gpio_button import GpioButton
from companion.devices.simulated.table import SimulatedCamera, SimulatedTable
from companion.devices.streaming import SteadyCamera
from companion.devices.supervised import SupervisedCamera
from companion.game.deck import default_deck
from companion.store.memory import MemoryJournal
from companion.table.conductor import Table
from companion.table.gestures import Gesture
from companion.table.intents import NameCard, StartGame, Undo
from companion.table.ports import LedPattern, LedPatterns
from companion.vision.frame import FrameModel
from companion.vision.read import PictureReader
from companion.vision.stillness import StillnessWatcher

NAME = "appliance"
HELP = "from a press to the LEDs, with dice at rest under a drawn camera of 30 frames a second"
PRESSES = 15
FRAME_S = 1 / 30
LIMIT_MS = 300.0
HEARD_LIMIT_MS = 50.0
GIVE_UP_S = 20.0


class Contact:
    """A button's pin without a pin: closed and opened by the bench."""

    def __init__(self) -> None:
        self.when_activated: Any = None
        self.when_deactivated: Any = None
        self.is_active = False

    def pressed(self) -> None:
        """Close the contact for a short while, and let it open."""
        self.is_active = True
        self.when_activated()
        time.sleep(0.05)
        self.is_active = False
        self.when_deactivated()

    def close(self) -> None:
        """Nothing to let go."""


class TimedLeds:
    """LEDs that remember when they showed that a press was heard, and when what came of it."""

    def __init__(self) -> None:
        self.heard_s = self.shown_s = 0.0
        self.shown = threading.Event()

    def show(self, patterns: LedPatterns) -> None:
        """Take note of the time."""
        if LedPattern.READING in patterns:
            self.heard_s = time.monotonic()
        elif self.heard_s and not self.shown.is_set():
            self.shown_s = time.monotonic()
            self.shown.set()

    def wait_anew(self) -> None:
        """Forget the last press."""
        self.heard_s = 0.0
        self.shown.clear()


class Paced:
    """Waits for the next frame of a camera that gives so many a second."""

    def __init__(self) -> None:
        self._due_s = 0.0

    def __call__(self) -> None:
        """Wait until the next frame is there."""
        now_s = time.monotonic()
        self._due_s = max(self._due_s + FRAME_S, now_s)
        time.sleep(max(0.0, self._due_s - now_s))


def run() -> Sequence[Figure]:
    """Press some times, each press a first throw again."""
    scene = SimulatedTable(seed=3)
    profile = scene.calibrated()
    reader = PictureReader(profile.zones, profile.focal_px, profile.empty, profile.faces)
    model = FrameModel.prepare(profile.empty, profile.zones)
    clock = MonotonicClock()
    camera = SupervisedCamera(
        SteadyCamera(SimulatedCamera(scene), Paced()), clock, watcher=lambda: StillnessWatcher(model)
    )
    leds, contact = TimedLeds(), Contact()
    with Table(MemoryJournal(), reader.read, camera, leds, clock) as table:
        camera.start()
        table.submit(StartGame(("A", "B"), 0, False))
        for holder, card in enumerate(default_deck().kinds[:3]):
            table.submit(NameCard(holder, card))

        def heard(gesture: Gesture) -> None:
            table.submit(gesture.intent)

        button = GpioButton(contact, clock, heard)
        try:
            times = [_press(table, contact, leds, scene) for _ in range(PRESSES)]
        finally:
            button.close()
    # The first press has the camera and the reader warm up.
    heard_ms, shown_ms = zip(*times[1:], strict=True)
    return (
        Figure("press to acknowledgement, median", statistics.median(heard_ms), "ms", HEARD_LIMIT_MS),
        Figure("press to what can be taken, median", statistics.median(shown_ms), "ms", LIMIT_MS),
        Figure("press to what can be taken, slowest", max(shown_ms), "ms"),
    )


def _press(table: Table, contact: Contact, leds: TimedLeds, scene: SimulatedTable) -> tuple[float, float]:
    """Throw, press, and return after how many ms the LEDs said that it was heard, and what came of it."""
    scene.throw(everything=True)
    scene.picture()  # drawn now, so that no time of the drawing is measured
    leds.wait_anew()
    contact.pressed()
    pressed_s = time.monotonic()
    if not leds.shown.wait(GIVE_UP_S):
        raise RuntimeError("a press was not answered")
    heard_ms, shown_ms = ((at - pressed_s) * 1000 for at in (leds.heard_s, leds.shown_s))
    while table.snapshot().undo is not None and _has_throw(table):
        table.submit(Undo())
    return heard_ms, shown_ms


def _has_throw(table: Table) -> bool:
    snapshot = table.snapshot()
    return snapshot.reading is not None or (snapshot.game is not None and snapshot.game.dice is not None)

"""The appliance: journal, camera, LEDs, button and table put together; whatever is missing, play goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any, Self

from companion.cli.appliance_parts import HealthDesk, Places, Sight, device_of, released, sight_of, watcher_of
from companion.cli.deck_place import deck_beside, open_deck
from companion.cli.faults import Fault
from companion.cli.table_parts import deck_in, reader_of, setup_of
from companion.devices.clock import MonotonicClock
from companion.devices.gpio import ABSENT_CODES, GpioFault, open_pins
from companion.devices.gpio_button import GpioButton, open_input
from companion.devices.gpio_leds import GpioLeds, open_lamps
from companion.devices.led_signals import Signal
from companion.devices.no_leds import NoLeds
from companion.devices.streaming import StreamingCamera
from companion.devices.supervised import SupervisedCamera
from companion.doctor.finding import Finding, Level, of_health
from companion.doctor.machine import machine
from companion.doctor.profile import of_lock, of_profile
from companion.settings.values import CameraSettings, Settings
from companion.store.faults import StoreDamaged, StoreFault
from companion.store.growing_deck import GrowingDeck
from companion.store.journal import SqliteJournal
from companion.table.conductor import Table
from companion.table.gestures import Gesture
from companion.table.log import LogError
from companion.table.ports import DeckFault, JournalFault
from companion.table.state import Health, HealthState, Setup
from companion.web.addresses import own_addresses, urls_of

LOG = logging.getLogger(__name__)
WELL = {
    "camera": "The camera gives pictures.",
    "camera_device": "The camera gives pictures.",
    "leds": "The LEDs have their pins; light each in turn to see them.",
    "button": "The button has its pin and is up.",
    "journal": "The games are kept.",
    "cards": "The cards are read, and learned as they come up.",
}
"""What is said of a device that is well."""


class Appliance:
    """Everything but the page; open it with `with`, and close it the same way."""

    def __init__(
        self,
        settings: Settings,
        places: Places,
        *,
        pins: Callable[[], Any] = open_pins,
        device: Callable[[CameraSettings, Sight], StreamingCamera | None] = device_of,
        setting_up: bool = False,
    ) -> None:
        """Take note of what is wanted; `pins` and `device` open the hardware.

        While it is `setting_up` the camera measures the light by itself, and nothing is read from it.
        """
        self._setting_up = setting_up
        self.settings = settings
        self.places = places
        self.desk = HealthDesk()
        self.leds: GpioLeds | None = None
        self.camera: SupervisedCamera | None = None
        self.listeners: list[Callable[[Gesture], bool]] = []
        """Asked before the table for each gesture; one that returns True has taken it."""
        self._pins = pins
        self._device = device
        self.has_button = False
        """Whether there is a button that can be pressed."""
        self._clock = MonotonicClock()
        self._stack = ExitStack()
        self._gestures = 0

    def __enter__(self) -> Self:
        try:
            self._open()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def findings(self) -> Sequence[Finding]:
        """Examine everything, while it runs."""
        if self.camera is not None:
            _ = self.camera.health  # a call that is overdue is told when somebody asks
        now = datetime.now(UTC)
        found = [
            of_profile(
                self.places.profile,
                self.sight.profile,
                self.sight.problem,
                now,
                wanted=self.settings.camera.kind != "none",
            )
        ]
        if self.settings.camera.kind in ("picamera", "usb"):
            lock = of_lock(self.sight.profile)
            found += [] if lock is None else [lock]
        told = {**self.table.snapshot().health, **self.desk.now()}
        found += [of_health(device, health, WELL.get(device, "It works.")) for device, health in told.items()]
        if self.settings.button.use:
            found.append(
                Finding("presses", Level.OK, f"Presses of the button since the start: {self._gestures}.")
            )
        return [*found, *self._machine()]

    def urls(self) -> Sequence[str]:
        """Return the page's addresses: for phones, or this machine's own where the page is for it alone."""
        return urls_of(self.settings.page.host, self.settings.page.port)

    def pressed(self, gesture: Gesture) -> None:
        """Do what a gesture of the button asks for."""
        self._gestures += 1
        if any(hears(gesture) for hears in self.listeners):
            return
        outcome = self.table.submit(gesture.intent)
        if not outcome.accepted:
            LOG.info("button, %s: %s", gesture.value.replace("_", " "), outcome.sentence)

    def tell_more_of(self, device: str, sentence: str) -> None:
        """Say what a device's fault leads to, beside what it is."""
        known = self.desk.now().get(device)
        told = sentence if known is None or not known.sentence else f"{known.sentence} {sentence}"
        self.desk.report(device, Health(HealthState.FAULT, told))

    def _machine(self) -> list[Finding]:
        page = self.settings.page
        return machine(self.places.data, self.urls(), has_address=bool(own_addresses()), host=page.host)

    def _open(self) -> None:
        self.journal = self._stack.enter_context(self._open_journal())
        self.sight = sight_of(self.settings.camera, self.places.profile)
        if self._setting_up:
            self.sight = released(self.sight)
        if self.sight.problem is not None:
            LOG.warning("%s", self.sight.problem)
        self._open_camera()
        factory = self._open_pins()
        self._open_leds(factory)
        self._open_table()
        self._open_button(factory)
        if self.camera is not None:
            self.camera.start()

    def _open_journal(self) -> SqliteJournal:
        path = self.places.data
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                return SqliteJournal(path)
            except StoreDamaged as damaged:
                # Set aside and named; an appliance then begins a new file rather than refuse to play.
                LOG.error("%s", damaged.sentence)
                sentence = f"The file of the games was damaged, and kept as {damaged.set_aside}."
                self.desk.report("games", Health(HealthState.FAULT, sentence))
                return SqliteJournal(path)
        except StoreFault as fault:
            raise Fault(fault.sentence) from fault
        except OSError as error:
            raise Fault(
                f"{path}: the folder cannot be made ({error.strerror}); set [table] data to another place."
            ) from error

    def _open_camera(self) -> None:
        device = self._device(self.settings.camera, self.sight)
        if device is None:
            return
        # Without a profile the table has no use of the camera, but calibration has.
        name = "camera" if self.sight.profile is not None else "camera_device"
        self.camera = SupervisedCamera(
            device,
            self._clock,
            lock=self.sight.lock,
            watcher=watcher_of(self.settings.camera, self.sight.profile),
            on_health=lambda health: self.desk.report(name, health),
        )
        self._stack.callback(self.camera.close)

    def _open_pins(self) -> Any:
        """Return the pin factory, or None: then the companion runs without button and LEDs, and says so."""
        if not (self.settings.button.use or self.settings.leds.use):
            return None
        try:
            factory = self._pins()
        except GpioFault as fault:
            self._no_pins(fault, *(["button"] if self.settings.button.use else []), "leds")
            return None
        self._stack.callback(factory.close)
        return factory

    def _no_pins(self, fault: GpioFault, *devices: str) -> None:
        LOG.warning("%s", fault.sentence)
        state = HealthState.ABSENT if fault.code in ABSENT_CODES else HealthState.FAULT
        for device in devices:
            self.desk.report(device, Health(state, fault.sentence))

    def _open_leds(self, factory: Any) -> None:
        wanted = self.settings.leds
        if factory is None or not wanted.use:
            return
        try:
            lamps = open_lamps(
                factory, wanted.gpio, brightness_frac=wanted.brightness_frac, inverted=wanted.inverted
            )
        except GpioFault as fault:
            self._no_pins(fault, "leds")
            return
        self.leds = GpioLeds(
            lamps,
            self._clock,
            brightness_frac=wanted.brightness_frac,
            on_fault=lambda sentence: self.desk.report("leds", Health(HealthState.FAULT, sentence)),
        )
        self._stack.callback(self.leds.close)
        self.desk.report("leds", Health(HealthState.OK))
        self.leds.try_each()  # whoever switches it on sees that it lives, and that each LED does

    def _open_button(self, factory: Any) -> None:
        wanted = self.settings.button
        if factory is None or not wanted.use:
            return
        try:
            pin = open_input(factory, wanted.gpio, inverted=wanted.inverted)
        except GpioFault as fault:
            self._no_pins(fault, "button")
            return
        self.desk.report("button", Health(HealthState.OK))
        self.has_button = True
        button = GpioButton(pin, self._clock, self.pressed, self._stuck, self._down)
        self._stack.callback(button.close)

    def _down(self, is_down: bool) -> None:
        """Show on the LEDs what letting go of the button would mean."""
        if self.leds is None:
            return
        if is_down:
            self.leds.signal(Signal.HELD)
        else:
            self.leds.end(Signal.HELD)

    def _stuck(self, is_stuck: bool) -> None:
        sentence = (
            "The button has been down for half a minute: something lies on it, or its wires touch. Free it; "
            "until then phones do all it does."
        )
        self.desk.report(
            "button", Health(HealthState.FAULT, sentence) if is_stuck else Health(HealthState.OK)
        )

    def _open_deck(self) -> GrowingDeck | None:
        """Return what reads the cards; where it can not, that is told, and people name them."""
        profile = self.sight.profile
        if profile is None or self.settings.table.cards_by_hand:
            return None
        if not profile.zones.holders_px:
            sentence = "The profile has no zones for the card holders, so people name the cards."
            self.desk.report("cards", Health(HealthState.ABSENT, sentence))
            return None
        try:
            return open_deck(profile, deck_beside(self.places.data, self.places.deck))
        except DeckFault as fault:
            LOG.warning("%s", fault.sentence)
            self.desk.report("cards", Health(HealthState.FAULT, fault.sentence))
            return None

    def _open_table(self) -> None:
        profile = self.sight.profile
        setup = Setup() if profile is None else setup_of(profile)
        deck = self._open_deck()
        own = () if deck is None else deck.deck.deck.kinds
        # A glance must show what is there now: the newest file of a folder may be an old picture.
        sees_now = self.camera is not None and self.settings.camera.kind in ("picamera", "usb")
        try:
            table = Table(
                self.journal,
                None if profile is None else reader_of(profile),
                self.camera,
                self.leds or NoLeds(),
                self._clock,
                setup=setup,
                deck=(*own, *deck_in(setup.colours)),
                eye=deck,
                glance=self.camera.look if self.camera is not None and sees_now else None,
            )
            self.table = self._stack.enter_context(table)
        except LogError as error:
            raise Fault(
                f"{self.journal.path}: {error}; keep the file, and set [table] data to another one."
            ) from error
        except JournalFault as fault:
            raise Fault(fault.sentence) from fault
        if profile is None:
            self.desk.report("camera", Health(HealthState.ABSENT, self.sight.problem))
        self.desk.attach(self.table)

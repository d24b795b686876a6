"""The devices, opened only to be examined: camera and lock, LEDs one after the other, and the button."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from companion.devices.clock import MonotonicClock
from companion.devices.gpio import ABSENT_CODES, GpioFault
from companion.devices.gpio_button import GpioButton, open_input
from companion.devices.gpio_leds import GpioLeds, open_lamps
from companion.devices.led_signals import TRIAL_STEP_S
from companion.devices.lock import Lock
from companion.devices.streaming import StreamingCamera
from companion.devices.supervised import SupervisedCamera
from companion.doctor.finding import Finding, Level
from companion.settings.values import ButtonSettings, LedSettings
from companion.table.gestures import Gesture
from companion.table.ports import CameraFault


def camera(device: StreamingCamera, lock: Lock) -> Finding:
    """Open the camera, and take a picture as locked."""
    supervised = SupervisedCamera(device, MonotonicClock(), lock=lock)
    supervised.start()
    try:
        frame = supervised.capture()
    except CameraFault as fault:
        return Finding("camera", Level.FAULT, fault.sentence)
    finally:
        supervised.close()
    height, width = frame.shape[:2]
    locked = f", taken as locked: {_of_frame(lock, supervised.metadata).told()}" if lock else ""
    return Finding("camera", Level.OK, f"The camera gives pictures of {width}x{height}{locked}.")


def _of_frame(lock: Lock, metadata: Mapping[str, Any]) -> Lock:
    """Return what a frame was taken with, of what is locked."""
    return Lock.of({name: metadata[name] for name, _ in lock.values if name in metadata})


def leds(factory: Any, settings: LedSettings, wait: Callable[[float], object]) -> Finding:
    """Light each LED in turn; whether it is seen, only a person can tell."""
    try:
        lamps = open_lamps(
            factory, settings.gpio, brightness_frac=settings.brightness_frac, inverted=settings.inverted
        )
    except GpioFault as fault:
        return of_pins("leds", fault)
    shown = GpioLeds(lamps, MonotonicClock(), brightness_frac=settings.brightness_frac)
    shown.try_each()
    wait(len(lamps) * TRIAL_STEP_S)
    shown.close()
    pins = ", ".join(f"GPIO {pin}" for pin in settings.gpio)
    return Finding(
        "leds",
        Level.OK,
        f"Left, middle and right ({pins}) were lit in turn; one that stayed dark has a wire loose, or is the "
        "wrong way round.",
    )


def button(factory: Any, settings: ButtonSettings, wait_s: float) -> Finding:
    """Look at the button, and for `wait_s` seconds wait for a press."""
    heard = threading.Event()

    def took(_gesture: Gesture) -> None:
        heard.set()

    try:
        pin = open_input(factory, settings.gpio, inverted=settings.inverted)
    except GpioFault as fault:
        return of_pins("button", fault)
    is_down = pin.is_active
    listening = GpioButton(pin, MonotonicClock(), took)
    came = wait_s > 0 and heard.wait(wait_s)
    listening.close()
    where = f"The button on GPIO {settings.gpio}"
    if came:
        return Finding("button", Level.OK, f"{where} was pressed and let go.")
    if is_down:
        return Finding(
            "button",
            Level.FAULT,
            f"{where} is down: unless somebody holds it, its wires touch, or [button] inverted is wrong.",
        )
    if wait_s > 0:
        return Finding(
            "button", Level.FAULT, f"{where} was not pressed within {wait_s:g} s, or a wire of it is loose."
        )
    return Finding("button", Level.OK, f"{where} is up.")


def of_pins(subject: str, fault: GpioFault) -> Finding:
    """Return what it means that pins cannot be used."""
    return Finding(subject, Level.NOTE if fault.code in ABSENT_CODES else Level.FAULT, fault.sentence)

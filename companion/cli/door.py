"""The door of a table's page: which phones may act, kept in the table's file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.cli.faults import Fault
from companion.devices.clock import MonotonicClock
from companion.devices.gpio_leds import GpioLeds
from companion.devices.led_signals import Signal
from companion.pairing.door import Asking, Door
from companion.pairing.phones import PhonesFault
from companion.store.phones import StoredPhones


def open_door(path: Path) -> Door:
    """Return the door with the phones kept in the file at `path`, which the journal has opened.

    Raises:
        Fault: they can not be read.
    """
    try:
        return Door(StoredPhones(path), MonotonicClock())
    except PhonesFault as fault:
        raise Fault(fault.sentence) from fault


def shown_by(leds: GpioLeds) -> Callable[[Asking], None]:
    """Return what shows on the LEDs that a phone asks to act, and that it was let in."""

    def show(asking: Asking) -> None:
        if asking is Asking.ASKED:
            leds.signal(Signal.ASKED)
            return
        leds.end(Signal.ASKED)
        if asking is Asking.LET_IN:
            leds.signal(Signal.LET_IN)

    return show

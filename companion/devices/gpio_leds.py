"""The three LEDs on the pins: one thread renders their patterns; a pin that fails never stops play."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Protocol

from companion.devices.gpio import with_pins
from companion.devices.led_cycles import CYCLES
from companion.devices.led_signals import COURSES, Signal
from companion.table.ports import Clock, LedPattern, LedPatterns

LOG = logging.getLogger(__name__)
DARK: LedPatterns = (LedPattern.OFF, LedPattern.OFF, LedPattern.OFF)
PWM_HZ = 200
"""Fast enough that a dimmed LED does not flicker."""


class Lamp(Protocol):
    """One LED, as gpiozero's `LED` and `PWMLED` have it."""

    value: float
    """0 is dark, 1 is lit."""

    def close(self) -> None:
        """Turn it off and let the pin go."""


def open_lamps(factory: Any, pins: Sequence[int], *, brightness_frac: float, inverted: bool) -> list[Lamp]:
    """Open the pins (BCM) as LEDs; a full one needs no pulses.

    Raises:
        GpioFault: a pin is taken or cannot do that; none is left open then.
    """
    import gpiozero

    def opened(pin: int) -> Lamp:
        if brightness_frac < 1:
            lamp: Lamp = gpiozero.PWMLED(pin, active_high=not inverted, frequency=PWM_HZ, pin_factory=factory)
        else:
            lamp = gpiozero.LED(pin, active_high=not inverted, pin_factory=factory)
        return lamp

    lamps: list[Lamp] = []
    with ExitStack() as stack:
        for count, pin in enumerate(pins, start=1):
            lamps.append(with_pins(f"LED {count} on GPIO {pin}", partial(opened, pin)))
            stack.callback(lamps[-1].close)
        stack.pop_all()
    return lamps


class GpioLeds:
    """Renders the patterns on three lamps until it is closed; `show` never waits for the pins."""

    def __init__(
        self,
        lamps: Sequence[Lamp],
        clock: Clock,
        *,
        brightness_frac: float = 1.0,
        on_fault: Callable[[str], None] = lambda _sentence: None,
    ) -> None:
        """Begin in the dark; `on_fault` is told once, in a sentence, when a pin no longer takes orders."""
        self._lamps = tuple(lamps)
        self._clock = clock
        self._brightness_frac = brightness_frac
        self._on_fault = on_fault
        self._changed = threading.Condition()
        self._orders = 0
        self._patterns = DARK
        began_s = clock.now_s()
        self._since_s = [began_s] * len(self._lamps)
        self._signals: dict[Signal, float] = {}
        self._written: list[bool | None] = [None] * len(self._lamps)
        self._is_well = True
        self._closed = False
        self._thread = threading.Thread(target=self._render, name="leds", daemon=True)
        self._thread.start()

    def show(self, patterns: LedPatterns) -> None:
        """Show these patterns from now on; an LED that keeps its pattern goes on in step."""
        with self._changed:
            now_s = self._clock.now_s()
            for place, (old, new) in enumerate(zip(self._patterns, patterns, strict=True)):
                if old is not new:
                    self._since_s[place] = now_s
            self._patterns = patterns
            self._ordered()

    def try_each(self) -> None:
        """Light each in turn, from left to right, then go on with the patterns; returns at once."""
        self.signal(Signal.TRIAL)

    def signal(self, signal: Signal) -> None:
        """Give a signal from now on, over the patterns; returns at once."""
        with self._changed:
            self._signals[signal] = self._clock.now_s()
            self._ordered()

    def end(self, signal: Signal) -> None:
        """Take a signal back; one that was not given is none to take back."""
        with self._changed:
            if self._signals.pop(signal, None) is not None:
                self._ordered()

    def close(self) -> None:
        """Turn all off and let the pins go; may be called again."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._ordered()
        self._thread.join(2.0)
        for lamp in self._lamps:
            self._guarded(lamp.close)

    def lit(self, now_s: float) -> tuple[tuple[bool, ...], float | None]:
        """Return which LEDs are lit at this moment, and the moment (s) when that next changes, if it does."""
        states, changes = [], []
        for signal in sorted(self._signals, reverse=True):
            began_s = self._signals[signal]
            together, change_s = COURSES[signal].at(max(0.0, now_s - began_s))
            if change_s is not None:
                changes.append(began_s + change_s)
            if together is not None:
                return together, min(changes, default=None)
        for pattern, since_s in zip(self._patterns, self._since_s, strict=True):
            since_ms = max(0.0, (now_s - since_s) * 1000)
            states.append(CYCLES[pattern].is_lit(since_ms))
            change_ms = CYCLES[pattern].next_change_ms(since_ms)
            if change_ms is not None:
                changes.append(since_s + change_ms / 1000)
        return tuple(states), min(changes, default=None)

    def _ordered(self) -> None:
        """Wake the thread, or let it know that it need not sleep; the lock is held."""
        self._orders += 1
        self._changed.notify()

    def _render(self) -> None:
        while True:
            with self._changed:
                if self._closed:
                    break
                rendered = self._orders
                lit, change_s = self.lit(self._clock.now_s())
            # Not under the lock: a pin that hangs must not hold up who shows something.
            self._write(lit)
            with self._changed:
                if self._orders == rendered:
                    self._changed.wait(None if change_s is None else max(0.0, change_s - self._clock.now_s()))
        self._write([False] * len(self._lamps))

    def _write(self, lit: Sequence[bool]) -> None:
        for place, (lamp, state) in enumerate(zip(self._lamps, lit, strict=True)):
            if self._written[place] is not state and self._guarded(partial(self._set, lamp, state)):
                self._written[place] = state

    def _set(self, lamp: Lamp, state: bool) -> None:
        lamp.value = self._brightness_frac if state else 0

    def _guarded(self, order: Callable[[], None]) -> bool:
        """Give a pin an order, and return whether it took it."""
        try:
            order()
        except Exception as error:  # lgpio's own error is a plain Exception; it is told, and play goes on
            if self._is_well:
                self._is_well = False
                LOG.exception("an LED's pin takes no orders")
                self._on_fault(
                    f"the LEDs do not answer ({error}); check their wires, then restart. "
                    "The phones show the same."
                )
            return False
        return True

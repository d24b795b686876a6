"""The button on its pin: every edge goes with its time to one thread, which tells gestures apart."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import Any, Protocol

from companion.devices.button_contact import Contact
from companion.devices.gpio import with_pins
from companion.table.gestures import Gesture
from companion.table.ports import Clock

LOG = logging.getLogger(__name__)


class Input(Protocol):
    """One input pin, as gpiozero's `DigitalInputDevice` has it; active is: the button is down."""

    when_activated: Any
    when_deactivated: Any

    @property
    def is_active(self) -> bool:
        """Whether the button is down."""

    def close(self) -> None:
        """Let the pin go."""


def open_input(factory: Any, pin: int, *, inverted: bool) -> Input:
    """Open a pin (BCM) with the Pi's own pull resistor; gpiozero's debounce, which loses edges, stays off.

    Raises:
        GpioFault: the pin is taken or cannot do that.
    """
    import gpiozero

    def opened() -> Input:
        found: Input = gpiozero.DigitalInputDevice(
            pin, pull_up=not inverted, bounce_time=None, pin_factory=factory
        )
        return found

    return with_pins(f"the button on GPIO {pin}", opened)


class GpioButton:
    """Tells gestures of the button to `on_gesture`, in a thread of its own, until it is closed."""

    def __init__(
        self,
        pin: Input,
        clock: Clock,
        on_gesture: Callable[[Gesture], None],
        on_stuck: Callable[[bool], None] = lambda _is_stuck: None,
        on_down: Callable[[bool], None] = lambda _is_down: None,
    ) -> None:
        """Begin to listen.

        `on_down` is told when the button counts as down and when as up again, `on_stuck` when it stays down
        for longer than anybody holds it, and when no more.
        """
        self._pin = pin
        self._clock = clock
        self._on_gesture = on_gesture
        self._on_stuck = on_stuck
        self._on_down = on_down
        self._edges: queue.SimpleQueue[tuple[bool, float] | None] = queue.SimpleQueue()
        self._contact = Contact.at_start(pin.is_active)
        self._stuck = False
        self._held = False
        pin.when_activated = lambda: self._edges.put((True, clock.now_s()))
        pin.when_deactivated = lambda: self._edges.put((False, clock.now_s()))
        self._thread = threading.Thread(target=self._listen, name="button", daemon=True)
        self._thread.start()

    @property
    def is_down(self) -> bool:
        """Whether the button is down now."""
        return self._contact.is_down

    def close(self) -> None:
        """Stop listening and let the pin go; may be called again."""
        self._edges.put(None)
        self._thread.join(2.0)
        self._pin.close()

    def _listen(self) -> None:
        while True:
            try:
                edge = self._edges.get(timeout=self._contact.wait_s(self._clock.now_s()))
            except queue.Empty:
                self._took(*self._contact.look(self._pin.is_active, self._clock.now_s()))
                continue
            if edge is None:
                return
            self._took(*self._contact.edge(*edge))

    def _took(self, contact: Contact, gesture: Gesture | None) -> None:
        was_held, self._contact = self._held, contact
        stuck = contact.is_stuck(self._clock.now_s())
        self._held = contact.gestures.down and not stuck
        if self._held != was_held:
            self._on_down(self._held)
        if gesture is not None:
            try:
                self._on_gesture(gesture)
            except Exception:  # a defect further on must not make the button deaf; it is logged
                LOG.exception("what %s asked for failed", gesture)
        if stuck != self._stuck:
            self._stuck = stuck
            self._on_stuck(stuck)

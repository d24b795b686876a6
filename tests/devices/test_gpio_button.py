"""The button on gpiozero's mock pins: real threads, real edges, chatter and all."""

from __future__ import annotations

import queue
import time

import pytest

from companion.devices.clock import MonotonicClock
from companion.devices.gpio import GpioFault
from companion.devices.gpio_button import GpioButton, open_input
from companion.table.gestures import Gesture
from tests.devices.mock_pins import mock_factory

SOON_S = 10.0


def test_chattering_taps_give_as_many_presses() -> None:
    heard: queue.SimpleQueue[Gesture] = queue.SimpleQueue()
    with mock_factory() as factory:
        button = GpioButton(open_input(factory, 23, inverted=False), MonotonicClock(), heard.put)
        pin = factory.pin(23)
        for _ in range(5):
            for drive in (pin.drive_low, pin.drive_high, pin.drive_low):
                drive()
            time.sleep(0.03)
            for drive in (pin.drive_high, pin.drive_low, pin.drive_high):
                drive()
            assert heard.get(timeout=SOON_S) is Gesture.PRESS
        button.close()
        button.close()
    assert heard.empty()


def test_inverted_button_is_pressed_when_high() -> None:
    heard: queue.SimpleQueue[Gesture] = queue.SimpleQueue()
    with mock_factory() as factory:
        button = GpioButton(open_input(factory, 5, inverted=True), MonotonicClock(), heard.put)
        pin = factory.pin(5)
        assert pin.pull == "down"
        pin.drive_high()
        time.sleep(0.03)
        pin.drive_low()
        assert heard.get(timeout=SOON_S) is Gesture.PRESS
        button.close()


def test_defect_further_on_does_not_make_the_button_deaf() -> None:
    heard: queue.SimpleQueue[Gesture] = queue.SimpleQueue()

    def fails_once(gesture: Gesture) -> None:
        heard.put(gesture)
        raise RuntimeError

    with mock_factory() as factory:
        button = GpioButton(open_input(factory, 23, inverted=False), MonotonicClock(), fails_once)
        for _ in range(2):
            factory.pin(23).drive_low()
            time.sleep(0.03)
            factory.pin(23).drive_high()
            assert heard.get(timeout=SOON_S) is Gesture.PRESS
        button.close()


def test_pin_that_is_taken_is_told_in_a_sentence() -> None:
    with mock_factory() as factory:
        first = open_input(factory, 23, inverted=False)
        with pytest.raises(GpioFault, match="the button on GPIO 23"):
            open_input(factory, 23, inverted=False)
        first.close()


def test_down_and_up_are_told_once_each_without_the_chatter() -> None:
    told: queue.SimpleQueue[bool] = queue.SimpleQueue()
    with mock_factory() as factory:
        button = GpioButton(
            open_input(factory, 23, inverted=False), MonotonicClock(), lambda _gesture: None, on_down=told.put
        )
        pin = factory.pin(23)
        for _ in range(3):
            for drive in (pin.drive_low, pin.drive_high, pin.drive_low):
                drive()
            assert told.get(timeout=SOON_S) is True
            for drive in (pin.drive_high, pin.drive_low, pin.drive_high):
                drive()
            assert told.get(timeout=SOON_S) is False
        button.close()
    assert told.empty()

"""The LEDs: patterns in time, brightness, inverted wiring, a trial of each, and pins that fail."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from companion.devices.clock import MonotonicClock
from companion.devices.gpio import GpioFault
from companion.devices.gpio_leds import GpioLeds, open_lamps
from companion.devices.led_cycles import CYCLES
from companion.devices.led_signals import TRIAL_STEP_S
from companion.table.ports import LedPattern
from tests.devices.mock_pins import StandingClock, mock_factory

OFF, STEADY, SLOW, FAST = LedPattern.OFF, LedPattern.STEADY, LedPattern.SLOW_BLINK, LedPattern.FAST_BLINK
PINS = (17, 27, 22)
SOON_S = 10.0


def eventually(is_so: Callable[[], bool]) -> None:
    """Wait until something is so; the test fails if it never is."""
    end = time.monotonic() + SOON_S
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.002)


class Lamps:
    """Three lamps that remember what they were told, and can fail."""

    def __init__(self) -> None:
        self.values = [0.0, 0.0, 0.0]
        self.closed = 0
        self.fails = False

    def each(self) -> list[Lamp]:
        return [Lamp(self, place) for place in range(3)]


class Lamp:
    def __init__(self, lamps: Lamps, place: int) -> None:
        self._lamps, self._place = lamps, place

    @property
    def value(self) -> float:
        return self._lamps.values[self._place]

    @value.setter
    def value(self, value: float) -> None:
        if self._lamps.fails:
            raise OSError(5, "Input/output error")
        self._lamps.values[self._place] = value

    def close(self) -> None:
        self._lamps.closed += 1


@pytest.mark.parametrize("pattern", LedPattern)
def test_next_change_is_when_the_pattern_changes(pattern: LedPattern) -> None:
    """Against looking at every millisecond."""
    cycle = CYCLES[pattern]
    for since in range(0, 2 * cycle.length_ms, 37):
        lit = cycle.is_lit(since)
        later = range(since + 1, since + 3 * cycle.length_ms)
        seen = next((ms for ms in later if cycle.is_lit(ms) != lit), None)
        assert cycle.next_change_ms(since) == seen


def test_every_pattern_is_rendered_as_its_cycle_says() -> None:
    clock = StandingClock(0.0)
    leds = GpioLeds(Lamps().each(), clock)
    for pattern in LedPattern:
        leds.show((pattern, OFF, pattern))
        began_s = clock.time_s
        for ms in range(0, 3000, 7):
            lit, _ = leds.lit(began_s + ms / 1000 + 1e-6)
            assert lit == (CYCLES[pattern].is_lit(ms), False, CYCLES[pattern].is_lit(ms))
        clock.time_s += 10
        leds.show((OFF, OFF, OFF))
        clock.time_s += 10
    leds.close()


def test_led_that_keeps_its_pattern_goes_on_in_step() -> None:
    clock = StandingClock(0.0)
    leds = GpioLeds(Lamps().each(), clock)
    leds.show((SLOW, OFF, OFF))
    clock.time_s = 0.5
    leds.show((SLOW, FAST, OFF))
    assert leds.lit(0.85)[0] == (False, True, False)
    assert leds.lit(0.85)[1] == pytest.approx(1.010)  # the fast one's third change
    leds.close()


def test_one_thread_writes_the_pins_in_time() -> None:
    with mock_factory() as factory:
        lamps = open_lamps(factory, PINS, brightness_frac=1, inverted=False)
        leds = GpioLeds(lamps, MonotonicClock())
        leds.show((STEADY, FAST, OFF))
        blinking = factory.pin(27)
        eventually(lambda: len(blinking.states) >= 6)
        assert [state.state for state in blinking.states[:6]] == [False, True, False, True, False, True]
        assert factory.pin(17).state
        assert [state.state for state in factory.pin(22).states] == [False]
        leds.close()
        leds.close()
        assert not any(factory.pin(pin).state for pin in PINS)
        assert factory.pin(17).states[-1].state is False


def test_brightness_is_pulsed_and_inverted_wiring_turned_over() -> None:
    with mock_factory(pwm=True) as factory:
        leds = GpioLeds(
            open_lamps(factory, PINS, brightness_frac=0.25, inverted=True),
            MonotonicClock(),
            brightness_frac=0.25,
        )
        pin = factory.pin(17)
        assert pin.state == 1.0  # low is lit, so that high is dark
        leds.show((STEADY, OFF, OFF))
        eventually(lambda: pin.state == pytest.approx(0.75))
        leds.close()


def test_each_is_tried_in_turn_and_the_patterns_go_on() -> None:
    clock = StandingClock(0.0)
    leds = GpioLeds(Lamps().each(), clock)
    leds.show((OFF, OFF, STEADY))
    leds.try_each()
    tried = [leds.lit((step + 0.5) * TRIAL_STEP_S)[0] for step in range(4)]
    assert tried == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
        (False, False, True),
    ]
    assert leds.lit(2.5 * TRIAL_STEP_S)[1] == pytest.approx(3 * TRIAL_STEP_S)
    leds.close()


def test_pin_that_fails_is_told_once_and_stops_nothing() -> None:
    told: list[str] = []
    lamps = Lamps()
    leds = GpioLeds(lamps.each(), MonotonicClock(), on_fault=told.append)
    eventually(lambda: leds._written == [False, False, False])
    lamps.fails = True
    leds.show((STEADY, STEADY, STEADY))
    eventually(lambda: bool(told))
    lamps.fails = False
    leds.show((OFF, OFF, OFF))
    leds.show((OFF, STEADY, OFF))
    eventually(lambda: lamps.values[1] == 1)
    leds.close()
    assert len(told) == 1
    assert "check their wires" in told[0]
    assert lamps.closed == 3


def test_pin_that_hangs_holds_nobody_up() -> None:
    lamps, hangs, goes_on = Lamps(), threading.Event(), threading.Event()

    class Hanging(Lamp):
        @property
        def value(self) -> float:
            return 0.0

        @value.setter
        def value(self, value: float) -> None:
            hangs.set()
            assert goes_on.wait(SOON_S)
            lamps.values[0] = value

    leds = GpioLeds([Hanging(lamps, 0), *lamps.each()[1:]], MonotonicClock())
    assert hangs.wait(SOON_S)
    shows = threading.Thread(target=leds.show, args=((STEADY, OFF, STEADY),), daemon=True)
    shows.start()
    shows.join(SOON_S / 2)
    held_up = shows.is_alive()
    goes_on.set()
    assert not held_up
    eventually(lambda: lamps.values == [1.0, 0.0, 1.0])
    leds.close()


def test_no_pin_stays_open_when_one_is_taken() -> None:
    with mock_factory() as factory:
        taken = open_lamps(factory, (22,), brightness_frac=1, inverted=False)
        with pytest.raises(GpioFault, match="LED 3 on GPIO 22"):
            open_lamps(factory, PINS, brightness_frac=1, inverted=False)
        taken[0].close()
        for lamp in open_lamps(factory, PINS, brightness_frac=1, inverted=False):
            lamp.close()

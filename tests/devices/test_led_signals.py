"""Signals of all three LEDs: what is lit when, which goes before which, and what of the patterns is kept."""

from __future__ import annotations

import pytest

from companion.devices.gpio_leds import GpioLeds
from companion.devices.led_signals import COURSES, DARK, FULL, Lit, Signal
from companion.pairing.door import WISH_LASTS_S
from companion.table.gestures import HOLD_S, LONG_HOLD_S, Gesture, gesture_after
from companion.table.ports import LedPattern
from tests.devices.mock_pins import StandingClock

MOST_FLASHES = 3


class Lamp:
    """An LED that remembers its state."""

    value: float = 0.0

    def close(self) -> None:
        pass


def lit_over(signal: Signal, seconds: float, step_ms: int = 10) -> list[Lit | None]:
    return [COURSES[signal].at(ms / 1000)[0] for ms in range(0, round(1000 * seconds), step_ms)]


@pytest.mark.parametrize("signal", Signal)
def test_the_next_change_is_never_too_late(signal: Signal) -> None:
    """Against looking at every hundredth of a second."""
    course, ms = COURSES[signal], 0
    while ms < 5000:
        lit, change_s = course.at(ms / 1000)
        until_ms = 5000 if change_s is None else min(5000, round(1000 * change_s))
        assert until_ms > ms
        assert all(course.at(later / 1000)[0] == lit for later in range(ms, until_ms, 10))
        ms = until_ms


@pytest.mark.parametrize("signal", Signal)
def test_no_led_flashes_too_often(signal: Signal) -> None:
    lit = lit_over(signal, 6.0)
    for place in range(3):
        states = [bool(one and one[place]) for one in lit]
        rises = [at for at in range(1, len(states)) if states[at] and not states[at - 1]]
        assert all(later - first >= 100 for first, later in zip(rises, rises[MOST_FLASHES:], strict=False))


def test_a_held_button_shows_what_letting_go_would_mean() -> None:
    for ms in range(0, 5000, 10):
        lit, _ = COURSES[Signal.HELD].at(ms / 1000)
        meant = gesture_after(ms / 1000)
        assert (lit is None) == (meant is Gesture.PRESS)
        assert (lit == FULL) == (meant is Gesture.LONG_HOLD)
    halfway, _ = COURSES[Signal.HELD].at(LONG_HOLD_S - 0.5)
    assert halfway == (True, True, False)


def test_a_wish_is_shown_for_as_long_as_it_lasts() -> None:
    assert COURSES[Signal.ASKED].at(WISH_LASTS_S - 0.3)[0] is not None
    assert COURSES[Signal.ASKED].at(WISH_LASTS_S + 0.1) == (None, None)


def test_it_looks_like_no_other() -> None:
    """The walking light is never two at a time, and the others are no walking light."""
    asked = set(lit_over(Signal.ASKED, 2.0))
    assert asked == {(True, False, False), (False, True, False), (False, False, True), DARK}
    assert FULL in lit_over(Signal.LET_IN, 2.0)
    assert lit_over(Signal.TRIAL, 1.8).count((True, False, False)) == 60  # slower, and once


def test_the_greatest_is_shown_and_the_patterns_go_on() -> None:
    clock = StandingClock(0.0)
    leds = GpioLeds([Lamp(), Lamp(), Lamp()], clock)
    steady = (False, False, True)
    leds.show((LedPattern.OFF, LedPattern.OFF, LedPattern.STEADY))
    leds.signal(Signal.ASKED)
    lit, change_s = leds.lit(0.1)
    assert lit == (True, False, False)
    assert change_s == pytest.approx(0.25)
    leds.signal(Signal.HELD)
    assert leds.lit(0.3)[0] == (False, True, False)  # a press is not held yet
    assert leds.lit(HOLD_S + 0.1)[0] == (True, False, False)
    assert leds.lit(10.0)[0] == FULL
    leds.end(Signal.HELD)
    leds.end(Signal.HELD)
    assert leds.lit(0.8)[0] == DARK
    leds.end(Signal.ASKED)
    assert leds.lit(0.8) == (steady, None)
    leds.signal(Signal.LET_IN)
    assert leds.lit(0.5)[0] == FULL
    assert leds.lit(2.0)[0] == steady
    leds.close()


def test_a_lower_signal_ends_in_time_below_a_higher_one() -> None:
    clock = StandingClock(0.0)
    leds = GpioLeds([Lamp(), Lamp(), Lamp()], clock)
    leds.signal(Signal.HELD)
    leds.signal(Signal.TRIAL)
    lit, change_s = leds.lit(0.1)
    assert lit == (True, False, False)
    assert change_s == pytest.approx(0.6)
    lit, change_s = leds.lit(0.7)
    assert lit == (False, True, False)
    assert change_s == pytest.approx(HOLD_S)  # when the held button takes over
    leds.close()

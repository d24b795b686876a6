"""LED patterns in time: distinct, as documented, and never flickering."""

import itertools

import pytest

from companion.devices.led_cycles import CYCLES
from companion.devices.simulated.leds import SimulatedLeds
from companion.table.ports import LedPattern

EVERY_MS = 10


class HandClock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.s = 100.0

    def now_s(self) -> float:
        return self.s


def course(pattern: LedPattern, length_ms: int = 4000) -> tuple[bool, ...]:
    return tuple(CYCLES[pattern].is_lit(ms) for ms in range(0, length_ms, EVERY_MS))


def test_every_pattern_has_a_cycle() -> None:
    assert set(CYCLES) == set(LedPattern)


def test_patterns_look_different() -> None:
    for one, other in itertools.combinations(LedPattern, 2):
        differing = sum(a != b for a, b in zip(course(one), course(other), strict=True))
        assert differing * EVERY_MS >= 500, f"{one} and {other} look alike"


@pytest.mark.parametrize("pattern", list(LedPattern))
def test_no_more_than_three_flashes_in_any_second(pattern: LedPattern) -> None:
    lit = course(pattern, 6000)
    starts = [step for step in range(1, len(lit)) if lit[step] and not lit[step - 1]]
    in_a_second = 1000 // EVERY_MS
    for start in starts:
        assert sum(start <= other < start + in_a_second for other in starts) <= 3


def test_steady_and_off_never_change() -> None:
    assert all(course(LedPattern.STEADY))
    assert not any(course(LedPattern.OFF))


def test_taken_ends_in_the_dark() -> None:
    lit = course(LedPattern.TAKEN)
    assert lit[0]
    assert not any(lit[150:])


def test_slow_blink_is_lit_half_the_time() -> None:
    lit = course(LedPattern.SLOW_BLINK, 3200)
    assert sum(lit) == len(lit) // 2


def test_an_led_that_keeps_its_pattern_stays_in_step() -> None:
    clock = HandClock()
    leds = SimulatedLeds(clock)
    leds.show((LedPattern.SLOW_BLINK, LedPattern.OFF, LedPattern.OFF))
    clock.s += 0.5
    leds.show((LedPattern.SLOW_BLINK, LedPattern.STEADY, LedPattern.OFF))
    assert leds.lit(clock.s) == (True, True, False)
    clock.s += 0.5  # a second after the blink began: its dark half
    assert leds.lit(clock.s) == (False, True, False)


def test_a_pattern_shown_again_begins_anew() -> None:
    clock = HandClock()
    leds = SimulatedLeds(clock)
    leds.show((LedPattern.TAKEN, LedPattern.OFF, LedPattern.OFF))
    clock.s += 5
    assert leds.lit(clock.s) == (False, False, False)
    leds.show((LedPattern.OFF, LedPattern.OFF, LedPattern.OFF))
    leds.show((LedPattern.TAKEN, LedPattern.OFF, LedPattern.OFF))
    assert leds.lit(clock.s) == (True, False, False)

"""The button's edges: chatter, taps, holds; all by given times."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.gestures import DEBOUNCE_S, Gesture, Gestures
from companion.table.intents import Hold, LongHold, Press


class Button:
    """Feeds edges as a device does, and looks when something is due."""

    def __init__(self) -> None:
        self.state = Gestures()
        self.given: list[Gesture] = []

    def edge(self, down: bool, now_s: float) -> None:
        self.until(now_s)
        self._keep(*self.state.edge(down, now_s))

    def until(self, now_s: float) -> None:
        while self.state.due_s is not None and self.state.due_s <= now_s:
            self._keep(*self.state.look(self.state.due_s))

    def chatters(self, down: bool, now_s: float, for_s: float, chance: random.Random) -> None:
        """Close or open the contact, which bounces for a while before it stays."""
        times = sorted(now_s + chance.uniform(0, for_s) for _ in range(6))
        for count, time_s in enumerate([now_s, *times]):
            self.edge(down if count % 2 == 0 else not down, time_s)

    def _keep(self, state: Gestures, gesture: Gesture | None) -> None:
        self.state = state
        if gesture is not None:
            self.given.append(gesture)


@pytest.mark.parametrize(
    ("down_s", "gesture"),
    [
        (0.03, Gesture.PRESS),
        (0.79, Gesture.PRESS),
        (0.80, Gesture.HOLD),
        (2.99, Gesture.HOLD),
        (3.0, Gesture.LONG_HOLD),
        (60.0, Gesture.LONG_HOLD),
    ],
)
def test_how_long_it_was_down_tells_what_was_meant(down_s: float, gesture: Gesture) -> None:
    button = Button()
    button.edge(True, 0.0)
    button.until(down_s)
    assert button.given == [], "it acts on release"
    button.edge(False, down_s)
    button.until(down_s + 1)
    assert button.given == [gesture]


@pytest.mark.parametrize("seed", range(5))
def test_twenty_taps_of_30_ms_that_chatter_for_5_ms_are_twenty_presses(seed: int) -> None:
    button, chance = Button(), random.Random(seed)
    for tap in range(20):
        button.chatters(True, tap * 0.2, 0.005, chance)
        button.chatters(False, tap * 0.2 + 0.030, 0.005, chance)
    button.until(10)
    assert button.given == [Gesture.PRESS] * 20


def test_a_hold_that_chatters_is_one_gesture() -> None:
    button, chance = Button(), random.Random(1)
    button.chatters(True, 0.0, 0.005, chance)
    button.chatters(False, 1.0, 0.005, chance)
    button.until(5)
    assert button.given == [Gesture.HOLD]


def test_a_spark_is_no_press() -> None:
    button = Button()
    button.edge(True, 0.0)
    button.edge(False, DEBOUNCE_S / 2)
    button.until(5)
    assert button.given == []
    assert button.state.due_s is None


def test_what_letting_go_now_would_give_can_be_shown() -> None:
    button = Button()
    assert button.state.coming(0.0) is None
    button.edge(True, 0.0)
    button.until(0.5)
    assert [button.state.coming(now_s) for now_s in (0.5, 1.0, 3.5)] == list(Gesture)


def test_an_edge_that_is_told_twice_counts_once() -> None:
    button = Button()
    for time_s in (0.0, 0.1, 0.2):
        button.edge(True, time_s)
    button.edge(False, 0.9)
    button.until(2)
    assert button.given == [Gesture.HOLD]


def test_each_gesture_is_an_intent() -> None:
    assert [gesture.intent for gesture in Gesture] == [Press(), Hold(), LongHold()]


@given(st.floats(min_value=0.0, max_value=1e6, allow_nan=False))
def test_a_look_when_it_is_due_finds_something(pressed_s: float) -> None:
    down, _ = Gestures().edge(True, pressed_s)
    assert down.due_s is not None
    settled, _ = down.look(down.due_s)
    assert settled.down

"""Chatter, lost edges, a stuck button: the contact as a value, with time given."""

from __future__ import annotations

from companion.devices.button_contact import STUCK_S, Contact
from companion.table.gestures import Gesture


class Finger:
    """A button under a finger, looked at as the thread does: at each edge, and when a look is due."""

    def __init__(self, down: bool = False) -> None:
        self.contact = Contact.at_start(down)
        self.level = down
        self.now_s = 50.0
        self.gestures: list[Gesture] = []

    def passes(self, seconds: float) -> None:
        """Let time go by, with every look that falls due."""
        end_s = self.now_s + seconds
        while (wait_s := self.contact.wait_s(self.now_s)) is not None and self.now_s + wait_s <= end_s:
            self.now_s += wait_s
            self._took(*self.contact.look(self.level, self.now_s))
        self.now_s = end_s

    def edge(self, down: bool, *, told: bool = True) -> None:
        """The contact closes or opens; an edge may be lost on its way."""
        self.level = down
        if told:
            self._took(*self.contact.edge(down, self.now_s))

    def chatters(self, down: bool, *, for_s: float = 0.005) -> None:
        """The contact ends so, after opening and closing for a while."""
        for _ in range(2):
            self.edge(down)
            self.passes(for_s / 4)
            self.edge(not down)
            self.passes(for_s / 4)
        self.edge(down)

    def taps(self, down_s: float) -> None:
        """Press and let go, chattering."""
        self.chatters(True)
        self.passes(down_s)
        self.chatters(False)
        self.passes(0.1)

    def _took(self, contact: Contact, gesture: Gesture | None) -> None:
        self.contact = contact
        if gesture is not None:
            self.gestures.append(gesture)


def test_twenty_taps_of_30_ms_with_5_ms_chatter_are_twenty_presses() -> None:
    """As gpiozero #1039, #550 and #378 report it lost or doubled."""
    finger = Finger()
    for _ in range(20):
        finger.taps(0.030)
    assert finger.gestures == [Gesture.PRESS] * 20


def test_a_hold_is_one_gesture_on_release() -> None:
    finger = Finger()
    finger.chatters(True)
    finger.passes(1.5)
    assert finger.gestures == []
    finger.chatters(False)
    finger.passes(1.0)
    assert finger.gestures == [Gesture.HOLD]


def test_a_long_hold_is_one_gesture() -> None:
    finger = Finger()
    finger.taps(4.0)
    assert finger.gestures == [Gesture.LONG_HOLD]


def test_chatter_alone_is_nothing() -> None:
    finger = Finger()
    finger.chatters(False)
    finger.passes(1.0)
    assert finger.gestures == []


def test_missed_release_is_seen_by_looking() -> None:
    finger = Finger()
    finger.edge(True)
    finger.passes(0.2)
    finger.edge(False, told=False)
    finger.passes(0.2)
    assert finger.gestures == [Gesture.PRESS]
    finger.taps(0.05)
    assert finger.gestures == [Gesture.PRESS] * 2


def test_missed_press_whose_release_is_told_does_no_harm() -> None:
    finger = Finger()
    finger.edge(True, told=False)
    finger.passes(0.2)
    finger.edge(False)
    finger.passes(0.2)
    finger.taps(0.05)
    assert finger.gestures == [Gesture.PRESS]


def test_button_that_was_down_at_the_start_means_nothing_until_it_was_up() -> None:
    finger = Finger(down=True)
    finger.passes(5.0)
    finger.edge(False)
    finger.passes(1.0)
    assert finger.gestures == []
    finger.taps(0.05)
    assert finger.gestures == [Gesture.PRESS]


def test_stuck_button_is_seen_and_undoes_nothing_when_it_comes_free() -> None:
    finger = Finger()
    finger.edge(True)
    finger.passes(STUCK_S + 1)
    assert finger.contact.is_stuck(finger.now_s)
    finger.edge(False)
    finger.passes(1.0)
    assert not finger.contact.is_stuck(finger.now_s)
    assert finger.gestures == []
    finger.taps(0.05)
    assert finger.gestures == [Gesture.PRESS]


def test_idle_button_is_never_looked_at() -> None:
    finger = Finger()
    assert finger.contact.wait_s(finger.now_s) is None
    finger.taps(0.05)
    assert finger.contact.wait_s(finger.now_s) is None

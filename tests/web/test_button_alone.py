"""A whole game by the button and the LEDs alone; a phone only begins it and names the cards that come up."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from companion.cli.demo_table import Demo
from companion.devices.simulated.scene import Place
from companion.game.cards import Action, Card, Group
from companion.store.memory import MemoryJournal
from companion.table.intents import NameCard, StartGame
from companion.table.phase import Phase
from companion.table.ports import LedPattern
from companion.table.snapshot import Snapshot

PATIENCE_S = 120.0
PRESS_S, HOLD_S, LONG_HOLD_S = 0.12, 1.2, 3.6
MOST_STEPS = 400
CAN_BE_HAD = (LedPattern.STEADY, LedPattern.SLOW_BLINK)
DECK = tuple(
    Card((Group(3, None),), 1 + number % 3, Action.THEFT if number % 5 == 0 else None) for number in range(45)
)
"""Cards that two or three throws make; the theft is from the only other player, which the button can do."""


class ByTheTable:
    """Somebody who has hands, eyes for the LEDs and the button, and no phone."""

    def __init__(self, demo: Demo) -> None:
        self.demo = demo
        self.holds = 0
        self.markers = 0

    @property
    def leds(self) -> tuple[LedPattern, ...]:
        """What the LEDs show; they are told a moment after the pages."""
        late_s = time.monotonic() + PATIENCE_S
        while (shown := self.demo.leds.shown().patterns) != self.demo.table.snapshot().leds:
            assert time.monotonic() < late_s, "the LEDs never show what the pages do"
            time.sleep(0.002)
        return shown

    def press(self, held_s: float = PRESS_S) -> None:
        self.demo.button.held(held_s)

    def settled(self) -> Snapshot:
        """Wait until the dice are read."""
        snapshot = self.demo.table.snapshot()
        while snapshot.phase is Phase.READING:
            newer = self.demo.table.wait_newer(snapshot.revision, PATIENCE_S)
            assert newer is not None, "the reading never ends"
            snapshot = newer
        return snapshot

    def throw(self) -> None:
        """Throw what is not set aside and press; where the LEDs call to the phone, put the dice right."""
        self.demo.scene.throw(everything=self.demo.table.snapshot().phase is Phase.THROW)
        self.press()
        for _ in range(8):
            if self.settled().phase is not Phase.DOUBT:
                return
            assert LedPattern.LOOK_AT_PHONE in self.leds
            self.put_right()
            self.press()
        raise AssertionError(f"never sure: {self.demo.table.snapshot().reading}")

    def put_right(self) -> None:
        """Straighten what leans; move dice that lie badly to another place, as they are."""
        self.demo.scene.tidy()
        for index, die in enumerate(self.demo.scene.moment().scene.dice):
            if die.place is Place.TRACK:
                self.demo.scene.move_die(index)
                self.demo.scene.move_die(index)

    def take(self) -> None:
        """Hold for the lit card; with several lit, the second hold confirms where the marker blinks."""
        lit = sum(pattern in CAN_BE_HAD for pattern in self.leds)
        self.press(HOLD_S)
        self.holds += 1
        if lit > 1:
            assert LedPattern.FAST_BLINK in self.leds
            self.press()
            self.markers += 1
            self.press(HOLD_S)


@pytest.fixture
def demo() -> Iterator[Demo]:
    with Demo(MemoryJournal(), DECK, seed=6) as demo:
        demo.dealer.names_cards = False
        yield demo


def name_new_cards(demo: Demo) -> None:
    """What somebody with a phone does."""
    game = demo.table.snapshot().game
    assert game is not None
    for holder, view in enumerate(game.holders):
        if view.card is None and view.pile:
            assert demo.table.submit(NameCard(holder, DECK[holder + 3 * game.players[0].cards])).accepted


def keep_the_most_frequent(demo: Demo) -> None:
    """Set aside the dice of the colour that lies there most often."""
    dice = demo.scene.moment().scene.dice
    colours = [die.colour for die in dice]
    wanted = max(colours, key=colours.count)
    for index, die in enumerate(dice):
        if (die.colour == wanted) != (die.place is Place.RESERVE):
            demo.scene.move_die(index)


def test_a_whole_game_without_a_phone_but_for_the_cards(demo: Demo) -> None:
    person = ByTheTable(demo)
    assert demo.table.submit(StartGame(("Ana", "Ben"), 0)).accepted
    undone = False
    for _ in range(MOST_STEPS):
        if demo.table.snapshot().phase is Phase.OVER:
            break
        name_new_cards(demo)
        snapshot = demo.table.snapshot()
        if snapshot.phase is Phase.ACTION:
            person.press(HOLD_S)
        elif any(pattern in CAN_BE_HAD for pattern in person.leds):
            person.take()
            if not undone and demo.table.snapshot().phase is not Phase.OVER:
                before = demo.table.snapshot().game
                person.press(LONG_HOLD_S)
                after = demo.table.snapshot().game
                assert before is not None
                assert after is not None
                assert sum(p.cards for p in after.players) == sum(p.cards for p in before.players) - 1
                undone = True
        elif snapshot.phase is Phase.DECIDE:
            keep_the_most_frequent(demo)
            person.throw()
        else:
            person.throw()
    game = demo.table.snapshot().game
    assert game is not None
    assert demo.table.snapshot().phase is Phase.OVER
    assert max(player.cards for player in game.players) >= game.automatic
    assert game.winners
    assert undone
    assert person.holds > 5
    assert person.markers > 0, "with several lit the marker is used"

"""One game among robots, played through the table's own decisions; the laws of the game checked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.coach.robots import Robot, ThrowDice
from companion.game import events
from companion.game.cards import Action, Card
from companion.game.course import Course
from companion.game.dice import BODY_COUNTS, Die
from companion.game.events import HOLDER_COUNT, PILE_SIZE, Event
from companion.game.state import Stage, State
from companion.table.decide import decide
from companion.table.decision import Moment, sitting_of
from companion.table.intents import (
    Draw,
    EndEarly,
    EnterThrow,
    Exchange,
    Intent,
    NameCard,
    Pass,
    StartGame,
    Take,
)
from companion.table.state import Setup, TableState


class LawBroken(AssertionError):
    """A law of the game did not hold, or the table refused what the rules allow; a defect, never bad luck."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game: its events and its last state."""

    events: tuple[Event, ...]
    state: State


def play_game(robots: Sequence[Robot], deck: Sequence[Card], seed: str) -> PlayedGame:
    """Let `robots` (2 to 6, by seat) play one game with `deck` (45 cards); the same seed gives the same game.

    Raises:
        LawBroken: the table refused a move, or cards were not conserved, or the record does not replay alike.
    """
    return _Player(robots, deck, random.Random(seed)).play()


class _Player:
    """Plays all seats, deals the piles, and throws the dice."""

    def __init__(self, robots: Sequence[Robot], deck: Sequence[Card], chance: random.Random) -> None:
        self.robots = robots
        self.chance = chance
        cards = list(deck)
        chance.shuffle(cards)
        self.piles = [cards[h * PILE_SIZE : (h + 1) * PILE_SIZE] for h in range(HOLDER_COUNT)]
        self.table = TableState(Setup(has_camera=False))

    def play(self) -> PlayedGame:
        names = tuple(f"Robot {seat + 1}" for seat in range(len(self.robots)))
        self.ask(StartGame(names))
        while self.game.stage is not Stage.OVER:
            self.ask(self.next_intent())
            self.check_cards()
        course = sitting_of(self.table).course
        self.check_replay(course)
        return PlayedGame(course.events(), self.game)

    @property
    def game(self) -> State:
        return sitting_of(self.table).state

    def ask(self, intent: Intent) -> None:
        revision = self.table.revision
        decision = decide(self.table, intent, Moment(0.0, f"{self.chance.getrandbits(256):064x}"), revision)
        if decision.refusal is not None:
            raise LawBroken(f"the table refused {intent}: {decision.refusal} in {self.game}")
        if decision.state.revision <= revision:
            raise LawBroken(f"{intent} left revision {revision} as it was")
        self.table = decision.state

    def next_intent(self) -> Intent:
        game = self.game
        if game.unknown_holders:
            holder = game.unknown_holders[0]
            return NameCard(holder, self.piles[holder][-game.piles[holder]])
        robot = self.robots[game.seat]
        if game.stage is Stage.ACTION:
            return self.action(robot)
        ended = game.may_end_seat
        if ended is not None and self.robots[ended].ends_game(game, ended):
            return EndEarly(ended)
        move = robot.move(game)
        if isinstance(move, ThrowDice):
            return EnterThrow(self.thrown(move.kept))
        return Pass() if isinstance(move, events.Pass) else Take(move.holder, move.change)

    def action(self, robot: Robot) -> Intent:
        sitting = sitting_of(self.table)
        if sitting.drawn is not None:
            drawn = sitting.drawn
            return Exchange(drawn.other, drawn.card, robot.gives(sitting.state, drawn.card))
        owed = sitting.state.owed
        assert owed is not None
        in_order = owed.action is Action.SUPER_EXCHANGE
        return Draw(owed.seats[0] if in_order else robot.draws_from(sitting.state, owed.seats))

    def thrown(self, kept: Sequence[Die]) -> tuple[Die, ...]:
        left = Counter(BODY_COUNTS)
        left.subtract(die.body for die in kept)
        colours = self.game.colours
        return (*kept, *(Die(body, self.chance.choice(colours)) for body in left.elements()))

    def check_cards(self) -> None:
        """Holders and players together always have all the cards."""
        game = self.game
        dealt = Counter(card for pile in self.piles for card in pile)
        lying = Counter(
            card for h, pile in enumerate(self.piles) for card in pile[len(pile) - game.piles[h] :]
        )
        held = Counter(card for hand in game.hands for card in hand)
        if lying + held != dealt:
            raise LawBroken(f"cards were lost or made: {dealt - lying - held}, {lying + held - dealt}")

    def check_replay(self, course: Course) -> None:
        """The record alone gives the same end."""
        again = Course()
        for event in course.events():
            again = again.do(event)
        if again.state != self.game:
            raise LawBroken("replaying the record gives another state than playing did")

"""Short words for games in tests: cards, throws and whole openings in a few letters.

Colours are their first letters, r o y g b p. A throw is six of them, the first four white, the last two
black; a capital is a kept die: `throw("RRRb gp")`. A card is its groups: `card("3 2r", 4)`.
"""

from dataclasses import dataclass

from companion.game.cards import Action, Card, Group
from companion.game.decide import apply
from companion.game.dice import DEFAULT_COLOURS, Body, Change, Die
from companion.game.events import EndEarly, Event, Exchange, Pass, Reveal, Start, Steal, Take, Throw
from companion.game.judge import lights
from companion.game.refusal import Refused
from companion.game.state import State

LETTERS = {colour[0]: colour for colour in DEFAULT_COLOURS}
NAMES = ("Ana", "Ben", "Chloe", "Dan", "Eve", "Finn")
BODIES = (Body.WHITE,) * 4 + (Body.BLACK,) * 2

PASS = Pass()


def card(groups: str, points: int = 1, action: str | None = None) -> Card:
    """Return a card: each group a size and, where its colour is named, the colour's letter."""
    parts = tuple(Group(int(word[0]), LETTERS[word[1]] if word[1:] else None) for word in groups.split())
    return Card(parts, points, Action(action) if action else None)


def throw(letters: str) -> Throw:
    """Return a throw of six dice, capitals kept."""
    shown = letters.replace(" ", "")
    return Throw(
        tuple(
            Die(body, LETTERS[letter.lower()], letter.isupper())
            for body, letter in zip(BODIES, shown, strict=True)
        )
    )


def reveal(holder: int, groups: str, points: int = 1, action: str | None = None) -> Reveal:
    return Reveal(holder, card(groups, points, action))


def take(holder: int, change: str | None = None) -> Take:
    """Return a take; a change is the die's index and a colour's letter: `take(0, "4b")`."""
    return Take(holder, Change(int(change[0]), LETTERS[change[1]]) if change else None)


def steal(victim: int, drawn: Card) -> Steal:
    return Steal(victim, drawn)


def exchange(other: int, received: Card, given: Card) -> Exchange:
    return Exchange(other, received, given)


def end_early(player: int) -> EndEarly:
    return EndEarly(player)


def start(players: int = 2, first: int = 0, piles: tuple[int, int, int] = (15, 15, 15)) -> Start:
    return Start(NAMES[:players], first, piles)


def opening(
    *cards: str | Card, players: int = 2, first: int = 0, piles: tuple[int, int, int] = (15, 15, 15)
) -> list[Event]:
    """Return the start and the reveals of three cards, given as groups or cards."""
    shown = [each if isinstance(each, Card) else card(each) for each in cards]
    return [start(players, first, piles), *(Reveal(holder, each) for holder, each in enumerate(shown))]


def play(*events: Event, state: State | None = None) -> State:
    """Play the events, each of which must be allowed."""
    for event in events:
        state = apply(state, event)
    assert state is not None
    return state


def refusal(event: Event, state: State | None) -> str | None:
    """Return the code with which the event is refused, or None where it is allowed."""
    try:
        apply(state, event)
    except Refused as refused:
        return str(refused.code)
    return None


def lit(state: State) -> str:
    """Return the three lights as letters: y (yes), c (by the change), - (off)."""
    return "".join("-" if light is None else light.value[0] for light in lights(state))


def counts(state: State) -> list[int]:
    """Return how many cards lie in front of each player."""
    return [len(hand) for hand in state.hands]


@dataclass(frozen=True)
class Case:
    """What is true after some events; what is not given is not looked at."""

    events: list[Event]
    lit: str | None = None
    to_play: int | None = None
    over: bool = False
    cards: list[int] | None = None
    points: list[int] | None = None
    winners: tuple[int, ...] | None = None
    allowed: tuple[Event, ...] = ()
    refused: tuple[tuple[Event, str], ...] = ()

    def check(self) -> None:
        """Play the events and compare."""
        state = play(*self.events)
        assert (state.to_play is None) is self.over
        if self.lit is not None:
            assert lit(state) == self.lit
        if self.to_play is not None:
            assert state.to_play == self.to_play
        if self.cards is not None:
            assert counts(state) == self.cards
        if self.points is not None:
            assert list(state.points) == self.points
        assert state.winners == self.winners
        for event in self.allowed:
            assert refusal(event, state) is None, event
        for event, code in self.refused:
            assert refusal(event, state) == code, event

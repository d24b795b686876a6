"""Luck and skill: what the dice gave a player in each turn, and what the player made of it.

The value of a moment is the highest expected points of the card won in this turn (`odds`). A throw moves it
by luck: what lies there is worth more or less than was to be expected. A decision can only lose: the best
play's value less that of the play made. So for each turn, exactly:

    value at its start + luck - loss + revealed = points of the card won (or the value now, while it goes on)

where `revealed` is what a card corrected during the turn changed; it is nobody's doing and mostly 0.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.coach.odds import odds, value_of_throwing
from companion.coach.robots import position_of
from companion.game.decide import apply
from companion.game.events import Event, Pass, Take, Throw
from companion.game.state import Stage, State

NOTHING_LOST = 1e-9
"""A loss up to this is rounding: the decision was a best one."""


@dataclass(frozen=True, slots=True)
class TurnLuck:
    """One turn in expected points: where it began, luck and losses on the way, what it came to."""

    seat: int
    start: float
    """The value before the first throw, with the dice that could be inherited."""
    throws: tuple[float, ...] = ()
    """The luck of each throw: the value after it less what was to be expected of it."""
    decisions: tuple[float, ...] = ()
    """The loss of each decision, 0 or more: before each throw, and the last one to take or to pass."""
    revealed: float = 0.0
    """What corrected cards changed."""
    came_to: float = 0.0
    """The points of the card won; 0 for none; the value now where the turn is `going_on`."""
    going_on: bool = False

    @property
    def luck(self) -> float:
        """What the dice gave beyond expectation."""
        return sum(self.throws)

    @property
    def loss(self) -> float:
        """What better play would have brought."""
        return sum(self.decisions)


def turns_of(events: Iterable[Event]) -> tuple[TurnLuck, ...]:
    """Return luck and losses of each turn of a game, finished or not, from its record's events.

    A replay's extra turn is a turn of its own. A turn begins with its first throw.

    Raises:
        Refused: the events are not a game by the rules.
    """
    return tuple(_turns(events))


def _turns(events: Iterable[Event]) -> Iterator[TurnLuck]:
    state: State | None = None
    turn: TurnLuck | None = None
    for event in events:
        before, state = state, apply(state, event)
        if before is None:
            continue
        if isinstance(event, Throw):
            turn = _thrown(turn or _begun(before), before, event, state)
        elif turn is not None:
            turn = _gone_on(turn, before, event, state)
        if turn is not None and state.stage is not Stage.DECIDE:
            yield replace(turn, going_on=False)
            turn = None
    if turn is not None:
        yield turn


def _begun(before: State) -> TurnLuck:
    value = odds(position_of(before)).points
    return TurnLuck(before.seat, start=value, came_to=value, going_on=True)


def _thrown(turn: TurnLuck, before: State, event: Throw, after: State) -> TurnLuck:
    """Account for the decision to throw so, and for what the throw gave."""
    expected = value_of_throwing(position_of(before), [die for die in event.dice if die.kept])
    value = _value(after)
    return replace(
        turn,
        throws=(*turn.throws, value - expected),
        decisions=(*turn.decisions, _loss(turn.came_to, expected)),
        came_to=value,
    )


def _gone_on(turn: TurnLuck, before: State, event: Event, after: State) -> TurnLuck:
    """Account for what else happens during a turn: a take or a pass that ends it, a card corrected."""
    match event:
        case Take():
            card = before.visible[event.holder]
            points = 0.0 if card is None else float(card.points)
        case Pass():
            points = 0.0
        case _:
            value = _value(after)
            return replace(turn, revealed=turn.revealed + value - turn.came_to, came_to=value)
    return replace(turn, decisions=(*turn.decisions, _loss(turn.came_to, points)), came_to=points)


def _loss(best: float, made: float) -> float:
    """Return what was lost, where rounding can not make a gain of it."""
    return max(best - made, 0.0)


def _value(state: State) -> float:
    """Return the highest expected points of a turn after a throw; 0 where the turn is over."""
    return odds(position_of(state)).points if state.stage is Stage.DECIDE else 0.0

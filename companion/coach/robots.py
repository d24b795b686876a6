"""Robots: what every robot decides, and the greedy one, which plays each turn for the most points."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from companion.coach.odds import Odds, odds
from companion.coach.position import Position
from companion.coach.race import share_of_win
from companion.game.cards import Card
from companion.game.dice import Change, Die
from companion.game.events import Pass, Take
from companion.game.judge import may_end_early, may_pass
from companion.game.state import State


@dataclass(frozen=True, slots=True)
class ThrowDice:
    """Set these dice aside (a change already made) and throw the rest; none kept: throw all six."""

    kept: tuple[Die, ...]


Move = ThrowDice | Take | Pass


class Robot(Protocol):
    """A player. All choices are made from what everybody at the table can see."""

    def move(self, state: State) -> Move:
        """Decide at a throw or after one; the seat to play is the robot's."""

    def ends_game(self, state: State, seat: int) -> bool:
        """Decide whether to end the game at the end of the own turn (rule 4.9)."""

    def draws_from(self, state: State, seats: Sequence[int]) -> int:
        """Choose one of `seats` to draw from blind (rules 4.3, 4.4)."""

    def gives(self, state: State, received: Card) -> Card:
        """Choose which of the own cards to give for the one drawn (rule 4.4)."""


def position_of(state: State, worth: tuple[float, ...] | None = None) -> Position:
    """Return the coach's view of a game in which a throw or a decision is due."""
    return Position(
        cards=state.visible,
        lost=state.lost,
        dice=state.dice,
        throw=state.throw_number,
        inherited=state.inherited_dice is not None,
        colours=state.colours,
        worth=worth,
    )


def move_of(state: State, answer: Odds) -> Move:
    """Turn the coach's advice into a move.

    Raises:
        ValueError: there is nothing to decide, since three throws are made and no card can be taken.
    """
    if answer.take is not None:
        return Take(answer.take, answer.change)
    if answer.keep is None:
        if may_pass(state):
            return Pass()
        raise ValueError("the turn is over: there is nothing to decide")
    return ThrowDice(kept_dice(state.dice or (), answer.keep, answer.change))


def kept_dice(dice: Sequence[Die], keep: Sequence[int], change: Change | None) -> tuple[Die, ...]:
    """Return the dice at `keep`, the change made, marked as kept."""
    turned = list(dice)
    if change is not None:
        turned[change.die] = Die(turned[change.die].body, change.colour)
    return tuple(replace(turned[i], kept=True) for i in keep)


class GreedyRobot:
    """Plays each turn for the most expected points, and ends the game when ahead."""

    def move(self, state: State) -> Move:
        """See `Robot`."""
        return move_of(state, odds(position_of(state, self.worth(state))))

    def worth(self, state: State) -> tuple[float, ...] | None:
        """Return what each holder's card is worth to this robot; None: its points."""
        del state
        return None

    def ends_game(self, state: State, seat: int) -> bool:
        """See `Robot`."""
        return may_end_early(state, seat) and share_of_win(state.points, seat) == 1.0

    def draws_from(self, state: State, seats: Sequence[int]) -> int:
        """See `Robot`."""
        return max(seats, key=lambda seat: (mean_points(state.hands[seat]), -seat))

    def gives(self, state: State, received: Card) -> Card:
        """See `Robot`."""
        del received
        return min(state.hands[state.seat], key=lambda card: card.points)


def mean_points(hand: Sequence[Card]) -> float:
    """Return the points that a card drawn blind from `hand` brings on average; 0 from an empty one."""
    return sum(card.points for card in hand) / len(hand) if hand else 0.0

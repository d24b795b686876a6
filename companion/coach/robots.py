"""Robots: players that decide from the state of the game alone, as a person at the table could."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from companion.coach.odds import Odds, odds
from companion.coach.position import Position
from companion.game.cards import Action, Card
from companion.game.dice import Change, Die
from companion.game.events import HOLDER_COUNT, Take
from companion.game.judge import may_end_early
from companion.game.state import State

WINNING = 100.0
"""What a card that wins the game is worth: more than any points."""
LOSING = 0.01
"""What a card that ends the game for another's win is worth: taken only if nothing else is."""


@dataclass(frozen=True, slots=True)
class ThrowDice:
    """Set these dice aside (a change already made) and throw the rest; none kept: throw all six."""

    kept: tuple[Die, ...]


Move = ThrowDice | Take


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
        return may_end_early(state, seat) and _is_alone_ahead(state, seat, state.points[seat])

    def draws_from(self, state: State, seats: Sequence[int]) -> int:
        """See `Robot`."""
        return max(seats, key=lambda seat: (_mean_points(state.hands[seat]), -seat))

    def gives(self, state: State, received: Card) -> Card:
        """See `Robot`."""
        del received
        return min(state.hands[state.seat], key=lambda card: card.points)


class PlanningRobot(GreedyRobot):
    """Looks at the whole game: what a card's action brings, what ends the game, and for whom."""

    def worth(self, state: State) -> tuple[float, ...]:
        """Return points, what the action is worth, and the end of the game that the card would bring."""
        return tuple(self._card_worth(state, holder) for holder in range(HOLDER_COUNT))

    def draws_from(self, state: State, seats: Sequence[int]) -> int:
        """Hurt the leader first: what is drawn from them counts twice."""
        return max(seats, key=lambda seat: (_mean_points(state.hands[seat]) + state.points[seat] / 10, -seat))

    def _card_worth(self, state: State, holder: int) -> float:
        card = state.visible[holder]
        if card is None:
            return 0.0
        seat = state.seat
        gain = card.points + _action_gain(state, card)
        points = state.points[seat] + gain
        count = len(state.hands[seat]) + 1
        ends_by_itself = count >= state.limits.automatic or sum(state.piles) == 1
        may_end = count >= state.limits.by_choice and card.action is not Action.REPLAY
        if (ends_by_itself or may_end) and _is_alone_ahead(state, seat, points):
            return WINNING + gain
        if ends_by_itself:
            return LOSING
        return max(gain, LOSING)


def _is_alone_ahead(state: State, seat: int, points: float) -> bool:
    return all(points > other for i, other in enumerate(state.points) if i != seat)


def _mean_points(hand: Sequence[Card]) -> float:
    return sum(card.points for card in hand) / len(hand) if hand else 0.0


def _action_gain(state: State, card: Card) -> float:
    """Return about how many points a card's action brings, against the strongest opponent for it.

    A theft moves a card from one to the other; an exchange moves the difference between a drawn card and the
    own least one. A replay is worth another turn with the cards that stay visible.
    """
    seat = state.seat
    own_least = min(other.points for other in (*state.hands[seat], card))
    means = [_mean_points(hand) for i, hand in enumerate(state.hands) if i != seat and hand]
    match card.action:
        case None:
            return 0.0
        case Action.REPLAY:
            staying = tuple(other if other is not card else None for other in state.visible)
            return odds(Position(staying, colours=state.colours)).points
        case Action.THEFT:
            return max(means, default=0.0)
        case Action.EXCHANGE:
            return max(0.0, max(means, default=0.0) - own_least)
        case Action.SUPER_EXCHANGE:
            return sum(max(0.0, mean - own_least) for mean in means)
    raise AssertionError(f"unknown action {card.action}")

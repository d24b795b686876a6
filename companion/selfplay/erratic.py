"""The erratic robot: now and then any allowed move, so that rules come into play that good players avoid."""

import random
from collections.abc import Sequence

from companion.coach.robots import GreedyRobot, Move, ThrowDice, kept_dice
from companion.game.cards import Card, makes, useful_changes
from companion.game.dice import DICE_COUNT, Change
from companion.game.events import Pass, Take
from companion.game.judge import may_pass, takeable_holders
from companion.game.state import LAST_THROW, State

ERRATIC_FRAC = 0.4
"""The part of its moves that are any allowed one."""


class ErraticRobot(GreedyRobot):
    """Plays as the greedy robot, but often by chance, and never ends the game: it goes on to its limits."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)

    def move(self, state: State) -> Move:
        """See `Robot`."""
        if self.chance.random() >= ERRATIC_FRAC:
            return super().move(state)
        takeable = sorted(takeable_holders(state))
        is_last = state.throw_number == LAST_THROW
        must = is_last and not may_pass(state)
        if takeable and (must or self.chance.random() < 0.5):
            return self._take(state, self.chance.choice(takeable))
        return Pass() if is_last else self._throw(state)

    def ends_game(self, state: State, seat: int) -> bool:
        """See `Robot`."""
        del state, seat
        return False

    def draws_from(self, state: State, seats: Sequence[int]) -> int:
        """See `Robot`."""
        del state
        return self.chance.choice(seats)

    def gives(self, state: State, received: Card) -> Card:
        """See `Robot`."""
        del received
        return self.chance.choice(state.hands[state.seat])

    def _take(self, state: State, holder: int) -> Take:
        card, dice = state.visible[holder], state.dice
        assert card is not None
        assert dice is not None
        if makes(card, (die.colour for die in dice)):
            return Take(holder)
        return Take(holder, self.chance.choice(useful_changes(card, dice, state.colours)))

    def _throw(self, state: State) -> ThrowDice:
        dice = state.dice or ()
        keep = self.chance.sample(range(len(dice)), self.chance.randrange(DICE_COUNT) if dice else 0)
        change = None
        if state.change_open and keep:
            die = self.chance.choice(keep)
            colours = [colour for colour in state.colours if colour != dice[die].colour]
            change = Change(die, self.chance.choice(colours))
        return ThrowDice(kept_dice(dice, keep, change))

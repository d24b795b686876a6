"""The value of a turn: optimal play by value iteration, backwards from the third throw.

Several goals are computed side by side as *channels*: for the expected points one channel for each set of
cards that may be lost by then (rule 3.4), and for each chance one channel of its own. A chance needs no lost
cards: a card that is all one wants is taken as soon as it can be.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.coach.lattice import Floats, Ints, lattice
from companion.coach.takeability import Flags
from companion.game.state import LAST_THROW


@dataclass(frozen=True, slots=True)
class Goals:
    """What the channels are worth: rewards for taking, and where throwing again leads."""

    reward: Floats
    """(126, channels, 27): the best reward for taking now; -inf where nothing can be taken."""
    last_reward: Floats
    """(126, channels, 27): the same after throw 3, where the turn is over: 0 where nothing need be taken."""
    next_points: Ints
    """(126, point channels, 27): the channel that throwing again leads to: what could be taken is lost."""


def turn_goals(cards: Sequence[Flags], worths: Sequence[float]) -> Goals:
    """Return the channels for the n cards that are open, given as takeability tables, and what each is worth.

    Channels 0 … 2^n - 1 are the expected points with the cards of that bit mask lost; channel 2^n + i is the
    chance of card i; the last one the chance of any card. A worth may be negative: rule 3.5 can force a card
    on a player who would rather not win it.
    """
    sets = 1 << len(cards)
    whites, columns = lattice().white.chance.shape[1], lattice().black_chance.shape[1]
    reward = np.full((whites, sets + len(cards) + 1, columns), -np.inf)
    reward[:, sets:] = 0.0
    next_points = np.empty((whites, sets, columns), np.intp)
    next_points[:] = np.arange(sets)[None, :, None]
    must_take = np.zeros((whites, sets, columns), np.bool_)
    for i, (flags, value) in enumerate(zip(cards, worths, strict=True)):
        open_sets = [lost for lost in range(sets) if not lost >> i & 1]
        taken = np.where(flags, value, -np.inf)
        reward[:, open_sets] = np.maximum(reward[:, open_sets], taken[:, None])
        reward[:, sets + i] = flags
        reward[:, -1] = np.maximum(reward[:, -1], flags)
        next_points |= (flags.astype(np.intp) << i)[:, None]
        if value < 0:
            must_take[:, open_sets] |= _without_change(flags)[:, None]
    last_reward = np.maximum(reward, 0.0)
    if must_take.any():
        last_reward[:, :sets] = np.where(must_take, reward[:, :sets], last_reward[:, :sets])
    return Goals(reward, last_reward, next_points)


def _without_change(flags: Flags) -> Flags:
    """Return where the card is made by the dice as they lie: only then rule 3.5 leaves no choice."""
    doubles = lattice().doubles
    plain = flags.copy()
    plain[:, -len(doubles) :] = flags[:, doubles]
    return plain


@dataclass(frozen=True, slots=True)
class TurnValues:
    """Optimal values of one turn for every channel of its goals."""

    after_keeping: tuple[Floats, ...]
    """By the number of throws made (0–2): (210, channels, 28), the value of keeping the row's white and the
    column's black dice and throwing the rest; -inf where nothing is thrown."""


def turn_values(goals: Goals) -> TurnValues:
    """Compute the values of keeping, from throw 3 back to the first."""
    after = [_expected(goals.last_reward)]
    while len(after) < LAST_THROW:
        values = np.maximum(goals.reward, _best_throwing_again(after[0], goals.next_points))
        after.insert(0, _expected(values))
    return TurnValues(tuple(after))


def _expected(values: Floats) -> Floats:
    """Return the value of each keep, from the values of what can come of it."""
    dice = lattice()
    whites, channels, columns = values.shape
    half = dice.white.chance @ values.reshape(whites, channels * columns)
    after = half.reshape(-1, columns) @ dice.black_chance.T
    after = after.reshape(len(dice.white.keeps), channels, len(dice.black.keeps))
    after[
        dice.white.starts[-1] :, :, dice.black.starts[-1] :
    ] = -np.inf  # at least one die is thrown (rule 3.3)
    return after


def _best_throwing_again(after: Floats, next_points: Ints) -> Floats:
    """Return the value of the best keep for each state: (126, channels, 27)."""
    best = best_keep_of_shown(after)
    dice = lattice()
    # With the change open, any one die may be turned before it is kept (rule 5.2): left out, then put back in
    # the best colour. Of a double it does not matter which black die that is.
    white, black = dice.white, dice.black
    put_back = best[:, :, dice.doubles][white.one_more].max(axis=1)
    by_white = put_back[white.smaller[-1] - white.starts[-2]].max(axis=1)
    by_black = best[:, :, black.one_more].max(axis=3)
    best = np.concatenate([best, np.maximum(by_white, by_black)], axis=2)
    sets = next_points.shape[1]
    best[:, :sets] = np.take_along_axis(best[:, :sets], next_points, axis=1)
    return best


def best_keep_of_shown(after: Floats) -> Floats:
    """Return, for each white and black multiset, the best value over all that can be kept of it.

    `after` is (210, channels, 28), the result (126, channels, 21).
    """
    dice = lattice()
    best = after.copy()
    for body, axis in ((dice.black, 2), (dice.white, 0)):
        # A multiset's best is its own value or the best of those one die smaller.
        view = np.moveaxis(best, axis, 0)
        for size, smaller in enumerate(body.smaller, start=1):
            start = body.starts[size]
            target = view[start : start + len(smaller)]
            for column in smaller.T:
                np.maximum(target, view[column], out=target)
    return best[dice.white.starts[-1] :, :, dice.black.starts[-1] :]

"""Counsel: the odds of a position as a player weighs them: take or throw again, inherit or throw all six."""

from dataclasses import dataclass, replace
from itertools import combinations

from companion.coach.odds import Odds, odds, value_of_throwing
from companion.coach.position import Position
from companion.game.state import LAST_THROW


@dataclass(frozen=True, slots=True)
class Counsel:
    """The best play of the turn from here, and what the choices on the way are worth."""

    best: Odds
    """By the best play, taking included; its move is the advice."""
    again: Odds | None
    """When the dice are thrown again, so that what could be taken now is lost (rule 3.4); its move is the
    best way to throw. None before the first throw, and where no throw is left."""
    all_six: Odds | None
    """Where dice may be inherited (rule 3.8): when all six are thrown instead; else None."""
    inherit_points: float | None
    """Where dice may be inherited: the expected points when some are kept, in the best way; else None."""
    inherit_keep: tuple[int, ...] | None
    """And which are kept in that way."""


def counsel(position: Position) -> Counsel:
    """Weigh the choices in a position of one turn."""
    best = odds(position)
    again = all_six = points = keep = None
    if 0 < position.throw < LAST_THROW:
        taking = position.takeable
        again = odds(replace(position, lost=position.lost | set(taking))) if taking else best
    if position.inherited:
        all_six = odds(replace(position, dice=None, inherited=False))
        points, keep = _best_inheritance(position)
    return Counsel(best, again, all_six, points, keep)


def _best_inheritance(position: Position) -> tuple[float, tuple[int, ...]]:
    """Return the best expected points when one to five of the inherited dice are kept, and which."""
    dice = position.dice or ()
    ways = (kept for size in range(1, len(dice)) for kept in combinations(range(len(dice)), size))
    return max(
        ((value_of_throwing(position, [dice[i] for i in kept]), kept) for kept in ways),
        key=lambda way: way[0],
    )

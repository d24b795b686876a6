"""Odds: a position of one turn gives chances, expected points and the move that reaches them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from companion.coach.lattice import Floats, Ints, Multiset, lattice
from companion.coach.position import Position
from companion.coach.takeability import Flags, takeability
from companion.coach.turn import TurnValues, turn_goals, turn_values
from companion.game.cards import Card
from companion.game.dice import DICE_COUNT, Body, Change, Die, changed_colours
from companion.game.events import HOLDER_COUNT
from companion.game.record import change_to_json
from companion.game.state import LAST_THROW

ROUNDING = 1e-12
"""Values that differ by less are alike: then taking comes before throwing, fewer dice kept before more."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What can be reached from a position by the best play for each goal."""

    chance: tuple[float, ...]
    """By holder: the highest probability with which its card can be won this turn."""
    any: float
    """The highest probability of winning some card."""
    points: float
    """The highest expected points (or worth) of the card won; none won counts 0."""
    keep: tuple[int, ...] | None
    """The dice to keep (indexes) and throw the rest, for the `points`; () keeps none, None: do not throw."""
    change: Change | None
    """The change to make, before keeping or in taking."""
    take: int | None
    """The holder whose card to take, on the way to `points`; None with `keep` None: no card is won."""

    def to_json(self) -> dict[str, Any]:
        """As `companion odds` prints it and the page's coach is told."""
        return {
            "chance": list(self.chance),
            "any": self.any,
            "points": self.points,
            "keep": None if self.keep is None else list(self.keep),
            "change": change_to_json(self.change),
            "take": self.take,
        }


@lru_cache(maxsize=512)
def cached_takeability(card: Card, colours: tuple[str, ...]) -> Flags:
    """Return `takeability`, remembered for the cards seen lately (3.4 kB each)."""
    return takeability(card, colours)


@lru_cache(maxsize=8)
def cached_turn_values(
    cards: tuple[Card, ...], worths: tuple[float, ...], colours: tuple[str, ...]
) -> TurnValues:
    """Return the values of a whole turn, remembered for the turns seen lately (1.7 MB each)."""
    return turn_values(turn_goals([cached_takeability(card, colours) for card in cards], worths))


def odds(position: Position) -> Odds:
    """Compute the exact odds of a position under optimal play of this one turn."""
    return _Reader(position).odds()


def value_of_throwing(position: Position, kept: Sequence[Die]) -> float:
    """Return the expected points (or worth) when `kept` are set aside and the rest is thrown, then best play.

    `kept` are none to five dice as they lie there, or turned by the change: only their bodies and colours
    matter, and it is not checked that the rules allow them.

    Raises:
        ValueError: no throw is left.
    """
    return _Reader(position).value_of_throwing(kept)


@dataclass(frozen=True, slots=True)
class _Keep:
    """Dice to keep, by index, and the change to make before."""

    dice: tuple[int, ...]
    change: Change | None


@dataclass(frozen=True, slots=True)
class _Subsets:
    """The different sets of dice of one body that can be kept, none first."""

    rows: Ints
    """Where each stands among the lattice's keeps of that body."""
    dice: tuple[tuple[int, ...], ...]
    """The same as indexes of dice."""


class _Reader:
    """Reads the answer for one position out of the values of its turn."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.holders = position.open_holders
        self.cards = tuple(card for h in self.holders if (card := position.cards[h]) is not None)
        self.sets = 1 << len(self.holders)
        self.values: TurnValues | None = None
        if position.throw < LAST_THROW:
            worths = tuple(position.worth_of(h) for h in self.holders)
            self.values = cached_turn_values(self.cards, worths, position.colours)

    def odds(self) -> Odds:
        taking = self._taking()
        best, keep = self._not_taking(taking)
        for i in taking:
            best[self.sets + i] = best[-1] = 1.0
        best[self.sets :] = np.minimum(best[self.sets :], 1.0)  # sums of probabilities can end a hair above 1
        take = max(taking, key=self._worth, default=None)
        # Taking wins a tie: a card in the hand.
        if take is not None and self._worth(take) < best[0] - ROUNDING:
            take = None
        points = float(best[0]) if take is None else self._worth(take)
        chance = [0.0] * HOLDER_COUNT
        for i, holder in enumerate(self.holders):
            chance[holder] = float(best[self.sets + i])
        if take is not None:
            return Odds(tuple(chance), float(best[-1]), points, None, taking[take], self.holders[take])
        kept = keep.dice if keep else None
        change = keep.change if keep else None
        return Odds(tuple(chance), float(best[-1]), points, kept, change, None)

    def value_of_throwing(self, kept: Sequence[Die]) -> float:
        if self.values is None:
            raise ValueError(f"after throw {LAST_THROW} there is nothing left to throw")
        white, black = (self._row(body, kept) for body in Body)
        made = self._throws_made(keeps_some=bool(kept))
        return float(self.values.after_keeping[made][white, self._lost_set(self._taking()), black])

    def _worth(self, i: int) -> float:
        return self.position.worth_of(self.holders[i])

    def _taking(self) -> dict[int, Change | None]:
        """Return the cards that can be taken now, by their place among the open ones, with their changes."""
        return {self.holders.index(holder): change for holder, change in self.position.takeable.items()}

    def _lost_set(self, taking: dict[int, Change | None]) -> int:
        """Return the channel of the points when the cards that could be taken are lost (rule 3.4)."""
        return sum(1 << i for i in taking)

    def _throws_made(self, *, keeps_some: bool) -> int:
        """Return how many throws count as made: keeping inherited dice makes the next throw 2 (rule 3.8)."""
        return 1 if self.position.inherited and keeps_some else self.position.throw

    def _not_taking(self, taking: dict[int, Change | None]) -> tuple[Floats, _Keep | None]:
        """Return by channel the best value of throwing or ending the turn, and the keep best for points."""
        channels = self.sets + len(self.cards) + 1
        if self.values is None:
            best = np.zeros(channels)
            if None in taking.values():  # a card made without the change must be taken (rule 3.5)
                best[0] = -np.inf
            return best, None
        channel_of = np.arange(channels)
        channel_of[0] = self._lost_set(taking)
        after = self.values.after_keeping
        throwing_all = after[self._throws_made(keeps_some=False)][0, channel_of, 0]
        best, best_keep = np.full(channels, -np.inf), None
        for change in self._changes():
            white, black = self._keepable(change)
            values = after[self._throws_made(keeps_some=True)][np.ix_(white.rows, channel_of, black.rows)]
            values[0, :, 0] = throwing_all  # none kept is the first of both
            points = values[:, 0]
            if points.max() > best[0] + ROUNDING:
                counts = np.add.outer([len(at) for at in white.dice], [len(at) for at in black.dice])
                counts[points < points.max() - ROUNDING] = DICE_COUNT
                i, j = np.unravel_index(counts.argmin(), counts.shape)
                best_keep = _Keep(tuple(sorted((*white.dice[i], *black.dice[j]))), change)
            best = np.maximum(best, values.max(axis=(0, 2)))
        return best, best_keep

    def _changes(self) -> Iterator[Change | None]:
        """Yield no change, and where it is open those that make different dice of these."""
        position = self.position
        yield None
        if position.dice is None or not position.change_open:
            return
        seen: set[tuple[Body, str, str]] = set()
        for i, die in enumerate(position.dice):
            for colour in position.colours:
                kind = (die.body, die.colour, colour)
                if colour != die.colour and kind not in seen:
                    seen.add(kind)
                    yield Change(i, colour)

    def _keepable(self, change: Change | None) -> tuple[_Subsets, _Subsets]:
        """Return what can be kept of the white and of the black dice, the change made.

        A change whose die is not kept is none at all (rule 5.2); it comes to the same as not making it.
        """
        dice = self.position.dice or ()
        colours = [self.position.colours.index(colour) for colour in changed_colours(dice, change)]
        white, black = (
            _subsets(body, tuple((i, colours[i]) for i, die in enumerate(dice) if die.body is body))
            for body in Body
        )
        return white, black

    def _row(self, body: Body, kept: Sequence[Die]) -> int:
        """Return the row of the lattice for keeping those of `kept` that have this body."""
        index = self.position.colours.index
        return _keep_rows(body)[tuple(sorted(index(die.colour) for die in kept if die.body is body))]


@lru_cache(maxsize=4096)
def _subsets(body: Body, dice: tuple[tuple[int, int], ...]) -> _Subsets:
    """Return what can be kept of dice of one body, given as (index, colour index) each."""
    rows = _keep_rows(body)
    found: dict[int, tuple[int, ...]] = {}
    for count in range(len(dice) + 1):
        for chosen in combinations(dice, count):
            row = rows[tuple(sorted(colour for _, colour in chosen))]
            found.setdefault(row, tuple(i for i, _ in chosen))
    return _Subsets(np.array(list(found)), tuple(found.values()))


@cache
def _keep_rows(body: Body) -> dict[Multiset, int]:
    dice = lattice()
    keeps = dice.white.keeps if body is Body.WHITE else dice.black.keeps
    return {keep: row for row, keep in enumerate(keeps)}

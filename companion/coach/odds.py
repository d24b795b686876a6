"""Odds: a position of one turn gives chances, expected points and the move that reaches them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from companion.coach.lattice import Floats, Multiset, lattice
from companion.coach.takeability import Flags, takeability
from companion.coach.turn import TurnValues, turn_goals, turn_values
from companion.game.cards import Card, makes, useful_changes
from companion.game.dice import (
    DEFAULT_COLOURS,
    Body,
    Change,
    Die,
    bodies_are_right,
    changed_colours,
    grants_change,
)
from companion.game.events import HOLDER_COUNT
from companion.game.state import LAST_THROW


@dataclass(frozen=True, slots=True)
class Position:
    """Where a turn stands: cards by holder (None: none), lost holders, the dice, throws made (0–3).

    `dice` is None before the turn's first throw. `inherited`: the dice are those a failed player left; no
    throw is made, and nothing can be taken or changed before one (rules 3.8, 5.4).

    Raises:
        ValueError: these can not be a moment of a turn; the sentence says why.
    """

    cards: tuple[Card | None, ...]
    lost: frozenset[int] = frozenset()
    dice: tuple[Die, ...] | None = None
    throw: int = 0
    inherited: bool = False
    colours: tuple[str, ...] = DEFAULT_COLOURS
    worth: tuple[float, ...] | None = None
    """What winning each holder's card is worth (0 or more), where that is not just its points."""

    def __post_init__(self) -> None:
        if len(self.cards) != HOLDER_COUNT:
            raise ValueError(f"there must be {HOLDER_COUNT} cards, null for an empty holder")
        if not 0 <= self.throw <= LAST_THROW:
            raise ValueError(f"the number of the last throw must be 0 to {LAST_THROW}, not {self.throw}")
        if self.inherited and (self.throw or self.dice is None):
            raise ValueError(
                "inherited dice are those that lie there before the first throw: throw 0, with dice"
            )
        if not self.inherited and (self.dice is None) != (self.throw == 0):
            raise ValueError("dice lie there after a throw, and none before the first one")
        if self.dice is not None and not bodies_are_right(self.dice):
            raise ValueError("the dice must be four white and two black ones")

    def worth_of(self, holder: int) -> float:
        """Return what winning the card of `holder` is worth: its points, unless said otherwise."""
        if self.worth is not None:
            return self.worth[holder]
        card = self.cards[holder]
        return 0.0 if card is None else float(card.points)

    @property
    def open_holders(self) -> tuple[int, ...]:
        """Holders with a card that is not lost."""
        return tuple(h for h, card in enumerate(self.cards) if card is not None and h not in self.lost)

    @property
    def change_open(self) -> bool:
        """Whether the change of rule 5.1 can be used now."""
        return self.throw > 0 and self.dice is not None and grants_change(self.dice)


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
    """The holder whose card to take, on the way to `points`."""


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
    holders = position.open_holders
    cards = tuple(card for h in holders if (card := position.cards[h]) is not None)
    values = None
    if position.throw < LAST_THROW:
        values = cached_turn_values(cards, tuple(position.worth_of(h) for h in holders), position.colours)
    return _Reader(position, holders, cards, values).odds()


@dataclass(frozen=True, slots=True)
class _Keep:
    """One way to keep: row of white and column of black dice kept, which dice they are, and the change."""

    white: int
    black: int
    dice: tuple[int, ...]
    change: Change | None


class _Reader:
    """Reads the answer for one position out of the values of the turn."""

    def __init__(
        self, position: Position, holders: Sequence[int], cards: Sequence[Card], values: TurnValues | None
    ) -> None:
        self.position = position
        self.holders = holders
        self.cards = cards
        self.values = values
        self.sets = 1 << len(holders)

    def odds(self) -> Odds:
        rewards, taking = self._taking()
        best, keep = self._throwing(lost_set=sum(1 << i for i in taking))
        best = np.maximum(best, rewards)
        best[self.sets :] = np.minimum(best[self.sets :], 1.0)  # sums of probabilities can end a hair above 1
        # Taking wins a tie: a card in the hand.
        take = max(taking, key=self._worth, default=None)
        if take is not None and keep is not None and self._worth(take) < best[0]:
            take = None
        chance = [0.0] * HOLDER_COUNT
        for i, holder in enumerate(self.holders):
            chance[holder] = float(best[self.sets + i])
        if take is not None:
            return Odds(
                tuple(chance), float(best[-1]), float(best[0]), None, taking[take], self.holders[take]
            )
        kept = keep.dice if keep else None
        change = keep.change if keep else None
        return Odds(tuple(chance), float(best[-1]), float(best[0]), kept, change, None)

    def _worth(self, i: int) -> float:
        return self.position.worth_of(self.holders[i])

    def _taking(self) -> tuple[Floats, dict[int, Change | None]]:
        """Return the reward of taking now by channel, and the cards that can be taken, with their change."""
        position = self.position
        rewards = np.zeros(self.sets + len(self.cards) + 1)
        taking: dict[int, Change | None] = {}
        if position.throw == 0 or position.dice is None:
            return rewards, taking
        for i, card in enumerate(self.cards):
            if makes(card, changed_colours(position.dice, None)):
                taking[i] = None
            elif position.change_open and (changes := useful_changes(card, position.dice, position.colours)):
                taking[i] = changes[0]
        for i in taking:
            rewards[0] = max(rewards[0], self._worth(i))
            rewards[self.sets + i] = rewards[-1] = 1.0
        return rewards, taking

    def _throwing(self, lost_set: int) -> tuple[Floats, _Keep | None]:
        """Return the best value of throwing (again) by channel, and the keep that is best for the points."""
        channels = self.sets + len(self.cards) + 1
        if self.values is None:
            return np.zeros(channels), None
        order = np.arange(channels)
        order[0] = lost_set
        best = np.full(channels, -np.inf)
        best_keep = None
        for keep in self._keeps():
            made = 1 if self.position.inherited and keep.dice else self.position.throw
            value = self.values.after_keeping[made][keep.white, order, keep.black]
            if value[0] > best[0]:
                best_keep = keep
            best = np.maximum(best, value)
        return best, best_keep

    def _keeps(self) -> Iterator[_Keep]:
        """Yield every way to keep none to five dice, with every change if it is open, each multiset once."""
        position = self.position
        yield _Keep(0, 0, (), None)
        if position.dice is None:
            return
        changes: list[Change | None] = [None]
        if position.change_open:
            changes += [
                Change(i, c)
                for i, die in enumerate(position.dice)
                for c in position.colours
                if c != die.colour
            ]
        white_index = {keep: i for i, keep in enumerate(lattice().white.keeps)}
        black_index = {keep: i for i, keep in enumerate(lattice().black.keeps)}
        seen: set[tuple[int, int]] = {(0, 0)}
        indexes = range(len(position.dice))
        for change in changes:
            colours = changed_colours(position.dice, change)
            # A change is for a die that is set aside (rule 5.2).
            subsets = (s for n in range(1, len(indexes)) for s in combinations(indexes, n))
            for subset in subsets:
                if change is not None and change.die not in subset:
                    continue
                white = white_index[self._kept(subset, colours, Body.WHITE)]
                black = black_index[self._kept(subset, colours, Body.BLACK)]
                if (white, black) not in seen:
                    seen.add((white, black))
                    yield _Keep(white, black, subset, change)

    def _kept(self, subset: Sequence[int], colours: Sequence[str], body: Body) -> Multiset:
        dice = self.position.dice
        assert dice is not None
        index = self.position.colours.index
        return tuple(sorted(index(colours[i]) for i in subset if dice[i].body is body))

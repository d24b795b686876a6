"""Cards, their combinations, and whether a throw makes them (rules 1.3 and 2)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from companion.game.dice import DICE_COUNT, Change, Die, changed_colours


class Action(StrEnum):
    """What winning a card from its holder sets off (rules 4.2 to 4.5)."""

    REPLAY = "replay"
    THEFT = "theft"
    EXCHANGE = "exchange"
    SUPER_EXCHANGE = "super_exchange"


@dataclass(frozen=True, slots=True)
class Group:
    """`size` dice (1–6) of one colour: the named one, or any when `colour` is None (rule 2.1)."""

    size: int
    colour: str | None = None


SHAPES: dict[tuple[int, ...], str] = {
    (3,): "three of a kind",
    (2, 2, 2): "triple pair",
    (3, 2): "full house",
    (4,): "four of a kind",
    (5,): "small colour",
    (3, 3): "double three of a kind",
    (4, 2): "four and pair",
    (6,): "large colour",
}
"""The eight shapes of rule 2.2: sizes in falling order, and the game's name for them."""


@dataclass(frozen=True)
class Card:
    """A card: its groups in the order given, its points, and its action.

    Equality looks at the multiset of groups, the points and the action: cards that are alike
    are the same card.
    """

    groups: tuple[Group, ...]
    points: int
    action: Action | None = None

    @cached_property
    def key(self) -> tuple[tuple[tuple[int, str], ...], int, str]:
        """What makes two cards the same card; sortable."""
        groups = sorted((group.size, group.colour or "") for group in self.groups)
        return tuple(groups), self.points, self.action or ""

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, Card) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def shape(self) -> str | None:
        """The name of the card's shape (rule 2.2), or None for a combination that is not one of the eight."""
        return SHAPES.get(tuple(sorted((group.size for group in self.groups), reverse=True)))

    @property
    def size(self) -> int:
        """How many dice the combination needs."""
        return sum(group.size for group in self.groups)


def makes(card: Card, colours: Iterable[str]) -> bool:
    """Tell whether dice showing `colours` make `card` (rules 2.3 to 2.5).

    >>> makes(Card((Group(3), Group(2)), 2), ["red"] * 5 + ["blue"])
    True
    """
    return _groups_fit(card.key[0], tuple(sorted(colours)))


@lru_cache(maxsize=16384)
def _groups_fit(groups: tuple[tuple[int, str], ...], colours: tuple[str, ...]) -> bool:
    left = Counter(colours)
    for size, colour in groups:
        if colour:
            left[colour] -= size
    if any(count < 0 for count in left.values()):
        return False
    free = sorted((size for size, colour in groups if not colour), reverse=True)
    return _free_groups_fit(tuple(free), tuple(sorted(left.values(), reverse=True)))


def _free_groups_fit(sizes: tuple[int, ...], counts: tuple[int, ...]) -> bool:
    """Tell whether each size can be cut out of some count; one count may serve several sizes (rule 2.4)."""
    if not sizes:
        return True
    tried: set[int] = set()
    for index, count in enumerate(counts):
        if count < sizes[0] or count in tried:
            continue
        tried.add(count)
        if _free_groups_fit(sizes[1:], (*counts[:index], count - sizes[0], *counts[index + 1 :])):
            return True
    return False


def useful_changes(card: Card, dice: Sequence[Die], colours: Sequence[str]) -> tuple[Change, ...]:
    """Return every change of one die to another colour after which `dice` make `card` (rules 5.1, 5.2)."""
    return tuple(
        change
        for index, die in enumerate(dice)
        for change in (Change(index, colour) for colour in colours if colour != die.colour)
        if makes(card, changed_colours(dice, change))
    )


def combination_is_possible(groups: Sequence[Group]) -> bool:
    """Tell whether six dice can make these groups at all: one group or more, six dice or fewer."""
    return (
        bool(groups)
        and all(1 <= group.size <= DICE_COUNT for group in groups)
        and sum(group.size for group in groups) <= DICE_COUNT
    )

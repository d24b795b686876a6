"""A position: where a turn stands, as far as its odds depend on it."""

from dataclasses import dataclass

from companion.game.cards import Card, makes, useful_changes
from companion.game.dice import DEFAULT_COLOURS, Change, Die, bodies_are_right, changed_colours, grants_change
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
    """What winning each holder's card is worth, where that is not just its points; it may be negative."""

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

    @property
    def takeable(self) -> dict[int, Change | None]:
        """The holders whose card can be taken now, each with a change where it needs one."""
        found: dict[int, Change | None] = {}
        if self.throw == 0 or self.dice is None:
            return found
        for holder in self.open_holders:
            card = self.cards[holder]
            if card is None:
                continue
            if makes(card, changed_colours(self.dice, None)):
                found[holder] = None
            elif self.change_open and (changes := useful_changes(card, self.dice, self.colours)):
                found[holder] = changes[0]
        return found

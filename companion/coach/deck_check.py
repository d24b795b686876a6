"""The check of a deck: do the points of each card follow its odds, or is it a trap for who plays for it?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.coach.odds import odds
from companion.coach.position import Position
from companion.game.cards import Card
from companion.game.dice import DEFAULT_COLOURS

STEP = 2.0
"""A card that is so many times harder than another asks for a point more."""

SHORT_LIMIT = 1.0
"""Points are whole numbers, so that a fair card may lie a little below the line, but not a whole point."""

ROUNDING = 1e-9
"""Chances that differ by less, in proportion, are alike: those of the same combination in other colours."""


@dataclass(frozen=True, slots=True)
class CardFairness:
    """A card beside its odds."""

    card: Card
    chance: float
    """The chance to win it in a turn by a player who wants nothing else."""
    line: float
    """The points that the deck gives to such a chance: on its line of points by halvings of the chance."""
    easier: Card | None
    """A card that makes this one pointless: the same action, as many points, and easier by a step, or more
    points and no harder."""

    @property
    def expected_points(self) -> float:
        """Points a turn for a player who wants nothing else."""
        return self.chance * self.card.points

    @property
    def is_trap(self) -> bool:
        """Whether nobody who knows the odds would play for this card."""
        return self.easier is not None or self.line - self.card.points > SHORT_LIMIT


def chance_alone(card: Card, colours: tuple[str, ...] = DEFAULT_COLOURS) -> float:
    """Return the chance to win `card` in one turn from its start when nothing else is wanted."""
    return odds(Position((card, None, None), colours=colours)).chance[0]


def examine_deck(
    cards: Sequence[Card], colours: tuple[str, ...] = DEFAULT_COLOURS
) -> tuple[CardFairness, ...]:
    """Return each different card of a deck beside its odds, the easiest first.

    The deck's line is the least-squares line of points by halvings of the chance, each card counted as often
    as it is in the deck; it needs two cards of different chances, else it is each card's own points.

    Raises:
        ValueError: the deck is empty.
    """
    if not cards:
        raise ValueError("an empty deck has no odds")
    chances = {card: chance_alone(card, colours) for card in dict.fromkeys(cards)}
    halvings = np.array([-np.log2(chances[card]) for card in cards])
    points = np.array([card.points for card in cards], np.float64)
    slope, level = 0.0, float(points.mean())
    if np.ptp(halvings) > 0:
        slope, level = map(float, np.polynomial.Polynomial.fit(halvings, points, 1).convert().coef[::-1])
    return tuple(
        CardFairness(card, chance, level - slope * float(np.log2(chance)), _easier(card, chances))
        for card, chance in sorted(chances.items(), key=lambda item: -item[1])
    )


def _easier(card: Card, chances: dict[Card, float]) -> Card | None:
    for other, chance in chances.items():
        times = chance / chances[card]
        as_good_and_easier = times >= STEP and other.points >= card.points
        better_and_no_harder = times > 1 - ROUNDING and other.points > card.points
        if other.action is card.action and (as_good_and_easier or better_and_no_harder):
            return other
    return None

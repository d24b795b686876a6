"""The race: who will win the game, judged by cards and points alone, with turns as they go on average.

A model of two players: each turn wins a card of so many points or none, as `TURN_POINTS` says; the game
ends by rule 4.7, or when the player who may end it (rule 4.9) gains by it. It is solved exactly, from the end
back. With more players the chances against each opponent are multiplied, as if they were independent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import prod

import numpy as np

from companion.coach.lattice import Floats
from companion.game.state import EndLimits

TURN_POINTS = (0.48, 0.08, 0.19, 0.17, 0.045, 0.034, 0.001)
"""How often a turn wins no card, and a card of 1 to 6 points, as robots play with the default deck."""

LEAD_LIMIT = 60
"""Leads of this many points and more are alike."""

ROUNDS = 60
"""A turn without a card leaves the race where it was, so that its chances are found by repetition; what is
left of an error shrinks by half or so each round."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Cards and points in front of each player, by seat, and the card counts that end the game."""

    cards: tuple[int, ...]
    points: tuple[float, ...]
    limits: EndLimits

    def with_gain(self, seat: int, cards: int, points: float) -> "Standing":
        """Return the standing after `seat` gains so many cards and points (negative: loses them)."""
        counts, sums = list(self.cards), list(self.points)
        counts[seat] += cards
        sums[seat] += points
        return Standing(tuple(counts), tuple(sums), self.limits)

    @property
    def ends_by_itself(self) -> bool:
        """Whether someone has cards enough (rule 4.7)."""
        return max(self.cards) >= self.limits.automatic

    def may_end(self, seat: int) -> bool:
        """Tell whether `seat` holds enough cards to end the game by choice (rule 4.9)."""
        return self.cards[seat] >= self.limits.by_choice


def share_of_win(points: Sequence[float], seat: int) -> float:
    """Return the part of the win that is `seat`'s when the game ends with these points (rule 4.11)."""
    best = max(points)
    return 1.0 / sum(p == best for p in points) if points[seat] == best else 0.0


def chance_of_winning(standing: Standing, seat: int, *, moves: bool) -> float:
    """Return about how likely `seat` wins; it is its turn, or (not `moves`) its turn has just ended.

    At the end of its turn `seat` ends the game if it may and gains by it. The number of cards left in the
    piles is left out of account.
    """
    if standing.ends_by_itself:
        return share_of_win(standing.points, seat)
    own = standing.cards[seat]
    table = _race(standing.limits)
    chances = []
    for other, (cards, points) in enumerate(zip(standing.cards, standing.points, strict=True)):
        lead = standing.points[seat] - points
        if other != seat:
            chances.append(_at(table[own, cards], lead) if moves else 1.0 - _at(table[cards, own], -lead))
    going_on = prod(chances)
    if moves or not standing.may_end(seat):
        return going_on
    return max(share_of_win(standing.points, seat), going_on)


def _at(by_lead: Floats, lead: float) -> float:
    """Read the chance at a lead, between whole points in proportion."""
    return float(np.interp(lead, np.arange(-LEAD_LIMIT, LEAD_LIMIT + 1), by_lead))


@cache
def _race(limits: EndLimits) -> Floats:
    """Return the chance of the player whose turn it is: (own cards, other's cards, lead + LEAD_LIMIT)."""
    count = limits.automatic
    leads = np.arange(-LEAD_LIMIT, LEAD_LIMIT + 1)
    ended = np.select([leads > 0, leads == 0], [1.0, 0.5], 0.0)
    table = np.full((count, count, len(leads)), 0.5)
    for total in range(2 * count - 2, -1, -1):
        pairs = [(own, total - own) for own in range(count) if 0 <= total - own < count]
        won = {(own, other): _turn_over(table, own + 1, other, limits, ended) for own, other in pairs}
        for _ in range(ROUNDS):
            for own, other in pairs:
                without = _turn_over(table, own, other, limits, ended)
                table[own, other] = _turn(won[own, other], without)
    return table


def _turn(won: Floats, without: Floats) -> Floats:
    """Return by lead the chance before a turn, from those after it: with a card more, and without.

    A card that one would rather not win is left: one can throw again and lose it (rule 3.4).
    """
    chance = TURN_POINTS[0] * without
    last = len(won) - 1
    reached = np.arange(len(won))
    for points, share in enumerate(TURN_POINTS[1:], start=1):
        chance += share * np.maximum(won[np.minimum(reached + points, last)], without)
    return chance


def _turn_over(table: Floats, own: int, other: int, limits: EndLimits, ended: Floats) -> Floats:
    """Return by lead the chance of the player who has just moved and has `own` cards."""
    if own >= limits.automatic:
        return ended
    # The other sees the opposite lead.
    going_on: Floats = 1.0 - table[other, own, ::-1]
    return np.maximum(ended, going_on) if own >= limits.by_choice else going_on

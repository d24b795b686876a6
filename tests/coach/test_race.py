"""The race agrees with a plain solver of the same model, and behaves as a race does."""

from functools import cache

import pytest

from companion.coach.race import (
    TURN_POINTS,
    Standing,
    chance_of_winning,
    share_of_win,
)
from companion.game.state import EndLimits, end_limits

SMALL = EndLimits(automatic=3, by_choice=2)


def chance_by_hand(own: int, other: int, lead: int, depth: int) -> float:
    """The chance of the player to move by plain recursion; so many turns without a card are followed."""

    @cache
    def moves(own: int, other: int, lead: int, depth: int) -> float:
        if depth == 0:
            return 0.5
        without = moved(own, other, lead, depth - 1)
        chance = TURN_POINTS[0] * without
        for points, share in enumerate(TURN_POINTS[1:], start=1):
            chance += share * max(without, moved(own + 1, other, lead + points, depth))
        return chance

    def moved(own: int, other: int, lead: int, depth: int) -> float:
        result = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
        if own >= SMALL.automatic:
            return result
        going_on = 1.0 - moves(other, own, -lead, depth)
        return max(result, going_on) if own >= SMALL.by_choice else going_on

    return moves(own, other, lead, depth)


@pytest.mark.parametrize("own", range(3))
@pytest.mark.parametrize("other", range(3))
@pytest.mark.parametrize("lead", [-4, -1, 0, 1, 3])
def test_two_players_agree_with_plain_recursion(own: int, other: int, lead: int) -> None:
    standing = Standing((own, other), (20.0 + lead, 20.0), SMALL)
    expected = chance_by_hand(own, other, lead, depth=150)
    assert chance_of_winning(standing, 0, moves=True) == pytest.approx(expected, abs=1e-9)


def test_the_turns_of_the_model_are_all_of_them() -> None:
    assert sum(TURN_POINTS) == pytest.approx(1.0)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_points_and_cards_that_end_the_game_help(players: int) -> None:
    limits = end_limits(players)
    cards = (limits.by_choice - 1,) * players
    chances = [
        chance_of_winning(Standing(cards, (10.0 + lead, *(10.0,) * (players - 1)), limits), 0, moves=True)
        for lead in range(-8, 9)
    ]
    assert chances == sorted(chances)
    assert chances[0] < 0.2
    assert chances[-1] > 0.8


def test_who_is_ahead_and_may_end_has_won() -> None:
    limits = end_limits(2)
    ahead = Standing((7, 9), (12.0, 11.0), limits)
    assert chance_of_winning(ahead, 0, moves=False) == 1.0
    assert chance_of_winning(ahead, 1, moves=True) > 0.0
    assert chance_of_winning(Standing((6, 9), (12.0, 11.0), limits), 0, moves=False) < 1.0


def test_a_card_that_ends_the_game_decides_it() -> None:
    limits = end_limits(2)
    before = Standing((9, 5), (10.0, 14.0), limits)
    assert 0.0 < chance_of_winning(before, 0, moves=False) < 1.0
    assert chance_of_winning(before.with_gain(0, 1, 3.0), 0, moves=False) == 0.0
    assert chance_of_winning(before.with_gain(0, 1, 4.0), 0, moves=False) == 0.5
    assert chance_of_winning(before.with_gain(0, 1, 5.0), 0, moves=False) == 1.0


def test_equal_points_share_the_win() -> None:
    assert [share_of_win((3, 5, 5), seat) for seat in range(3)] == [0.0, 0.5, 0.5]

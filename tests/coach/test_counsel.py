"""Counsel: taking now against throwing again, inheriting against throwing all six."""

from dataclasses import replace

import pytest

from companion.coach.counsel import counsel
from companion.coach.odds import odds, value_of_throwing
from companion.coach.position import Position
from companion.game.cards import Card, Group
from companion.game.dice import Body, Die

FOUR_RED = Card((Group(4, "red"),), 2)
ANY_THREE = Card((Group(3),), 1)
SIX = Card((Group(6),), 6)


def dice(*colours: str) -> tuple[Die, ...]:
    return tuple(Die(Body.WHITE if i < 4 else Body.BLACK, colour) for i, colour in enumerate(colours))


ALMOST = dice("red", "red", "red", "blue", "green", "yellow")


def test_a_card_that_can_be_taken_is_lost_by_throwing_again() -> None:
    position = Position((ANY_THREE, FOUR_RED, None), dice=ALMOST, throw=1)
    weighed = counsel(position)
    assert weighed.again is not None
    assert weighed.best.chance[0] == 1.0
    assert weighed.again.chance[0] == 0.0
    assert weighed.again.chance[1] == weighed.best.chance[1]
    assert weighed.again == odds(replace(position, lost=frozenset({0})))
    kept = [ALMOST[i] for i in (0, 1, 2)]
    assert weighed.again.points == pytest.approx(value_of_throwing(position, kept), abs=1e-12)


def test_throwing_again_is_the_best_play_where_nothing_can_be_taken() -> None:
    weighed = counsel(Position((SIX, FOUR_RED, None), dice=ALMOST, throw=2))
    assert weighed.again == weighed.best
    assert weighed.all_six is None


def test_a_card_made_by_the_change_is_lost_by_throwing_again_too() -> None:
    lying = dice("red", "red", "red", "blue", "green", "green")
    weighed = counsel(Position((FOUR_RED, SIX, None), dice=lying, throw=1))
    assert weighed.again is not None
    assert (weighed.best.chance[0], weighed.again.chance[0]) == (1.0, 0.0)


@pytest.mark.parametrize("throw", [0, 3])
def test_nothing_is_thrown_again_before_the_first_throw_and_after_the_last(throw: int) -> None:
    weighed = counsel(Position((FOUR_RED, None, None), dice=ALMOST if throw else None, throw=throw))
    assert weighed.again is None
    assert weighed.inherit_points is None


def test_inheriting_is_weighed_against_all_six() -> None:
    """Three red dice for four red ones: worth keeping, though one throw fewer is left."""
    weighed = counsel(Position((FOUR_RED, None, None), dice=ALMOST, inherited=True))
    assert weighed.all_six is not None
    assert weighed.inherit_points is not None
    assert weighed.inherit_keep == (0, 1, 2)
    assert weighed.best.keep == (0, 1, 2)
    assert weighed.best.points == pytest.approx(weighed.inherit_points, abs=1e-12)
    assert weighed.inherit_points > weighed.all_six.points


def test_dice_that_help_little_are_not_inherited() -> None:
    lying = dice("red", "blue", "green", "yellow", "orange", "purple")
    weighed = counsel(Position((ANY_THREE, None, None), dice=lying, inherited=True))
    assert weighed.all_six is not None
    assert weighed.inherit_points is not None
    assert weighed.best.keep == ()
    assert weighed.best.points == pytest.approx(weighed.all_six.points, abs=1e-12)
    assert weighed.inherit_points < weighed.all_six.points

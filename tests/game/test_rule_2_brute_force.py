"""Rule 2 against brute force: every throw there is, and every assignment of its dice to the groups."""

from collections import Counter
from itertools import combinations_with_replacement, product

import pytest

from companion.game.cards import makes, useful_changes
from companion.game.dice import DEFAULT_COLOURS, Body, Die
from tests.game.reference import brute_force
from tests.game.table_talk import BODIES, card

ALL_THROWS = tuple(product(DEFAULT_COLOURS, repeat=6))

CARDS = (
    *("3", "2 2 2", "3 2", "4", "5", "3 3", "4 2", "6"),
    *("3r", "2r 2o 2p", "3g 2b", "4y", "5p", "3r 3b", "4o 2g", "6b"),
    *("3 2r", "3r 2", "2r 2 2", "2r 2r 2", "4 2b", "4b 2", "3 3y", "1r 1o 1y 1g 1b 1p"),
    *("2 2", "1 5", "2r 1 3", "1 1 1 1 1 1", "2r 2b 1 1"),
)


def test_there_are_six_to_the_sixth_throws() -> None:
    assert len(ALL_THROWS) == 6**6


@pytest.mark.parametrize("groups", CARDS)
def test_every_throw_is_judged_as_by_brute_force(groups: str) -> None:
    wanted = card(groups)
    laid = [(group.size, group.colour) for group in wanted.groups]
    wrong = [colours for colours in ALL_THROWS if makes(wanted, colours) != brute_force(laid, colours)]
    assert wrong == []


@pytest.mark.parametrize(
    ("groups", "count"),
    [
        # The same counts by hand. Throws by their largest counts, of 46,656: (6) 6 · (5,1) 180 · (4,2) 450
        # · (4,1,1) 1800 · (3,3) 300 · (3,2,1) 7200 · (3,1,1,1) 7200 · (2,2,2) 1800, the rest less.
        ("3", 6 + 180 + 450 + 1800 + 300 + 7200 + 7200),
        ("2 2 2", 6 + 450 + 1800),
        ("3 2", 6 + 180 + 450 + 300 + 7200),
        ("4", 6 + 180 + 450 + 1800),
        ("5", 6 + 180),
        ("3 3", 6 + 300),
        ("4 2", 6 + 450),
        ("6", 6),
        ("6b", 1),
        ("5p", 1 + 6 * 5),
        ("3r 3b", 20),
        ("1r 1o 1y 1g 1b 1p", 720),
    ],
)
def test_the_number_of_throws_that_make_a_card(groups: str, count: int) -> None:
    wanted = card(groups)
    assert sum(makes(wanted, colours) for colours in ALL_THROWS) == count


def test_the_counts_by_hand_are_those_of_the_throws() -> None:
    largest = Counter(tuple(sorted(Counter(colours).values(), reverse=True)) for colours in ALL_THROWS)
    assert largest[(3, 2, 1)] == 7200
    assert largest[(2, 2, 2)] == 1800
    assert sum(largest.values()) == 6**6


@pytest.mark.parametrize("groups", CARDS)
def test_useful_changes_are_found_as_by_brute_force(groups: str) -> None:
    """All throws whose black dice are alike: the white dice in any order are one case, weighted."""
    wanted = card(groups)
    laid = [(group.size, group.colour) for group in wanted.groups]
    for whites in combinations_with_replacement(DEFAULT_COLOURS, 4):
        for black in DEFAULT_COLOURS:
            colours = (*whites, black, black)
            dice = [Die(Body(body), colour) for body, colour in zip(BODIES, colours, strict=True)]
            expected = {
                (index, colour)
                for index, colour in product(range(6), DEFAULT_COLOURS)
                if colour != colours[index]
                and brute_force(laid, [*colours[:index], colour, *colours[index + 1 :]])
            }
            found = useful_changes(wanted, dice, DEFAULT_COLOURS)
            assert {(change.die, change.colour) for change in found} == expected
            assert len(found) == len(expected)

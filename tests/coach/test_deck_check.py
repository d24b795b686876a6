"""The check of a deck: the default one has no trap, and traps are found."""

import pytest

from companion.coach.deck_check import chance_alone, examine_deck
from companion.game.cards import Card
from companion.game.deck import default_deck
from tests.game.table_talk import card
from tests.game.turn_chance import chance_of_a_turn

GOOD = [card("3", 1), card("4", 2), card("4 2", 3), card("5", 3), card("3 3r", 4), card("5r", 5)]


def traps(cards: list[Card]) -> list[Card]:
    return [fairness.card for fairness in examine_deck(cards) if fairness.is_trap]


def test_no_card_of_the_default_deck_is_a_trap() -> None:
    examined = examine_deck(default_deck().cards)
    assert len(examined) == len(default_deck().kinds)
    assert [fairness.card for fairness in examined if fairness.is_trap] == []
    assert max(abs(fairness.line - fairness.card.points) for fairness in examined) < 1
    chances = [fairness.chance for fairness in examined]
    assert chances == sorted(chances, reverse=True)


def test_the_coach_and_a_solver_of_its_own_agree_on_chances() -> None:
    for each in GOOD:
        assert chance_alone(each) == pytest.approx(chance_of_a_turn(each), abs=1e-9)


def test_a_card_far_below_the_line_is_a_trap() -> None:
    assert traps(GOOD) == []
    hard = card("6r", 4)
    assert traps([*GOOD, hard]) == [hard]
    assert traps([*GOOD, card("6r", 6)]) == []


def test_an_easier_card_with_more_points_makes_a_trap() -> None:
    poor = card("4r", 1)
    assert traps([*GOOD, poor]) == [poor]
    # Another action may be what one wants it for.
    found = {fairness.card: fairness for fairness in examine_deck([*GOOD, card("3", 2, "theft")])}
    assert not any(fairness.easier for fairness in found.values())


def test_as_many_points_for_a_card_twice_as_easy_make_a_trap() -> None:
    twice = examine_deck([card("4", 2), card("4r", 2)])
    assert [fairness.easier for fairness in twice] == [None, card("4", 2)]
    nearly = examine_deck([card("4", 2), card("2 2 2", 2)])
    assert [fairness.easier for fairness in nearly] == [None, None]


def test_the_same_combination_in_other_colours_counts_as_no_harder() -> None:
    pair = examine_deck([card("4r", 2), card("4b", 3)])
    assert {fairness.card: fairness.easier for fairness in pair} == {
        card("4r", 2): card("4b", 3),
        card("4b", 3): None,
    }


def test_a_deck_of_one_card_is_its_own_line() -> None:
    (only,) = examine_deck([card("6", 9)])
    assert (only.line, only.is_trap) == (9.0, False)
    with pytest.raises(ValueError, match="empty"):
        examine_deck([])

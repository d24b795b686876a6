"""Rule 2: which dice make which cards."""

import pytest

from companion.game.cards import Card, Group, combination_is_possible, makes, useful_changes
from companion.game.dice import DEFAULT_COLOURS
from tests.game.table_talk import LETTERS, card, throw


def made(groups: str, letters: str) -> bool:
    return makes(card(groups), [LETTERS[letter] for letter in letters])


@pytest.mark.parametrize(
    ("groups", "letters", "expected"),
    [
        pytest.param("3", "rrrogb", True, id="rule 2.2: three of a kind"),
        pytest.param("3", "rroogb", False, id="rule 2.2: two are no three of a kind"),
        pytest.param("2 2 2", "rroobb", True, id="rule 2.2: triple pair"),
        pytest.param("2 2 2", "rroogb", False, id="rule 2.2: two pairs are no triple pair"),
        pytest.param("3 2", "rrroob", True, id="rule 2.2: full house"),
        pytest.param("3 2", "rrrogb", False, id="rule 2.2: three without a pair are no full house"),
        pytest.param("4", "rrrrob", True, id="rule 2.2: four of a kind"),
        pytest.param("4", "rrroob", False, id="rule 2.2: three are no four of a kind"),
        pytest.param("5", "rrrrrb", True, id="rule 2.2: small colour"),
        pytest.param("5", "rrrrob", False, id="rule 2.2: four are no small colour"),
        pytest.param("3 3", "rrrbbb", True, id="rule 2.2: double three of a kind"),
        pytest.param("3 3", "rrrrbb", False, id="rule 2.2: four and two are no double three"),
        pytest.param("4 2", "rrrrbb", True, id="rule 2.2: four and pair"),
        pytest.param("4 2", "rrrrob", False, id="rule 2.2: four and two singles are no four and pair"),
        pytest.param("6", "rrrrrr", True, id="rule 2.2: large colour"),
        pytest.param("6", "rrrrrb", False, id="rule 2.2: five are no large colour"),
        pytest.param("3", "rrrrrb", True, id="rule 2.3: five red make three of a kind"),
        pytest.param("4", "rrrrrr", True, id="rule 2.3: dice left over do not matter"),
        pytest.param("3 2", "rrrrrb", True, id="rule 2.4: five red make a full house"),
        pytest.param("2 2 2", "rrrrbb", True, id="rule 2.4: four and two make a triple pair"),
        pytest.param(
            "2 2 2", "rrrbbb", False, id="rule 2.3: groups are disjoint, three and three hold two pairs"
        ),
        pytest.param("2 2", "rrrbbb", True, id="rule 2.5: two pairs out of three and three"),
        *(
            pytest.param(groups, "rrrrrr", True, id=f"rule 2.4: six red make {groups}")
            for groups in ("3", "2 2 2", "3 2", "4", "5", "3 3", "4 2", "6")
        ),
        pytest.param("3r", "rrrbbb", True, id="rule 2.5: three red"),
        pytest.param("3g", "rrrbbb", False, id="rule 2.5: three red are not three green"),
        pytest.param("3r 2b", "rrrbbo", True, id="rule 2.5: three red, two blue"),
        pytest.param("3b 2r", "rrrbbo", False, id="rule 2.5: the other way round"),
        pytest.param("2r 2o 2p", "rroopp", True, id="rule 2.5: three named pairs"),
        pytest.param("2r 2r 2p", "rrrrpp", True, id="rule 2.5: the same colour named twice needs four"),
        pytest.param(
            "2r 2r 2p", "rrrppp", False, id="rule 2.5: the same colour named twice, three are not four"
        ),
        pytest.param("2r 3", "rrrbbb", True, id="rule 2.5: mixed, the named pair leaves the free three"),
        pytest.param("2r 3", "rrrrbb", False, id="rule 2.5: mixed, two red left and two blue are no three"),
        pytest.param("2r 3", "rrrrrb", True, id="rule 2.4: mixed, a free group may be of the named colour"),
        pytest.param(
            "1r 1o 1y 1g 1b 1p", "poybgr", True, id="rule 2.5: one of each colour, no shape of the eight"
        ),
        pytest.param("1r 1o 1y 1g 1b 1p", "poybgg", False, id="rule 2.5: one of each colour, red is missing"),
        pytest.param("1 5", "rrrrrr", True, id="rule 2.4: single and small colour out of six"),
    ],
)
def test_dice_make_the_card(groups: str, letters: str, expected: bool) -> None:
    assert made(groups, letters) is expected
    assert made(groups, letters[::-1]) is expected
    assert made(" ".join(groups.split()[::-1]), letters) is expected


@pytest.mark.parametrize(
    ("groups", "shape"),
    [
        ("3", "three of a kind"),
        ("2 2 2", "triple pair"),
        ("2 3", "full house"),
        ("4", "four of a kind"),
        ("5r", "small colour"),
        ("3 3b", "double three of a kind"),
        ("2 4", "four and pair"),
        ("6", "large colour"),
        ("2 2", None),
    ],
)
def test_shapes_have_names(groups: str, shape: str | None) -> None:
    assert card(groups).shape == shape


@pytest.mark.parametrize(
    ("sizes", "possible"),
    [((6,), True), ((4, 3), False), ((), False), ((0, 3), False), ((7,), False), ((-1, 2), False)],
)
def test_impossible_combinations_are_told(sizes: tuple[int, ...], possible: bool) -> None:
    assert combination_is_possible([Group(size) for size in sizes]) is possible


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (card("3 2r", 4), card("2r 3", 4), True),
        (card("3 2r", 4), card("3 2r", 5), False),
        (card("3 2r", 4), card("3r 2", 4), False),
        (card("3 2r", 4), card("3 2r", 4, "theft"), False),
        (card("2 2", 4), card("2 2 2", 4), False),
    ],
)
def test_cards_alike_are_the_same_card(one: Card, other: Card, same: bool) -> None:
    assert (one == other) is same
    assert (hash(one) == hash(other)) or not same
    assert one != "a card"


def test_useful_changes_are_those_that_make_the_card() -> None:
    dice = throw("rrrr bb").dice
    found = {(change.die, change.colour[0]) for change in useful_changes(card("5"), dice, DEFAULT_COLOURS)}
    assert found == {(4, "r"), (5, "r")}
    assert useful_changes(card("6"), dice, DEFAULT_COLOURS) == ()

"""Rules 5 and 6: the black-dice change, and what lies on the table; each case names its rule."""

import pytest

from companion.game.dice import DICE_COUNT, Body, Die
from companion.game.events import Throw
from tests.game.table_talk import Case, opening, reveal, take, throw

CARDS = opening("4", "5", "6")
HARD = opening("6", "6", "6")


def throw_of(bodies: str) -> Throw:
    """Return a throw of red dice with these bodies, w or b."""
    return Throw(tuple(Die({"w": Body.WHITE, "b": Body.BLACK}[body], "red") for body in bodies))


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            Case(
                [*CARDS, throw("rrry bb")], lit="c--", allowed=(take(0, "3r"), take(0, "4r"), take(0, "5r"))
            ),
            id="rule 5.1: both black dice alike, one die, white or black, is changed",
        ),
        pytest.param(
            Case(
                [*CARDS, throw("rrry bb")],
                refused=((take(0), "not_made"), (take(0, "3g"), "not_made"), (take(1, "3r"), "not_made")),
            ),
            id="rule 5.1: the change must make the card",
        ),
        pytest.param(
            Case([*CARDS, throw("rrry bg")], lit="---", refused=((take(0, "3r"), "change_not_allowed"),)),
            id="rule 5.1: unlike black dice give no change",
        ),
        pytest.param(
            Case(
                [*CARDS, throw("rryo bb"), throw("RRry bB")],
                lit="---",
                refused=((take(0, "3r"), "change_not_allowed"),),
            ),
            id="rule 5.1: a kept black die gives no change, though alike",
        ),
        pytest.param(
            Case(
                [*CARDS, throw("rryo bb"), throw("RRry BB")],
                lit="---",
                refused=((take(0, "3r"), "change_not_allowed"),),
            ),
            id="rule 5.1: two kept black dice give no change",
        ),
        pytest.param(
            Case(
                [*CARDS, throw("rryo bg"), throw("RRYo rr")],
                lit="yc-",
                allowed=(take(1, "2r"), take(1, "3r")),
            ),
            id="rule 5.1: a kept die may be changed too",
        ),
        pytest.param(
            Case(
                [*CARDS, throw("rrrr bb")],
                lit="yc-",
                allowed=(take(0), take(0, "5y")),
                refused=((take(0, "0y"), "not_made"),),
            ),
            id="rule 5.1: a change that is not needed may be used, but not to the card's harm",
        ),
        pytest.param(
            Case([*opening("6", "5r", "2y 2r"), throw("rrrr yy")], lit="-cy"),
            id="rule 5.1: yes where the dice make it as they lie, change where they do not",
        ),
        pytest.param(
            Case(
                [*HARD, throw("rrry bb")],
                allowed=(throw("RRRR og"), throw("RRRr Rg"), throw("RRRY bb")),
                refused=((throw("RRRR Rg"), "kept_die_differs"),),
            ),
            id="rule 5.2: one changed die may be set aside in its new colour",
        ),
        pytest.param(
            Case(
                [*HARD, throw("rrry bb"), throw("RRRR og")],
                allowed=(throw("RRRR gg"),),
                refused=((throw("RRRY gg"), "kept_die_differs"),),
            ),
            id="rule 5.2: the changed die lies there in its new colour from then on",
        ),
        pytest.param(
            Case(
                [*HARD, throw("rrry bb"), throw("RRRo gy")], refused=((throw("RRRR gy"), "kept_die_differs"),)
            ),
            id="rule 5.2: a change neither used nor kept is gone with the next throw",
        ),
        pytest.param(
            Case(
                [*opening("4", "6", "6"), throw("rrry bb"), throw("RRRR og")],
                lit="---",
                refused=((take(0), "not_available"),),
            ),
            id="rule 5.2 and 3.4: keeping the changed die is throwing again, the card it made is lost",
        ),
        pytest.param(
            Case([*HARD, throw("rryo bb"), throw("RRRo gg"), throw("RRRR gy")], to_play=1, lit="---"),
            id="rule 5.3: thrown again and alike, there is a new change",
        ),
        pytest.param(
            Case(
                [*opening("4", "6", "6"), throw("rroo bb"), throw("RRRy gg"), reveal(0, "5")],
                lit="---",
            ),
            id="rule 5.3: one change a throw",
        ),
        pytest.param(
            Case(
                [*HARD, throw("royg bp"), throw("royg bp"), throw("rrry bb")],
                to_play=1,
                lit="---",
                allowed=(throw("RRRY Bo"),),
                refused=((throw("RRRR bb"), "kept_die_differs"), (take(0, "3r"), "wrong_stage")),
            ),
            id="rule 5.4: inherited dice give no change",
        ),
        pytest.param(
            Case(
                [*HARD, throw("rrog bp")],
                allowed=(throw("RROG Bp"), throw("GRRO bp"), throw("GORR pB")),
                refused=((throw("RRRg bp"), "kept_die_differs"), (throw("rrog BB"), "kept_die_differs")),
            ),
            id="rule 6.1: kept dice are among those that lay there, in any order",
        ),
        pytest.param(
            Case([*HARD, throw("rrog bp")], refused=((throw("BRog gy"), "kept_die_differs"),)),
            id="rule 6.1: by body as well, a black blue is no white blue",
        ),
    ],
)
def test_case(case: Case) -> None:
    case.check()


@pytest.mark.parametrize(
    "bodies",
    ["wwwwb", "wwwwbbb", "wwwbbb", "wwwwwb", "wwwwww", "", "wwwwwbb"],
    ids=[f"rule 6.2: {bodies or 'none'}" for bodies in ("4+1", "4+3", "3+3", "5+1", "6+0", "", "5+2")],
)
def test_other_dice_are_no_throw(bodies: str) -> None:
    Case(HARD, refused=((throw_of(bodies), "wrong_dice"),)).check()


def test_the_dice_may_lie_in_any_order() -> None:
    """Rule 6.2: four white and two black, wherever the black ones are in the list."""
    for bodies in ("bbwwww", "wbwbww", "wwwwbb"):
        assert len(throw_of(bodies).dice) == DICE_COUNT
        Case([*HARD, throw_of(bodies)], lit="yyy").check()

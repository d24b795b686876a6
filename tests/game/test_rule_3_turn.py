"""Rule 3: a turn's throws, lost cards, inheriting; each case names its rule."""

import pytest

from tests.game.table_talk import (
    PASS,
    Case,
    card,
    end_early,
    lit,
    opening,
    play,
    refusal,
    reveal,
    take,
    throw,
)

HARD = opening("6", "5r 1b", "4y 2p")
"""A game whose cards the throws of these tests do not make."""

TRIO = opening("3", "4", "6")

FAILED = [throw("rrog yb"), throw("royg bp"), throw("rroy gp")]
"""Three throws that make none of the hard cards."""


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            Case(HARD, to_play=0, lit="---", refused=((take(0), "wrong_stage"), (PASS, "wrong_stage"))),
            id="rule 3.1: the turn begins with a throw",
        ),
        pytest.param(
            Case(HARD, refused=((throw("Rrog yb"), "all_dice_needed"), (throw("RROG YB"), "nothing_thrown"))),
            id="rule 3.1: throw 1 is with all six dice",
        ),
        pytest.param(
            Case([*HARD, *FAILED[:2]], to_play=0, allowed=(throw("rroy gp"),)),
            id="rule 3.1: after two throws a third is left",
        ),
        pytest.param(
            Case([*HARD, *FAILED], to_play=1, lit="---", refused=((take(0), "wrong_stage"),)),
            id="rule 3.1: three throws and nothing made, the next seat is to play",
        ),
        pytest.param(
            Case(
                [*TRIO, throw("rrro yb")],
                to_play=0,
                lit="y--",
                allowed=(take(0), throw("RRRo yb"), throw("gggg gb")),
                refused=((take(1), "not_made"), (PASS, "wrong_stage")),
            ),
            id="rule 3.2: after throw 1 a card that is made may be taken, or not",
        ),
        pytest.param(
            Case([*TRIO, throw("rrog yb"), throw("RRro yb"), take(0)], to_play=1, cards=[1, 0], lit="---"),
            id="rule 3.2: taking after throw 2 ends the turn",
        ),
        pytest.param(
            Case(
                [*HARD, throw("rrog yb")],
                allowed=(throw("rrog yb"), throw("RROG Yb"), throw("rrOG yb"), throw("bbbb bb")),
                refused=((throw("RROG YB"), "nothing_thrown"),),
            ),
            id="rule 3.3: none to five dice are kept, at least one is thrown",
        ),
        pytest.param(
            Case(
                [*HARD, throw("rrog yb"), throw("RRoo yb")],
                allowed=(throw("rroo yb"), throw("rROO yb"), throw("RROO yB")),
            ),
            id="rule 3.3: dice kept earlier may be thrown again",
        ),
        pytest.param(
            Case(
                [*TRIO, throw("rrro yb"), throw("RRRo yb")],
                to_play=0,
                lit="---",
                refused=((take(0), "not_available"),),
            ),
            id="rule 3.4: who throws again loses the card, though the dice still make it",
        ),
        pytest.param(
            Case(
                [*TRIO, throw("rrro yb"), throw("RRRr yb")], lit="-y-", refused=((take(0), "not_available"),)
            ),
            id="rule 3.4: another card can still be taken",
        ),
        pytest.param(
            Case([*TRIO, throw("rrrr yb"), throw("rroo yb"), throw("rrrr gb")], to_play=1, lit="---"),
            id="rule 3.4: every card that could have been taken is lost for the turn",
        ),
        pytest.param(
            Case([*TRIO, throw("rrro yb"), throw("rrog yb"), throw("RRrr yb")], to_play=0, lit="-y-"),
            id="rule 3.4: lost at throw 1 stays lost at throw 3",
        ),
        pytest.param(
            Case(
                [*opening("3", "5", "6"), throw("rrrr bb"), throw("RRRR yr")],
                lit="---",
                refused=((take(0), "not_available"), (take(1), "not_available")),
            ),
            id="rule 3.4: a card that needed the change is lost too (five here)",
        ),
        pytest.param(
            Case(
                [*TRIO, throw("rrro yb"), throw("RRRo yb"), reveal(0, "3", 5)],
                lit="y--",
                allowed=(take(0),),
            ),
            id="rule 3.4: a lost card that is corrected is open again",
        ),
        pytest.param(
            Case([*TRIO, throw("rrro yb"), throw("RRRo yb"), reveal(1, "4", 5)], lit="---"),
            id="rule 3.4: correcting another card does not open the lost one",
        ),
        pytest.param(
            Case(
                [*TRIO, *FAILED[:2], throw("rrro yb")],
                to_play=0,
                lit="y--",
                allowed=(take(0),),
                refused=((throw("rrrr rr"), "no_throw_left"), (PASS, "wrong_stage"), (take(1), "not_made")),
            ),
            id="rule 3.5: after throw 3 a made card must be taken",
        ),
        pytest.param(
            Case(
                [*opening("3", "4", "6"), *FAILED[:2], throw("rrrr yb")],
                lit="yy-",
                allowed=(take(0), take(1)),
            ),
            id="rule 3.5: which card is the player's choice",
        ),
        pytest.param(
            Case(
                [*HARD[:1], reveal(0, "4"), reveal(1, "6"), reveal(2, "6"), *FAILED[:2], throw("rrro bb")],
                to_play=0,
                lit="c--",
                allowed=(take(0, "3r"), take(0, "4r"), PASS),
                refused=((throw("rrrr rr"), "no_throw_left"), (take(0), "not_made")),
            ),
            id="rule 3.5: where only the change makes a card the player may decline",
        ),
        pytest.param(
            Case(
                [*opening("4", "6", "6"), *FAILED[:2], throw("rrro bb"), PASS],
                to_play=1,
                lit="---",
                cards=[0, 0],
                allowed=(throw("RRRo bb"),),
            ),
            id="rule 3.5 and 3.8: after passing the turn is over and the next may inherit",
        ),
        pytest.param(
            Case(
                [*opening("3", "4", "6"), *FAILED[:2], throw("rrro bb")],
                lit="yc-",
                allowed=(take(0), take(1, "3r")),
                refused=((PASS, "wrong_stage"),),
            ),
            id="rule 3.5: one card made without the change, then passing is not allowed",
        ),
        pytest.param(
            Case([*TRIO, *FAILED[:2], throw("rrro yb"), reveal(0, "4r")], to_play=1, lit="---", cards=[0, 0]),
            id="rule 3.5: a correction after throw 3 leaves nothing to take, the turn is over",
        ),
        pytest.param(
            Case(
                [*TRIO, *FAILED[:2], throw("rrro yb"), reveal(0, "4r"), reveal(0, "3")],
                to_play=1,
                lit="---",
                refused=((take(0), "wrong_stage"),),
            ),
            id="rule 3.5: a turn already over stays over",
        ),
        pytest.param(
            Case([*TRIO, *FAILED[:2], throw("rrro yb"), reveal(0, "3r")], to_play=0, lit="y--"),
            id="rule 3.5: a correction after throw 3 that leaves a card to take leaves the turn",
        ),
        pytest.param(
            Case(
                [*TRIO, *FAILED[:2], throw("rrro bb"), reveal(0, "6")], to_play=0, lit="-c-", allowed=(PASS,)
            ),
            id="rule 3.5: a correction that leaves only the change lets the player pass",
        ),
        pytest.param(
            Case(
                [*TRIO, throw("rrro yb"), reveal(0, "6")], to_play=0, lit="---", allowed=(throw("rrrr yb"),)
            ),
            id="rule 3.5: a correction after throw 1 ends no turn",
        ),
        pytest.param(
            Case(
                [*TRIO, throw("rrro yb"), take(0)],
                cards=[1, 0],
                refused=((throw("rrro yb"), "card_unknown"), (take(0), "wrong_stage")),
                allowed=(reveal(0, "5"),),
            ),
            id="rule 3.6: the next card of the pile is uncovered",
        ),
        pytest.param(
            Case(
                [*TRIO, throw("rrro yb"), take(0), reveal(0, "5")],
                to_play=1,
                allowed=(throw("rrro yb"),),
                refused=((throw("RRro yb"), "all_dice_needed"),),
            ),
            id="rule 3.7: after a won card all six dice are thrown",
        ),
        pytest.param(
            Case(
                [*HARD, *FAILED],
                to_play=1,
                allowed=(throw("rrrr rr"), throw("RROy gp"), throw("RROY Gb")),
                refused=((throw("RROY GP"), "nothing_thrown"), (throw("BBoy gp"), "kept_die_differs")),
            ),
            id="rule 3.8: the next player throws all six, or keeps one to five as they lie",
        ),
        pytest.param(
            Case([*HARD, *FAILED, throw("RRrr rb"), throw("RRRR rb")], to_play=0, lit="---"),
            id="rule 3.8: inherited dice make it throw 2 of 3, so the turn is over one throw later",
        ),
        pytest.param(
            Case(
                [*HARD, *FAILED, throw("royg bp"), throw("royg bo")], to_play=1, allowed=(throw("royg bp"),)
            ),
            id="rule 3.8: all six thrown make it throw 1 of 3",
        ),
        pytest.param(
            Case(
                [*HARD, *FAILED, throw("RRoy gp"), throw("RROo gb")],
                to_play=0,
                allowed=(throw("RROO gb"),),
                refused=((throw("RRRo gb"), "kept_die_differs"),),
            ),
            id="rule 3.8: if that player fails too the one after may inherit",
        ),
        pytest.param(
            Case([*HARD, *FAILED, throw("RRrr Gr"), throw("RRRR Gr"), reveal(1, "5r")], to_play=0, lit="---"),
            id="rule 3.8: naming a card anew after the turn is over brings nothing back",
        ),
        pytest.param(
            Case(
                [
                    *opening("3", "6", "6"),
                    throw("rrro yb"),
                    throw("RRRo gb"),
                    throw("RRRy gb"),
                    throw("RRRy bo"),
                ],
                to_play=1,
                lit="y--",
                allowed=(take(0),),
            ),
            id="rule 3.8: the inheriting player has no card lost",
        ),
        pytest.param(
            Case(
                [*opening("3", "6", "6")[:3], throw("rrro yb")][:3],
                refused=((throw("rrro yb"), "card_unknown"),),
            ),
            id="rule 3.9: no throw before the cards of all three holders are known",
        ),
        pytest.param(
            Case(
                [*opening("3", "4", "6", piles=(1, 15, 15)), throw("rrro yb"), take(0)],
                allowed=(throw("rrrr yb"),),
                refused=((reveal(0, "3"), "pile_empty"),),
            ),
            id="rule 3.9: an empty holder needs no card",
        ),
    ],
)
def test_case(case: Case) -> None:
    case.check()


def test_the_turn_goes_round_clockwise() -> None:
    """Rule 1.4: seat 0, 1, 2 … from the first player on, in every game size."""
    for players in range(2, 7):
        for first in range(players):
            events = [*opening("6", "6", "6", players=players, first=first)]
            movers = []
            for _ in range(players + 1):
                movers.append(play(*events).to_play)
                events += FAILED
            assert movers == [(first + turn) % players for turn in range(players + 1)]


def test_ending_by_choice_needs_a_turn_that_ended() -> None:
    """Rule 4.9 has its table elsewhere; here, that nobody may before the first turn is over."""
    assert refusal(end_early(0), play(*HARD)) == "may_not_end"


def test_lights_go_out_with_the_turn() -> None:
    """Lights show from a throw until the take, the next throw or the end of the turn, reveals included."""
    state = play(*TRIO, throw("rrrr yb"))
    assert lit(state) == "yy-"
    state = play(reveal(2, "2 2 2"), state=state)
    assert lit(state) == "yy-"
    state = play(reveal(2, "2 2"), state=state)
    assert lit(state) == "yyy"
    assert lit(play(take(1), state=state)) == "---"
    assert lit(play(take(1), reveal(1, "3"), state=state)) == "---"


def test_the_card_taken_is_the_visible_one() -> None:
    """Rule 3.6: the card as it was last named."""
    state = play(*TRIO, throw("rrrr yb"), reveal(0, "3 1", 5, "replay"), take(0))
    assert state.hands[0] == (card("1 3", 5, "replay"),)
    assert state.piles == (14, 15, 15)

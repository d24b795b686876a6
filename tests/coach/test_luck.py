"""Luck and losses: worked cases, and the law that they add up to the points won."""

from itertools import product
from random import Random

import pytest

from companion.bench.random_game import random_course, random_start
from companion.coach.luck import TurnLuck, turns_of
from companion.coach.odds import odds
from companion.coach.position import Position
from companion.game.dice import DEFAULT_COLOURS
from companion.game.events import Event
from companion.game.state import Stage
from tests.game.table_talk import PASS, card, opening, play, reveal, take, throw

OPEN = opening(card("6r", 6), card("6b", 6), card("4y", 3))
LATE = [throw("yyyb gp"), throw("YYYb gp")]
"""Three yellow dice are kept; a fourth is wanted, and three dice are left to show it."""


def assert_law_holds(turn: TurnLuck) -> None:
    assert turn.start + turn.luck - turn.loss + turn.revealed == pytest.approx(turn.came_to, abs=1e-9)
    assert all(loss >= 0 for loss in turn.decisions)


def test_the_last_throw_is_luck_and_no_loss() -> None:
    """Three dice for one yellow: 3 points at 91 of 216, and a double of the black ones may help."""
    lucky = turns_of([*OPEN, *LATE, throw("YYYy gp"), take(2)])[-1]
    unlucky = turns_of([*OPEN, *LATE, throw("YYYb gp")])[-1]
    chance = 1 - (5 / 6) ** 3 + (5 / 6) * 5 / 36  # a yellow, or else black dice alike
    assert lucky.throws[-1] == pytest.approx(3 * (1 - chance))
    assert unlucky.throws[-1] == pytest.approx(-3 * chance)
    assert lucky.decisions[-2:] == (0.0, 0.0)
    assert (lucky.came_to, unlucky.came_to) == (3.0, 0.0)
    for turn in (lucky, unlucky):
        assert_law_holds(turn)


def test_keeping_badly_is_a_loss_and_not_bad_luck() -> None:
    well = turns_of([*OPEN, *LATE, throw("YYYb gp")])[-1]
    badly = turns_of([*OPEN, *LATE, throw("YYyb gp")])[-1]
    assert well.loss == pytest.approx(0.0)
    assert badly.loss > 0.3
    assert badly.luck > well.luck  # less was to be expected of the throw
    assert_law_holds(badly)


def test_a_card_thrown_away_is_a_loss() -> None:
    """Rule 3.4: four yellow dice, and the player throws two of them again."""
    turn = turns_of([*OPEN, throw("yyyy gp"), throw("YYgp gp")])[-1]
    assert turn.decisions[1] > 2.5
    assert turn.going_on
    assert_law_holds(turn)


def test_declining_is_a_loss() -> None:
    """Rule 3.5: the change would have made the card."""
    events = [*OPEN, *LATE, throw("YYYb gg"), PASS]
    turn = turns_of(events)[-1]
    assert turn.decisions[-1] == pytest.approx(3.0)
    assert turn.came_to == 0.0
    assert not turn.going_on
    assert_law_holds(turn)


def test_taking_the_lesser_card_is_a_loss() -> None:
    events = [*opening(card("3y", 1), card("4y", 3), card("6", 5)), throw("yyyy gp"), take(0)]
    turn = turns_of(events)[-1]
    best = odds(Position((card("3y", 1), card("4y", 3), card("6", 5)), dice=throw("yyyy gp").dice, throw=1))
    assert turn.decisions[-1] == pytest.approx(best.points - 1.0)
    assert_law_holds(turn)


def test_inheriting_or_not_is_a_decision() -> None:
    failed = [*OPEN, throw("yyyb gp"), throw("YYYb gp"), throw("YYYb go")]
    turns = [turns_of([*failed, first])[-1] for first in (throw("YYYr bp"), throw("rrbb op"))]
    assert [turn.seat for turn in turns] == [1, 1]
    assert turns[0].start == turns[1].start
    assert turns[0].loss == pytest.approx(0.0)
    assert turns[1].loss > 0.1
    for turn in turns:
        assert_law_holds(turn)


def test_a_corrected_card_is_neither_luck_nor_loss() -> None:
    events = [*OPEN, *LATE, reveal(2, "4b", 3), throw("YYYb gp")]
    turn = turns_of(events)[-1]
    before, corrected = turns_of(events[:-2])[-1], turns_of(events[:-1])[-1]
    assert turn.revealed < 0
    assert corrected.luck == before.luck
    assert corrected.loss == before.loss
    assert corrected.came_to == pytest.approx(before.came_to + turn.revealed)
    assert_law_holds(turn)


def test_a_correction_that_ends_the_turn() -> None:
    events = [*OPEN, *LATE, throw("YYYy gp"), reveal(2, "4b", 3)]
    turn = turns_of(events)[-1]
    assert (turn.revealed, turn.came_to, turn.going_on) == (-3.0, 0.0, False)
    assert_law_holds(turn)


def test_luck_is_nothing_on_average() -> None:
    """Over all that one throw of two white dice can show, its luck sums up to nothing."""
    lucks = []
    letters = [colour[0] for colour in DEFAULT_COLOURS]
    for first, second in product(letters, repeat=2):
        events: list[Event] = [*OPEN, throw("yyrb gp"), throw(f"YY{first}{second} GP")]
        lucks.append(turns_of(events)[-1].throws[-1])
    assert max(lucks) > 0.5
    assert min(lucks) < 0
    assert sum(lucks) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_the_law_holds_in_whole_games(seed: int) -> None:
    """Random games have everything in them: corrections, passes, actions, replays, early ends."""
    rng = Random(f"luck-{seed}")
    events = list(random_course(rng, random_start(rng)))[:150]
    turns = turns_of(events)
    for turn in turns:
        assert_law_holds(turn)
    state = play(*events)
    assert {turn.seat for turn in turns} <= set(range(len(state.players)))
    assert sum(turn.going_on for turn in turns) == (state.stage is Stage.DECIDE)


def test_before_anything_happened() -> None:
    assert turns_of([]) == ()
    assert turns_of(OPEN) == ()

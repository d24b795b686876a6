"""What robots decide: the greedy one for the turn, the planning one for the game."""

from dataclasses import replace

import pytest

from companion.coach.planning import PlanningRobot
from companion.coach.robots import GreedyRobot, Robot, ThrowDice
from companion.game.cards import Card
from companion.game.decide import apply
from companion.game.events import Pass, Take, Throw
from companion.game.state import State
from tests.game.table_talk import card, opening, play, reveal, take, throw

BOTH = pytest.mark.parametrize("robot", [GreedyRobot(), PlanningRobot()], ids=["greedy", "planning"])


def table(*cards: str | Card, own: list[int], other: list[int]) -> State:
    """A game of two with these cards to win; Ana moves, each hand as points of its cards."""
    hands = tuple(tuple(card("6", points) for points in hand) for hand in (own, other))
    return replace(play(*opening(*cards)), hands=hands)


def after(state: State, *throws: str) -> State:
    for letters in throws:
        state = apply(state, throw(letters))
    return state


@BOTH
def test_a_move_is_one_that_the_rules_allow(robot: Robot) -> None:
    state = after(table("3 2", "5", "4r", own=[], other=[]), "rrry gp")
    move = robot.move(state)
    assert isinstance(move, ThrowDice)
    assert all(die.kept for die in move.kept)
    apply(state, Throw((*move.kept, *throw("oooo oo").dice[len(move.kept) :])))


@BOTH
def test_a_card_in_the_hand_ends_the_turn_after_throw_3(robot: Robot) -> None:
    state = after(table("6", "5", card("3", 1), own=[], other=[]), "rrgb op", "RRgb op", "RRrb op")
    assert robot.move(state) == Take(2)


@BOTH
def test_there_is_nothing_to_decide_when_the_turn_is_over(robot: Robot) -> None:
    """The next player throws; a robot asked then begins its own turn, with inherited dice or all six."""
    state = after(table("6", "5", "4", own=[], other=[]), "rgby gp", "rgby gp", "rgby gp")
    assert (state.seat, state.throw_number) == (1, 0)
    assert isinstance(robot.move(state), ThrowDice)


def test_the_planning_robot_takes_the_card_that_wins_the_game() -> None:
    """Ahead with one card short of ending the game: the sure card now, not the dearer one by luck."""
    cards = ("6", card("5r", 5), card("3", 1))
    state = after(table(*cards, own=[2] * 6, other=[2] * 5), "rrrr gp")
    assert isinstance(GreedyRobot().move(state), ThrowDice)
    assert PlanningRobot().move(state) == Take(2)


def test_the_planning_robot_declines_a_card_that_loses_the_game() -> None:
    """Rule 3.5: the card needs the change, and it would end the game for the other."""
    losing = card("4r", 1)
    state = table("6p", "6b", losing, own=[1] * 9, other=[2] * 6)
    state = after(state, "rrry ob", "RRRy ob", "RRRy bb")
    assert GreedyRobot().move(state) == take(2, "3r")
    assert PlanningRobot().move(state) == Pass()
    apply(state, Pass())


def test_rule_3_5_forces_the_losing_card_where_the_dice_make_it() -> None:
    state = table("6p", "6b", card("4r", 1), own=[1] * 9, other=[2] * 6)
    state = after(state, "rrry ob", "RRRy ob", "RRRr ob")
    assert PlanningRobot().move(state) == Take(2)


def test_the_planning_robot_values_what_a_card_does() -> None:
    """Of two cards alike but for the action it wants the one that robs the other, who has the points."""
    cards = (card("4", 2), card("4", 2, "theft"), card("6", 5))
    worths = PlanningRobot().worth(table(*cards, own=[1, 1, 1], other=[5, 5, 5]))
    assert worths[1] > worths[0] > 0
    # With nobody to rob the action is worth nothing (rule 4.6).
    worths = PlanningRobot().worth(table(*cards, own=[], other=[]))
    assert worths[1] == worths[0]


def test_a_replay_is_worth_another_turn() -> None:
    cards = (card("4", 2), card("4", 2, "replay"), card("6", 5))
    worths = PlanningRobot().worth(table(*cards, own=[2], other=[2]))
    assert worths[1] > worths[0]
    # Not where the card ends the game at once (rule 4.8).
    worths = PlanningRobot().worth(table(*cards, own=[2] * 9, other=[4] * 5))
    assert worths[1] == worths[0]


def test_an_exchange_may_be_worth_less_than_nothing() -> None:
    """Rule 4.4 is no choice: good cards of one's own against poor ones of the other's."""
    plain, swap = card("4", 5), card("4", 5, "exchange")
    worths = PlanningRobot().worth(table(plain, swap, "6", own=[5, 5], other=[0, 0]))
    assert worths[1] < worths[0]
    worths = PlanningRobot().worth(table(plain, swap, "6", own=[0, 5], other=[5, 5]))
    assert worths[1] > worths[0]


@BOTH
def test_who_is_ahead_and_may_end_the_game_does(robot: Robot) -> None:
    ended = replace(table("6", "5", "4", own=[2] * 7, other=[1] * 7), may_end_seat=0, seat=1)
    assert robot.ends_game(ended, 0)
    assert not robot.ends_game(replace(ended, hands=ended.hands[::-1]), 0)
    assert not robot.ends_game(replace(ended, may_end_seat=None), 0)
    few = replace(ended, hands=(ended.hands[0][:6], ()))
    assert not robot.ends_game(few, 0)


def test_the_planning_robot_shares_a_win_that_it_would_lose() -> None:
    """Equal points; the other moves next, may end, and has more turns before the last card."""
    level = replace(table("6", "5", "4", own=[2] * 7, other=[2] * 7), may_end_seat=0, seat=1)
    assert not GreedyRobot().ends_game(level, 0)
    assert PlanningRobot().ends_game(level, 0)


@BOTH
def test_robots_draw_from_the_richer_hand_and_give_their_least(robot: Robot) -> None:
    events = [*opening("6", "5", card("3", 1, "theft"), players=3), throw("rrry gp"), take(2)]
    hands = (
        (card("4", 3), card("3", 1)),
        (card("4", 1), card("4", 1)),
        (card("4", 4), card("4", 4)),
    )
    before = replace(play(*events[:-2]), hands=hands)
    state = play(*events[-2:], reveal(2, "4"), state=before)
    assert state.owed is not None
    assert robot.draws_from(state, state.owed.seats) == 2
    assert robot.gives(state, card("4", 4)).points == 1


def test_the_last_card_of_the_piles_ends_the_game() -> None:
    """Rule 4.10: behind in points, the planning robot would rather not take the last card."""
    last = card("4", 1)
    state = play(*opening(piles=(1, 0, 0)), reveal(0, "4"))
    hands = ((card("6", 2),), (card("6", 5),))
    assert PlanningRobot().worth(replace(state, hands=hands))[0] < 0
    assert PlanningRobot().worth(replace(state, hands=hands[::-1]))[0] > 0
    assert last == state.visible[0]

"""Robots in seats of the simulated table: whole games by their hands, doubts, undo, people beside them."""

from __future__ import annotations

import pytest

from companion.devices.simulated.robot_hands import as_they_lie, set_aside
from companion.devices.simulated.robot_seats import MOST_NAMES, Pace, RobotKind
from companion.devices.simulated.table import SimulatedTable
from companion.game.dice import Body, Die
from companion.game.events import EndEarly, Exchange, Steal, Take, Throw
from companion.table.intents import Press, Undo
from companion.table.phase import Phase
from tests.devices.robot_table import RobotTable, robot_table

GREEDY, PLANNING = RobotKind.GREEDY, RobotKind.PLANNING


def turn_of(table: RobotTable) -> str:
    game = table.table.snapshot().game
    assert game is not None
    assert game.seat is not None
    return game.players[game.seat].name


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_two_robots_play_to_the_end(seed: int) -> None:
    with robot_table(seed) as table:
        table.start("Robo", "Botty", robots={"Robo": GREEDY, "Botty": PLANNING})
        over = table.until(Phase.OVER)
        record = table.table.record()
        throws = [event for event in record if isinstance(event, Throw)]
        assert over.game is not None
        assert over.game.winners
        assert len(throws) == table.reader.readings, "every throw was pressed for, and read once"
        assert sum(isinstance(event, Take) for event in record) >= 7
        assert all(fact.key != "not_now" for fact in over.said)


def test_actions_are_done_with_blind_draws() -> None:
    kinds: set[type] = set()
    for seed in range(4, 20):
        with robot_table(seed) as table:
            table.start("A", "B", "C", robots={"A": GREEDY, "B": PLANNING, "C": GREEDY})
            table.until(Phase.OVER)
            kinds |= {type(event) for event in table.table.record()}
        if {Steal, Exchange, EndEarly} <= kinds:
            return
    raise AssertionError(f"sixteen games of three without all of theft, exchange, early end: {kinds}")


def test_a_robot_waits_for_its_turn_and_for_its_pace() -> None:
    with robot_table() as table:
        table.start("Ana", "Robo", robots={"Robo": GREEDY})
        before = table.scene.moment().version
        assert table.robots.look(table.clock.at_s) is None
        table.robots.seat("Ana", GREEDY)
        due_s = table.robots.look(table.clock.at_s)
        assert due_s == table.clock.at_s + Pace().think_s
        table.clock.at_s += Pace().think_s / 2
        assert table.robots.look(table.clock.at_s) == due_s
        assert not table.scene.unread
        table.step()
        table.step()
        table.step()
        assert table.scene.moment().version > before
        table.robots.seat("Ana", None)
        assert dict(table.robots.seated()) == {"Robo": GREEDY}


def test_a_die_that_leans_is_put_right_and_read_again() -> None:
    with robot_table() as table:
        table.start("Robo", "Ana", robots={"Robo": GREEDY})
        while not table.scene.unread:
            table.step()
        table.scene.lean_die()
        assert table.until(Phase.DOUBT).reading is not None
        assert table.until(Phase.DECIDE).game is not None
        assert table.lie_as_told()


def test_what_the_camera_can_not_read_is_said() -> None:
    with robot_table() as table:
        table.start("Robo", "Ana", robots={"Robo": GREEDY})
        table.reader.doubts = ["hand_in_view"]
        table.until(Phase.DOUBT)
        table.until(Phase.DECIDE)
        assert table.lie_as_told()
        assert table.reader.readings == 1


def test_a_kept_die_that_was_turned_is_thrown_anew() -> None:
    with robot_table(2) as table:
        table.start("Robo", "Ana", robots={"Robo": GREEDY})
        table.until(Phase.DECIDE)
        while turn_of(table) == "Robo" and not any(die.kept for die in as_they_lie(table.scene)):
            table.step()
        assert turn_of(table) == "Robo", "choose another seed: no dice were kept"
        table.scene.turn_kept_die()
        table.robots.look(table.clock.at_s)
        table.until(Phase.THROW)
        assert turn_of(table) == "Ana"
        assert table.lie_as_told()


def test_a_press_before_the_robot_has_thrown_is_no_throw() -> None:
    with robot_table() as table:
        table.start("Robo", "Ana", robots={"Robo": GREEDY})
        table.until(Phase.DECIDE)
        throws = sum(isinstance(event, Throw) for event in table.table.record())
        assert table.table.submit(Press()).accepted
        table.until(Phase.DOUBT, looks=1)
        table.until(Phase.DECIDE)
        assert sum(isinstance(event, Throw) for event in table.table.record()) == throws


def test_people_who_undo_are_not_raced() -> None:
    with robot_table() as table:
        table.start("Robo", "Ana", robots={"Robo": GREEDY})
        table.until(Phase.DECIDE)
        assert table.table.submit(Undo()).accepted
        due_s = table.robots.look(table.clock.at_s)
        assert due_s == table.clock.at_s + Pace().after_undo_s
        table.until(Phase.DECIDE)


def test_dice_go_where_the_robot_wants_them() -> None:
    scene = SimulatedTable(3)
    scene.throw(everything=True)
    lying = as_they_lie(scene)
    white = next(die for die in lying if die.body is Body.WHITE)
    black = next(die for die in lying if die.body is Body.BLACK)
    other = "red" if black.colour != "red" else "blue"
    wanted = (Die(white.body, white.colour, True), Die(Body.BLACK, other, True))
    set_aside(scene, lying, wanted)
    kept = [die for die in as_they_lie(scene) if die.kept]
    assert sorted(kept, key=str) == sorted(wanted, key=str)
    set_aside(scene, as_they_lie(scene), ())
    assert not any(die.kept for die in as_they_lie(scene))
    scene.lose_die()
    set_aside(scene, lying, wanted[:1])
    assert [die for die in as_they_lie(scene) if die.kept] == [wanted[0]]


def test_only_so_many_names_are_remembered() -> None:
    with robot_table() as table:
        for number in range(MOST_NAMES + 20):
            table.robots.seat(f"Robot {number}", GREEDY)
        assert len(table.robots.seated()) == MOST_NAMES
        assert "Robot 0" not in table.robots.seated()

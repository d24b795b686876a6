"""A series: who sits where, and that processes change nothing."""

import pytest

from companion.game.events import Start
from companion.selfplay.game import LawBroken
from companion.selfplay.series import ERRATIC_EVERY, ROBOTS, Series, play_one, play_series


def test_player_counts_come_in_turn() -> None:
    assert [len(Series(1).seats(number)) for number in range(10)] == [2, 3, 4, 5, 6] * 2
    assert {len(Series(1, players=4).seats(number)) for number in range(10)} == {4}


def test_named_robots_sit_everywhere() -> None:
    series = Series(1, ("greedy", "planning"), players=2)
    assert [series.seats(number) for number in range(3)] == [
        ("greedy", "planning"),
        ("planning", "greedy"),
        ("greedy", "planning"),
    ]
    varied = Series(1, ("greedy", "planning", "erratic"))
    for count in range(2, 7):
        games = [varied.seats(number) for number in range(15) if len(varied.seats(number)) == count]
        assert {seats[0] for seats in games} == set(varied.robots)


def test_the_mix_has_all_kinds_and_games_of_erratic_ones() -> None:
    mix = [Series(1).seats(number) for number in range(5 * ERRATIC_EVERY)]
    assert {name for seats in mix for name in seats} == set(ROBOTS)
    erratic = [seats for seats in mix if set(seats) == {"erratic"}]
    assert sorted(map(len, erratic)) == [2, 3, 4, 5, 6]


def test_processes_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.selfplay.series.GAMES_A_TASK", 1)
    series = Series(7, ("greedy", "planning"), players=2)
    here = list(play_series(series, range(2), jobs=1))
    there = list(play_series(series, range(2), jobs=2))
    assert [game.number for game in there] == [0, 1]
    assert there == here


def test_another_seed_gives_other_games() -> None:
    one, other = (play_one(Series(seed, ("greedy",), players=2), 0) for seed in (1, 2))
    assert isinstance(one.events[0], Start)
    assert one.events != other.events


def test_a_broken_law_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_it(*_: object) -> None:
        raise LawBroken("made to fail")

    monkeypatch.setattr("companion.selfplay.series.play_game", break_it)
    with pytest.raises(LawBroken, match="made to fail"):
        list(play_series(Series(1), range(2), jobs=1))

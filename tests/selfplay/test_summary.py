"""The summary of games that are made up, so that every figure can be told beforehand."""

import json
from math import sqrt

import pytest

from companion.selfplay.figures import RULES, GameFigures
from companion.selfplay.summary import (
    mean_with_interval,
    rule_counts,
    share_from_first,
    share_of_robot,
    summary_json,
    summary_text,
    turn_shares,
)


def game(
    robots: str, points: tuple[int, ...], first: int = 0, turns: tuple[int, ...] = (2, -1), taken: int = 1
) -> GameFigures:
    """A game of robots by their first letters; who has most points wins."""
    names = {"g": "greedy", "p": "planning"}
    winners = tuple(seat for seat, sum_ in enumerate(points) if sum_ == max(points))
    return GameFigures(
        robots=tuple(names[letter] for letter in robots),
        first=first,
        throws=10,
        points=points,
        winners=winners,
        turn_points=turns,
        rules=(("3.6 a card is taken", taken),),
    )


GAMES = [
    game("gp", (3, 5), first=1),
    game("pg", (3, 5), first=1, turns=(2, 3, -1, -1), taken=2),
    game("gp", (4, 4)),
    game("ggp", (1, 2, 6)),
]


def test_mean_and_interval() -> None:
    mean, half = mean_with_interval([1.0, 3.0])
    assert mean == 2.0
    assert half == pytest.approx(1.96 * sqrt(2 / 2))
    assert mean_with_interval([5.0]) == (5.0, None)


def test_shares_count_from_who_began() -> None:
    assert [share for share, _ in share_from_first(GAMES[:3])] == [
        pytest.approx(2.5 / 3),
        pytest.approx(0.5 / 3),
    ]


def test_the_share_of_a_kind_of_robot_beside_what_its_seats_are_due() -> None:
    share = share_of_robot(GAMES, "planning")
    assert share is not None
    assert share[0][0] == pytest.approx((1 + 0 + 0.5 + 1) / 4)
    assert share[1] == pytest.approx((0.5 + 0.5 + 0.5 + 1 / 3) / 4)
    assert share_of_robot([game("gg", (1, 2))], "greedy") is None


def test_turns_and_rules_are_counted() -> None:
    assert turn_shares(GAMES) == {"none": 5 / 10, "2": 4 / 10, "3": 1 / 10}
    counts = rule_counts(GAMES)
    assert tuple(counts) == RULES
    assert counts["3.6 a card is taken"] == 5
    assert sum(counts.values()) == 5


def test_the_summary_for_scripts() -> None:
    summary = json.loads(json.dumps(summary_json(GAMES), allow_nan=False))
    assert summary["games"] == 4
    assert list(summary["players"]) == ["2", "3"]
    two = summary["players"]["2"]
    assert two["turns"] == {"mean": pytest.approx(8 / 3), "least": 2, "most": 4}
    assert two["winning_points"]["mean"] == pytest.approx(14 / 3)
    assert two["points"]["mean"] == 4.0
    assert summary["players"]["3"]["win_share_from_first"] == [[0.0, None], [0.0, None], [1.0, None]]
    assert set(summary["robots"]) == {"greedy", "planning"}


def test_the_summary_in_words() -> None:
    text = summary_text(GAMES * 10)
    assert "40 games with 400 throws" in text
    assert "2 players, 30 games: 2.7 turns (2 to 4)" in text
    assert "who begins wins 83.3% (± " in text
    assert "3 players, 10 games:" in text
    assert "The planning robots won 62.5% (± " in text
    assert "A turn won no card in 50.0% of turns; points of the others: 2: 40.0%, 3: 10.0%." in text
    for rule in RULES:
        assert rule in text


def test_few_games_tell_no_shares_of_wins() -> None:
    text = summary_text(GAMES)
    assert "2 players, 3 games: 2.7 turns (2 to 4), 10.0 throws; 4.0 points each, the winner 4.7.\n" in text
    assert "3 players, 1 game: 2 turns, 10 throws; 3.0 points each, the winner 6.0.\n" in text
    assert "told from 30 games on" in text
    assert "robots won" not in text
    assert "who begins" not in text

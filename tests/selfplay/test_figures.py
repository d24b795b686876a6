"""The figures of a game: each rule is counted where it comes into play, and nowhere else."""

from collections import Counter
from collections.abc import Sequence

import pytest

from companion.game.cards import Card
from companion.game.events import Event, Reveal
from companion.selfplay.figures import RULES, GameFigures, figures_of
from companion.selfplay.game import PlayedGame
from tests.game.table_talk import (
    PASS,
    card,
    end_early,
    exchange,
    opening,
    play,
    reveal,
    steal,
    take,
    throw,
)

FAIL: list[Event] = [throw("rrgb yp"), throw("RRgb yp"), throw("RRgb yp")]
PLAIN = card("3")
WIN: list[Event] = [throw("rrrg bp"), take(0)]


def figures(*events: Event) -> GameFigures:
    return figures_of(PlayedGame(events, play(*events)), ("greedy",) * 2)


def ended(events: Sequence[Event] = (), *, won: int = 0, first: Card = PLAIN) -> GameFigures:
    """Count a game that begins with `events`, which win so many cards, and then wins all that is left."""
    rest = [*WIN, reveal(0, "3"), *WIN, throw("rrrg bp"), take(1), throw("rrrg bp"), take(2)]
    return figures(*opening(first, "3", "3", piles=(2 + won, 1, 1)), *events, *rest)


def beside_a_plain_game(game: GameFigures) -> dict[str, int]:
    """Return how often rules came up beyond the end that `ended` gives a game."""
    return dict(Counter(dict(game.rules)) - Counter(dict(ended().rules)))


def test_a_plain_game() -> None:
    game = ended()
    assert dict(game.rules) == {
        "3.6 a card is taken": 4,
        "4.10 one pile is used up, the game goes on": 2,
        "4.10 the game ends with the piles": 1,
        "4.11 a win is shared": 1,
    }
    assert (game.turns, game.throws, game.turn_points) == (4, 4, (1, 1, 1, 1))
    assert (game.points, game.winners, game.first) == ((2, 2), (0, 1), 0)
    assert [game.share_of_win(seat) for seat in range(2)] == [0.5, 0.5]


FAILED = {"3.5 a turn ends without a card": 1, "3.8 dice are not inherited, all six thrown": 1}


@pytest.mark.parametrize(
    ("events", "rules"),
    [
        ([*FAIL], FAILED),
        (
            [*FAIL, throw("RRpb yo"), throw("RRpb yo")],
            {
                "3.5 a turn ends without a card": 2,
                "3.8 dice are inherited": 1,
                "3.8 dice are not inherited, all six thrown": 1,
            },
        ),
        (
            [throw("rrgb yp"), throw("RRgb yp"), throw("Rygb yp")],
            {**FAILED, "3.3 dice set aside before are thrown again": 1},
        ),
        (
            [throw("rrrg bp"), throw("RRRg bp"), throw("RRRg bp")],
            {**FAILED, "3.4 a card is lost by throwing again": 1},
        ),
        (
            [throw("rrgb yp"), throw("RRgb yp"), throw("rgby pp"), PASS],
            {
                **FAILED,
                "3.3 dice set aside before are thrown again": 1,
                "3.5 a card is declined that needs the change": 1,
                "5.1 both black dice alike: a change": 1,
                "5.2 the change is gone unused": 1,
            },
        ),
        (
            [throw("rgby pp"), throw("Pgby PP"), throw("PGby PP")],
            {
                **FAILED,
                "3.4 a card is lost by throwing again": 1,
                "5.1 both black dice alike: a change": 1,
                "5.2 a changed die is kept": 1,
            },
        ),
        (
            [throw("rgby pp"), throw("rgby oo"), throw("rgby op")],
            {
                **FAILED,
                "3.4 a card is lost by throwing again": 1,
                "5.1 both black dice alike: a change": 2,
                "5.2 the change is gone unused": 2,
                "5.3 another change in the same turn": 1,
            },
        ),
    ],
)
def test_rules_of_a_turn_without_a_card(events: list[Event], rules: dict[str, int]) -> None:
    game = ended(events)
    assert beside_a_plain_game(game) == rules
    assert game.turn_points.count(-1) == rules["3.5 a turn ends without a card"]


def test_the_change_makes_a_card() -> None:
    game = ended([throw("rgby pp"), take(0, "0p"), reveal(0, "3"), *FAIL], won=1)
    assert beside_a_plain_game(game) == {
        **FAILED,
        "3.6 a card is taken": 1,
        "5.1 both black dice alike: a change": 1,
        "5.2 the change makes a card": 1,
    }


@pytest.mark.parametrize(
    ("action", "rule", "done"),
    [
        ("theft", "4.3 theft", steal(1, card("3", 4))),
        ("exchange", "4.4 exchange", exchange(1, card("3", 4), card("3", 1, "exchange"))),
        (
            "super_exchange",
            "4.5 super exchange",
            exchange(1, card("3", 4), card("3", 1, "super_exchange")),
        ),
    ],
)
def test_actions(action: str, rule: str, done: Event) -> None:
    """The first card has the action and nobody to apply it to, the third one does it."""
    acting = card("3", 1, action)
    events = [*WIN, reveal(0, "3", 4), *WIN, Reveal(0, acting), *WIN, done, reveal(0, "3")]
    rules = beside_a_plain_game(ended(events, won=3, first=acting))
    assert rules[rule] == 2
    assert rules["4.6 an action with nobody to apply it to"] == 1
    assert rules["3.6 a card is taken"] == 3


def test_replays_up_to_cards_enough() -> None:
    again = card("3", 1, "replay")
    turns = [event for _ in range(9) for event in (*WIN, Reveal(0, again))]
    game = figures(*opening(again, "6", "6"), *turns, *WIN)
    assert dict(game.rules) == {
        "3.6 a card is taken": 10,
        "4.2 replay": 10,
        "4.7 the game ends by cards enough": 1,
        "4.8 a replay card ends the game": 1,
    }
    assert game.turn_points == (1,) * 10


def test_ended_by_choice() -> None:
    again = card("3", 1, "replay")
    turns = [event for _ in range(6) for event in (*WIN, Reveal(0, again))]
    game = figures(*opening(again, "6", "6"), *turns, reveal(0, "3"), *WIN, end_early(0))
    assert dict(game.rules) == {
        "3.6 a card is taken": 7,
        "4.2 replay": 6,
        "4.9 the game is ended by choice": 1,
    }
    assert game.winners == (0,)


def test_every_counted_rule_has_its_place() -> None:
    assert len(set(RULES)) == len(RULES)
    assert list(RULES) == sorted(RULES, key=lambda rule: [int(part) for part in rule.split()[0].split(".")])

"""One game among robots: the table takes every move, and broken laws are noticed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.coach.robots import GreedyRobot, Move, ThrowDice
from companion.game.cards import Card
from companion.game.deck import default_deck
from companion.game.events import Reveal, Start, Take, Throw
from companion.game.record import print_line
from companion.game.replay import replay
from companion.game.state import Stage, State
from companion.selfplay.erratic import ErraticRobot
from companion.selfplay.game import LawBroken, play_game

DECK = default_deck().cards


@pytest.mark.parametrize("players", [2, 6])
def test_a_game_goes_to_its_end_and_its_record_replays(players: int) -> None:
    played = play_game([GreedyRobot() for _ in range(players)], DECK, f"game-{players}")
    assert played.state.stage is Stage.OVER
    steps = list(replay(map(print_line, played.events)))
    assert steps[-1].state == played.state
    start = played.events[0]
    assert isinstance(start, Start)
    assert len(start.players) == players
    shown = Counter(event.card for event in played.events if isinstance(event, Reveal))
    assert shown <= Counter(DECK)


def test_the_same_seed_gives_the_same_game_and_another_one_another() -> None:
    games = [play_game([ErraticRobot(seed), GreedyRobot()], DECK, seed).events for seed in ("a", "a", "b")]
    assert games[0] == games[1]
    assert games[0] != games[2]


class Cheat(GreedyRobot):
    """Takes the first card after each throw, whether it is made or not."""

    def move(self, state: State) -> Move:
        return Take(0) if state.throw_number else super().move(state)


class Turner(GreedyRobot):
    """Keeps dice that it has turned."""

    def move(self, state: State) -> Move:
        if state.throw_number and not state.change_open and state.dice:
            other = {"red": "blue"}
            return ThrowDice(
                tuple(
                    replace(die, colour=other.get(die.colour, "red"), kept=True) for die in state.dice[:1] * 3
                )
            )
        return super().move(state)


@pytest.mark.parametrize(("robot", "code"), [(Cheat(), "not_made"), (Turner(), "kept_die_differs")])
def test_a_refused_move_breaks_the_law(robot: GreedyRobot, code: str) -> None:
    with pytest.raises(LawBroken, match=code):
        play_game([robot, robot], DECK, "cheat")


def test_a_stolen_card_that_vanishes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    import companion.game.decide as rules

    honest = rules._without

    def losing_two(hand: tuple[Card, ...], card: Card, owner: str) -> tuple[Card, ...]:
        return honest(hand, card, owner)[:-1]

    monkeypatch.setattr(rules, "_without", losing_two)
    thefts: Sequence[Card] = [replace(card, action=DECK[5].action) for card in DECK]
    with pytest.raises(LawBroken, match="cards were lost or made"):
        play_game([GreedyRobot(), GreedyRobot()], thefts, "thieves")


def test_the_erratic_robot_does_what_good_players_avoid() -> None:
    """It throws away cards that it could take, and keeps no dice worth keeping."""
    played = play_game([ErraticRobot("x"), ErraticRobot("y")], DECK, "erratic")
    throws = [event for event in played.events if isinstance(event, Throw)]
    assert len({sum(die.kept for die in event.dice) for event in throws}) == 6

"""Golden games: whole records with what a replay prints, each line checked by eye once and kept.

They were played by chance, the short ones laid out by hand; what each one shows is counted below.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

import pytest

from companion.cli import replay as command
from companion.game.course import Course
from companion.game.events import Exchange, Reveal, Take, Throw
from companion.game.record import event_to_json, print_line
from companion.game.replay import replay, standings_json
from companion.game.state import Ending
from tests.game.reference import Reference

FOLDER = Path(__file__).parent / "golden"
GAMES = sorted(path for path in FOLDER.glob("*.jsonl") if not path.name.endswith(".expected.jsonl"))


def expected_of(game: Path) -> list[str]:
    return game.with_suffix(".expected.jsonl").read_text("utf-8").splitlines()


def test_there_is_an_expectation_for_each_game() -> None:
    assert len(list(FOLDER.iterdir())) == 2 * len(GAMES) == 24


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.stem)
def test_the_command_prints_what_is_expected(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run(argparse.Namespace(record=str(game), json=True)) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == expected_of(game)
    assert printed.err == ""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.stem)
def test_the_reference_and_the_course_agree(game: Path) -> None:
    reference, course = Reference(), Course()
    lines = game.read_text("utf-8").splitlines()
    for step, line, expected in zip(replay(lines), lines, expected_of(game), strict=True):
        reference.play(json.loads(line))
        course = course.do(step.event)
        assert reference.shown() == json.loads(expected)
        assert course.state == step.state
        assert print_line(step.event) == line
        assert event_to_json(step.event) == json.loads(line)


def test_together_they_show_all_of_the_game() -> None:
    shown: Counter[str] = Counter()
    for game in GAMES:
        before = None
        for step in replay(game.read_text("utf-8").splitlines()):
            event = step.event
            shown[type(event).__name__] += 1
            if before is not None:
                if isinstance(event, Take):
                    shown["change"] += event.change is not None
                    card = before.visible[event.holder]
                    shown[f"won {card.action if card else None}"] += 1
                if isinstance(event, Exchange) and before.owed is not None:
                    shown[f"{before.owed.action} done"] += 1
                if isinstance(event, Throw) and before.inherited_dice:
                    shown["inherited"] += any(die.kept for die in event.dice)
                if isinstance(event, Reveal):
                    shown["lost card open again"] += event.holder in before.lost
                    shown["turn over by a correction"] += before.throw_number > step.state.throw_number
            before = step.state
        assert before is not None
        shown[f"{len(before.players)} players"] += 1
        shown[f"{len(before.players)} players to {before.ending}"] += 1
        shown[str(before.ending)] += 1
        shown["shared win"] += len(before.winners or ()) > 1
    needed = [f"{players} players to {Ending.CARDS}" for players in range(2, 7)]
    needed += [str(Ending.CARDS), str(Ending.CHOICE), str(Ending.PILES), "shared win", "change", "inherited"]
    needed += ["won replay", "won theft", "won exchange", "won super_exchange", "Steal"]
    needed += ["exchange done", "super_exchange done", "Pass", "EndEarly"]
    needed += ["lost card open again", "turn over by a correction"]
    assert [what for what in needed if not shown[what]] == []


def test_the_standings_of_the_last_line_are_those_of_the_state() -> None:
    for game in GAMES:
        *_, last = replay(game.read_text("utf-8").splitlines())
        assert standings_json(last.state) == json.loads(expected_of(game)[-1])

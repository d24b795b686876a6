"""`companion replay`: what a game record comes to, by the rules."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from companion.cli.faults import Fault
from companion.game.fields import one_line
from companion.game.replay import Stopped, replay, standings_json
from companion.game.state import Ending, Stage, State

HELP = "replay a game record and print the standings"

EXIT_REFUSED, EXIT_BAD_LINE = 2, 3
STANDARD_INPUT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("record", metavar="FILE", help="the record, one event a line; - for standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object per record line instead")
    parser.epilog = (
        "exit status: 0 the whole record was replayed; 2 the rules refuse a line; 3 a line is no event, "
        "or the file cannot be read. What came before the line is still printed."
    )


def run(args: argparse.Namespace) -> int:
    """Replay the record as far as it goes and return the exit status."""
    state: State | None = None
    stopped: Stopped | None = None
    with _opened(args.record) as lines:
        try:
            for step in replay(lines):
                state = step.state
                if args.json:
                    print(json.dumps(standings_json(state), separators=(",", ":")))
        except Stopped as error:
            stopped = error
    if not args.json:
        empty = state is None and stopped is None
        print(_empty(args.record) if empty else "\n".join(_told(state)))
    if stopped is None:
        return 0
    sys.stdout.flush()
    print(stopped, file=sys.stderr)
    return EXIT_REFUSED if stopped.refused else EXIT_BAD_LINE


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 - closed below; only the opening is guarded
    except OSError as error:
        raise Fault(f"the record {name} cannot be read ({error.strerror}); check its name.") from error
    with file:
        yield file


def _empty(name: str) -> str:
    record = "The record on standard input" if name == STANDARD_INPUT else f"The record {name}"
    return f"{record} is empty: there is nothing to replay. A past game's page gives its record as a file."


def _told(state: State | None) -> list[str]:
    if state is None:
        return ["No game has started in this record."]
    return [_headline(state), "", *_table(state)]


def _headline(state: State) -> str:
    names = _shown(state)
    if state.winners is not None:
        ending = {
            Ending.CARDS: "someone has cards enough",
            Ending.CHOICE: "a player ended it",
            Ending.PILES: "all cards are won",
        }
        won = " and ".join(names[seat] for seat in state.winners)
        shared = "share the win" if len(state.winners) > 1 else "wins"
        why = f" ({ending[state.ending]})" if state.ending else ""
        return f"The game is over{why}: {won} {shared} with {max(state.points)} points."
    name = names[state.seat]
    if state.stage is Stage.ACTION and state.owed is not None:
        return f"{name} is to play: the {state.owed.action.replace('_', ' ')} comes first."
    if state.stage is Stage.DECIDE:
        return f"{name} is to play, after throw {state.throw_number} of 3."
    inherits = "; some dice may be kept" if state.inherited_dice else ""
    return f"{name} is to play: first throw of the turn{inherits}."


def _table(state: State) -> list[str]:
    names = _shown(state)
    width = max(len("player"), *(len(name) for name in names))
    rows = [f"{'player':<{width}}  cards  points"]
    for name, hand, points in zip(names, state.hands, state.points, strict=True):
        rows.append(f"{name:<{width}}  {len(hand):>5}  {points:>6}")
    return rows


def _shown(state: State) -> list[str]:
    return [one_line(name) or "(no name)" for name in state.players]

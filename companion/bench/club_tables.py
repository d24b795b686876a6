"""Some of a club's tables in one process, each with its own publisher, playing at an even pace.

Run as `python -m companion.bench.club_tables PORT FOLDER FIRST COUNT STEP_S SECONDS`. When all are taken
in by the broker it prints `ready`, waits for a line, plays, and prints one JSON object: every step as [table,
revision, when it was accepted], what it cost, and how many games were finished.
"""

from __future__ import annotations

import heapq
import json
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from companion.devices.clock import MonotonicClock
from companion.devices.no_leds import NoLeds
from companion.game.cards import Action, Card, Group
from companion.game.dice import Body, Die
from companion.mqtt.link import Broker
from companion.mqtt.publisher import Manner, Publisher
from companion.mqtt.telling import Speaker
from companion.store.journal import SqliteJournal
from companion.store.outbox import StoredOutbox
from companion.table.conductor import Table
from companion.table.intents import EndEarly, EnterThrow, Intent, NameCard, StartGame, Take
from companion.table.state import HealthState

PLAYERS = ("Ana", "Ben", "Chloe", "Dan")
SIX_RED = tuple(Die(Body.WHITE if place < 4 else Body.BLACK, "red") for place in range(6))
READY_WITHIN_S = 120.0


def short_games() -> Iterator[Intent]:
    """Yield the steps of one short game after the other: the first player wins four cards and ends it."""
    while True:
        yield StartGame(PLAYERS, 0)
        for number in range(4):
            card = Card((Group(3),), 1 + number, Action.REPLAY if number < 3 else None)
            for holder in range(3 if number == 0 else 1):
                yield NameCard(holder, card)
            yield EnterThrow(SIX_RED)
            yield Take(0, None)
        yield NameCard(0, Card((Group(3),), 1, None))
        yield EndEarly(0)


class Playing:
    """One table that plays on."""

    def __init__(self, stack: ExitStack, folder: Path, port: int, number: int) -> None:
        self.name = f"t{number:03}"
        file = folder / f"{self.name}.db"
        journal = stack.enter_context(SqliteJournal(file))
        self.table = stack.enter_context(Table(journal, None, None, NoLeds(), MonotonicClock()))
        speaker = Speaker(self.name, f"Table {number}")
        broker = Broker("127.0.0.1", port)
        self.publisher = stack.enter_context(
            Publisher(self.table, StoredOutbox(file), speaker, broker, Manner(discovery_prefix=None))
        )
        self._steps = short_games()
        self.finished = 0

    def step(self) -> tuple[str, int, float]:
        """Do the next thing; return the table, the revision that came of it, and when."""
        intent = next(self._steps)
        outcome = self.table.submit(intent)
        if not outcome.accepted:
            raise RuntimeError(f"the table refused {intent}: {outcome.sentence}")
        self.finished += isinstance(intent, EndEarly)
        return self.name, outcome.snapshot.revision, time.monotonic()


def play(port: int, folder: Path, first: int, count: int, step_s: float, seconds: float) -> None:
    """Play for so long, print what came of it, and wait to be ended: to close all would take a while."""
    with ExitStack() as stack:
        tables = [Playing(stack, folder, port, first + number) for number in range(count)]
        ends_s = time.monotonic() + READY_WITHIN_S
        while not all(one.publisher.health.state is HealthState.OK for one in tables):
            if time.monotonic() > ends_s:
                raise TimeoutError("the broker did not take all tables in")
            time.sleep(0.1)
        _say("ready")
        sys.stdin.readline()
        before = resource.getrusage(resource.RUSAGE_SELF)
        steps = _paced(tables, step_s, seconds)
        after = resource.getrusage(resource.RUSAGE_SELF)
        told = {
            "steps": steps,
            "cpu_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            "finished": sum(one.finished for one in tables),
        }
        _say(json.dumps(told))
        sys.stdin.read()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _paced(tables: list[Playing], step_s: float, seconds: float) -> list[tuple[str, int, float]]:
    """Let each table do a step every `step_s` seconds, all of them evenly spread."""
    began_s = time.monotonic()
    due = [(began_s + step_s * place / len(tables), place) for place in range(len(tables))]
    heapq.heapify(due)
    steps = []
    while due[0][0] < began_s + seconds:
        at_s, place = heapq.heappop(due)
        time.sleep(max(0.0, at_s - time.monotonic()))
        steps.append(tables[place].step())
        heapq.heappush(due, (at_s + step_s, place))
    return steps


def main(words: list[str]) -> None:
    """Play as the words say."""
    port, folder, first, count, step_s, seconds = words
    play(int(port), Path(folder), int(first), int(count), float(step_s), float(seconds))


if __name__ == "__main__":
    main(sys.argv[1:])

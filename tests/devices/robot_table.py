"""A simulated table for robots, read by who tells the truth at once: no picture is drawn, no clock runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from companion.devices.simulated.button import SimulatedButton
from companion.devices.simulated.piles import Piles
from companion.devices.simulated.robot_hands import as_they_lie, is_amiss
from companion.devices.simulated.robot_seats import RobotKind, RobotSeats
from companion.devices.simulated.scene import Place
from companion.devices.simulated.table import SimulatedTable
from companion.game.deck import default_deck
from companion.game.judge import Standing
from companion.store.memory import MemoryJournal
from companion.table.conductor import Table
from companion.table.intents import NameCard, StartGame
from companion.table.phase import Phase
from companion.table.ports import Frame, LedPatterns
from companion.table.snapshot import Snapshot
from companion.vision.reading import DieSeen, Point, Reading

DECK = default_deck().cards
PATIENCE_S = 30.0


@dataclass
class Clock:
    """A clock that goes on when it is told."""

    at_s: float = 100.0

    def now_s(self) -> float:
        return self.at_s


class NoLeds:
    """LEDs that nobody looks at."""

    def show(self, patterns: LedPatterns) -> None:
        pass


class Camera:
    """Gives no picture worth reading; the reader looks at the table itself."""

    def capture(self) -> Frame:
        return np.zeros((4, 4, 3), np.uint8)

    def close(self) -> None:
        pass


@dataclass
class TrueReader:
    """Reads what lies there; `doubts` are the problems of the next readings, one each."""

    scene: SimulatedTable
    doubts: list[str] = field(default_factory=list)
    readings: int = 0

    def __call__(self, frame: Frame) -> Reading:
        assert frame.ndim == 3
        self.readings += 1
        dice = tuple(
            DieSeen(
                str(die.body),
                die.colour,
                "reserve" if die.place is Place.RESERVE else "track",
                (4 * die.x_mm, 4 * die.y_mm),
                _square(4 * die.x_mm, 4 * die.y_mm),
                0.98,
                "purple",
            )
            for die in self.scene.moment().scene.dice
        )
        problems = ("leaning_die",) if is_amiss(self.scene) else tuple(self.doubts[:1])
        del self.doubts[:1]
        return Reading(dice, problems, not problems)


class RobotTable:
    """Table, scene and robots; `play` lets time pass until something is so."""

    def __init__(self, table: Table, scene: SimulatedTable, reader: TrueReader, clock: Clock) -> None:
        self.table, self.scene, self.reader, self.clock = table, scene, reader, clock
        self.robots = RobotSeats(table, scene, SimulatedButton(table, clock), clock)
        self.looks = 0

    def start(self, *players: str, robots: dict[str, RobotKind]) -> None:
        for name, kind in robots.items():
            self.robots.seat(name, kind)
        assert self.table.submit(StartGame(players, 0)).accepted
        self.name_cards()

    def name_cards(self) -> None:
        """What the dealer does."""
        game = self.table.snapshot().game
        assert game is not None
        piles = Piles(DECK, game.game_id)
        for holder, view in enumerate(game.holders):
            card = piles.visible(holder, view.pile)
            if view.standing is Standing.UNKNOWN and card is not None:
                assert self.table.submit(NameCard(holder, card)).accepted

    def step(self) -> Snapshot:
        """Let the robots look, and time pass until they want to look again; a reading comes to its end."""
        self.looks += 1
        due_s = self.robots.look(self.clock.at_s)
        if due_s is not None:
            self.clock.at_s = max(self.clock.at_s, due_s)
        snapshot = self.table.snapshot()
        while snapshot.phase is Phase.READING:
            newer = self.table.wait_newer(snapshot.revision, PATIENCE_S)
            assert newer is not None
            snapshot = newer
        if snapshot.phase is not Phase.OVER:
            self.name_cards()
        return self.table.snapshot()

    def until(self, *phases: Phase, looks: int = 5000) -> Snapshot:
        """Step until the table is in one of these phases."""
        for _ in range(looks):
            snapshot = self.step()
            if snapshot.phase in phases:
                return snapshot
        raise AssertionError(f"not {phases} after {looks} looks: {self.table.snapshot().phase}")

    def lie_as_told(self) -> bool:
        """Whether the dice lie as the game says, without regard to order."""
        game = self.table.snapshot().game
        assert game is not None
        there = sorted((str(die.body), die.colour) for die in as_they_lie(self.scene))
        return game.dice is None or there == sorted((str(die.body), die.colour) for die in game.dice)


@contextmanager
def robot_table(seed: int = 1) -> Iterator[RobotTable]:
    """Yield a table in memory; game ids follow from the seed."""
    scene, clock = SimulatedTable(seed), Clock()
    reader = TrueReader(scene)
    tokens = (f"{seed:08x}{number:024x}" for number in range(100_000))
    with Table(
        MemoryJournal(), reader, Camera(), NoLeds(), clock, deck=DECK, token=lambda: next(tokens)
    ) as table:
        yield RobotTable(table, scene, reader, clock)


def _square(x: float, y: float) -> tuple[Point, Point, Point, Point]:
    return ((x - 30, y - 30), (x + 30, y - 30), (x + 30, y + 30), (x - 30, y + 30))

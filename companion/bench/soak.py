"""An evening that does not end: thousands of presses through the real table, journal, camera and LEDs."""

from __future__ import annotations

import os
import random
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.bench import Figure
from companion.devices.clock import MonotonicClock
from companion.devices.gpio_leds import GpioLeds
from companion.devices.lock import Lock
from companion.devices.no_leds import NoLeds
from companion.devices.streaming import Shot
from companion.devices.supervised import SupervisedCamera
from companion.game.cards import Card
from companion.game.deck import default_deck
from companion.game.dice import DEFAULT_COLOURS
from companion.store.journal import SqliteJournal
from companion.table.conductor import Table
from companion.table.intents import (
    Draw,
    EndEarly,
    Exchange,
    Intent,
    NameCard,
    Pass,
    Press,
    StartGame,
    Take,
    Undo,
)
from companion.table.phase import Phase
from companion.table.ports import Frame
from companion.table.snapshot import Snapshot
from companion.vision.reading import DieSeen, Reading

NAME = "soak"
HELP = "10,000 presses: memory, threads and open files stay flat, and nothing that happened is lost"
PRESSES = 10_000
WARM_FRAC = 0.2
"""What is grown before so many of the presses is no leak: caches, the first games."""

MOST_GROWTH_MB = 16.0
GIVE_UP_S = 30.0
SIDE_PX = 40.0


class Lamp:
    """An LED that only remembers its state."""

    def __init__(self) -> None:
        self.value: float = 0.0

    def close(self) -> None:
        """Nothing to let go."""


class Dark:
    """A running camera that sees nothing, quickly."""

    def __init__(self) -> None:
        self._frame = np.zeros((48, 64, 3), np.uint8)

    def open(self, lock: Lock) -> None:
        """Nothing to open, and nothing to lock."""

    def small(self) -> Frame:
        """Return the dark."""
        return self._frame.copy()

    def still(self) -> Shot:
        """Return the dark."""
        return Shot(self.small())

    def close(self) -> None:
        """Nothing to let go."""


@dataclass(frozen=True, slots=True)
class Private:
    """What only the player whose turn it is knows: the hand, and a card that was drawn blind."""

    hand: tuple[Card, ...] = ()
    drawn: Card | None = None


class Chance:
    """Reads dice as chance throws them, and plays on as chance wills."""

    def __init__(self, seed: int) -> None:
        self._dice, self._play = random.Random(seed), random.Random(seed + 1)
        self._deck = default_deck().cards

    def read(self, _frame: Frame) -> Reading:
        """Return six dice somewhere on the track, sure of all."""
        return Reading(tuple(self._die(place) for place in range(6)), (), True)

    def next_intent(self, snapshot: Snapshot, own: Private) -> Intent:
        """Return what somebody does next, often a press."""
        game, chance = snapshot.game, self._play
        if game is None or snapshot.phase in (Phase.LOBBY, Phase.OVER):
            names = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn")[: chance.randint(2, 6)]
            return StartGame(names, None, chance.random() < 0.5)
        for holder, view in enumerate(game.holders):
            if view.card is None and view.pile > 0:
                return NameCard(holder, chance.choice(self._deck))
        if snapshot.phase is Phase.ACTION:
            return self._action(snapshot, own)
        if snapshot.phase is Phase.DOUBT:
            return Undo()
        takes: list[Intent] = [
            Take(holder, view.changes[0] if str(view.light) == "change" else None)
            for holder, view in enumerate(game.holders)
            if view.light is not None
        ]
        if game.may_pass:
            takes.append(Pass())
        if game.may_end and chance.random() < 0.2:
            return EndEarly(game.may_end[0])
        if takes and (game.throws_left == 0 or chance.random() < 0.4):
            return chance.choice(takes)
        if chance.random() < 0.05 and snapshot.undo is not None:
            return Undo()
        return Press()

    @staticmethod
    def _action(snapshot: Snapshot, own: Private) -> Intent:
        game = snapshot.game
        assert game is not None
        assert game.owed is not None
        if own.drawn is not None and game.owed.drawn_from is not None:
            return Exchange(game.owed.drawn_from, own.drawn, own.hand[0])
        return Draw(game.owed.seats[0])

    def _die(self, place: int) -> DieSeen:
        x = 100.0 * place + self._dice.uniform(20, 60)
        y = self._dice.uniform(100, 500)
        half = SIDE_PX / 2
        top = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
        colour, runner_up = self._dice.sample(DEFAULT_COLOURS, 2)
        return DieSeen("black" if place > 3 else "white", colour, "track", (x, y), top, 0.99, runner_up)


def run() -> Sequence[Figure]:
    """Play by chance until so many presses were made."""
    return soaked(PRESSES)


def soaked(presses: int) -> Sequence[Figure]:
    """Play by chance until `presses` presses were made, and look at what has grown and what is kept."""
    with tempfile.TemporaryDirectory(prefix="companion-soak-") as folder:
        path = Path(folder) / "companion.db"
        chance = Chance(7)
        clock = MonotonicClock()
        leds = GpioLeds([Lamp(), Lamp(), Lamp()], clock)
        camera = SupervisedCamera(Dark(), clock)
        with SqliteJournal(path) as journal:
            with Table(journal, chance.read, camera, leds, clock) as table:
                camera.start()
                grown, took_s = _played(table, chance, presses)
                before = _kept(table)
            leds.close()
        with SqliteJournal(path) as journal, Table(journal, None, None, NoLeds(), clock) as table:
            lost = int(_kept(table) != before)
    memory_mb, threads, files = grown
    return (
        Figure("memory grown", memory_mb, "MB", MOST_GROWTH_MB),
        Figure("threads grown", threads, "", 0),
        Figure("open files grown", files, "", 0),
        Figure("games that came back otherwise than they were", lost, "", 0),
        Figure("presses a second", presses / took_s, ""),
    )


def _played(table: Table, chance: Chance, presses: int) -> tuple[tuple[float, float, float], float]:
    """Play, and return what has grown since the first part, and how long it took in seconds."""
    made = refused = 0
    base = _size()
    began_s = time.monotonic()
    warm = int(presses * WARM_FRAC)
    while made < presses:
        snapshot = table.snapshot()
        seat = None if snapshot.game is None else snapshot.game.seat
        own = Private() if seat is None else Private(table.hand(seat), table.drawn(seat))
        intent = chance.next_intent(snapshot, own)
        outcome = table.submit(intent)
        if not outcome.accepted:
            refused += 1
            if refused > presses:
                raise RuntimeError(f"play does not go on: {outcome.sentence}")
            table.submit(Undo())
        if isinstance(intent, Press) and outcome.accepted:
            made += 1
            _settled(table)
            if made == warm:
                base = _size()
    grown = [now - then for now, then in zip(_size(), base, strict=True)]
    return (grown[0], grown[1], grown[2]), time.monotonic() - began_s


def _settled(table: Table) -> None:
    end_s = time.monotonic() + GIVE_UP_S
    while (snapshot := table.snapshot()).phase is Phase.READING:
        if time.monotonic() > end_s:
            raise RuntimeError("a press was not answered")
        table.wait_newer(snapshot.revision, 1.0)


def _size() -> tuple[float, float, float]:
    """Return memory in MB, threads and open files of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    files = len(list(Path("/proc/self/fd").iterdir()))
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6, threading.active_count(), files


def _kept(table: Table) -> object:
    """Return the game as far as a restart must bring it back."""
    game = table.snapshot().game
    return table.record(), None if game is None else (game.game_id, game.players, game.seat, game.dice)

"""A real table on a real file whose games are played by the rules and told to a broker."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.bench.random_game import random_course, random_start
from companion.game import events
from companion.game.cards import Action, Card, Group
from companion.game.dice import Body, Die
from companion.game.events import Event
from companion.mqtt.link import Broker
from companion.mqtt.outbox import messages_due
from companion.mqtt.publisher import Manner, Publisher
from companion.mqtt.telling import Speaker
from companion.store.journal import SqliteJournal
from companion.store.outbox import StoredOutbox
from companion.table import intents
from companion.table.conductor import Table
from companion.table.intents import Intent
from tests.web.table_at_hand import NoLeds, PlainClock

SIX_RED = tuple(Die(Body.WHITE if place < 4 else Body.BLACK, "red") for place in range(6))


def intent_of(event: Event) -> Intent:
    """Return what a person asks for, so that this happens."""
    match event:
        case events.Start():
            return intents.StartGame(event.players, event.first)
        case events.Reveal():
            return intents.NameCard(event.holder, event.card)
        case events.Throw():
            return intents.EnterThrow(event.dice)
        case events.Take():
            return intents.Take(event.holder, event.change)
        case events.Steal():
            return intents.Steal(event.victim, event.card)
        case events.Exchange():
            return intents.Exchange(event.other, event.received, event.given)
        case events.Pass():
            return intents.Pass()
        case events.EndEarly():
            return intents.EndEarly(event.player)


class ToldTable:
    """A table in a file, and how to play at it."""

    def __init__(self, table: Table, publisher: Publisher, outbox: StoredOutbox) -> None:
        self.table = table
        self.publisher = publisher
        self.outbox = outbox

    def does(self, intent: Intent) -> None:
        outcome = self.table.submit(intent)
        assert outcome.accepted, outcome

    def plays(self, seed: int, *, hidden: bool = False, most: int | None = None, players: int = 2) -> str:
        """Play a whole game, or so many steps of it; return its id."""
        chance = random.Random(seed)
        for step, event in enumerate(random_course(chance, random_start(chance, players))):
            if most is not None and step >= most:
                break
            intent = intent_of(event)
            if isinstance(intent, intents.StartGame):
                intent = intents.StartGame(intent.players, intent.first, hidden)
            self.does(intent)
        game = self.table.snapshot().game
        assert game is not None
        return game.game_id

    def wins(self, seed: int = 0, players: tuple[str, ...] = ("Ana", "Ben"), *, hidden: bool = False) -> str:
        """Let the first player win a short game of some twenty steps; return its id."""
        self.does(intents.StartGame(players, 0, hidden))
        for number in range(7):
            again = Action.REPLAY if number < 6 else None
            points = 1 + (seed + number) % 5
            for holder in range(3):
                if number == 0 or holder == 0:
                    self.does(intents.NameCard(holder, Card((Group(3),), points, again)))
            self.does(intents.EnterThrow(SIX_RED))
            self.does(intents.Take(0, None))
        self.does(intents.NameCard(0, Card((Group(3),), 1, None)))
        self.does(intents.EndEarly(0))
        game = self.table.snapshot().game
        assert game is not None
        assert game.winners == (0,)
        return game.game_id

    @property
    def due(self) -> list[str]:
        """The ids of the finished games that wait."""
        at = datetime.now(UTC)
        return [message.game_id for message in messages_due(self.outbox, Speaker("oak", "The oak"), at)]


@contextmanager
def told_table(
    file: Path, broker: Broker, *, table_id: str = "oak", manner: Manner | None = None, **more: Any
) -> Iterator[ToldTable]:
    """Yield a table that plays on in `file` and tells `broker`."""
    with SqliteJournal(file) as journal, Table(journal, None, None, NoLeds(), PlainClock()) as table:
        outbox = StoredOutbox(file)
        with Publisher(table, outbox, Speaker(table_id, "The oak"), broker, manner, **more) as publisher:
            yield ToldTable(table, publisher, outbox)

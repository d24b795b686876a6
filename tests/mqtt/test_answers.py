"""What a publisher makes of a broker's answers, turn by turn, with a broker and a clock that a test leads."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.mqtt import patience
from companion.mqtt.link import NOBODY_LISTENS, Broker, Down, News, Taken, Up
from companion.mqtt.patience import AGAIN_S, SOON_S
from companion.mqtt.publisher import Publisher
from companion.mqtt.telling import Speaker
from companion.store.journal import SqliteJournal
from companion.store.outbox import StoredOutbox
from companion.table import intents
from companion.table.conductor import Table
from companion.table.snapshot import Snapshot
from companion.table.state import HealthState
from companion.web.catalogue import Catalogue
from tests.mqtt.told_table import ToldTable
from tests.web.table_at_hand import NoLeds, PlainClock

ACCEPTED, NOT_AUTHORIZED = 0x00, 0x87


class LedLink:
    """A link whose broker says what a test wants."""

    def __init__(self, *_: object, **__: object) -> None:
        self.news: queue.SimpleQueue[News] = queue.SimpleQueue()
        self.handed: list[Mapping[str, Any]] = []

    def say(self, *_: object, **__: object) -> None:
        """Nobody listens for what passes by."""

    def hand_over(self, _topic: str, message: Mapping[str, Any]) -> int:
        self.handed.append(message)
        return len(self.handed)


class Looked:
    """A table that is looked at without waiting."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def snapshot(self) -> Snapshot:
        return self._table.snapshot()

    def wait_newer(self, revision: int, _timeout_s: float) -> Snapshot | None:
        now = self._table.snapshot()
        return now if now.revision != revision else None


class Led:
    """A publisher that takes a turn when it is told to."""

    def __init__(self, table: Table, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 0.0
        monkeypatch.setattr("companion.mqtt.publisher.monotonic", lambda: self.now_s)
        monkeypatch.setattr("companion.mqtt.publisher.Link", LedLink)
        outbox = StoredOutbox(file)
        self.publisher = Publisher(Looked(table), outbox, Speaker("oak", "The oak"), Broker())
        self.at = ToldTable(table, self.publisher, outbox)
        link = self.publisher._link
        assert isinstance(link, LedLink)
        self.link: LedLink = link

    @property
    def handed(self) -> list[tuple[str, bool]]:
        """The games handed over, and whether each was withdrawn."""
        return [(message["game"], message["withdrawn"]) for message in self.link.handed]

    def turn(self, *news: News, after_s: float = 0.0) -> None:
        """Let time go by, and the publisher hear this."""
        self.now_s += after_s
        for one in news:
            self.link.news.put(one)
        self.publisher._turn()

    def answer(self, code: int, why: str = "") -> None:
        """Answer what was handed over last."""
        self.turn(Taken(len(self.link.handed), code, why))


@pytest.fixture
def led(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Led]:
    """Yield a publisher of a table that is to play."""
    file = tmp_path / "games.db"
    with SqliteJournal(file) as journal, Table(journal, None, None, NoLeds(), PlainClock()) as table:
        yield Led(table, file, monkeypatch)


def pauses_s() -> list[float]:
    """Return the pauses until two in a row are the longest."""
    found = [SOON_S]
    while found[-1] < AGAIN_S:
        found.append(min(2 * found[-1], AGAIN_S))
    return [*found, AGAIN_S]


@pytest.mark.parametrize("code", [NOT_AUTHORIZED, NOBODY_LISTENS])
def test_what_is_not_taken_is_handed_over_ever_more_rarely(led: Led, code: int) -> None:
    led.turn()
    game = led.at.wins(1)
    led.turn(Up())
    for count, pause_s in enumerate(pauses_s(), start=1):
        assert led.handed == [(game, False)] * count
        led.answer(code)
        led.turn(after_s=pause_s - 1)
        assert len(led.handed) == count
        led.turn(after_s=1)
    led.answer(ACCEPTED)
    assert led.at.due == []
    other = led.at.wins(2)
    led.turn()
    led.answer(code)
    led.turn(after_s=SOON_S)
    assert led.handed[-2:] == [(other, False)] * 2, "a broker that took one is asked soon again"


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (NOBODY_LISTENS, patience.NOBODY_LISTENS),
        (NOT_AUTHORIZED, patience.REFUSED.format(why="Not authorized")),
    ],
)
def test_why_games_wait_is_told_as_long_as_they_do(led: Led, code: int, sentence: str) -> None:
    def told() -> str | None:
        assert led.publisher.health.state is HealthState.OK
        return led.publisher.health.sentence

    led.at.wins(1)
    led.turn(Up())
    assert told() is None
    led.answer(code, "Not authorized")
    assert told() == sentence
    led.turn(after_s=SOON_S)
    assert told() == sentence
    led.answer(code, "Not authorized")
    led.turn(after_s=2 * SOON_S)
    led.answer(ACCEPTED)
    assert told() is None
    led.at.wins(2)
    led.turn()
    led.answer(code, "Not authorized")
    led.turn(Down("gone"))
    assert led.publisher.health.state is HealthState.FAULT
    led.turn(Up())
    assert told() is None
    assert Catalogue("service").of("fr").of_pattern("said", sentence)[1] == "fr"


@pytest.mark.parametrize("code", [NOBODY_LISTENS, NOT_AUTHORIZED])
def test_no_game_is_said_to_wait_once_its_end_is_undone(led: Led, code: int) -> None:
    led.at.wins(1)
    led.turn(Up())
    led.answer(code, "Not authorized")
    led.at.does(intents.Undo())
    led.turn(after_s=SOON_S)
    led.turn()
    assert led.publisher.health.sentence is None


def test_what_was_delivered_once_is_withdrawn_though_nobody_listened_the_second_time(led: Led) -> None:
    """Who listened the first time may have kept it, and be away for a while."""
    game = led.at.wins(1)
    led.turn(Up())
    led.answer(ACCEPTED)
    led.turn(Down("gone"))
    led.turn(Up())
    assert led.handed == [(game, False)] * 2, "what was delivered of late is repeated"
    led.answer(NOBODY_LISTENS)
    assert led.at.due == [game], "though nothing changed"
    led.at.does(intents.Undo())
    led.turn(after_s=SOON_S)
    assert led.handed[2:] == [(game, True)]
    led.answer(NOBODY_LISTENS)
    led.turn(after_s=2 * SOON_S)
    assert led.handed[2:] == [(game, True)] * 2
    led.answer(ACCEPTED)
    assert led.at.due == []

"""What can not be stored now is not acknowledged: it waits, holds up no other, and comes again."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import DisconnectFlags, MQTTMessage
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from companion.club.book import Book
from companion.club.hearing import Hearing
from companion.club.ledger import Kept, Ledger
from companion.club.ratings import Ratings
from companion.club.receiver import Receiver
from companion.club.results import Delivery, Result
from companion.club.running import Club
from companion.club.storing import Arrived, Storing
from companion.club.wall import Wall
from companion.mqtt.link import Broker
from tests.club.at_broker import Speaker, counted, wanted
from tests.club.played import delivery, message
from tests.mqtt.mosquitto import Mosquitto, until

BAD = "oak000002"


@pytest.fixture
def at_fault(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Let no game of this id be stored, until it is undone."""
    keep = Ledger.store

    def choosy(self: Ledger, deliveries: Sequence[Delivery]) -> list[Kept]:
        if any(one.game_id == BAD for one in deliveries):
            raise OverflowError("too much")
        return keep(self, deliveries)

    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "store", choosy)
        yield patched


def test_a_game_at_which_a_defect_shows_keeps_no_other_back(
    mosquitto: Mosquitto, tmp_path: Path, speaker: Speaker, at_fault: pytest.MonkeyPatch
) -> None:
    with Club(wanted(mosquitto, str(tmp_path / "club.db"))) as club:
        until(lambda: club.receiver.is_connected, "the club is at the broker")
        for seed in range(5):
            speaker.delivers(message(seed))
        until(lambda: len(counted(club)) == 4, "the four others")
        assert BAD not in counted(club)
        at_fault.undo()
        until(lambda: BAD in counted(club), "the game that was tried again")


def test_a_game_at_which_a_defect_shows_comes_again_to_a_club_that_is_mended(
    mosquitto: Mosquitto, tmp_path: Path, speaker: Speaker, at_fault: pytest.MonkeyPatch
) -> None:
    database = str(tmp_path / "club.db")
    with Club(wanted(mosquitto, database)) as club:
        until(lambda: club.receiver.is_connected, "the club is at the broker")
        for seed in (2, 3):
            speaker.delivers(message(seed))
        until(lambda: counted(club) == ["oak000003"], "the other game")
    at_fault.undo()
    with Club(wanted(mosquitto, database)) as club:
        until(lambda: counted(club) == [BAD, "oak000003"], "both games")


def test_a_message_at_which_a_defect_shows_comes_again_to_a_club_that_is_mended(
    mosquitto: Mosquitto, tmp_path: Path, speaker: Speaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = str(tmp_path / "club.db")
    hear, heard = Hearing.hear, threading.Event()

    def failing(self: Hearing, topic: str, payload: bytes) -> Delivery | None:
        if topic.endswith(BAD):
            heard.set()
            raise KeyError(topic)
        return hear(self, topic, payload)

    with monkeypatch.context() as patched, Club(wanted(mosquitto, database)) as club:
        patched.setattr(Hearing, "hear", failing)
        until(lambda: club.receiver.is_connected, "the club is at the broker")
        speaker.delivers(message(2))
        until(heard.is_set, "the game is heard")
    with Club(wanted(mosquitto, database)) as club:
        until(lambda: counted(club) == [BAD], "the game")


def test_a_game_that_is_stored_and_not_counted_is_counted_when_it_is_tried_again(
    mosquitto: Mosquitto, tmp_path: Path, speaker: Speaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Club(wanted(mosquitto, str(tmp_path / "club.db"))) as club:
        until(lambda: club.receiver.is_connected, "the club is at the broker")
        speaker.delivers(message(1))
        until(lambda: len(counted(club)) == 1, "the first game")
        add, failed = Ratings.add, threading.Event()

        def failing(self: Ratings, results: Iterable[Result]) -> None:
            if not failed.is_set():
                failed.set()
                raise MemoryError
            add(self, results)

        monkeypatch.setattr(Ratings, "add", failing)
        speaker.delivers(message(2))
        until(failed.is_set, "the second game is stored and not counted")
        speaker.delivers(message(3))
        games = [f"oak00000{seed}" for seed in (1, 2, 3)]
        until(lambda: counted(club) == games and club.book.ratings().last[1] == games[-1], "all three")
        whole = Ratings()
        whole.add([result for seed in (1, 2, 3) if (result := delivery(seed).result) is not None])
        for name in ("ana", "ben", "chloé", "dan", "eve", "finn"):
            assert club.book.ratings().of(name) == whole.of(name)


class LedClient:
    """A client that notes what it acknowledges."""

    def __init__(self) -> None:
        self.acknowledged: list[int] = []

    def ack(self, mid: int, _qos: int) -> None:
        self.acknowledged.append(mid)

    def __getattr__(self, _name: str) -> Any:
        return lambda *_, **__: None


class LedBook(Book):
    """A book that stores when it may."""

    def __init__(self) -> None:
        self.may = threading.Semaphore(0)
        self.stored: list[str] = []

    def store(self, deliveries: Sequence[Delivery]) -> list[Kept]:
        for one in deliveries:
            self.may.acquire()
            self.stored.append(one.game_id)
        return [Kept.NEW] * len(deliveries)


def arriving(mid: int, seed: int) -> MQTTMessage:
    told = message(seed)
    found = MQTTMessage(mid, f"companion/v1/oak/games/{told['game']}".encode())
    found.payload, found.qos = json.dumps(told).encode(), 1
    return found


def test_a_game_of_a_lost_connection_is_not_acknowledged_in_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A broker that was killed counts its messages anew: the same number is another game then."""
    client: Any = LedClient()
    monkeypatch.setattr("companion.club.receiver.client_of", lambda *_, **__: client)
    book = LedBook()
    with Receiver(Broker(), "club", "companion", Hearing(Wall(), "companion"), book) as receiver:
        receiver._heard(client, None, arriving(7, seed=1))
        lost = ReasonCode(PacketTypes.DISCONNECT, "Unspecified error")
        receiver._gone(client, None, DisconnectFlags(False), lost, None)
        receiver._heard(client, None, arriving(1, seed=2))
        book.may.release(2)
        until(lambda: 1 in client.acknowledged, "the second game is acknowledged")
        assert book.stored == ["oak000001", "oak000002"]
        assert client.acknowledged == [1]


class BrokenBook(Book):
    """A book that stores nothing until it is mended."""

    def __init__(self) -> None:
        self.mended = False
        self.failed_alone: set[str] = set()

    def store(self, deliveries: Sequence[Delivery]) -> list[Kept]:
        if not self.mended:
            if len(deliveries) == 1:
                self.failed_alone.add(deliveries[0].game_id)
            raise OverflowError
        return [Kept.NEW] * len(deliveries)


def test_a_game_that_comes_again_by_the_next_connection_waits_once() -> None:
    book, acknowledged = BrokenBook(), list[Arrived]()
    storing = Storing(book, acknowledged.append)
    storing.start()
    newest = Arrived(delivery(1), mid=1, line=2)
    for one in (*(Arrived(delivery(1), mid=1, line=line) for line in range(2)), newest):
        storing.put(one)
    storing.put(Arrived(delivery(2), mid=2, line=2))
    until(lambda: "oak000002" in book.failed_alone, "the last was tried")
    book.mended = True
    until(lambda: {one.mid for one in acknowledged} == {1, 2}, "both games are stored")
    storing.close()
    assert acknowledged.count(newest) == 1
    assert len(acknowledged) == 2

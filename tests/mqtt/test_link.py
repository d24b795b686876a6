"""What a broker may do to a link: be stuck, deny, or let somebody else have its name."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from companion.mqtt.link import Link
from companion.mqtt.rivals import FIRST_AGAIN_S, LAST_AGAIN_S, MANY, SHORT_S, Rivals
from companion.mqtt.topics import Topics
from companion.table.state import HealthState
from companion.web.catalogue import Catalogue
from tests.mqtt.mosquitto import Listener, Mosquitto, deaf_to_wishes, until
from tests.mqtt.told_table import ToldTable, told_table

TOPICS = Topics("companion", "oak")
MORE_THAN_A_LINE_HOLDS = 400
A_LOT = "x" * 100_000


def in_french(sentence: str) -> bool:
    """Tell whether the service page can say it in French."""
    return Catalogue("service").of("fr").of_pattern("said", sentence)[1] == "fr"


def done(what: Callable[[], None]) -> Callable[[], bool]:
    """Begin something; return what tells whether it is over."""
    thread = threading.Thread(target=what, daemon=True)
    thread.start()
    return lambda: not thread.is_alive()


def test_a_stuck_broker_holds_nobody_who_leaves(
    mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.mqtt.link.KEEP_ALIVE_S", 3600)  # the link itself sees no fault
    link = Link(mosquitto.broker, "companion-oak", will=(TOPICS.availability, "offline"))
    link.open()
    link.news.get()
    with mosquitto.stuck():
        for _ in range(MORE_THAN_A_LINE_HOLDS):
            link.say(TOPICS.events, A_LOT)
        until(done(lambda: link.close(TOPICS.availability, "offline")), "the link is closed")


def test_two_tables_of_one_id_are_told_what_to_do(
    mosquitto: Mosquitto, listener: Listener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.mqtt.rivals.LAST_AGAIN_S", 2)

    def told(table: ToldTable) -> bool:
        health = table.publisher.health
        sentence = health.sentence or ""
        return (
            health.state is HealthState.FAULT
            and "Another table seems to speak" in sentence
            and "id of this one, oak," in sentence
            and in_french(sentence)
        )

    with told_table(tmp_path / "1.db", mosquitto.broker) as first:
        until(lambda: first.publisher.health.state is HealthState.OK, "the first is at the broker")
        with told_table(tmp_path / "2.db", mosquitto.broker) as second:
            until(lambda: told(first), "the first knows that it was put out")
            until(lambda: told(second), "the second, too, once the first comes again")
            until(lambda: first.publisher.health.state is HealthState.OK, "the first is heard again")
        first.wins(1)
        until(lambda: first.due == [] and len(listener.games()) == 1, "its game is heard")


def test_a_table_that_may_not_listen_says_so_and_speaks_on(tmp_path: Path) -> None:
    with (
        deaf_to_wishes(tmp_path / "broker") as broker,
        told_table(tmp_path / "games.db", broker.broker) as oak,
    ):
        until(lambda: oak.publisher.health.sentence is not None and oak.publisher._up, "the broker denies")
        health = oak.publisher.health
        assert health.state is HealthState.OK
        assert health.sentence is not None
        assert "listen to homeassistant/status (Not authorized)" in health.sentence
        assert in_french(health.sentence)


def test_why_a_broker_can_not_be_spoken_to_is_told_in_french(mosquitto: Mosquitto, tmp_path: Path) -> None:
    mosquitto.stop()
    with told_table(tmp_path / "games.db", mosquitto.broker) as oak:
        assert in_french(oak.publisher.health.sentence or "")
        until(lambda: oak.publisher.health.state is HealthState.FAULT, "the broker is away")
        assert in_french(oak.publisher.health.sentence or "")


class LedClient:
    """A client that notes how long it waits before it comes again."""

    waits_s = FIRST_AGAIN_S

    def reconnect_delay_set(self, first_s: int, _last_s: int) -> None:
        self.waits_s = first_s


def reason(name: str) -> ReasonCode:
    return ReasonCode(PacketTypes.DISCONNECT, name)


def test_a_broker_that_names_a_rival_is_believed_at_once() -> None:
    client: Any = LedClient()
    rivals = Rivals(client)
    rivals.came()
    assert rivals.went(reason("Session taken over"))
    assert client.waits_s == LAST_AGAIN_S
    rivals.came()
    assert client.waits_s == FIRST_AGAIN_S
    assert not rivals.went(reason("Server shutting down"))
    assert client.waits_s == FIRST_AGAIN_S


def test_connections_that_break_are_no_rivals_work_unless_they_break_soon_and_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = 0.0
    monkeypatch.setattr("companion.mqtt.rivals.monotonic", lambda: now_s)
    rivals = Rivals(cast(Any, LedClient()))

    def broke(after_s: float) -> bool:
        nonlocal now_s
        rivals.came()
        now_s += after_s
        return rivals.went(reason("Unspecified error"))

    assert [broke(1) for _ in range(MANY + 1)] == [False] * (MANY - 1) + [True] * 2
    assert not broke(SHORT_S)
    assert [broke(1) for _ in range(MANY - 1)] == [False] * (MANY - 1)
    rivals.not_reached()
    assert not broke(1), "the broker itself comes and goes"

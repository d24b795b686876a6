"""Why a club hears nothing, or only a part: the wall says which it is, and what to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.club.running import Club
from companion.club.wall import Line
from tests.club.at_broker import wanted
from tests.mqtt.mosquitto import Mosquitto, deaf_to_wishes, running, until
from tests.mqtt.test_link import done


def test_a_club_that_may_not_listen_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with (
        deaf_to_wishes(tmp_path / "broker") as broker,
        Club(wanted(broker, str(tmp_path / "club.db"))) as club,
    ):
        until(lambda: club.wall.broker is Line.DENIED, "the broker denies")
        assert not club.receiver.is_connected
        assert "listen to companion/v1/+/availability (Not authorized)" in caplog.text


def test_a_club_that_is_not_let_in_says_so(tmp_path: Path) -> None:
    with (
        running(tmp_path / "broker", "allow_anonymous false") as broker,
        Club(wanted(broker, str(tmp_path / "club.db"))) as club,
    ):
        until(lambda: club.wall.broker is Line.REFUSED, "the broker refuses")
        broker.stop()
        until(lambda: club.wall.broker is Line.AWAY, "the broker is away")


def test_two_clubs_of_one_id_say_so(mosquitto: Mosquitto, tmp_path: Path) -> None:
    database, copy = tmp_path / "club.db", tmp_path / "copy.db"
    with Club(wanted(mosquitto, str(database))) as club:
        until(lambda: club.receiver.is_connected, "the club is at the broker")
    shutil.copy(database, copy)
    with Club(wanted(mosquitto, str(database))) as club:
        until(lambda: club.receiver.is_connected, "the club is at the broker")
        with Club(wanted(mosquitto, str(copy))):
            until(lambda: club.wall.broker is Line.TAKEN_OVER, "another took its place")


def test_a_stuck_broker_holds_no_club_that_leaves(
    mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.club.receiver.KEEP_ALIVE_S", 3600)
    with Club(wanted(mosquitto, str(tmp_path / "club.db"))) as club:
        until(lambda: club.receiver.is_connected, "the club is at the broker")
        with mosquitto.stuck():
            for _ in range(400):
                club.receiver._client.publish("companion/v1/oak/events", "x" * 100_000)
            until(done(club.receiver.close), "the receiver is closed")

"""What the doctor finds at a broker: whatever is wrong there, a sentence says what to do."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli.broker import examined
from companion.doctor.broker import broker_finding
from companion.doctor.finding import Level
from companion.mqtt.link import Broker
from companion.settings.values import MqttSettings
from companion.store.journal import SqliteJournal
from companion.store.outbox import StoredOutbox, kept_id
from tests.mqtt.mosquitto import Mosquitto, deaf_to_wishes, free_port, listening, running

ROOT_TOPIC, BIRTH = "companion/v1/oak", "homeassistant/status"


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with running(tmp_path / "broker") as broker:
        yield broker


def found(broker: Broker, level: Level) -> str:
    finding = broker_finding(broker, listen=BIRTH, root=ROOT_TOPIC)
    assert (finding.subject, finding.level) == ("mqtt", level), finding.sentence
    return finding.sentence


def test_a_broker_that_is_well_hears_nothing_that_stays(mosquitto: Mosquitto) -> None:
    assert found(mosquitto.broker, Level.OK).endswith("lets the table in and speak.")
    with listening(mosquitto.broker) as listener:
        found(mosquitto.broker, Level.OK)
        listener.hears(lambda said: said.topic == f"{ROOT_TOPIC}/visit")
        assert [(said.topic, said.retain) for said in listener.said] == [(f"{ROOT_TOPIC}/visit", False)]


def test_nothing_listens() -> None:
    assert "Nothing listens at" in found(Broker("127.0.0.1", free_port()), Level.FAULT)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (socket.gaierror(-2, "Name or service not known"), "No machine named nas.lan was found (Name or"),
        (TimeoutError("timed out"), "nas.lan:1883 cannot be reached (timed out)"),
        (OSError(113, "No route to host"), "cannot be reached (No route to host)"),
        (ssl.SSLError(1, "wrong version number"), "by TLS (wrong version number)"),
    ],
)
def test_no_line_comes_about(error: OSError, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(socket, "create_connection", fails)
    assert told in found(Broker("nas.lan"), Level.FAULT)


def test_what_speaks_no_tls(mosquitto: Mosquitto) -> None:
    assert "cannot be spoken to by TLS" in found(replace(mosquitto.broker, tls=True), Level.FAULT)


def test_certificates_that_are_not_there(tmp_path: Path) -> None:
    told = found(Broker("127.0.0.1", tls=True, ca_file=str(tmp_path / "no.pem")), Level.FAULT)
    assert "no.pem: these certificates cannot be used" in told


def test_what_answers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.mqtt.visit.ANSWER_S", 1)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        assert "answers nothing" in found(Broker("127.0.0.1", mute.getsockname()[1]), Level.FAULT)


def test_a_broker_that_lets_nobody_in(tmp_path: Path) -> None:
    with running(tmp_path / "broker", "allow_anonymous false") as broker:
        told = found(broker.broker, Level.FAULT)
    assert "does not let the table in (Not authorized): check [mqtt] user and password" in told


def test_a_broker_that_lets_nobody_speak(tmp_path: Path) -> None:
    rights = tmp_path / "acl"
    rights.write_text("topic read #\n")
    rights.chmod(0o600)
    with running(tmp_path / "broker", "allow_anonymous true", f"acl_file {rights}") as broker:
        assert f"speak below {ROOT_TOPIC} (Not authorized)" in found(broker.broker, Level.FAULT)


def test_a_broker_that_lets_nobody_listen(tmp_path: Path) -> None:
    with deaf_to_wishes(tmp_path / "broker") as broker:
        assert f"listen to {BIRTH} (Not authorized)" in found(broker.broker, Level.NOTE)


def test_the_table_is_known_by_its_settings_or_its_games(mosquitto: Mosquitto, tmp_path: Path) -> None:
    games = tmp_path / "games.db"
    settings = MqttSettings(use=True, port=mosquitto.port)
    assert examined(MqttSettings(), games) == ()
    (finding,) = examined(settings, games)
    assert "whether it lets it speak is known once it has an id" in finding.sentence
    assert not games.exists()
    with SqliteJournal(games):
        assert kept_id(games) is None, "to look makes none"
        own = StoredOutbox(games).table_id()
    for given, spoken in ((settings, own), (replace(settings, table="oak"), "oak")):
        with listening(mosquitto.broker) as listener:
            (finding,) = examined(given, games)
            assert finding.level is Level.OK
            listener.hears(lambda said, spoken=spoken: said.topic == f"companion/v1/{spoken}/visit")  # type: ignore[misc]

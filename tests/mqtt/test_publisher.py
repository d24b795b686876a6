"""A table and a real broker: what is heard there, and what happens when either goes away."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.mqtt.link import Broker, LinkFault
from companion.mqtt.patience import NOBODY_LISTENS
from companion.mqtt.publisher import Manner
from companion.mqtt.topics import Topics
from companion.table import intents
from companion.table.state import Health, HealthState
from tests.conftest import ROOT
from tests.mqtt.mosquitto import Listener, Mosquitto, Said, listening, program, until
from tests.mqtt.schemas import check
from tests.mqtt.told_table import ToldTable, told_table

TOPICS = Topics("companion", "oak")


@pytest.fixture
def oak(mosquitto: Mosquitto, listener: Listener, tmp_path: Path) -> Iterator[ToldTable]:
    """Yield a table that the broker knows."""
    with told_table(tmp_path / "games.db", mosquitto.broker) as table:
        listener.hears(lambda said: said.topic == TOPICS.state, "the state")
        yield table


def is_online(said: Said) -> bool:
    return said.topic == TOPICS.availability and said.payload == b"online"


def is_offline(said: Said) -> bool:
    return said.topic == TOPICS.availability and said.payload == b"offline"


def test_a_game_is_heard_by_the_schemas(oak: ToldTable, listener: Listener) -> None:
    game = oak.plays(5)
    finished = listener.hears(lambda said: said.topic == TOPICS.game(game), "the finished game")
    assert (finished.qos, finished.retain) == (1, False)
    for said in listener.said:
        if said.topic.startswith("companion/") and said.topic != TOPICS.availability:
            kind = {"events": "event"}.get(said.topic.split("/")[3], said.topic.split("/")[3].rstrip("s"))
            check(kind, said.json)
    kinds = {said.json["event_type"] for said in listener.on("/events")}
    assert {"game_started", "turn", "throw_read", "card_taken", "game_over"} <= kinds
    assert len(finished.json["record"]) == len(oak.table.record())
    until(lambda: oak.due == [], "the outbox is empty")


def test_whoever_comes_late_is_told_what_is_true(
    oak: ToldTable, mosquitto: Mosquitto, listener: Listener
) -> None:
    oak.plays(6, most=9)
    revision = oak.table.snapshot().revision
    listener.hears(lambda said: said.topic == TOPICS.state and said.json["revision"] == revision)
    listener.close()
    with listening(mosquitto.broker) as late:
        late.hears(is_online)
        assert late.hears(lambda said: said.topic == TOPICS.state).json["revision"] == revision
        late.hears(lambda said: said.topic == TOPICS.health)
        late.hears(lambda said: said.topic.startswith("homeassistant/device/"))
        assert all(said.retain for said in late.said)


def test_health_is_told(oak: ToldTable, listener: Listener) -> None:
    oak.table.report_health("camera", Health(HealthState.FAULT, "The camera is away."))
    told = listener.hears(lambda said: said.topic == TOPICS.health and not said.json["ok"]).json
    assert told["devices"]["camera"] == {"state": "fault", "sentence": "The camera is away."}


def test_a_table_that_leaves_says_so(mosquitto: Mosquitto, listener: Listener, tmp_path: Path) -> None:
    with told_table(tmp_path / "games.db", mosquitto.broker):
        listener.hears(is_online)
    listener.hears(is_offline)


def test_home_assistant_is_told_again_when_it_is_born(oak: ToldTable, listener: Listener) -> None:
    def described() -> int:
        return len(listener.on("/config"))

    listener.hears(lambda said: said.topic == "homeassistant/device/companion_oak/config")
    before = described()
    listener.client.publish("homeassistant/status", "online")
    until(lambda: described() > before, "a new description")
    states = len(listener.on("/state"))
    listener.client.publish("homeassistant/status", "offline")
    listener.client.publish("homeassistant/status", b"\xff\x00 online")
    oak.does(intents.StartGame(("Ana", "Ben")))
    until(lambda: len(listener.on("/state")) > states, "a new state")
    assert described() == before + 1


def test_without_discovery_home_assistant_hears_nothing(
    mosquitto: Mosquitto, listener: Listener, tmp_path: Path
) -> None:
    with told_table(tmp_path / "games.db", mosquitto.broker, manner=Manner("club", None)) as table:
        listener.hears(lambda said: said.topic == "club/v1/oak/state")
        table.does(intents.StartGame(("Ana", "Ben")))
        listener.hears(lambda said: said.topic == "club/v1/oak/events")
    assert not [said for said in listener.said if not said.topic.startswith("club/v1/oak/")]


WISHES: tuple[Any, ...] = (
    {"type": "undo"},
    {"revision": 1, "intent": {"type": "abandon_game"}},
    {"type": "start_game", "players": ["Eve", "Mallory"], "first": 0, "hidden": False},
)


def test_nobody_acts_through_the_broker(oak: ToldTable, listener: Listener) -> None:
    """Whatever is said on whatever topic, the table's game and revision stay as they are."""
    oak.plays(7, most=12)
    before, record = oak.table.snapshot(), oak.table.record()
    root = "companion/v1/oak"
    topics = [
        f"{root}/{end}" for end in ("set", "command", "intents", "state", "events", "health", "games/x")
    ]
    topics += [
        root,
        "homeassistant/status",
        "homeassistant/device/companion_oak/config",
        "companion/v1/oak/state/set",
    ]
    for topic in topics:
        for wish in WISHES:
            listener.client.publish(topic, json.dumps(wish), qos=1)
    listener.client.publish("homeassistant/status", "online", qos=1)  # heard after all that, and answered
    count = len(listener.on("/config"))
    until(lambda: len(listener.on("/config")) > count, "the answer to the birth message")
    assert oak.table.snapshot() == before
    assert oak.table.record() == record


def test_the_table_listens_to_the_birth_alone(tmp_path: Path) -> None:
    """The broker's own log says what the table subscribes to."""
    folder = tmp_path / "talking"
    folder.mkdir()
    talking = Mosquitto(folder, ("allow_anonymous true", "log_type subscribe", "log_type unsubscribe"))
    talking.start()
    try:
        with listening(talking.broker, "companion/#") as heard, told_table(tmp_path / "g.db", talking.broker):
            heard.hears(is_online)
        log = (folder / "mosquitto.log").read_text()
    finally:
        talking.stop()
    subscribed = [line for line in log.splitlines() if "companion-oak " in line]
    assert [line.split()[-1] for line in subscribed] == ["homeassistant/status"]


def test_a_broker_killed_in_mid_game_misses_no_finished_game(
    mosquitto: Mosquitto, listener: Listener, tmp_path: Path
) -> None:
    with told_table(tmp_path / "games.db", mosquitto.broker) as oak:
        listener.hears(is_online)
        oak.plays(8, most=15)
        mosquitto.kill()
        until(lambda: oak.publisher.health.state is HealthState.FAULT, "the link is down")
        oak.does(intents.AbandonGame())
        games = [oak.wins(seed) for seed in (9, 10)]  # nothing is waited for
        assert oak.due == games
        mosquitto.start()
        for game in games:
            listener.hears(lambda said, game=game: said.topic == TOPICS.game(game), "the finished game")  # type: ignore[misc]
        until(lambda: oak.due == [], "the outbox is empty")
        last = oak.table.snapshot().revision
        listener.hears(lambda said: said.topic == TOPICS.state and said.json["revision"] == last)
    assert set(listener.games()) == set(games)


def test_what_a_killed_broker_may_have_forgotten_is_delivered_again(
    mosquitto: Mosquitto, listener: Listener, tmp_path: Path
) -> None:
    with told_table(tmp_path / "games.db", mosquitto.broker) as oak:
        game = oak.wins(11)
        until(lambda: listener.games() == [game] and oak.due == [], "the game is delivered")
        mosquitto.kill()
        mosquitto.start()
        until(lambda: listener.games() == [game, game], "the game comes again")


def test_games_wait_while_nobody_listens(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """A broker takes a message also where there is nobody; the table knows, and keeps the game."""
    with told_table(tmp_path / "games.db", mosquitto.broker) as oak:
        game = oak.wins(12)
        until(lambda: oak.publisher.health.sentence == NOBODY_LISTENS, "the broker says that nobody listens")
        assert oak.due == [game]
    with listening(mosquitto.broker) as heard, told_table(tmp_path / "games.db", mosquitto.broker) as oak:
        heard.hears(lambda said: said.topic == TOPICS.game(game), "the game")
        until(lambda: oak.due == [], "the outbox is empty")


def test_a_table_killed_with_games_in_the_outbox_delivers_them_later(
    mosquitto: Mosquitto, listener: Listener, tmp_path: Path
) -> None:
    mosquitto.stop()
    command = [
        sys.executable,
        "-m",
        "tests.mqtt.player",
        str(tmp_path / "games.db"),
        str(mosquitto.port),
        "3",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, text=True) as process:
        assert process.stdout is not None
        games = [process.stdout.readline().strip() for _ in range(3)]
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert all(games)
    mosquitto.start()
    with told_table(tmp_path / "games.db", mosquitto.broker) as oak:
        for game in games:
            listener.hears(lambda said, game=game: said.topic == TOPICS.game(game), "the finished game")  # type: ignore[misc]
        until(lambda: oak.due == [], "the outbox is empty")


def test_an_end_taken_back_is_withdrawn_and_told_anew(oak: ToldTable, listener: Listener) -> None:
    game = oak.wins(13)
    first = listener.hears(lambda said: said.topic == TOPICS.game(game)).json
    oak.does(intents.Undo())
    withdrawn = listener.hears(lambda said: said.topic == TOPICS.game(game) and said.json["withdrawn"]).json
    check("game", withdrawn)
    oak.does(intents.Redo())
    again = listener.hears(
        lambda said: said.topic == TOPICS.game(game) and said.json["version"] > withdrawn["version"]
    ).json
    assert first["version"] < withdrawn["version"]
    assert again["record"] == first["record"]


def test_a_game_left_unfinished_is_never_delivered(oak: ToldTable, listener: Listener) -> None:
    oak.plays(14, most=20)
    oak.does(intents.AbandonGame())
    whole = oak.wins(15)
    listener.hears(lambda said: said.topic == TOPICS.game(whole))
    until(lambda: oak.due == [], "the outbox is empty")
    assert listener.games() == [whole]


def test_a_restart_delivers_nothing_twice(mosquitto: Mosquitto, listener: Listener, tmp_path: Path) -> None:
    """But for what was delivered within the last day, which a test's clock puts behind us."""
    from datetime import UTC, datetime, timedelta

    file = tmp_path / "games.db"
    with told_table(file, mosquitto.broker) as oak:
        game = oak.wins(16)
        until(lambda: oak.due == [] and listener.games() == [game], "the game is delivered")
    with told_table(file, mosquitto.broker, now=lambda: datetime.now(UTC) + timedelta(days=2)) as oak:
        other = oak.wins(17)
        until(lambda: oak.due == [] and other in listener.games(), "the other game is delivered")
    assert listener.games() == [game, other]


def test_a_broker_that_never_answers_holds_nobody_up(tmp_path: Path) -> None:
    """The line is taken, and nothing is ever said on it: the table plays whole games meanwhile."""
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        told_table(tmp_path / "games.db", Broker("127.0.0.1", silent.getsockname()[1])) as oak,
        silent.accept()[0],
    ):
        games = [oak.wins(18), oak.wins(19)]
        assert oak.due == games
        assert oak.publisher.health.state is not HealthState.OK


def test_password_is_asked_for_and_refusal_is_told(tmp_path: Path) -> None:
    passwords = tmp_path / "passwords"
    passwords.write_text("")
    passwords.chmod(0o600)
    subprocess.run(
        [program("mosquitto_passwd", "mosquitto"), "-b", passwords, "oak", "acorn"],
        check=True,
        capture_output=True,
    )
    folder = tmp_path / "guarded"
    folder.mkdir()
    guarded = Mosquitto(folder, ("allow_anonymous false", f"password_file {passwords}"))
    guarded.start()
    try:
        wrong = Broker("127.0.0.1", guarded.port, "oak", "beech")
        with told_table(tmp_path / "one.db", wrong) as oak:
            until(lambda: oak.publisher.health.state is HealthState.FAULT, "the refusal")
            assert "Not authorized" in str(oak.publisher.health.sentence)
            assert "beech" not in str(oak.publisher.health.sentence)
        with told_table(tmp_path / "two.db", Broker("127.0.0.1", guarded.port, "oak", "acorn")) as oak:
            until(lambda: oak.publisher.health.state is HealthState.OK, "the welcome")
    finally:
        guarded.stop()


def certificates(folder: Path) -> None:
    """Make an authority, and a certificate of it for 127.0.0.1."""
    openssl = [
        program("openssl", "openssl"),
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
    ]
    own = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    for name in ("own", "other"):
        files = ["-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.pem")]
        subprocess.run([*openssl, *own, *files], check=True, capture_output=True)


# The client library leaves the sockets of refused handshakes to the collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_tls_trusts_the_named_authority_alone(tmp_path: Path) -> None:
    certificates(tmp_path)
    folder = tmp_path / "encrypted"
    folder.mkdir()
    listener = (f"certfile {tmp_path}/own.pem", f"keyfile {tmp_path}/own.key")
    encrypted = Mosquitto(folder, listener=listener)
    encrypted.start()
    try:
        port = encrypted.port
        with told_table(
            tmp_path / "1.db", Broker("127.0.0.1", port, tls=True, ca_file=f"{tmp_path}/own.pem")
        ) as oak:
            until(lambda: oak.publisher.health.state is HealthState.OK, "the welcome")
        for broker in (
            Broker("127.0.0.1", port, tls=True, ca_file=f"{tmp_path}/other.pem"),
            Broker("127.0.0.1", port),
        ):
            with told_table(tmp_path / "2.db", broker) as oak:
                until(lambda: oak.publisher.health.state is HealthState.FAULT, "the refusal")
    finally:
        encrypted.stop()


@pytest.mark.parametrize("host", ["", "mqtt..lan", "my broker", f"{'a' * 64}.lan"])
def test_a_broker_that_can_be_none_is_told(host: str, tmp_path: Path) -> None:
    with (
        pytest.raises(LinkFault, match="can be no broker's name"),
        told_table(tmp_path / "games.db", Broker(host)),
    ):
        pass


def test_a_port_that_can_be_none_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(LinkFault, match="check \\[mqtt\\]"),
        told_table(tmp_path / "games.db", Broker(port=0)),
    ):
        pass


def test_certificates_that_are_none_are_told(tmp_path: Path) -> None:
    nothing = tmp_path / "ca.pem"
    with (
        pytest.raises(LinkFault, match="these certificates cannot be used"),
        told_table(tmp_path / "games.db", Broker(tls=True, ca_file=str(nothing))),
    ):
        pass

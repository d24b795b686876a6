"""The list of rights in the docs, on a real broker: a table tells only of itself, a club only listens."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.mqtt.link import Broker
from companion.table.state import HealthState
from tests.conftest import ROOT
from tests.mqtt.mosquitto import Mosquitto, program, until
from tests.mqtt.told_table import told_table

NOT_AUTHORIZED = 0x87


def rights() -> str:
    """Return the block of the docs that begins with a pattern."""
    text = (ROOT / "docs" / "club.md").read_text(encoding="utf-8")
    (block,) = (
        found for found in re.findall(r"^ *```\n(.*?)^ *```", text, re.M | re.S) if "pattern write" in found
    )
    return re.sub(r"^ +", "", block, flags=re.M)


@pytest.fixture
def guarded(tmp_path: Path) -> Any:
    """Yield a broker with these rights, and users oak, elm and club."""
    passwords, acl = tmp_path / "passwords", tmp_path / "acl"
    passwords.touch(0o600)
    for user in ("oak", "elm", "club"):
        tool = program("mosquitto_passwd", "mosquitto")
        subprocess.run([tool, "-b", passwords, user, "acorn"], check=True, capture_output=True)
    acl.write_text(rights())
    acl.chmod(0o600)
    folder = tmp_path / "broker"
    folder.mkdir()
    broker = Mosquitto(folder, ("allow_anonymous false", f"password_file {passwords}", f"acl_file {acl}"))
    broker.start()
    yield broker
    broker.stop()


class User:
    """Somebody at the broker, and what was heard and answered."""

    def __init__(self, broker: Mosquitto, name: str, listens: str) -> None:
        self.heard: list[str] = []
        self.answers: dict[int, int] = {}
        self.ready = False
        self.client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self.client.username_pw_set(name, "acorn")
        self.client.on_connect = lambda client, *_: client.subscribe(listens, qos=1)
        self.client.on_subscribe = lambda *_: setattr(self, "ready", True)
        self.client.on_message = lambda _client, _data, message: self.heard.append(message.topic)
        self.client.on_publish = lambda _client, _data, mid, code, _more: self.answers.update(
            {mid: code.value}
        )
        self.client.connect("127.0.0.1", broker.port)
        self.client.loop_start()
        until(lambda: self.ready, f"{name} is at the broker")

    def publish(self, topic: str) -> int:
        """Say something; return what the broker answers."""
        mid = self.client.publish(topic, "{}", qos=1).mid
        until(lambda: mid in self.answers, "the answer")
        return self.answers[mid]

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


def test_a_table_tells_only_of_itself_and_the_club_only_listens(guarded: Mosquitto, tmp_path: Path) -> None:
    club, elm = User(guarded, "club", "companion/#"), User(guarded, "elm", "companion/#")
    try:
        with told_table(tmp_path / "games.db", Broker("127.0.0.1", guarded.port, "oak", "acorn")) as oak:
            game = oak.wins(1)
            until(lambda: f"companion/v1/oak/games/{game}" in club.heard, "the club hears of the game")
            until(lambda: oak.due == [], "the outbox is empty")
            assert oak.publisher.health.state is HealthState.OK
        assert {"companion/v1/oak/availability", "companion/v1/oak/state"} <= set(club.heard)
        assert elm.heard == []
        for user, topic in (
            (elm, "companion/v1/oak/state"),
            (club, "companion/v1/oak/games/x"),
            (elm, "homeassistant/status"),
        ):
            assert user.publish(topic) == NOT_AUTHORIZED
        assert elm.publish("companion/v1/elm/state") != NOT_AUTHORIZED
    finally:
        club.close()
        elm.close()

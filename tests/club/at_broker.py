"""A club at a real broker, and somebody who can say anything there."""

from __future__ import annotations

import json
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.club.running import Club, Wanted
from companion.mqtt.topics import Topics
from tests.mqtt.mosquitto import Mosquitto


def wanted(mosquitto: Mosquitto, database: str) -> Wanted:
    return Wanted(database=database, broker=mosquitto.broker, host="127.0.0.1", port=0)


def counted(club: Club) -> list[str]:
    return [result.game_id for result in club.book.results()]


class Speaker:
    """Somebody who can say anything to the broker."""

    def __init__(self, mosquitto: Mosquitto) -> None:
        self.client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self.client.connect("127.0.0.1", mosquitto.port)
        self.client.loop_start()

    def says(self, topic: str, what: Any) -> None:
        """Say it, and wait until the broker has it."""
        payload = what if isinstance(what, bytes) else json.dumps(what)
        self.client.publish(topic, payload, qos=1).wait_for_publish(60)

    def delivers(self, game: dict[str, Any]) -> None:
        self.says(Topics("companion", game["table"]).game(game["game"]), game)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

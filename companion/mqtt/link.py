"""The link to a broker: it comes and goes by itself, and nobody who speaks ever waits for it."""

from __future__ import annotations

import json
import logging
import queue
import ssl
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.mqtt.address import is_host
from companion.mqtt.rivals import FIRST_AGAIN_S, LAST_AGAIN_S, Rivals

LOG = logging.getLogger(__name__)
KEEP_ALIVE_S = 30
MOST_BYTES = 1 << 20
"""The largest packet that is taken from a broker."""

FAREWELL_S, LEAVE_S = 1.0, 3.0
"""How long a broker may take to hear the last word, and how long the leaving may take then."""

NOBODY_LISTENS = 0x10
"""What a broker answers where nobody is subscribed (MQTT 5, 3.4.2.1)."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Where the broker is, and how it knows us."""

    host: str = "127.0.0.1"
    port: int = 1883
    user: str = ""
    password: str = ""
    tls: bool = False
    ca_file: str = ""
    """Certificates to trust (PEM), or nothing: those of the system."""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class LinkFault(Exception):
    """The link can not be set up as the settings say; the message is the sentence for people."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Up:
    """The broker has taken us in."""


@dataclass(frozen=True, slots=True)
class Down:
    """It has not, or not any more; `why` is for people."""

    why: str
    taken_over: bool = False
    """Whether somebody else seems to come under the same name."""


@dataclass(frozen=True, slots=True)
class Deaf:
    """It has taken us in, but does not let us listen to this topic."""

    topic: str
    why: str


@dataclass(frozen=True, slots=True)
class Taken:
    """It answered a message that was to be acknowledged; `code` from 0x80 on is a refusal."""

    mid: int
    code: int
    why: str


@dataclass(frozen=True, slots=True)
class Heard:
    """Something was said on a topic that was subscribed to."""

    topic: str
    text: bytes


News = Up | Down | Deaf | Taken | Heard


def client_of(broker: Broker, client_id: str, *, manual_ack: bool = False) -> Client:
    """Return a client that speaks MQTT 5 to `broker`, not connected yet.

    Raises:
        LinkFault: the broker's name can be none, or the certificates can not be used.
    """
    if not is_host(broker.host):
        raise LinkFault(f"'{broker.host}' can be no broker's name or address; check [mqtt] host.")
    client = Client(
        CallbackAPIVersion.VERSION2,
        client_id=client_id,
        protocol=MQTTProtocolVersion.MQTTv5,
        manual_ack=manual_ack,
    )
    client.reconnect_delay_set(FIRST_AGAIN_S, LAST_AGAIN_S)
    if broker.user:
        client.username_pw_set(broker.user, broker.password or None)
    if broker.tls:
        client.tls_set_context(tls_of(broker))
    return client


def tls_of(broker: Broker) -> ssl.SSLContext:
    """Return what a broker's proof is judged by.

    Raises:
        LinkFault: the certificates can not be used.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        if broker.ca_file:
            context.load_verify_locations(broker.ca_file)
        else:
            context.load_default_certs()
    except (OSError, ssl.SSLError) as error:
        raise LinkFault(f"{broker.ca_file}: these certificates cannot be used ({error}).") from error
    return context


def leave(client: Client, within_s: float = LEAVE_S) -> None:
    """Disconnect and end the client's thread; one that is stuck at the broker is left to itself."""

    def end() -> None:
        client.disconnect()
        client.loop_stop()

    leaving = threading.Thread(target=end, name="mqtt-leaving", daemon=True)
    leaving.start()
    leaving.join(within_s)
    if leaving.is_alive():
        LOG.warning("the broker is stuck; it is not waited for")


class Link:
    """One client of a broker; what happens comes out of `news`, in order, for one reader."""

    def __init__(
        self, broker: Broker, client_id: str, *, will: tuple[str, str], listens_to: str | None = None
    ) -> None:
        """Make it; `will` is topic and retained text for when we are gone without a word.

        Raises:
            LinkFault: it can not be set up so.
        """
        self.news: queue.SimpleQueue[News] = queue.SimpleQueue()
        self._listens_to = listens_to
        self._broker = broker
        self._refused = False
        self._client = client = client_of(broker, client_id)
        self._rivals = Rivals(client)
        client.will_set(*will, qos=1, retain=True)
        client.on_connect = self._connected
        client.on_connect_fail = self._not_reached
        client.on_disconnect = self._gone
        client.on_subscribe = self._subscribed
        client.on_publish = self._taken
        client.on_message = self._heard

    def open(self) -> None:
        """Begin to connect, in a thread of its own, again and again until it is closed.

        Raises:
            LinkFault: there can be no such broker.
        """
        try:
            self._client.connect_async(self._broker.host, self._broker.port, KEEP_ALIVE_S, clean_start=True)
        except ValueError as error:
            raise LinkFault(f"{self._broker}: this can be no broker ({error}); check [mqtt].") from error
        self._client.loop_start()

    def say(self, topic: str, message: Mapping[str, Any] | str, *, retain: bool = False) -> None:
        """Say something now, or never: it is gone where there is no link."""
        self._client.publish(topic, _text(message), qos=0, retain=retain)

    def hand_over(self, topic: str, message: Mapping[str, Any]) -> int | None:
        """Hand over what the broker shall acknowledge; return what `Taken` will name, None if it can not."""
        info = self._client.publish(topic, _text(message), qos=1)
        return (
            info.mid if info.rc in (MQTTErrorCode.MQTT_ERR_SUCCESS, MQTTErrorCode.MQTT_ERR_NO_CONN) else None
        )

    def close(self, topic: str, text: str) -> None:
        """Say a last retained word and leave."""
        if self._client.is_connected():
            last = self._client.publish(topic, text, qos=0, retain=True)
            try:
                last.wait_for_publish(FAREWELL_S)
            except (RuntimeError, ValueError):  # the link went away meanwhile: then the will says it
                LOG.info("the broker heard no farewell")
        leave(self._client)

    def _connected(
        self,
        client: Client,
        _data: object,
        _flags: ConnectFlags,
        code: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        if code.is_failure:
            self._refused = True
            self.news.put(Down(f"it refuses: {code}"))
            return
        self._rivals.came()
        if self._listens_to is not None:
            client.subscribe(self._listens_to, qos=0)
        self.news.put(Up())

    def _not_reached(self, _client: Client, _data: object) -> None:
        self._rivals.not_reached()
        self.news.put(Down("it does not answer"))

    def _subscribed(
        self,
        _client: Client,
        _data: object,
        _mid: int,
        codes: Sequence[ReasonCode],
        _properties: Properties | None,
    ) -> None:
        for code in codes:
            if code.is_failure:
                self.news.put(Deaf(self._listens_to or "", str(code)))

    def _gone(
        self,
        _client: Client,
        _data: object,
        _flags: DisconnectFlags,
        code: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        # After a refusal the line is closed, which says less than the refusal did.
        refused, self._refused = self._refused, False
        if not refused:
            self.news.put(Down(str(code), self._rivals.went(code)))

    def _taken(
        self, _client: Client, _data: object, mid: int, code: ReasonCode, _properties: Properties | None
    ) -> None:
        self.news.put(Taken(mid, code.value, str(code)))

    def _heard(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        self.news.put(Heard(message.topic, bytes(message.payload)))


def _text(message: Mapping[str, Any] | str) -> str:
    return (
        message
        if isinstance(message, str)
        else json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    )

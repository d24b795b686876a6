"""The receiver: follows the broker in a lasting session, and says that it has a game once it is stored."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from typing import Self

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.club.book import Book
from companion.club.hearing import Hearing
from companion.club.results import Refusal
from companion.club.storing import Arrived, Storing
from companion.club.wall import Line
from companion.mqtt.link import KEEP_ALIVE_S, MOST_BYTES, Broker, client_of, leave
from companion.mqtt.rivals import Rivals
from companion.mqtt.topics import filters

LOG = logging.getLogger(__name__)
SESSION_S = 60 * 60 * 24 * 60
"""How long the broker keeps what comes while the club is away: sixty days."""

LOG_AGAIN_S = 10.0
"""Of refusals by one table, one is logged in so many seconds: a log must not be flooded."""


class Receiver:
    """Receives until it is closed."""

    def __init__(self, broker: Broker, client_id: str, prefix: str, hearing: Hearing, book: Book) -> None:
        """Make it; `client_id` names the session.

        Raises:
            LinkFault: the link can not be set up as the settings say.
        """
        self._broker = broker
        self._prefix = prefix
        self._hearing = hearing
        self._storing = Storing(book, self._acknowledge)
        self._closing = threading.Event()
        self._refused: dict[str, tuple[float, int]] = {}
        self._following = Line.AWAY
        self._line = 0
        """Counts the connections."""
        self._client = client = client_of(broker, client_id, manual_ack=True)
        self._rivals = Rivals(client)
        client.on_connect = self._welcomed
        client.on_disconnect = self._gone
        client.on_connect_fail = self._not_reached
        client.on_subscribe = self._subscribed
        client.on_message = self._heard

    @property
    def is_connected(self) -> bool:
        """Whether the broker tells us what is said."""
        return self._following is Line.FOLLOWED

    def start(self) -> Self:
        """Begin; a broker that is away is tried again and again."""
        session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        session.SessionExpiryInterval = SESSION_S
        session.MaximumPacketSize = MOST_BYTES
        self._client.connect_async(
            self._broker.host, self._broker.port, KEEP_ALIVE_S, clean_start=False, properties=session
        )
        self._storing.start()
        self._client.loop_start()
        return self

    def close(self) -> None:
        """Leave the broker, which keeps what comes from now on; what is not stored yet comes again."""
        if self._closing.is_set():
            return
        self._closing.set()
        leave(self._client)
        self._storing.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _welcomed(
        self,
        client: Client,
        _data: object,
        flags: ConnectFlags,
        code: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        if code.is_failure:
            LOG.error("the broker at %s refuses the club: %s", self._broker, code)
            self._follow(Line.REFUSED)
            return
        LOG.info("the broker at %s is followed%s", self._broker, " on" if flags.session_present else "")
        self._rivals.came()
        client.subscribe(list(filters(self._prefix)))

    def _subscribed(
        self,
        _client: Client,
        _data: object,
        _mid: int,
        codes: Sequence[ReasonCode],
        _properties: Properties | None,
    ) -> None:
        denied = [
            f"{topic} ({code})"
            for (topic, _), code in zip(filters(self._prefix), codes, strict=False)
            if code.is_failure
        ]
        if denied:
            LOG.error("the broker does not let the club listen to %s; give it the right", ", ".join(denied))
        self._follow(Line.DENIED if denied else Line.FOLLOWED)

    def _not_reached(self, _client: Client, _data: object) -> None:
        LOG.warning("no broker at %s yet", self._broker)
        self._rivals.not_reached()
        self._follow(Line.AWAY)

    def _follow(self, line: Line) -> None:
        self._following = line
        self._hearing.line(line)

    def _gone(
        self,
        _client: Client,
        _data: object,
        _flags: DisconnectFlags,
        code: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        self._line += 1
        if self._following is not Line.REFUSED:  # which says more than that the line was closed after it
            self._follow(Line.TAKEN_OVER if self._rivals.went(code) else Line.AWAY)
        if not self._closing.is_set():
            LOG.warning("the broker at %s is away (%s)", self._broker, code)

    def _heard(self, client: Client, _data: object, message: MQTTMessage) -> None:
        """Take a message; whatever is in it, the next one is heard as well."""
        topic = "?"
        try:
            topic = message.topic
            delivery = self._hearing.hear(topic, bytes(message.payload))
        except Refusal as refusal:
            self._refuse(topic, str(refusal))
        except UnicodeDecodeError:
            self._refuse(topic, "its topic is no text")
        except Exception:  # a message must never end the hearing
            LOG.exception("a message on %r could not be taken; a game waits at the broker", topic)
            return
        else:
            if delivery is not None:
                self._storing.put(Arrived(delivery, message.mid, self._line))
                return
        if message.qos:
            client.ack(message.mid, message.qos)  # it will not be better when it comes again

    def _refuse(self, topic: str, why: str) -> None:
        now_s = time.monotonic()
        who = "/".join(topic.split("/")[:3])
        if len(self._refused) > 1000:
            self._refused.clear()
        last_s, more = self._refused.get(who, (-LOG_AGAIN_S, 0))
        if now_s - last_s < LOG_AGAIN_S:
            self._refused[who] = (last_s, more + 1)
            return
        LOG.warning("refused on %r: %s%s", topic[:120], why, f" ({more} more like it)" if more else "")
        self._refused[who] = (now_s, 0)

    def _acknowledge(self, arrived: Arrived) -> None:
        """Say that a game is stored; one that came by an earlier connection comes again by itself."""
        if arrived.line == self._line:
            self._client.ack(arrived.mid, 1)

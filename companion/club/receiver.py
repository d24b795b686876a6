"""The receiver: follows the broker in a lasting session, and says that it has a game once it is stored."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.club.book import Book
from companion.club.database import DatabaseFault
from companion.club.hearing import Hearing
from companion.club.ledger import Kept
from companion.club.results import Delivery, Refusal
from companion.mqtt.link import KEEP_ALIVE_S, MOST_BYTES, Broker, client_of
from companion.mqtt.topics import filters

LOG = logging.getLogger(__name__)
SESSION_S = 60 * 60 * 24 * 60
"""How long the broker keeps what comes while the club is away: sixty days."""

MOST_AT_ONCE = 50
"""Games stored in one transaction."""

FIRST_AGAIN_S, LAST_AGAIN_S = 1.0, 60.0
"""How long the storing waits when the database can not be used; twice as long each time."""

LOG_AGAIN_S = 10.0
"""Of refusals by one table, one is logged in so many seconds: a log must not be flooded."""


@dataclass(frozen=True, slots=True)
class _Arrived:
    """A game that is to be stored, and what the broker is told then."""

    delivery: Delivery
    mid: int


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
        self._book = book
        self._arrived: queue.SimpleQueue[_Arrived | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._refused: dict[str, tuple[float, int]] = {}
        self._connected = False
        self._client = client = client_of(broker, client_id, manual_ack=True)
        client.on_connect = self._welcomed
        client.on_disconnect = self._gone
        client.on_connect_fail = lambda *_: LOG.warning("no broker at %s yet", broker)
        client.on_message = self._heard
        self._thread = threading.Thread(target=self._store, name="club-ledger", daemon=True)

    @property
    def is_connected(self) -> bool:
        """Whether the broker tells us what is said."""
        return self._connected

    def start(self) -> Self:
        """Begin; a broker that is away is tried again and again."""
        session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        session.SessionExpiryInterval = SESSION_S
        session.MaximumPacketSize = MOST_BYTES
        self._client.connect_async(
            self._broker.host, self._broker.port, KEEP_ALIVE_S, clean_start=False, properties=session
        )
        self._thread.start()
        self._client.loop_start()
        return self

    def close(self) -> None:
        """Leave the broker, which keeps what comes from now on; what is not stored yet comes again."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._client.disconnect()
        self._client.loop_stop()
        self._arrived.put(None)
        self._thread.join(5.0)

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
            return
        LOG.info("the broker at %s is followed%s", self._broker, " on" if flags.session_present else "")
        client.subscribe(list(filters(self._prefix)))
        self._connected = True
        self._hearing.reached()

    def _gone(
        self,
        _client: Client,
        _data: object,
        _flags: DisconnectFlags,
        code: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        self._connected = False
        self._hearing.lost()
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
            LOG.exception("a message on %r could not be taken", topic)
        else:
            if delivery is not None:
                self._arrived.put(_Arrived(delivery, message.mid))
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

    def _store(self) -> None:
        while (first := self._arrived.get()) is not None:
            batch = [first]
            while len(batch) < MOST_AT_ONCE and not self._arrived.empty():
                more = self._arrived.get()
                if more is None:
                    return
                batch.append(more)
            if not self._stored(batch):
                return

    def _stored(self, batch: Sequence[_Arrived]) -> bool:
        """Store these, however long the database is away; False where the club closes before."""
        pause_s = FIRST_AGAIN_S
        while True:
            try:
                kept = self._book.store([one.delivery for one in batch])
            except DatabaseFault as fault:
                if fault.of_data:
                    return self._stored_apart(batch, fault)
                LOG.error("finished games wait at the broker: %s", fault.sentence)
            except Exception as defect:  # one game must not keep all others from being stored
                LOG.exception("storing failed")
                return self._stored_apart(batch, defect)
            else:
                self._acknowledge(batch, kept)
                return True
            if self._closing.wait(pause_s):
                return False
            pause_s = min(2 * pause_s, LAST_AGAIN_S)

    def _stored_apart(self, batch: Sequence[_Arrived], why: Exception) -> bool:
        """Store one by one, where something in a batch can not be stored; that one alone is refused."""
        if len(batch) > 1:
            return all(self._stored([one]) for one in batch)
        (one,) = batch
        LOG.warning("refused game %s of %s: %s", one.delivery.game_id, one.delivery.table, why)
        self._client.ack(one.mid, 1)
        return True

    def _acknowledge(self, batch: Sequence[_Arrived], kept: Sequence[Kept]) -> None:
        for one, what in zip(batch, kept, strict=True):
            if what is Kept.FOREIGN:
                LOG.warning(
                    "refused game %s of %s: it is another table's", one.delivery.game_id, one.delivery.table
                )
            self._client.ack(one.mid, 1)

"""The publisher: one thread that follows the table and tells the broker; the table never waits for it."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Protocol, Self

from companion.mqtt.discovery import BIRTH, birth_topic, discovery_message, discovery_topic
from companion.mqtt.link import NOBODY_LISTENS, Broker, Deaf, Down, Heard, Link, News, Taken, Up
from companion.mqtt.outbox import (
    NOTHING_TOLD,
    Due,
    Message,
    OutboxFault,
    OutboxStore,
    message_again,
    messages_due,
)
from companion.mqtt.patience import AGAIN_S, Patience
from companion.mqtt.telling import Speaker, event_messages, health_message, state_message
from companion.mqtt.topics import OFFLINE, ONLINE, Topics
from companion.table.phase import Phase
from companion.table.snapshot import Snapshot
from companion.table.state import Health, HealthState

LOG = logging.getLogger(__name__)
LOOK_S = 0.5
"""How often the broker's news are looked at while the table shows nothing new."""

REPEATED_FOR = timedelta(hours=24)
"""Games delivered so recently are delivered again when the link comes back: a broker that was killed has
forgotten what it had not written to its disk, which Mosquitto does every half hour."""

AWAY = (
    "The broker at {broker} cannot be spoken to ({why}). The table plays on, and finished games wait; check "
    "the broker and the section [mqtt] of the settings."
)
TAKEN_OVER = (
    "Another table seems to speak to the broker at {broker} under the id of this one, {table}, and only one "
    "of them is heard at a time. Give each an id of its own: [mqtt] table in its settings."
)
DEAF = (
    "The broker hears of what is played, but does not let the table listen to {topic} ({why}), where Home "
    "Assistant says that it has started. Give the table the right to read it, or set [mqtt] "
    "discovery = false."
)

MOST_UNDER_WAY = 10
CLOSE_S = 3.0
REFUSED = 0x80


class Watched(Protocol):
    """What of a table is looked at: that it can only be looked at is why nobody acts through the broker."""

    def snapshot(self) -> Snapshot:
        """Return what is true now."""

    def wait_newer(self, revision: int, timeout_s: float) -> Snapshot | None:
        """Return the snapshot once it differs from `revision`, or None after `timeout_s`."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a table speaks: under which prefix, and how Home Assistant is told, if at all."""

    prefix: str = "companion"
    discovery_prefix: str | None = "homeassistant"


class Publisher:
    """Publishes one table until it is closed."""

    def __init__(
        self,
        table: Watched,
        outbox: OutboxStore,
        speaker: Speaker,
        broker: Broker,
        manner: Manner | None = None,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Make it; `start` lets it begin.

        Raises:
            LinkFault: the link can not be set up so.
        """
        self._table = table
        self._outbox = outbox
        self._speaker = speaker
        self._broker = broker
        self._manner = manner or Manner()
        self._now = now
        self._topics = Topics(self._manner.prefix, speaker.table)
        prefix = self._manner.discovery_prefix
        self._birth = None if prefix is None else birth_topic(prefix)
        self._link = Link(
            broker,
            f"companion-{speaker.table}",
            will=(self._topics.availability, OFFLINE),
            listens_to=self._birth,
        )
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="mqtt", daemon=True)
        self._shown = table.snapshot()
        self._up = False
        self._health = Health(HealthState.STARTING, f"The broker at {broker} was not reached yet.")
        self._under_way: dict[int, Message] = {}
        self._repeats: list[Due] = []
        self._patience = Patience()
        self._again_s: float | None = 0.0
        """When the outbox is looked at next (monotonic); None: when something happens."""

    @property
    def health(self) -> Health:
        """How the link is; of one that is well it says, too, whether and why games wait."""
        health, waiting = self._health, self._patience.health
        return waiting if health.state is HealthState.OK and waiting.sentence is not None else health

    def start(self) -> Self:
        """Begin; what goes wrong from now on is logged and tried again."""
        self._link.open()
        self._thread.start()
        return self

    def close(self) -> None:
        """Say that the table leaves, and end; may be called again."""
        if self._closing.is_set():
            return
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)
        self._link.close(self._topics.availability, OFFLINE)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _follow(self) -> None:
        while not self._closing.is_set():
            try:
                self._turn()
            except OutboxFault as fault:
                LOG.warning("finished games wait: %s", fault.sentence)
                self._again_s = monotonic() + AGAIN_S
            except Exception:  # the table plays on whatever is wrong here, and so does the next message
                LOG.exception("telling the broker failed")
                self._again_s = monotonic() + AGAIN_S
                self._closing.wait(LOOK_S)

    def _turn(self) -> None:
        """Wait a moment for something new at the table; tell it, and do what the broker's news ask for."""
        newer = self._table.wait_newer(self._shown.revision, LOOK_S)
        while (news := self._next_news()) is not None:
            self._hear(news)
        if newer is not None:
            before, self._shown = self._shown, newer
            if _may_have_ended(before, newer):
                self._again_s = monotonic()
            if self._up:
                self._tell(before, newer)
        if self._up and self._again_s is not None and monotonic() >= self._again_s:
            self._deliver()

    def _next_news(self) -> News | None:
        try:
            return self._link.news.get_nowait()
        except queue.Empty:
            return None

    def _hear(self, news: News) -> None:
        match news:
            case Up():
                LOG.info("the broker at %s has this table as %s", self._broker, self._speaker.table)
                self._up = True
                self._health = Health(HealthState.OK)
                self._introduce()
                self._repeat()
            case Down():
                if self._up or self._health.state is HealthState.STARTING:
                    LOG.warning(
                        "no broker at %s (%s); the table plays on, finished games wait",
                        self._broker,
                        news.why,
                    )
                self._up = False
                sentence = TAKEN_OVER if news.taken_over else AWAY
                self._health = Health(
                    HealthState.FAULT,
                    sentence.format(broker=self._broker, table=self._speaker.table, why=news.why),
                )
            case Deaf():
                LOG.warning("the broker does not let this table listen to %s: %s", news.topic, news.why)
                self._health = Health(HealthState.OK, DEAF.format(topic=news.topic, why=news.why))
            case Taken():
                self._taken(news)
            case Heard():
                # The one thing that is listened to; whatever else it says means nothing here.
                if news.topic == self._birth and news.text == BIRTH.encode():
                    self._introduce()

    def _introduce(self) -> None:
        """Tell all that stays true: for a broker, or a Home Assistant, that knows nothing yet."""
        prefix, at = self._manner.discovery_prefix, self._at()
        if prefix is not None:
            device = discovery_message(self._speaker, self._topics)
            self._link.say(discovery_topic(prefix, self._speaker.table), device, retain=True)
        self._link.say(self._topics.availability, ONLINE, retain=True)
        self._link.say(self._topics.health, health_message(self._speaker, self._shown, at), retain=True)
        self._link.say(self._topics.state, state_message(self._speaker, self._shown, at), retain=True)

    def _tell(self, before: Snapshot, after: Snapshot) -> None:
        at = self._at()
        for event in event_messages(self._speaker, before, after, at):
            self._link.say(self._topics.events, event)
        if after.health != before.health:
            self._link.say(self._topics.health, health_message(self._speaker, after, at), retain=True)
        self._link.say(self._topics.state, state_message(self._speaker, after, at), retain=True)

    def _repeat(self) -> None:
        """Let what was delivered of late be delivered again, after what is due."""
        self._repeats = list(self._outbox.delivered_since(self._now() - REPEATED_FOR))
        self._patience.begin_anew()
        self._again_s = monotonic()

    def _deliver(self) -> None:
        """Hand over what is due, so many at a time; the broker's answers lead on."""
        self._again_s = None
        most = 1 if self._patience.nobody_listens else MOST_UNDER_WAY
        for message in self._waiting():
            mid = self._link.hand_over(self._topics.game(message.game_id), message.body)
            if mid is None:
                self._again_s = monotonic() + AGAIN_S
                return
            self._under_way[mid] = message
            if len(self._under_way) >= most:
                return
        self._patience.only_these_wait({message.game_id for message in self._under_way.values()})
        if self._patience.set_back:
            self._patience.set_back.clear()
            self._again_s = self._later()

    def _waiting(self) -> Iterator[Message]:
        """Yield what may be handed over now: what is due, then what is repeated."""
        at = self._now()
        passing_over = self._patience.set_back | {message.game_id for message in self._under_way.values()}
        yield from messages_due(self._outbox, self._speaker, at, passing_over)
        while self._repeats:
            due = self._repeats.pop(0)
            again = (
                None if due.game_id in passing_over else message_again(self._outbox, self._speaker, due, at)
            )
            if again is not None:
                yield again

    def _taken(self, news: Taken) -> None:
        message = self._under_way.pop(news.mid, None)
        if message is None:
            return
        if news.code == NOBODY_LISTENS:
            self._patience.nobody_heard()
            LOG.info("finished games wait: nobody listens for them at the broker yet")
            if message.digest != NOTHING_TOLD:
                # Also one that was repeated: the broker, or who listened there, has forgotten it for good.
                self._outbox.forget(message.game_id)
            self._again_s = self._later()
            return
        if news.code >= REFUSED:
            LOG.warning("the broker refuses game %s: %s", message.game_id, news.why)
            self._patience.refused(message.game_id, news.why)
        else:
            self._patience.accepted(message.game_id)
            self._outbox.note(message.game_id, message.version, message.digest, self._now())
            LOG.info("game %s is delivered", message.game_id)
        self._again_s = monotonic()

    def _later(self) -> float:
        """Return when to try again, each time after a longer pause."""
        return monotonic() + self._patience.pause_s()

    def _at(self) -> str:
        return self._now().isoformat(timespec="milliseconds")


def _may_have_ended(before: Snapshot, after: Snapshot) -> bool:
    """Tell whether a game may be over, other than it was, or not any more."""
    return Phase.OVER in (before.phase, after.phase) and _mark(before) != _mark(after)


def _mark(snapshot: Snapshot) -> object:
    game = snapshot.game
    return None if game is None else (game.game_id, snapshot.phase, snapshot.revision)

"""The conductor: the one writer, which decides, keeps, and only then publishes; all others read snapshots."""

from __future__ import annotations

import logging
import queue
import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, replace
from typing import Self

from companion.game.cards import Card
from companion.game.events import Event, Reveal
from companion.game.record import BadLine, Terms, card_from_json
from companion.table.card_sight import asked_of, watch_of
from companion.table.card_watch import GLANCE_S, CardWatch, Glance
from companion.table.decide import (
    Decision,
    HealthChanged,
    Inner,
    ReadingArrived,
    ReadingFailed,
    Tick,
    decide,
    next_lapse_s,
    opened,
)
from companion.table.decision import Moment
from companion.table.entries import Entry, Happened, entry_to_json
from companion.table.intents import Intent
from companion.table.log import replayed
from companion.table.ports import (
    Camera,
    CardEye,
    Clock,
    Frame,
    Journal,
    JournalFault,
    LedPattern,
    Leds,
    Reader,
)
from companion.table.showing import snapshot_of
from companion.table.snapshot import Snapshot
from companion.table.state import Health, HealthState, Pending, Setup, TableState
from companion.table.watching import Watching

LOG = logging.getLogger(__name__)
ANSWER_DEADLINE_S = 5.0
"""How long an intent may wait for its answer; a disk that takes longer is told about."""
CLOSE_DEADLINE_S = 2.0
TICK_AGAIN_S = 1.0
"""How long to wait before what lapsed, and could not be kept so, is tried again."""
DARK = (LedPattern.OFF, LedPattern.OFF, LedPattern.OFF)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to an intent: whether it was accepted, why not, and what is true now."""

    accepted: bool
    code: str | None
    sentence: str | None
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class _Request:
    """An intent in the queue, the revision it saw, and where its answer goes."""

    intent: Intent | Inner
    seen: int | None
    answer: Future[Outcome] | None


@dataclass(frozen=True, slots=True)
class _Job:
    """A picture to be taken and read for the press `token`."""

    token: int


class Table:
    """One table: give it its ports, `start()` it, submit intents, read snapshots, `close()` it."""

    def __init__(
        self,
        journal: Journal,
        reader: Reader | None,
        camera: Camera | None,
        leds: Leds,
        clock: Clock,
        *,
        setup: Setup | None = None,
        deck: Sequence[Card] = (),
        eye: CardEye | None = None,
        glance: Glance | None = None,
        glance_s: float = GLANCE_S,
        token: Callable[[], str] = secrets.token_hex,
    ) -> None:
        """Make a table; without a camera or a reader, throws are typed on a phone.

        `deck` holds cards to offer that were not met yet. With an `eye` the camera names the cards it knows:
        at each press, and with a `glance` (a picture taken at any time) also when one is uncovered.

        Raises:
            LogError: the journal's entries make no game.
            JournalFault: they can not be read.
        """
        self._journal = journal
        self._leds = leds
        self._clock = clock
        self._token = token
        has_camera = camera is not None and reader is not None
        self._cards = CardWatch(eye, glance, glance_s) if eye is not None and has_camera else None
        self._watching = Watching(camera, reader, self._report, self._cards)
        told = replace(
            setup or Setup(),
            has_camera=has_camera,
            reads_cards=self._cards is not None,
            glances=self._cards is not None and glance is not None,
        )
        log, revision = replayed(journal.entries())
        camera_state = HealthState.OK if told.has_camera else HealthState.ABSENT
        health = {"camera": Health(camera_state), "journal": Health(HealthState.OK)}
        if self._cards is not None:
            health["cards"] = Health(HealthState.OK)
        self._state = TableState(told, log, revision, revision, health=health)
        self._snapshot = snapshot_of(self._state)
        self._known = _known_cards(journal, told.colours)
        self._deck = tuple(deck)
        self._picture: tuple[str, Frame] | None = None
        self._changed = threading.Condition()
        self._queue: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="table-writer", daemon=True)
        self._lapsed_s: float | None = None
        self._lit = DARK
        self._closed = False

    def start(self) -> Self:
        """Show the table as the journal left it, and begin to take intents.

        Raises:
            JournalFault: nothing can be kept.
        """
        self._keep_and_publish(opened(self._state))
        self._writer.start()
        self._watching.start()
        return self

    def close(self) -> None:
        """Stop taking intents, let the camera go, turn the LEDs off; may be called again."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        if self._writer.is_alive():
            self._writer.join(CLOSE_DEADLINE_S)
        self._turn_away()
        self._watching.close(CLOSE_DEADLINE_S)
        self._leds.show(DARK)
        with self._changed:
            self._changed.notify_all()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def terms(self) -> Terms:
        """Seats and colours that intents are parsed with (`companion.table.intents.parse_intent`)."""
        sitting = self._state.log.playing
        return Terms(colours=self._state.setup.colours) if sitting is None else sitting.terms

    def snapshot(self) -> Snapshot:
        """Return what is true now."""
        return self._snapshot

    def wait_newer(self, revision: int, timeout_s: float) -> Snapshot | None:
        """Return the snapshot once it differs from `revision`, or None after `timeout_s` or when closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._snapshot.revision != revision, timeout_s)
            return self._snapshot if self._snapshot.revision != revision else None

    def submit(self, intent: Intent, revision: int | None = None) -> Outcome:
        """Ask for something and wait for the answer; `revision` is the one that was seen by who asks."""
        return self._ask(_Request(intent, revision, Future()))

    def answers(self) -> bool:
        """Tell whether the writer still turns: False when it is wedged, after `ANSWER_DEADLINE_S`."""
        return self._ask(_Request(Tick(), None, Future())).accepted

    def report_health(self, device: str, health: Health) -> None:
        """Say how a device is; it appears in the snapshot's `health`."""
        self._report(HealthChanged(device, health))

    def picture(self) -> tuple[str, Frame] | None:
        """Return id and frame of the last reading's picture, if there was one since the start."""
        return self._picture

    def look(self, look: str) -> bytes | None:
        """Return the picture of a card that is asked about (JPEG), None where it is not held any more."""
        return None if self._cards is None else self._cards.jpeg(look)

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return the cards in front of `seat`, for that player's eyes; () where there is no such seat."""
        sitting = self._state.log.playing
        hands: Sequence[tuple[Card, ...]] = () if sitting is None else sitting.state.hands
        return hands[seat] if 0 <= seat < len(hands) else ()

    def drawn(self, seat: int) -> Card | None:
        """Return the card that the companion drew blind for `seat`, for that player's eyes only, or None."""
        sitting = self._state.log.playing
        if sitting is None or sitting.drawn is None or sitting.state.seat != seat:
            return None
        return sitting.drawn.card

    def record(self) -> tuple[Event, ...]:
        """Return the game's effective events (`companion.game.record.print_line` writes them), or ()."""
        sitting = self._state.log.playing
        return () if sitting is None else sitting.course.events()

    def known_cards(self) -> tuple[Card, ...]:
        """Return the cards met at this table, most recent first, then those of the deck."""
        return tuple(dict.fromkeys((*self._known, *self._deck)))

    def _ask(self, request: _Request) -> Outcome:
        assert request.answer is not None
        if self._closed:
            return self._closing()
        self._queue.put(request)
        self._turn_away()
        try:
            return request.answer.result(ANSWER_DEADLINE_S)
        except FutureTimeout:
            return self._refusal(
                "busy", "the table has not answered yet; look at what it shows before asking again"
            )

    def _turn_away(self) -> None:
        """Answer those who came while the table closed: no writer does it any more."""
        while self._closed and not self._writer.is_alive():
            try:
                request = self._queue.get_nowait()
            except queue.Empty:
                return
            if request is not None and request.answer is not None:
                request.answer.set_result(self._closing())

    def _closing(self) -> Outcome:
        return self._refusal("closed", "the table is closing")

    def _refusal(self, code: str, sentence: str) -> Outcome:
        return Outcome(False, code, sentence, self._snapshot)

    def _report(self, inner: Inner) -> None:
        self._queue.put(_Request(inner, None, None))

    def _write(self) -> None:
        while True:
            request = self._next()
            if request is None:
                return
            try:
                outcome = self._decided(request)
            except Exception as defect:  # one wrong answer must not stop play; the asker gets the defect
                LOG.exception("deciding %s failed", request.intent)
                if request.answer is not None:
                    request.answer.set_exception(defect)
                continue
            if request.answer is not None:
                request.answer.set_result(outcome)

    def _next(self) -> _Request | None:
        lapse_s = next_lapse_s(self._state)
        wait_s = None if lapse_s is None else max(0.0, lapse_s - self._clock.now_s())
        if wait_s == 0.0:
            # What has lapsed and is still there could not be kept, for instance on a full disk.
            wait_s = TICK_AGAIN_S if lapse_s == self._lapsed_s else 0.0
            self._lapsed_s = lapse_s
        try:
            return self._queue.get(timeout=wait_s)
        except queue.Empty:
            return _Request(Tick(), None, None)

    def _decided(self, request: _Request) -> Outcome:
        intent = request.intent
        if isinstance(intent, (ReadingArrived, ReadingFailed)):
            self._watching.done(intent.token)
        decision = decide(self._state, intent, Moment(self._clock.now_s(), self._token()), request.seen)
        try:
            self._keep_and_publish(decision)
        except JournalFault as fault:
            self._not_kept(intent, fault)
            return self._refusal("journal_fault", fault.sentence)
        if decision.refusal is not None:
            return self._refusal(decision.refusal.code, decision.refusal.sentence)
        return Outcome(True, None, None, self._snapshot)

    def _keep_and_publish(self, decision: Decision) -> None:
        """Keep first, then show: whatever anybody has seen outlives a power cut."""
        before, state = self._state, decision.state
        if state is before:
            return
        if decision.entries and state.health["journal"].state is not HealthState.OK:
            state = replace(state, health={**state.health, "journal": Health(HealthState.OK)})
        # Made first: what a defect keeps from being shown must not be kept either.
        snapshot = snapshot_of(state)
        if decision.entries:
            self._journal.append(*(entry_to_json(entry) for entry in decision.entries))
            self._remember(decision.entries)
        self._publish(state, snapshot)
        waiting = state.waiting
        if (
            isinstance(waiting, Pending)
            and waiting is not before.waiting
            and not self._watching.look(waiting.token, asked_of(state))
        ):
            self._report(ReadingFailed(waiting.token, "camera_stalled", self._watching.stalled_sentence))
        self._watching.watch(watch_of(state))
        if decision.lesson is not None:
            self._watching.learn(decision.lesson)

    def _publish(self, state: TableState, snapshot: Snapshot) -> None:
        if state.picture is not self._state.picture:
            self._picture = self._watching.frame(state.picture)
        self._state = state
        with self._changed:
            self._snapshot = snapshot
            self._changed.notify_all()
        if snapshot.leds != self._lit:
            self._lit = snapshot.leds
            self._leds.show(snapshot.leds)

    def _not_kept(self, intent: Intent | Inner, fault: JournalFault) -> None:
        """Say that nothing can be kept; a reading that should have become a throw waits instead."""
        LOG.warning("the journal cannot keep an entry: %s", fault.sentence)
        for inner in self._after_fault(intent, fault):
            decision = decide(self._state, inner, Moment(self._clock.now_s(), ""))
            if not decision.entries:
                self._keep_and_publish(decision)

    def _after_fault(self, intent: Intent | Inner, fault: JournalFault) -> list[Inner]:
        said: list[Inner] = [HealthChanged("journal", Health(HealthState.FAULT, fault.sentence))]
        if isinstance(intent, ReadingArrived):
            said.append(ReadingFailed(intent.token, "journal_fault", fault.sentence))
        return said

    def _remember(self, entries: Sequence[Entry]) -> None:
        happened = [event for entry in entries if isinstance(entry, Happened) for event in entry.events]
        cards = [event.card for event in happened if isinstance(event, Reveal)]
        if cards:
            self._known = tuple(dict.fromkeys((*reversed(cards), *self._known)))


def _known_cards(journal: Journal, colours: tuple[str, ...]) -> tuple[Card, ...]:
    """Return the journal's cards; those in colours that this table's dice do not have are left out."""
    cards = []
    for data in journal.known_cards():
        try:
            cards.append(card_from_json(data, colours))
        except BadLine:
            LOG.info("a known card does not fit this table's colours: %s", data)
    return tuple(cards)

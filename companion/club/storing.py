"""Storing: games that arrived go to the book in a thread of their own, and are acknowledged once kept."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

from companion.club.book import Book
from companion.club.database import DatabaseFault
from companion.club.ledger import Kept
from companion.club.results import Delivery

LOG = logging.getLogger(__name__)
MOST_AT_ONCE = 50
"""Games stored in one transaction."""

FIRST_AGAIN_S, LAST_AGAIN_S = 1.0, 60.0
"""How long the storing waits when something could not be stored; twice as long each time."""

CLOSE_S = 5.0


@dataclass(frozen=True, slots=True)
class Arrived:
    """A game that is to be stored, and what the broker calls its message."""

    delivery: Delivery
    mid: int
    line: int
    """Which of the connections it came by: in another one, `mid` may be another message."""

    @property
    def key(self) -> tuple[str, int, int]:
        """What stays the same where the broker sends it again in its next connection."""
        return self.delivery.game_id, self.delivery.version, self.mid


class Storing:
    """Stores until it is closed; what is not stored then was not acknowledged, and comes again.

    What the database refuses for what it is will never be stored, and is acknowledged with a line in the log.
    All else is tried until it is kept: a database that is away holds everything up, but a game at which a
    defect shows waits apart from the others.
    """

    def __init__(self, book: Book, acknowledge: Callable[[Arrived], None]) -> None:
        self._book = book
        self._acknowledge = acknowledge
        self._arrived: queue.SimpleQueue[Arrived | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="club-ledger", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def put(self, arrived: Arrived) -> None:
        """Have this stored."""
        self._arrived.put(arrived)

    def close(self) -> None:
        """End after what is being stored now."""
        self._closing.set()
        self._arrived.put(None)
        self._thread.join(CLOSE_S)

    def _run(self) -> None:
        left: dict[tuple[str, int, int], Arrived] = {}
        pause_s, again_s = FIRST_AGAIN_S, 0.0
        while (batch := self._next(max(0.0, again_s - monotonic()) if left else None)) is not None:
            if batch:
                left |= {one.key: one for one in self._rest_of(batch)}
            if left and monotonic() >= again_s:
                left = {key: one for key, one in left.items() if self._rest_of([one])}
                again_s = monotonic() + pause_s
                pause_s = min(2 * pause_s, LAST_AGAIN_S)
            if not left:
                pause_s = FIRST_AGAIN_S

    def _next(self, timeout_s: float | None) -> list[Arrived] | None:
        """Return what is to be stored now, nothing if `timeout_s` went by; None where it closes."""
        batch: list[Arrived] = []
        try:
            while len(batch) < MOST_AT_ONCE:
                one = self._arrived.get(block=not batch, timeout=timeout_s)
                if one is None:
                    return None
                batch.append(one)
        except queue.Empty:
            pass
        return None if self._closing.is_set() else batch

    def _rest_of(self, batch: Sequence[Arrived]) -> list[Arrived]:
        """Store these, however long the database is away; return what is still to be stored after all."""
        pause_s = FIRST_AGAIN_S
        while True:
            try:
                kept = self._book.store([one.delivery for one in batch])
            except DatabaseFault as fault:
                if fault.of_data:
                    return self._apart(batch) if len(batch) > 1 else self._refuse(batch[0], fault.sentence)
                LOG.error("finished games wait at the broker: %s", fault.sentence)
            except Exception:  # one game must not keep all others from being stored
                if len(batch) > 1:
                    return self._apart(batch)
                delivery = batch[0].delivery
                LOG.exception("game %s of %s waits, for storing it failed", delivery.game_id, delivery.table)
                return list(batch)
            else:
                for one, what in zip(batch, kept, strict=True):
                    if what is Kept.FOREIGN:
                        self._refuse(one, "it is another table's")
                    else:
                        self._acknowledge(one)
                return []
            if self._closing.wait(pause_s):
                return list(batch)
            pause_s = min(2 * pause_s, LAST_AGAIN_S)

    def _apart(self, batch: Sequence[Arrived]) -> list[Arrived]:
        """Store one by one, where something in a batch can not be stored."""
        return [left for one in batch for left in self._rest_of([one])]

    def _refuse(self, one: Arrived, why: str) -> list[Arrived]:
        """Have done with a game that can never be stored."""
        LOG.warning("refused game %s of %s: %s", one.delivery.game_id, one.delivery.table, why)
        self._acknowledge(one)
        return []

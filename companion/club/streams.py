"""The wall's streams: each screen is told what changed, a few times a second at most."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from time import monotonic

from companion.club.wall import Seen, Wall

LIMIT = 100
LOOK_S = 1.0
GATHER_S = 0.1
"""How long changes are gathered, to be told together: also of 200 tables there are ten news a second."""

HEARTBEAT_S = 10.0
LIFE_S = 900.0
RETRY_MS = 1500


class WallStreams:
    """Counts and feeds the open streams, as the server wants it (`companion.web.server.serve`)."""

    def __init__(self, wall: Wall, *, limit: int = LIMIT) -> None:
        self._wall = wall
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._open = 0
        self.limit = limit
        self.on_count: Callable[[int], None] | None = None

    def close(self) -> None:
        """Let every stream end; new ones are not begun. Idempotent."""
        self._closing.set()

    def enter(self) -> bool:
        """Take a place among the streams; False where all are taken or the server closes."""
        return not self._closing.is_set() and self._counted(1)

    def leave(self) -> None:
        """Give the place back."""
        self._counted(-1)

    def events(self, left: Callable[[], bool]) -> Iterator[str]:
        """Yield server-sent events: all tables, then those that changed, and signs of life."""
        began_s = said_s = monotonic()
        change, seen = self._wall.now()
        yield f"retry: {RETRY_MS}\n{_event('all', seen)}"
        while not (self._closing.is_set() or left() or monotonic() - began_s > LIFE_S):
            change_now, some = self._wall.newer(change, LOOK_S)
            if some:
                yield _event("some", some)
                change, said_s = change_now, monotonic()
                time.sleep(GATHER_S)
            elif monotonic() - said_s >= HEARTBEAT_S:
                yield _event("some", ())
                said_s = monotonic()

    def _counted(self, step: int) -> bool:
        with self._lock:
            if step > 0 and self._open >= self.limit:
                return False
            self._open += step
            if self.on_count is not None:
                self.on_count(self._open)
            return True


def _event(kind: str, seen: Sequence[Seen]) -> str:
    text = json.dumps([one.to_json() for one in seen], ensure_ascii=False, separators=(",", ":"))
    return f"event: {kind}\ndata: {text}\n\n"

"""The wall's streams: each screen is told what changed, a few times a second at most."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from time import monotonic

from companion.club.wall import Seen, Wall
from companion.web.streams import LOOK_S, RETRY_MS, Left, StreamPlaces

LIMIT = 100
GATHER_S = 0.1
"""How long changes are gathered, to be told together: also of 200 tables there are ten news a second."""

HEARTBEAT_S = 10.0


class WallStreams(StreamPlaces):
    """The streams of one wall."""

    def __init__(self, wall: Wall, *, limit: int = LIMIT) -> None:
        super().__init__(limit)
        self._wall = wall

    def events(self, left: Left) -> Iterator[str]:
        """Yield server-sent events: all tables, then those that changed, and signs of life."""
        began_s = said_s = monotonic()
        change, seen = self._wall.now()
        yield f"retry: {RETRY_MS}\n{_event('all', seen)}"
        while self.goes_on(began_s, left):
            change_now, some = self._wall.newer(change, LOOK_S)
            if some:
                yield _event("some", some)
                change, said_s = change_now, monotonic()
                time.sleep(GATHER_S)
            elif monotonic() - said_s >= HEARTBEAT_S:
                yield _event("some", ())
                said_s = monotonic()


def _event(kind: str, seen: Sequence[Seen]) -> str:
    text = json.dumps([one.to_json() for one in seen], ensure_ascii=False, separators=(",", ":"))
    return f"event: {kind}\ndata: {text}\n\n"

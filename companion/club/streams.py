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
        """Yield server-sent events: all tables, then those that changed, and signs of life.

        Before them stands whether the broker is followed, at first and whenever that changes.
        """
        began_s = said_s = monotonic()
        change, seen = self._wall.now()
        broker = self._wall.broker
        yield f"retry: {RETRY_MS}\n{_event('broker', broker)}{_tables('all', seen)}"
        while self.goes_on(began_s, left):
            change_now, some = self._wall.newer(change, LOOK_S)
            if change_now > change:
                before, broker = broker, self._wall.broker
                line = "" if broker == before else _event("broker", broker)
                yield line + _tables("some", some)
                change, said_s = change_now, monotonic()
                time.sleep(GATHER_S)
            elif monotonic() - said_s >= HEARTBEAT_S:
                yield _tables("some", ())
                said_s = monotonic()


def _tables(kind: str, seen: Sequence[Seen]) -> str:
    return _event(kind, [one.to_json() for one in seen])


def _event(kind: str, what: object) -> str:
    text = json.dumps(what, ensure_ascii=False, separators=(",", ":"))
    return f"event: {kind}\ndata: {text}\n\n"

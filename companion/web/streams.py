"""The event streams: each open phone is told the newest revision, and that the line is alive."""

import threading
from collections.abc import Callable, Iterator
from time import monotonic

from flask import Response, request

from companion.table.conductor import Table
from companion.web.errors import refusal

LOOK_S = 1.0
"""How often a waiting stream looks whether its phone has left or the server closes."""

LIFE_S = 900.0
"""A stream ends after this long; the browser opens it anew. So no line can be held for ever by nobody."""

RETRY_MS = 1500

Left = Callable[[], bool]


class StreamPlaces:
    """Counts the open streams; `on_count` is told the number of open ones as it changes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._open = 0
        self.on_count: Callable[[int], None] | None = None

    @property
    def count(self) -> int:
        """The number of streams open now."""
        return self._open

    @property
    def limit(self) -> int:
        """The number of streams that may be open at once."""
        return self._limit

    def close(self) -> None:
        """Let every stream end within a second; new ones are not begun. Idempotent."""
        self._closing.set()

    def enter(self) -> bool:
        """Take a place among the streams; False where all are taken or the server closes."""
        if self._closing.is_set():
            return False
        return self._counted(1)

    def leave(self) -> None:
        """Give the place back."""
        self._counted(-1)

    def goes_on(self, began_s: float, left: Left) -> bool:
        """Tell whether a stream that began then has still to be fed; `left`: whether its phone is gone."""
        return not (self._closing.is_set() or left() or monotonic() - began_s > LIFE_S)

    def _counted(self, step: int) -> bool:
        with self._lock:
            if step > 0 and self._open >= self._limit:
                return False
            self._open += step
            if self.on_count is not None:
                self.on_count(self._open)
            return True


class Streams(StreamPlaces):
    """The streams of one table."""

    def __init__(self, table: Table, *, heartbeat_s: float, limit: int) -> None:
        super().__init__(limit)
        self._table = table
        self._heartbeat_s = heartbeat_s

    def events(self, left: Left) -> Iterator[str]:
        """Yield server-sent events: the revision now, each newer one, and the newest again as a heartbeat.

        `left` tells whether the phone is gone. The caller has entered, and leaves when this ends.
        """
        began_s = monotonic()
        revision = self._table.snapshot().revision
        yield f"retry: {RETRY_MS}\n{_event(revision)}"
        said_s = monotonic()
        while self.goes_on(began_s, left):
            newer = self._table.wait_newer(revision, timeout_s=min(LOOK_S, self._heartbeat_s))
            if newer is not None:
                revision = newer.revision
            elif monotonic() - said_s < self._heartbeat_s:
                continue
            yield _event(revision)
            said_s = monotonic()


def event_stream(places: StreamPlaces, events: Callable[[Left], Iterator[str]], instead: str) -> Response:
    """Answer with a stream of `events`; where all places are taken, say to ask for `instead` now and then."""
    if not places.enter():
        full = refusal(
            503, "streams_full", f"too many phones listen at once; ask {instead} now and then instead"
        )
        full.headers["Retry-After"] = "30"
        return full
    answer = Response(events(_client_left()), content_type="text/event-stream; charset=utf-8")
    answer.call_on_close(places.leave)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    return answer


def _client_left() -> Left:
    """Return what tells whether the phone has gone away, as far as the server knows before writing to it."""
    told: Left | None = request.environ.get("waitress.client_disconnected")
    return told or (lambda: False)


def _event(revision: int) -> str:
    return f"event: revision\ndata: {revision}\n\n"

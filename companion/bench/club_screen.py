"""A screen at the club's wall: reads its stream, and notes when each table's revision arrived."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from urllib.parse import urlsplit

AGAIN_S = 0.5
LOST = (OSError, ValueError, AttributeError, http.client.HTTPException)
"""What reading a line that is closed meanwhile may raise."""


class Screen:
    """Looks at the wall until it is closed."""

    def __init__(self, address: str) -> None:
        """Open the wall's stream at the club's `address`."""
        self._seen: dict[str, list[tuple[int, float]]] = defaultdict(list)
        place = urlsplit(address)
        self._place = (place.hostname or "", place.port)
        self._closing = threading.Event()
        self._line = self._opened()
        self._thread = threading.Thread(target=self._look, name="screen", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Look away."""
        self._closing.set()
        with contextlib.suppress(OSError, AttributeError):
            self._line.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(AGAIN_S + 5.0)
        self._line.close()

    def tables(self) -> int:
        """Return how many tables were seen."""
        return len(self._seen)

    def delays_s(self, steps: Sequence[tuple[str, int, float]]) -> list[float]:
        """Return for each step how long after it the wall showed it or a later one; inf where never."""
        found = []
        for table, revision, at_s in steps:
            seen = self._seen[table]
            place = bisect_left(seen, (revision, 0.0))
            found.append(max(0.0, seen[place][1] - at_s) if place < len(seen) else float("inf"))
        return found

    def _opened(self) -> http.client.HTTPConnection:
        line = http.client.HTTPConnection(*self._place, timeout=30)
        line.request("GET", "/api/club/stream")
        return line

    def _look(self) -> None:
        """Read the stream, and open it anew when it ends, as a browser does."""
        while not self._closing.is_set():
            with contextlib.suppress(*LOST), contextlib.closing(self._line.getresponse()) as answer:
                self._read(answer)
            self._line.close()
            if self._closing.is_set():
                return
            try:
                self._line = self._opened()
            except LOST:
                time.sleep(AGAIN_S)

    def _read(self, answer: http.client.HTTPResponse) -> None:
        of_tables = False
        for line in answer:
            now_s = time.monotonic()
            if line.startswith(b"event: "):
                of_tables = line.strip() != b"event: broker"
            elif of_tables and line.startswith(b"data: "):
                for one in json.loads(line[6:]):
                    if one["state"] is not None:
                        self._seen[one["table"]].append((one["state"]["revision"], now_s))

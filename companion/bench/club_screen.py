"""A screen at the club's wall: reads its stream, and notes when each table's revision arrived."""

from __future__ import annotations

import http.client
import json
import threading
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from urllib.parse import urlsplit


class Screen:
    """Looks at the wall until it is closed."""

    def __init__(self, address: str) -> None:
        """Open the wall's stream at the club's `address`."""
        self.bytes = 0
        self._seen: dict[str, list[tuple[int, float]]] = defaultdict(list)
        place = urlsplit(address)
        self._line = http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)
        self._line.request("GET", "/api/club/stream")
        self._answer = self._line.getresponse()
        self._thread = threading.Thread(target=self._read, name="screen", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Look away."""
        if self._line.sock is not None:
            self._line.sock.close()
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

    def _read(self) -> None:
        try:
            for line in self._answer:
                now_s = time.monotonic()
                self.bytes += len(line)
                if line.startswith(b"data: "):
                    for one in json.loads(line[6:]):
                        if one["state"] is not None:
                            self._seen[one["table"]].append((one["state"]["revision"], now_s))
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            return  # the wall is closed, or we are

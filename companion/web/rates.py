"""How often one address may ask: a bucket each, filled by time, so that none keeps others out."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from math import ceil
from time import monotonic

from flask import Flask, Response, request

from companion.web.errors import refusal
from companion.web.guard import is_loopback

MOST_ADDRESSES = 1024
"""Addresses remembered at once; the one that was quiet for longest is forgotten first."""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `burst` requests at once, and `per_s` a second over a while."""

    burst: float
    per_s: float


class Kind(Enum):
    """What is asked for, with how often one address may do so."""

    LOOKING = Rate(burst=300, per_s=60)
    """A page is some sixty files; a phone on a bad line asks once in a few seconds."""
    ACTING = Rate(burst=30, per_s=5)
    """Faster than anybody taps."""
    PAIRING = Rate(burst=6, per_s=1 / 60)
    """Each wish keeps others waiting for up to a minute."""


class Rates:
    """Counts what each address asks for; this machine itself, who may do anything here, is not counted."""

    def __init__(self, now_s: Callable[[], float] = monotonic) -> None:
        self._now_s = now_s
        self._lock = threading.Lock()
        self._left: OrderedDict[tuple[str, Kind], tuple[float, float]] = OrderedDict()

    def register(self, app: Flask, kind_of: Callable[[], Kind]) -> None:
        """Check each request of `app`, whose kind `kind_of` tells from the present request."""

        def check() -> Response | None:
            address = request.remote_addr or ""
            wait_s = 0.0 if is_loopback(address) else self.take(address, kind_of())
            if wait_s == 0.0:
                return None
            answer = refusal(429, "too_many", f"that is too often; try again in {ceil(wait_s)} s")
            answer.headers["Retry-After"] = str(ceil(wait_s))
            return answer

        app.before_request(check)

    def take(self, address: str, kind: Kind) -> float:
        """Count a request; return 0.0 where it may go on, else how many seconds to wait."""
        rate, now_s = kind.value, self._now_s()
        with self._lock:
            left, at_s = self._left.pop((address, kind), (rate.burst, now_s))
            left = min(rate.burst, left + (now_s - at_s) * rate.per_s)
            may = left >= 1
            self._left[address, kind] = (left - 1 if may else left, now_s)
            while len(self._left) > MOST_ADDRESSES:
                self._left.popitem(last=False)
        return 0.0 if may else (1 - left) / rate.per_s

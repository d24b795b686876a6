"""The wall: what each table shows now, as its messages say, for all who look at it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

LOG = logging.getLogger(__name__)
MOST_TABLES = 1000
"""Tables that are shown at once; what speaks for further ones is not taken."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A table as it was heard of last; `change` counts all changes of the wall."""

    table: str
    name: str
    online: bool = False
    state: Mapping[str, Any] | None = None
    problem: bool = False
    gone: bool = False
    """Its retained messages were taken away at the broker: it is shown no more."""
    change: int = 0

    def to_json(self) -> dict[str, Any]:
        """As a page gets it."""
        return {
            "table": self.table,
            "name": self.name,
            "online": self.online,
            "problem": self.problem,
            "gone": self.gone,
            "state": self.state,
        }


class Wall:
    """All tables; used from several threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._seen: dict[str, Seen] = {}
        self._change = 0
        self._broker = False
        self._closed = False

    @property
    def broker(self) -> bool:
        """Whether the broker is followed; where it is not, nobody knows what the tables do."""
        return self._broker

    def reached(self) -> None:
        """The broker is followed: from now on it tells of each table."""
        self._line(up=True)

    def lost(self) -> None:
        """The broker is followed no more: no table is known to be there."""
        self._line(up=False)

    def availability(self, table: str, online: bool) -> None:
        """A table came or went."""
        self._put(table, online=online, gone=False)

    def state(self, table: str, message: Mapping[str, Any]) -> None:
        """A table shows this now."""
        self._put(table, name=message["name"], state=message, gone=False)

    def health(self, table: str, message: Mapping[str, Any]) -> None:
        """A table's devices are so."""
        self._put(table, name=message["name"], problem=not message["ok"])

    def forget(self, table: str) -> None:
        """A table's retained messages were taken away."""
        self._put(table, state=None, gone=True)

    def now(self) -> tuple[int, Sequence[Seen]]:
        """Return how far the changes have come, and all tables by name."""
        with self._changed:
            there = [one for one in self._seen.values() if not one.gone]
            return self._change, sorted(there, key=lambda one: (one.name.casefold(), one.table))

    def newer(self, change: int, timeout_s: float) -> tuple[int, Sequence[Seen]]:
        """Return how far the changes have come and what changed since `change`, waiting for it."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._change > change, timeout_s)
            return self._change, [one for one in self._seen.values() if one.change > change]

    def close(self) -> None:
        """Let nobody wait any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _line(self, *, up: bool) -> None:
        with self._changed:
            if up == self._broker:
                return
            self._broker = up
            self._change += 1
            if not up:
                for table, one in self._seen.items():
                    if one.online:
                        self._seen[table] = replace(one, online=False, change=self._change)
            self._changed.notify_all()

    def _put(self, table: str, **what: Any) -> None:
        with self._changed:
            before = self._seen.get(table)
            if before is None and len(self._seen) >= MOST_TABLES:
                LOG.warning("table %s is not shown: there are %d already", table, MOST_TABLES)
                return
            after = replace(before or Seen(table, table), **what)
            if after == before:
                return
            self._change += 1
            self._seen[table] = replace(after, change=self._change)
            self._changed.notify_all()

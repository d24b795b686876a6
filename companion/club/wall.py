"""The wall: what each table shows now, as its messages say, for all who look at it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

LOG = logging.getLogger(__name__)
MOST_TABLES = 1000
"""Tables that are shown at once; what speaks for further ones is not taken."""


class Line(StrEnum):
    """How the broker is followed; in every state but one nobody knows what the tables do."""

    FOLLOWED = "followed"
    AWAY = "away"
    """It can not be reached."""
    REFUSED = "refused"
    """It does not let the club in."""
    DENIED = "denied"
    """It does not let the club listen."""
    TAKEN_OVER = "taken_over"
    """It seems to have taken in another club of the same id."""


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
        self._broker = Line.AWAY
        self._closed = False

    @property
    def broker(self) -> Line:
        """How the broker is followed."""
        return self._broker

    def line(self, broker: Line) -> None:
        """The broker is followed so from now on; where it is not, no table is known to be there."""
        with self._changed:
            if broker is self._broker:
                return
            self._broker = broker
            self._change += 1
            if broker is not Line.FOLLOWED:
                for table, one in self._seen.items():
                    if one.online:
                        self._seen[table] = replace(one, online=False, change=self._change)
            self._changed.notify_all()

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
        """A table's retained messages were taken away; it is remembered until all who look were told."""
        if table in self._seen:
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

    def _put(self, table: str, **what: Any) -> None:
        with self._changed:
            before = self._seen.get(table)
            if before is None and not self._has_room():
                LOG.warning("table %s is not shown: there are %d already", table, MOST_TABLES)
                return
            after = replace(before or Seen(table, table), **what)
            if after == before:
                return
            self._change += 1
            self._seen[table] = replace(after, change=self._change)
            self._changed.notify_all()

    def _has_room(self) -> bool:
        """Tell whether a table more can be shown; what left longest ago gives its place."""
        if len(self._seen) < MOST_TABLES:
            return True
        gone = [one for one in self._seen.values() if one.gone]
        if not gone:
            return False
        del self._seen[min(gone, key=lambda one: one.change).table]
        return True

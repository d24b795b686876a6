"""Topics: where a table says what, under one prefix and one version of the messages."""

from __future__ import annotations

import re
from dataclasses import dataclass

VERSION = 1
"""The version of all messages; it stands in their topics and in themselves as `v`."""

LEVEL = re.compile(r"[A-Za-z0-9_-]{1,40}")
"""What a prefix or a table's id may be: one level of a topic that no broker and no page takes for more."""

ONLINE, OFFLINE = "online", "offline"
"""What `availability` says; the broker says `offline` for a table that is gone (its last will)."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one table."""

    prefix: str
    table: str

    @property
    def root(self) -> str:
        """Below this lies all that the table says."""
        return f"{self.prefix}/v{VERSION}/{self.table}"

    @property
    def availability(self) -> str:
        """Whether the table is there; retained."""
        return f"{self.root}/availability"

    @property
    def state(self) -> str:
        """What the table shows; retained."""
        return f"{self.root}/state"

    @property
    def events(self) -> str:
        """What happens, as it happens."""
        return f"{self.root}/events"

    @property
    def health(self) -> str:
        """How the table's devices are; retained."""
        return f"{self.root}/health"

    def game(self, game_id: str) -> str:
        """Where a finished game is delivered."""
        return f"{self.root}/games/{game_id}"


@dataclass(frozen=True, slots=True)
class Place:
    """What a topic says of its message: the table, the kind (`state`, `games` …), and a game's id."""

    table: str
    kind: str
    game: str | None = None


def place_of(topic: str, prefix: str) -> Place | None:
    """Return what a topic tells, None where it is none of a table's.

    >>> place_of("club/v1/oak/games/0a1b", "club")
    Place(table='oak', kind='games', game='0a1b')
    >>> place_of("club/v1/oak/wishes", "club") is None
    True
    """
    levels = topic.split("/")
    if levels[:2] != [prefix, f"v{VERSION}"] or not all(LEVEL.fullmatch(level) for level in levels[2:]):
        return None
    match levels[2:]:
        case [table, ("availability" | "state" | "events" | "health") as kind]:
            return Place(table, kind)
        case [table, "games", game]:
            return Place(table, "games", game)
    return None


def filters(prefix: str) -> tuple[tuple[str, int], ...]:
    """Return what a club subscribes to, with the quality of service of each: all but what passes by."""
    live = ("availability", "state", "health")
    root = f"{prefix}/v{VERSION}/+"
    return (*((f"{root}/{kind}", 0) for kind in live), (f"{root}/games/+", 1))

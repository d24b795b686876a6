"""The course of a game: its events and their correction; state is always their replay.

An earlier course is one to an earlier node; what was undone and may be redone is the table's to remember.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Optional

from companion.game.decide import apply
from companion.game.events import Event
from companion.game.refusal import Refused
from companion.game.state import State


# Nodes form long chains: compared by identity and shown without what is behind them, since field by field
# both would descend through the whole game.
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node:
    """One event, the state after it, and what came before; shared between courses, never changed."""

    event: Event
    state: State
    before: Optional["Node"]
    length: int


@dataclass(frozen=True, slots=True)
class Course:
    """The effective events of a game. Every operation gives a new course."""

    head: Node | None = None

    @property
    def state(self) -> State | None:
        """The state now; None before the start."""
        return self.head.state if self.head else None

    @property
    def length(self) -> int:
        """The number of effective events."""
        return self.head.length if self.head else 0

    def nodes(self) -> Iterator[Node]:
        """Yield the effective events with their states, newest first."""
        node = self.head
        while node:
            yield node
            node = node.before

    def events(self) -> tuple[Event, ...]:
        """Return the effective events, oldest first: the game record."""
        return tuple(node.event for node in self.nodes())[::-1]

    def do(self, event: Event) -> "Course":
        """Return the course with `event` at its end.

        Raises:
            Refused: the rules do not allow it now.
        """
        return Course(_extended(self.head, event))

    def corrected(self, index: int, event: Event) -> tuple["Course", tuple[Event, ...]]:
        """Return the course with the event at `index` (from 0) replaced, later ones derived anew (rule 6.3).

        Later events are left out from the first refused one on, and returned as second value. A start
        put in place of another one should have the same colours and as many players.

        Raises:
            IndexError: there is no such event.
            Refused: the new event itself does not fit where it is put.
        """
        if not 0 <= index < self.length:
            raise IndexError(f"event {index} of {self.length}")
        later: list[Event] = []
        node = self.head
        while node and node.length > index + 1:
            later.append(node.event)
            node = node.before
        head = _extended(node.before if node else None, event)
        while later:
            try:
                head = _extended(head, later[-1])
            except Refused:
                break
            later.pop()
        return Course(head), tuple(reversed(later))


def _extended(head: Node | None, event: Event) -> Node:
    return Node(event, apply(head.state if head else None, event), head, (head.length if head else 0) + 1)

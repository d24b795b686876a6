"""The course of a game: its events with undo, redo and correction; state is always their replay."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Optional

from companion.game.decide import apply
from companion.game.events import Event
from companion.game.refusal import Refused
from companion.game.state import State


# Nodes and steps form long chains: compared by identity and shown without what is behind them,
# since field by field both would descend through the whole game.
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node:
    """One event, the state after it, and what came before; shared between courses, never changed."""

    event: Event
    state: State
    before: Optional["Node"]
    length: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Step:
    """A course head to go back (or forward) to, and the steps beyond it."""

    head: Node | None
    beyond: Optional["_Step"]


@dataclass(frozen=True, slots=True)
class Course:
    """The effective events of a game and what undo and redo lead to. Every operation gives a new course."""

    head: Node | None = None
    _undo: _Step | None = None
    _redo: _Step | None = None

    @property
    def state(self) -> State | None:
        """The state now; None before the start."""
        return self.head.state if self.head else None

    @property
    def length(self) -> int:
        """The number of effective events."""
        return self.head.length if self.head else 0

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self._undo is not None

    @property
    def can_redo(self) -> bool:
        """Whether a step that was taken back can be made again."""
        return self._redo is not None

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
        return self._stepped(_extended(self.head, event))

    def undo(self) -> "Course":
        """Return the course before its last step (an event or a correction).

        Raises:
            LookupError: there is nothing to undo.
        """
        if self._undo is None:
            raise LookupError("there is nothing to undo")
        return Course(self._undo.head, self._undo.beyond, _Step(self.head, self._redo))

    def redo(self) -> "Course":
        """Return the course with the step that was last undone made again.

        Raises:
            LookupError: there is nothing to redo.
        """
        if self._redo is None:
            raise LookupError("there is nothing to redo")
        return Course(self._redo.head, _Step(self.head, self._undo), self._redo.beyond)

    def undone_by_undo(self) -> tuple[Event, ...]:
        """Return the events that an undo would take away, oldest first; () for a correction only."""
        return _events_beyond(self.head, self._undo.head) if self._undo else ()

    def brought_by_redo(self) -> tuple[Event, ...]:
        """Return the events that a redo would bring, oldest first."""
        return _events_beyond(self._redo.head, self.head) if self._redo else ()

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
        return self._stepped(head), tuple(reversed(later))

    def _stepped(self, head: Node) -> "Course":
        return Course(head, _Step(self.head, self._undo), None)


def _extended(head: Node | None, event: Event) -> Node:
    return Node(event, apply(head.state if head else None, event), head, (head.length if head else 0) + 1)


def _events_beyond(head: Node | None, base: Node | None) -> tuple[Event, ...]:
    """Return the events of `head` past the nodes it shares with `base`, oldest first."""
    events: list[Event] = []
    while head is not base and head is not None:
        if base is not None and base.length > head.length:
            base = base.before
            continue
        if base is not None and base.length == head.length:
            base = base.before
        events.append(head.event)
        head = head.before
    return tuple(reversed(events))

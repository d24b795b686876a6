"""The log: a game as its steps tell it, with undo and redo of any depth; state is always the replay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.game.course import Course
from companion.game.dice import Die
from companion.game.events import Event, Reveal, Throw
from companion.game.record import BadLine, Terms, terms_of
from companion.game.refusal import Refused
from companion.game.state import State
from companion.table.entries import (
    Abandoned,
    Corrected,
    Drew,
    Entry,
    Happened,
    Held,
    Redone,
    Reserved,
    Started,
    Step,
    Undone,
    entry_from_json,
)
from companion.table.facts import Fact, FactKey, dice_json, facts_of_difference, facts_of_event, who


class LogError(ValueError):
    """The journal's entries do not make a game; the sentence says which one is at fault."""


class NothingThere(LookupError):
    """There is nothing to undo, to redo or to correct; the message is the sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class Sitting:
    """One game at the table: its events, and what waits beside them."""

    game_id: str
    seed: str
    hidden: bool
    course: Course
    held: tuple[Die, ...] | None = None
    """A throw that waits for a card's name (rule 3.9)."""
    reveals: int = 0
    """How many of the events are reveals."""
    drawn: Drew | None = None
    """A blind draw by the companion whose exchange is not complete yet."""
    abandoned: bool = False

    @property
    def state(self) -> State:
        """The game's state now."""
        state = self.course.state
        assert state is not None
        return state

    @property
    def terms(self) -> Terms:
        """Seats and colours of this game."""
        return Terms(len(self.state.players), self.state.colours)

    def last_throw(self) -> int | None:
        """The index of the last throw among the events, or None."""
        for node in self.course.nodes():
            if isinstance(node.event, Throw):
                return node.length - 1
        return None

    def event_at(self, index: int) -> Event | None:
        """The event at `index` (from 0), or None where there is none."""
        for node in self.course.nodes():
            if node.length == index + 1:
                return node.event
        return None


@dataclass(frozen=True, slots=True, eq=False)
class _Past:
    """A sitting to go back (or forward) to, the fact that leads there, and what lies beyond."""

    sitting: Sitting | None
    label: Fact
    beyond: _Past | None


@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """The sitting now (None in an empty lobby), and the steps to take back or bring back."""

    sitting: Sitting | None = None
    _undo: _Past | None = None
    _redo: _Past | None = None

    @property
    def playing(self) -> Sitting | None:
        """The sitting, unless there is none or it was abandoned."""
        return None if self.sitting is None or self.sitting.abandoned else self.sitting

    @property
    def undo_label(self) -> Fact | None:
        """What an undo would take back."""
        return self._undo.label if self._undo else None

    @property
    def redo_label(self) -> Fact | None:
        """What a redo would bring back."""
        return self._redo.label if self._redo else None

    def did(self, entry: Entry) -> tuple[Log, tuple[Fact, ...]]:
        """Return the log after `entry`, and the facts to tell.

        Raises:
            Refused: the rules do not allow it.
            NothingThere: there is nothing to undo or redo, or no such event to correct.
        """
        match entry:
            case Reserved():
                return self, ()
            case Undone():
                return self._undone()
            case Redone():
                return self._redone()
        sitting, facts = _stepped(self.sitting, entry)
        # A new game begins a new log: what came before is another game's.
        past = None if isinstance(entry, Started) else self._undo
        before = None if isinstance(entry, Started) else self.sitting
        return Log(sitting, _Past(before, facts[0], past), None), facts

    def _undone(self) -> tuple[Log, tuple[Fact, ...]]:
        step = self._undo
        if step is None:
            raise NothingThere("there is nothing to undo")
        log = Log(step.sitting, step.beyond, _Past(self.sitting, step.label, self._redo))
        return log, (Fact(FactKey.UNDONE, {"what": step.label.label()}, correction=True),)

    def _redone(self) -> tuple[Log, tuple[Fact, ...]]:
        step = self._redo
        if step is None:
            raise NothingThere("there is nothing to redo")
        log = Log(step.sitting, _Past(self.sitting, step.label, self._undo), step.beyond)
        return log, (Fact(FactKey.REDONE, {"what": step.label.label()}, correction=True),)


def _stepped(sitting: Sitting | None, step: Step) -> tuple[Sitting, tuple[Fact, ...]]:
    """Return the sitting after `step`, and at least one fact, the step itself first."""
    if isinstance(step, Started):
        begun = Sitting(step.game_id, step.seed, step.hidden, Course().do(step.start))
        return begun, facts_of_event(None, step.start, begun.state, hidden=step.hidden)
    if sitting is None:
        raise NothingThere("no game is going on")
    match step:
        case Happened():
            return _happened(sitting, step)
        case Corrected():
            return _corrected(sitting, step)
        case Held(dice=()):
            return replace(sitting, held=None), (Fact(FactKey.THROW_DROPPED),)
        case Held():
            state = sitting.state
            params = {"dice": dice_json(step.dice), "holders": list(state.unknown_holders)}
            fact = Fact(FactKey.THROW_HELD, {**who(state, state.seat), **params})
            return replace(sitting, held=step.dice), (fact,)
        case Drew():
            state = sitting.state
            other = {"other": step.other, "other_player": state.players[step.other]}
            return replace(sitting, drawn=step), (
                Fact(FactKey.CARD_DRAWN, {**who(state, state.seat), **other}),
            )
        case Abandoned():
            return replace(sitting, abandoned=True), (Fact(FactKey.GAME_ABANDONED),)


def _happened(sitting: Sitting, step: Happened) -> tuple[Sitting, tuple[Fact, ...]]:
    course, facts = sitting.course, list[Fact]()
    held, drawn = sitting.held, sitting.drawn
    for event in step.events:
        before = course.state
        course = course.do(event)
        assert course.state is not None
        told = facts_of_event(before, event, course.state, hidden=sitting.hidden)
        facts += [_seen(fact) for fact in told] if step.by_camera else told
        if not isinstance(event, Reveal):
            held = drawn = None
    reveals = sitting.reveals + sum(isinstance(event, Reveal) for event in step.events)
    return replace(sitting, course=course, held=held, reveals=reveals, drawn=drawn), tuple(facts)


def _seen(fact: Fact) -> Fact:
    """Return the fact of a card that was named as one of a card that the camera knew."""
    return replace(fact, key=FactKey.CARD_SEEN) if fact.key is FactKey.CARD_REVEALED else fact


def _corrected(sitting: Sitting, step: Corrected) -> tuple[Sitting, tuple[Fact, ...]]:
    was = sitting.event_at(step.index)
    before = _state_before(sitting.course, step.index)
    if was is None or before is None:
        raise NothingThere(f"there is no event {step.index} to correct")
    course, left_out = sitting.course.corrected(step.index, step.event)
    after = course.state
    assert after is not None
    fact = _correction(before, was, step.event, len(left_out))
    differences = facts_of_difference(sitting.state, after, hidden=sitting.hidden)
    # What waited was meant for the course as it was; a held throw still waits where the turn has not moved.
    moved = (sitting.state.seat, sitting.state.throw_number) != (after.seat, after.throw_number)
    held, drawn = (None, None) if moved else (sitting.held, sitting.drawn)
    if after.owed != sitting.state.owed:
        drawn = None
    reveals = sitting.reveals - sum(isinstance(event, Reveal) for event in left_out)
    return replace(sitting, course=course, held=held, reveals=reveals, drawn=drawn), (fact, *differences)


def _correction(before: State, was: Event, event: Event, left_out: int) -> Fact:
    params: dict[str, Any] = {**who(before, before.seat), "left_out": left_out}
    if isinstance(event, Throw) and isinstance(was, Throw):
        number = (before.throw_number or (1 if any(die.kept for die in event.dice) else 0)) + 1
        params |= {"throw_number": number, "dice": dice_json(event.dice), "was": dice_json(was.dice)}
    return Fact(FactKey.THROW_CORRECTED, params, correction=True)


def _state_before(course: Course, index: int) -> State | None:
    for node in course.nodes():
        if node.length == index:
            return node.state
    return None


def replayed(entries: Iterable[Mapping[str, Any]]) -> tuple[Log, int]:
    """Return the log that the journal's entries make, and the first revision that was never shown.

    Raises:
        LogError: an entry is not ours, or the rules refuse it.
    """
    log, terms, revision = Log(), Terms(), 0
    for number, data in enumerate(entries, start=1):
        try:
            entry = entry_from_json(data, terms)
            log, _ = log.did(entry)
        except (BadLine, Refused, LookupError) as error:
            raise LogError(f"entry {number} of the game's journal does not fit: {error}") from error
        if isinstance(entry, Started):
            terms = terms_of(entry.start)
        if isinstance(entry, (Started, Reserved)):
            revision = max(revision, entry.upto)
    return log, revision

"""What a decision is: the table's state after an intent, the entries to keep first, or why it is refused."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.game.judge import may_pass, takeable_holders
from companion.game.state import State
from companion.table.entries import Entry, Started
from companion.table.facts import Fact
from companion.table.log import Sitting
from companion.table.state import (
    PASS_MARK,
    SAID_COUNT,
    Basis,
    Mark,
    TableState,
    Touched,
)


class NotNow(ValueError):
    """The table refuses an intent: a stable code and a sentence; the state is as it was."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code = code
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Moment:
    """What the outside gives to a decision: the time in seconds, and fresh randomness as hex digits."""

    now_s: float
    token: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A state in the making, with the entries and facts that lead to it."""

    state: TableState
    entries: tuple[Entry, ...] = ()
    facts: tuple[Fact, ...] = ()

    def then(self, later: Draft) -> Draft:
        """Return `later`, which went on from this draft's state, with what led here before it."""
        return Draft(later.state, self.entries + later.entries, self.facts + later.facts)

    def did(self, entry: Entry) -> Draft:
        """Return the draft after one more entry.

        Raises:
            Refused: the rules do not allow it.
            NothingThere: there is nothing to undo, to redo or to correct.
        """
        log, facts = self.state.log.did(entry)
        return Draft(replace(self.state, log=log), (*self.entries, entry), (*self.facts, *facts))


def sitting_of(state: TableState) -> Sitting:
    """Return the game under way.

    Raises:
        NotNow: there is none.
    """
    sitting = state.log.playing
    if sitting is None:
        raise NotNow("no_game", "no game is going on; start one first")
    return sitting


def basis_of(state: TableState) -> Basis | None:
    """Return the moment of the game now; None outside a game."""
    sitting = state.log.playing
    if sitting is None:
        return None
    game = sitting.state
    return Basis(sitting.game_id, game.seat, game.throw_number, sitting.course.length - sitting.reveals)


def published(before: TableState, draft: Draft) -> TableState:
    """Return the draft's state as the next revision: facts stamped, and what changed remembered."""
    after, revision = draft.state, before.revision + 1
    said = after.said + tuple(replace(fact, revision=revision) for fact in draft.facts)
    for entry in draft.entries:
        if isinstance(entry, Started):
            after = replace(after, reserved=max(after.reserved, entry.upto))
    touched = _touched(before, after, revision)
    return replace(after, revision=revision, said=said[-SAID_COUNT:], touched=touched)


def _touched(before: TableState, after: TableState, revision: int) -> Touched:
    was = before.touched
    holders = tuple(
        revision if _holder(before, holder) != _holder(after, holder) else was.holders[holder]
        for holder in range(len(was.holders))
    )
    reading_moved = before.waiting is not after.waiting or _held(before) != _held(after)
    return Touched(
        revision if _turn(before) != _turn(after) else was.turn,
        holders,
        revision if reading_moved else was.reading,
        revision if _mark(before) != _mark(after) else was.marker,
    )


def _turn(state: TableState) -> object:
    """Return all of the game but its visible cards, for comparison."""
    sitting = state.log.playing
    if sitting is None:
        return None
    game = sitting.state
    moves = (game.seat, game.throw_number, game.dice, game.lost, game.owed, game.ending, game.may_end_seat)
    return sitting.game_id, moves, game.hands, sitting.drawn


def _holder(state: TableState, holder: int) -> object:
    sitting = state.log.playing
    return None if sitting is None else (sitting.state.visible[holder], sitting.state.piles[holder])


def _held(state: TableState) -> object:
    sitting = state.log.playing
    return None if sitting is None else sitting.held


def _mark(state: TableState) -> Mark | None:
    return None if state.marker is None else state.marker.mark


def choices(game: State) -> tuple[Mark, ...]:
    """Return what a hold of the button may choose from: the lit holders, perhaps the pass."""
    held: tuple[Mark, ...] = tuple(sorted(takeable_holders(game)))
    return (*held, PASS_MARK) if may_pass(game) else held

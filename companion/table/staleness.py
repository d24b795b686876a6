"""Staleness: whether a phone acted on something that has changed since it was shown there."""

from __future__ import annotations

from companion.table import intents
from companion.table.state import TableState


def is_stale(state: TableState, intent: object, seen: int) -> bool:
    """Tell whether what `intent` depends on changed after revision `seen`; all else may have changed."""
    if seen > state.revision:
        return True
    touched = state.touched
    all_holders = max(touched.holders)
    match intent:
        case intents.NameCard():
            # Two phones may name two cards at once; only this holder's card matters.
            last = touched.holders[intent.holder]
        case intents.Take():
            last = max(touched.turn, touched.holders[intent.holder])
        case intents.Hold():
            last = max(touched.turn, all_holders, touched.marker, touched.reading)
        case intents.Undo() | intents.Redo() | intents.LongHold():
            last = max(touched.turn, all_holders, touched.reading)
        case intents.EnterThrow() | intents.CorrectThrow():
            last = max(touched.turn, touched.reading)
        case intents.DismissReading():
            last = touched.reading
        case _:
            last = touched.turn
    return last > seen

"""Moves: what phones ask of the game, each turned into entries of the journal."""

from __future__ import annotations

import random
from dataclasses import replace

from companion.game.cards import Action
from companion.game.decide import apply
from companion.game.events import Event, Reveal, Start, Steal, Throw
from companion.game.events import Exchange as Exchanged
from companion.game.refusal import Code, Refused
from companion.game.state import Owed, Stage
from companion.table.decision import Draft, Moment, NotNow, sitting_of
from companion.table.entries import Abandoned, Corrected, Drew, Happened, Held, Redone, Started, Undone
from companion.table.intents import (
    CorrectEvent,
    CorrectThrow,
    Draw,
    EnterThrow,
    Exchange,
    NameCard,
    StartGame,
)
from companion.table.judging import for_card, judged_again, thrown, with_last_seen
from companion.table.log import Sitting
from companion.table.state import Doubt, TableState

REVISIONS_RESERVED = 1000
"""How many revisions are reserved in the journal at once, so that those without an entry cost no write."""


def start_game(state: TableState, intent: StartGame, moment: Moment) -> Draft:
    """Start a game, unless one is going on."""
    sitting = state.log.playing
    if sitting is not None and sitting.state.stage is not Stage.OVER:
        raise NotNow("game_running", "a game is going on; finish or abandon it first")
    chance = random.Random(f"{moment.token}/first")
    first = chance.randrange(len(intent.players)) if intent.first is None else intent.first
    start = Start(intent.players, first, colours=state.setup.colours)
    upto = state.revision + REVISIONS_RESERVED
    # The id is shown to everybody, so blind draws come from other digits of the token.
    begun = Started(moment.token[:12], moment.token[12:], intent.hidden, start, upto)
    return _settled(Draft(state).did(begun))


def abandon(state: TableState) -> Draft:
    """Leave the game as it is."""
    sitting_of(state)
    return _settled(Draft(state).did(Abandoned()))


def happen(state: TableState, event: Event) -> Draft:
    """Let one event of the game happen that ends whatever waited."""
    sitting_of(state)
    return _settled(Draft(state).did(Happened((event,))))


def name_card(state: TableState, intent: NameCard, *, by_camera: bool = False) -> Draft:
    """Name a visible card; a throw that waited for the last name becomes a throw (rule 3.9)."""
    sitting = sitting_of(state)
    reveal = Reveal(intent.holder, intent.card)
    known = apply(sitting.state, reveal)
    named = Happened((reveal,), by_camera)
    if sitting.held is None:
        return judged_again(Draft(state).did(named))
    if known.unknown_holders:
        return Draft(state).did(named)
    throw = Throw(sitting.held)
    try:
        apply(known, throw)
    except Refused as refused:
        # A correction came under the waiting throw: it becomes a doubt, since it may not vanish silently.
        draft = Draft(state).did(named)
        waiting = state.waiting
        if not isinstance(waiting, Doubt):
            return draft.did(Held(()))
        doubt = replace(waiting, why=str(refused.code), sentence=f"The waiting throw: {refused.sentence}.")
        return replace(draft, state=replace(draft.state, waiting=doubt)).did(Held(()))
    return _thrown_after(state, replace(named, events=(reveal, throw)))


def _thrown_after(state: TableState, both: Happened) -> Draft:
    """Name the last card and make the held throw, both in one step."""
    waiting = state.waiting if isinstance(state.waiting, Doubt) else None
    draft = Draft(replace(state, waiting=None)).did(both)
    return replace(draft, state=with_last_seen(draft.state, waiting))


def draw(state: TableState, intent: Draw) -> Draft:
    """Draw a card blind from another's hand; for a theft that is all, for an exchange one is owed in return.

    What is drawn depends on the game's own seed alone, so that undoing and drawing again gives the same card.
    """
    sitting = sitting_of(state)
    owed = _owed(sitting)
    in_order = owed.action is Action.SUPER_EXCHANGE
    if intent.other not in (owed.seats[:1] if in_order else owed.seats):
        raise NotNow(Code.NO_SUCH_SEAT, "nothing can be drawn from that player now")
    if sitting.drawn is not None:
        raise NotNow("already_drawn", "a card is drawn already; say which one is given for it")
    hand = sitting.state.hands[intent.other]
    drawn = random.Random(f"{sitting.seed}/{sitting.course.length}/{intent.other}").choice(hand)
    if owed.action is Action.THEFT:
        return happen(state, Steal(intent.other, drawn))
    return Draft(state).did(Drew(intent.other, drawn))


def exchange(state: TableState, intent: Exchange) -> Draft:
    """Exchange with another; where the companion drew, with the card it drew."""
    drawn = sitting_of(state).drawn
    if drawn is not None and (drawn.other, drawn.card) != (intent.other, intent.received):
        raise NotNow(
            "already_drawn",
            "another card was drawn already; say what is given for that one, or undo the draw",
        )
    return happen(state, Exchanged(intent.other, intent.received, intent.given))


def _owed(sitting: Sitting) -> Owed:
    if sitting.state.owed is None:
        raise NotNow(Code.WRONG_STAGE, "no theft or exchange is to be done now")
    return sitting.state.owed


def enter_throw(state: TableState, intent: EnterThrow) -> Draft:
    """Take dice that people say lie there: a throw by hand, or a mended reading."""
    sitting_of(state)
    waiting = state.waiting if isinstance(state.waiting, Doubt) else None
    draft = thrown(replace(state, waiting=None), intent.dice, None)
    if sitting_of(draft.state).held is not None:
        return replace(draft, state=replace(draft.state, waiting=for_card(waiting)))
    return replace(draft, state=with_last_seen(draft.state, waiting))


def correct_throw(state: TableState, intent: CorrectThrow) -> Draft:
    """Replace the last throw, or the one that waits for a card."""
    sitting = sitting_of(state)
    if sitting.held is not None:
        return enter_throw(state, EnterThrow(intent.dice))
    index = sitting.last_throw()
    if index is None:
        raise NotNow("no_such_throw", "no throw has been made yet")
    return correct_event(state, CorrectEvent(index, intent.dice))


def correct_event(state: TableState, intent: CorrectEvent) -> Draft:
    """Replace an earlier throw, all after it derived anew (rule 6.3); the same throw again is no step."""
    sitting = sitting_of(state)
    was, throw = sitting.event_at(intent.index), Throw(intent.dice)
    if not isinstance(was, Throw):
        raise NotNow("no_such_throw", "that is no throw of this game")
    if throw == was:
        return Draft(state)
    draft = Draft(state).did(Corrected(intent.index, throw))
    return judged_again(draft)


def undo(state: TableState) -> Draft:
    """Take back the last step; a reading that is under way or waits is a step too."""
    if _only_waits(state):
        return Draft(replace(state, waiting=None))
    return _settled(Draft(state).did(Undone()))


def redo(state: TableState) -> Draft:
    """Bring back the step last taken back."""
    return _settled(Draft(state).did(Redone()))


def dismiss(state: TableState) -> Draft:
    """Forget what waits."""
    if _only_waits(state):
        return Draft(replace(state, waiting=None))
    sitting = sitting_of(state)
    if sitting.held is None:
        raise NotNow("nothing_waits", "no reading waits")
    return _settled(Draft(state).did(Held(())))


def _only_waits(state: TableState) -> bool:
    """Tell whether something waits that the journal does not know of."""
    return state.waiting is not None and not (
        isinstance(state.waiting, Doubt) and state.waiting.why == "card_needed"
    )


def _settled(draft: Draft) -> Draft:
    """Return the draft with nothing waiting any more."""
    return replace(draft, state=replace(draft.state, waiting=None))

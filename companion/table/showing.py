"""Showing: the snapshot as a pure function of the table's state; what is hidden stays hidden here."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game.cards import useful_changes
from companion.game.dice import Change
from companion.game.events import HOLDER_COUNT
from companion.game.judge import Light, Standing, lights, may_end_early, may_pass, standing
from companion.game.state import LAST_THROW, Stage, State
from companion.table.advice import WHY_SENTENCES
from companion.table.decision import basis_of
from companion.table.facts import Fact, FactKey
from companion.table.lights import leds_of
from companion.table.log import Sitting
from companion.table.phase import Phase
from companion.table.sights import Question
from companion.table.snapshot import CardsView, GameView, HolderView, OwedView, PlayerView, Snapshot
from companion.table.state import Doubt, Mend, Pending, TableState
from companion.vision.reading import DieSeen


def snapshot_of(state: TableState) -> Snapshot:
    """Return what everybody may see of this state."""
    sitting = state.log.playing
    phase = phase_of(state)
    game = None if sitting is None else game_view(sitting, _questions(state))
    marker = None if state.marker is None or phase is not Phase.DECIDE else state.marker.mark
    return Snapshot(
        revision=state.revision,
        phase=phase,
        game=game,
        reading=_reading(state, phase),
        picture=state.picture,
        seen=_seen(state),
        held=None if sitting is None else sitting.held,
        marker=marker,
        leds=leds_of(phase, () if game is None else game.holders, marker, state.said),
        said=state.said,
        undo=_undo(state),
        redo=state.log.redo_label,
        health=dict(state.health),
        cards=_cards(state),
    )


def _questions(state: TableState) -> tuple[Question | None, ...]:
    return tuple(None if one is None else one.question for one in state.sights.seen)


def _cards(state: TableState) -> CardsView | None:
    if not state.setup.reads_cards:
        return None
    return CardsView(state.setup.glances, tuple(sorted(state.sights.watched)))


def phase_of(state: TableState) -> Phase:
    """Return what the table waits for."""
    sitting = state.log.playing
    if sitting is None:
        return Phase.LOBBY
    if isinstance(state.waiting, Pending):
        return Phase.READING
    if isinstance(state.waiting, Doubt) and state.waiting.why != "card_needed":
        return Phase.DOUBT
    if sitting.held is not None:
        return Phase.CARD_NEEDED
    stages = {
        Stage.THROW: Phase.THROW,
        Stage.DECIDE: Phase.DECIDE,
        Stage.ACTION: Phase.ACTION,
        Stage.OVER: Phase.OVER,
    }
    return stages[sitting.state.stage]


def _seen(state: TableState) -> tuple[DieSeen, ...]:
    """Return how the dice of the throw that lies there were read; () where they were typed."""
    last, sitting = state.last_seen, state.log.playing
    dice = None if sitting is None else sitting.state.dice
    if last is None or dice is None or last.basis != basis_of(state):
        return ()
    same_order = [str(die.body) for die in dice] == [die.body for die in last.dice]
    return last.dice if same_order else ()


def _reading(state: TableState, phase: Phase) -> Doubt | None:
    """Return the reading that waits; one held in the journal survives a restart without its picture."""
    sitting, basis = state.log.playing, basis_of(state)
    if phase not in (Phase.DOUBT, Phase.CARD_NEEDED) or sitting is None or basis is None:
        return None
    if isinstance(state.waiting, Doubt):
        return state.waiting
    mends = () if sitting.held is None else (Mend(None, sitting.held),)
    return Doubt("card_needed", WHY_SENTENCES["card_needed"], basis, mends=mends)


def _undo(state: TableState) -> Fact | None:
    if state.waiting is not None and phase_of(state) in (Phase.READING, Phase.DOUBT):
        return Fact(FactKey.PRESS)
    return state.log.undo_label


def game_view(sitting: Sitting, questions: Sequence[Question | None] = (None,) * HOLDER_COUNT) -> GameView:
    """Return a game as everybody may see it, with what is asked about each holder."""
    state = sitting.state
    over = state.stage is Stage.OVER
    secret = sitting.hidden and not over
    points = state.points
    players = tuple(
        PlayerView(name, len(state.hands[seat]), None if secret else points[seat])
        for seat, name in enumerate(state.players)
    )
    return GameView(
        game_id=sitting.game_id,
        hidden=sitting.hidden,
        colours=state.colours,
        players=players,
        hands=None if secret else state.hands,
        seat=state.to_play,
        throw_number=state.throw_number,
        throws_left=0 if state.stage in (Stage.OVER, Stage.ACTION) else LAST_THROW - state.throw_number,
        dice=state.dice,
        inherited=state.inherited_dice is not None,
        change_open=state.change_open,
        holders=_holders(state, questions),
        owed=_owed(sitting, secret=secret),
        may_pass=may_pass(state),
        may_end=tuple(seat for seat in range(len(players)) if may_end_early(state, seat)),
        automatic=state.limits.automatic,
        by_choice=state.limits.by_choice,
        winners=state.winners,
        ending=None if state.ending is None else state.ending.value,
    )


def _holders(state: State, questions: Sequence[Question | None]) -> tuple[HolderView, ...]:
    shown = lights(state)
    return tuple(_holder(state, holder, shown[holder], questions[holder]) for holder in range(HOLDER_COUNT))


def _holder(state: State, holder: int, light: Light | None, question: Question | None) -> HolderView:
    card, stands = state.visible[holder], standing(state, holder)
    changes: tuple[Change, ...] = ()
    if stands is Standing.BY_CHANGE and card is not None and state.dice is not None:
        changes = useful_changes(card, state.dice, state.colours)
    return HolderView(card, state.piles[holder], light, stands, changes, question)


def _owed(sitting: Sitting, *, secret: bool) -> OwedView | None:
    owed, drawn = sitting.state.owed, sitting.drawn
    if owed is None:
        return None
    card = None if drawn is None or secret else drawn.card
    return OwedView(str(owed.action), owed.seats, card, None if drawn is None else drawn.other)

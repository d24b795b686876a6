"""The button: what press, hold and very long hold mean at each moment."""

from __future__ import annotations

from dataclasses import replace

from companion.game.cards import Action, useful_changes
from companion.game.events import Pass, Take
from companion.game.judge import Standing, standing
from companion.game.state import LAST_THROW, Stage, State
from companion.table import moves
from companion.table.decision import Draft, Moment, NotNow, basis_of, choices, sitting_of
from companion.table.intents import Draw
from companion.table.state import Doubt, Mark, Marker, Pending, TableState

MARKER_LAPSES_S = 12.0
"""A marker that nobody moves or confirms goes out, so that a later press is a throw again."""
READING_DEADLINE_S = 15.0
"""A picture that is not taken and read by then is given up, and people are told."""


def press(state: TableState, moment: Moment) -> Draft:
    """Read the dice: "the throw is finished"; or move the marker on where there is one."""
    game = sitting_of(state).state
    if isinstance(state.waiting, Pending):
        raise NotNow("already_reading", "the dice are being read already")
    if game.stage is Stage.OVER:
        raise NotNow("game_over", "the game is over; start another, or undo")
    if game.stage is Stage.ACTION:
        raise NotNow("wrong_stage", "the won card's action comes before the next throw")
    options = choices(game)
    if state.marker is not None and state.marker.mark in options:
        following = options[(options.index(state.marker.mark) + 1) % len(options)]
        return _marked(state, following, moment)
    if game.throw_number == LAST_THROW:
        if len(options) > 1:
            return _marked(state, options[0], moment)
        raise NotNow("no_throw_left", "three throws are made; hold the button to take the card")
    if not state.setup.has_camera:
        raise NotNow("no_camera", "there is no camera at this table; type the throw on a phone")
    basis = basis_of(state)
    assert basis is not None
    pending = Pending(state.revision + 1, basis, moment.now_s + READING_DEADLINE_S)
    return Draft(replace(state, waiting=pending))


def hold(state: TableState, moment: Moment) -> Draft:
    """Take the only lit card; with several, start the marker, or confirm where it stands."""
    sitting = sitting_of(state)
    game = sitting.state
    if isinstance(state.waiting, Pending):
        raise NotNow("already_reading", "the dice are being read; wait for the lights")
    if isinstance(state.waiting, Doubt) or sitting.held is not None:
        raise NotNow("look_at_phone", "something waits on the phone first")
    if game.stage is Stage.ACTION:
        return _only_draw(state, game)
    options = choices(game)
    if not options:
        raise NotNow("nothing_to_take", "no card can be taken now")
    if len(options) == 1:
        return _chosen(state, game, options[0])
    if state.marker is not None and state.marker.mark in options:
        return _chosen(state, game, state.marker.mark)
    return _marked(state, options[0], moment)


def long_hold(state: TableState) -> Draft:
    """Undo."""
    return moves.undo(state)


def _only_draw(state: TableState, game: State) -> Draft:
    """Draw for a theft that can only concern one player; all else needs a phone."""
    owed = game.owed
    if owed is None or owed.action is not Action.THEFT or len(owed.seats) > 1:
        raise NotNow("look_at_phone", "the phone asks with whom the action is to be done")
    return moves.draw(state, Draw(owed.seats[0]))


def _chosen(state: TableState, game: State, mark: Mark) -> Draft:
    """Take the card of the marked holder, by any useful change where it needs one, or pass."""
    if isinstance(mark, str):
        return moves.happen(state, Pass())
    card = game.visible[mark]
    change = None
    if standing(game, mark) is Standing.BY_CHANGE and card is not None and game.dice is not None:
        change = useful_changes(card, game.dice, game.colours)[0]
    return moves.happen(state, Take(mark, change))


def _marked(state: TableState, mark: Mark, moment: Moment) -> Draft:
    return Draft(replace(state, marker=Marker(mark, moment.now_s + MARKER_LAPSES_S)))


def marker_fits(state: TableState) -> bool:
    """Tell whether the marker still stands on something that can be chosen among others."""
    sitting = state.log.playing
    if state.marker is None or sitting is None or state.waiting is not None or sitting.held is not None:
        return False
    options = choices(sitting.state)
    return len(options) > 1 and state.marker.mark in options

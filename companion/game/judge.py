"""Judging a throw: which cards can be taken, which only by the black-dice change (rules 3.2 to 3.5, 5)."""

from enum import StrEnum

from companion.game.cards import makes, useful_changes
from companion.game.events import HOLDER_COUNT
from companion.game.state import LAST_THROW, Stage, State


class Light(StrEnum):
    """What a holder's LED shows when its card can be taken."""

    YES = "yes"
    CHANGE = "change"


class Standing(StrEnum):
    """Why a holder's card can or can not be taken, for people who ask."""

    TAKEABLE = "takeable"
    BY_CHANGE = "by_change"
    NOT_MADE = "not_made"
    LOST = "lost"
    UNKNOWN = "unknown"
    EMPTY = "empty"
    NO_THROW = "no_throw"


def standing(state: State, holder: int) -> Standing:
    """Return how the card of `holder` (0–2) stands for the player to move."""
    card = state.visible[holder]
    if state.piles[holder] == 0:
        return Standing.EMPTY
    if card is None:
        return Standing.UNKNOWN
    if state.stage is not Stage.DECIDE or state.dice is None:
        return Standing.NO_THROW
    if holder in state.lost:
        return Standing.LOST
    if makes(card, (die.colour for die in state.dice)):
        return Standing.TAKEABLE
    if state.change_open and useful_changes(card, state.dice, state.colours):
        return Standing.BY_CHANGE
    return Standing.NOT_MADE


def lights(state: State) -> tuple[Light | None, ...]:
    """Return what each holder's LED shows: all None except from a throw until the take or the next throw."""
    shown = {Standing.TAKEABLE: Light.YES, Standing.BY_CHANGE: Light.CHANGE}
    return tuple(shown.get(standing(state, holder)) for holder in range(HOLDER_COUNT))


def takeable_holders(state: State) -> frozenset[int]:
    """Return the holders whose card can be taken now, with or without the change."""
    return frozenset(holder for holder, light in enumerate(lights(state)) if light is not None)


def may_pass(state: State) -> bool:
    """Tell whether the player may decline: after throw 3, all that is made needs the change (rule 3.5)."""
    shown = {light for light in lights(state) if light is not None}
    return state.throw_number == LAST_THROW and shown == {Light.CHANGE}


def may_end_early(state: State, seat: int) -> bool:
    """Tell whether `seat` may end the game now (rule 4.9)."""
    return (
        state.stage is Stage.THROW
        and state.may_end_seat == seat
        and len(state.hands[seat]) >= state.limits.by_choice
    )

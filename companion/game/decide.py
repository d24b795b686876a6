"""Deciding: a state and an event give the next state, or a refusal (rules 3 to 6)."""

from dataclasses import replace
from typing import TypeVar

from companion.game.cards import Action, Card, makes
from companion.game.dice import (
    BODY_COUNTS,
    DICE_COUNT,
    Body,
    bodies_are_right,
    changed_colours,
    kept_dice_that_differ,
)
from companion.game.events import (
    HOLDER_COUNT,
    EndEarly,
    Event,
    Exchange,
    Pass,
    Reveal,
    Start,
    Steal,
    Take,
    Throw,
)
from companion.game.judge import may_end_early, may_pass, takeable_holders
from companion.game.refusal import Code, Refused
from companion.game.state import LAST_THROW, Ending, Owed, Stage, State

T = TypeVar("T")


def apply(state: State | None, event: Event) -> State:
    """Return the state after `event`; `state` is None before the game's start.

    Indexes (seats, holders, dice) and colours must be in range, as `companion.game.record` sees to.

    Raises:
        Refused: the rules do not allow the event; nothing has changed.
    """
    if state is None:
        if isinstance(event, Start):
            return _start(event)
        raise Refused(Code.WRONG_STAGE, "no game has started yet; the first event must be the start")
    if state.stage is Stage.OVER:
        raise Refused(Code.GAME_OVER, "the game is over; undo its last event to go on")
    match event:
        case Start():
            raise Refused(Code.WRONG_STAGE, "the game has already started; a new game needs a new record")
        case Reveal():
            return _reveal(state, event)
        case Throw():
            return _throw(state, event)
        case Take():
            return _take(state, event)
        case Steal():
            return _steal(state, event)
        case Exchange():
            return _exchange(state, event)
        case Pass():
            return _pass(state)
        case EndEarly():
            return _end_early(state, event)


def _start(event: Start) -> State:
    state = State(
        players=event.players,
        colours=event.colours,
        piles=event.piles,
        visible=(None,) * HOLDER_COUNT,
        hands=((),) * len(event.players),
        seat=event.first,
    )
    return _with_end_checked(state)


def _reveal(state: State, event: Reveal) -> State:
    if state.piles[event.holder] == 0:
        raise Refused(
            Code.PILE_EMPTY, f"holder {event.holder} has no cards left, so none can be uncovered there"
        )
    state = replace(
        state,
        visible=_with(state.visible, event.holder, event.card),
        lost=state.lost - {event.holder},
    )
    # A correction can leave nothing to take after throw 3; then the turn is over (rule 3.5).
    return _with_turn_checked(state)


def _throw(state: State, event: Throw) -> State:
    if state.stage is Stage.ACTION:
        raise Refused(Code.WRONG_STAGE, "the won card's action comes before the next throw")
    if state.throw_number == LAST_THROW:
        raise Refused(Code.NO_THROW_LEFT, "three throws are made; take a card that is made, or pass")
    if not bodies_are_right(event.dice):
        white, black = BODY_COUNTS[Body.WHITE], BODY_COUNTS[Body.BLACK]
        raise Refused(
            Code.WRONG_DICE, f"a throw has exactly {white} white and {black} black dice; check the reading"
        )
    kept = sum(die.kept for die in event.dice)
    if kept == DICE_COUNT:
        raise Refused(Code.NOTHING_THROWN, "all six dice are marked kept; at least one must be thrown")
    if kept:
        _check_kept_dice(state, event)
    if state.unknown_holders:
        names = ", ".join(str(holder) for holder in state.unknown_holders)
        raise Refused(
            Code.CARD_UNKNOWN, f"the visible card of holder {names} is not known yet; name it first"
        )
    if state.stage is Stage.DECIDE:
        lost, number = state.lost | takeable_holders(state), state.throw_number + 1
    else:
        lost, number = frozenset[int](), 2 if kept else 1
    state = replace(state, dice=event.dice, throw_number=number, lost=lost, may_end_seat=None)
    return _with_turn_checked(state)


def _check_kept_dice(state: State, event: Throw) -> None:
    if state.dice is None:
        raise Refused(Code.ALL_DICE_NEEDED, "the first throw is with all six dice; none can be kept")
    differing = kept_dice_that_differ(state.dice, event.dice)
    if len(differing) > (1 if state.change_open else 0):
        names = ", ".join(f"{die.body} {die.colour}" for die in differing)
        raise Refused(
            Code.KEPT_DIE_DIFFERS, f"kept dice that did not lie there before: {names}; check the reading"
        )


def _take(state: State, event: Take) -> State:
    if state.stage is not Stage.DECIDE or state.dice is None:
        raise Refused(Code.WRONG_STAGE, "a card can be taken only after a throw")
    card = state.visible[event.holder]
    if card is None:
        raise Refused(Code.NOT_AVAILABLE, f"there is no card in holder {event.holder}")
    if event.holder in state.lost:
        raise Refused(
            Code.NOT_AVAILABLE, f"the card of holder {event.holder} is lost for this turn (thrown again)"
        )
    if event.change is not None and not state.change_open:
        raise Refused(
            Code.CHANGE_NOT_ALLOWED, "both black dice must have been thrown and show the same colour"
        )
    if not makes(card, changed_colours(state.dice, event.change)):
        raise Refused(Code.NOT_MADE, f"the dice do not make the card of holder {event.holder}")
    state = replace(
        state,
        visible=_with(state.visible, event.holder, None),
        piles=_with(state.piles, event.holder, state.piles[event.holder] - 1),
        hands=_with(state.hands, state.seat, (*state.hands[state.seat], card)),
        dice=None,
        throw_number=0,
        lost=frozenset(),
    )
    return _after_winning(state, card)


def _after_winning(state: State, card: Card) -> State:
    """Set off the card's action (rule 4.1), or go on where there is none or nobody to apply it to (4.6)."""
    if card.action is Action.REPLAY:
        return _with_end_checked(state)
    others = tuple((state.seat + step) % len(state.players) for step in range(1, len(state.players)))
    targets = tuple(seat for seat in others if state.hands[seat])
    if card.action is not None and targets:
        return replace(state, owed=Owed(card.action, targets))
    return _turn_ended(state)


def _steal(state: State, event: Steal) -> State:
    owed = state.owed
    if owed is None or owed.action is not Action.THEFT:
        raise Refused(Code.WRONG_STAGE, "no theft is to be done now")
    _check_seat(event.victim, owed.seats)
    hands = state.hands
    hands = _with(hands, event.victim, _without(hands[event.victim], event.card, state.players[event.victim]))
    hands = _with(hands, state.seat, (*hands[state.seat], event.card))
    return _turn_ended(replace(state, hands=hands, owed=None))


def _exchange(state: State, event: Exchange) -> State:
    owed = state.owed
    if owed is None or owed.action not in (Action.EXCHANGE, Action.SUPER_EXCHANGE):
        raise Refused(Code.WRONG_STAGE, "no exchange is to be done now")
    in_order = owed.action is Action.SUPER_EXCHANGE
    _check_seat(event.other, owed.seats[:1] if in_order else owed.seats)
    hands = state.hands
    # Both cards leave before either arrives: the card given was the player's before the draw (rule 4.6).
    theirs = _without(hands[event.other], event.received, state.players[event.other])
    own = _without(hands[state.seat], event.given, state.players[state.seat])
    hands = _with(hands, event.other, (*theirs, event.given))
    hands = _with(hands, state.seat, (*own, event.received))
    state = replace(state, hands=hands)
    if in_order and len(owed.seats) > 1:
        return replace(state, owed=Owed(owed.action, owed.seats[1:]))
    return _turn_ended(replace(state, owed=None))


def _pass(state: State) -> State:
    if not may_pass(state):
        raise Refused(
            Code.WRONG_STAGE, "passing is for throw 3 when every card made needs the black-dice change"
        )
    return _turn_ended(state)


def _end_early(state: State, event: EndEarly) -> State:
    if state.stage is Stage.ACTION:
        raise Refused(Code.WRONG_STAGE, "the won card's action comes before the game can be ended")
    if not may_end_early(state, event.player):
        need = state.limits.by_choice
        raise Refused(
            Code.MAY_NOT_END,
            f"only the player whose turn has just ended may end the game, holding {need} cards or more",
        )
    return replace(state, ending=Ending.CHOICE)


def _with_turn_checked(state: State) -> State:
    """End the turn after throw 3 when nothing can be taken (rule 3.5)."""
    if state.stage is Stage.DECIDE and state.throw_number == LAST_THROW and not takeable_holders(state):
        return _turn_ended(state)
    return state


def _turn_ended(state: State) -> State:
    """Pass play to the next seat; dice still lying there may be inherited (rules 3.7, 3.8)."""
    ended = replace(
        state,
        seat=(state.seat + 1) % len(state.players),
        throw_number=0,
        lost=frozenset(),
        may_end_seat=state.seat,
    )
    return _with_end_checked(ended)


def _with_end_checked(state: State) -> State:
    """End the game when someone has enough cards or all piles are used up (rules 4.7, 4.8, 4.10)."""
    if any(len(hand) >= state.limits.automatic for hand in state.hands):
        return replace(state, ending=Ending.CARDS)
    if not any(state.piles):
        return replace(state, ending=Ending.PILES)
    return state


def _check_seat(seat: int, allowed: tuple[int, ...]) -> None:
    if seat not in allowed:
        names = ", ".join(str(other) for other in allowed)
        raise Refused(Code.NO_SUCH_SEAT, f"seat {seat} may not be chosen here; the choice is {names}")


def _with(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _without(hand: tuple[Card, ...], card: Card, owner: str) -> tuple[Card, ...]:
    if card not in hand:
        raise Refused(Code.NO_SUCH_CARD, f"{owner} has no such card")
    index = hand.index(card)
    return (*hand[:index], *hand[index + 1 :])

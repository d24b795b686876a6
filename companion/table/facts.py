"""Facts: what happened, as keys with parameters that a page can say in any language, never sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from companion.game.cards import Action, Card
from companion.game.dice import Die
from companion.game.events import EndEarly, Event, Exchange, Pass, Reveal, Start, Steal, Take, Throw
from companion.game.judge import lights
from companion.game.record import card_to_json, change_to_json, die_to_json
from companion.game.state import Stage, State


class FactKey(StrEnum):
    """Every key, with its parameters. A seat's `player` is the name of that seat."""

    GAME_STARTED = "game_started"
    """players, first, player, hidden"""
    GAME_ABANDONED = "game_abandoned"
    """(none)"""
    CARD_REVEALED = "card_revealed"
    """holder, card"""
    CARD_SEEN = "card_seen"
    """holder, card: the camera knew the card that was uncovered"""
    CARD_CORRECTED = "card_corrected"
    """holder, was, card"""
    THROW_MADE = "throw_made"
    """seat, player, throw_number, dice, lights"""
    THROW_HELD = "throw_held"
    """seat, player, dice, holders: the throw waits until the cards of these holders are named (rule 3.9)"""
    THROW_DROPPED = "throw_dropped"
    """(none): the waiting throw was dismissed"""
    THROW_CORRECTED = "throw_corrected"
    """seat, player, throw_number, dice, was, left_out: how many later events no longer fitted"""
    TURN_FAILED = "turn_failed"
    """seat, player: after throw 3 nothing can be taken (rule 3.5)"""
    TURN_BEGAN = "turn_began"
    """seat, player, inherits: whether dice lie there that may be kept (rule 3.8)"""
    TURN_IS_NOW = "turn_is_now"
    """seat, player, throw_number: a correction moved the turn"""
    CARD_TAKEN = "card_taken"
    """seat, player, holder, card, change"""
    CARD_GAINED = "card_gained"
    """seat, player, card: in front of that player now, by a correction"""
    CARD_GONE = "card_gone"
    """seat, player, card: no longer in front of that player, by a correction"""
    REPLAY_WON = "replay_won"
    """seat, player (rule 4.2)"""
    ACTION_OWED = "action_owed"
    """seat, player, action, seats"""
    ACTION_IDLE = "action_idle"
    """seat, player, action: nobody to apply it to (rule 4.6)"""
    CARD_DRAWN = "card_drawn"
    """seat, player, other, other_player: drawn blind, not shown here"""
    CARD_STOLEN = "card_stolen"
    """seat, player, victim, victim_player, card (null while scores are hidden)"""
    CARDS_EXCHANGED = "cards_exchanged"
    """seat, player, other, other_player, received, given (both null while scores are hidden)"""
    PASSED = "passed"
    """seat, player"""
    GAME_ENDED = "game_ended"
    """ending, winners, players (the winners' names), points"""
    GAME_GOES_ON = "game_goes_on"
    """(none): by a correction or an undo the game is no longer over"""
    UNDONE = "undone"
    """what: the fact that was taken back"""
    REDONE = "redone"
    """what: the fact that was brought back"""
    NOT_NOW = "not_now"
    """code, sentence: what the button asked for was refused"""
    PRESS = "press"
    """(none): a press whose reading is under way or waits; only as what an undo would take back"""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that happened; `correction` when it mends what was said before."""

    key: FactKey
    params: Mapping[str, Any] = field(default_factory=dict)
    correction: bool = False
    revision: int = 0

    def to_json(self) -> dict[str, Any]:
        """The fact with its revision, as in the snapshot's `said`."""
        return {**self.label(), "revision": self.revision, "correction": self.correction}

    def label(self) -> dict[str, Any]:
        """Key and parameters only, as in the snapshot's `undo` and `redo`."""
        return {"key": str(self.key), **self.params}


def card_json(card: Card | None) -> dict[str, Any] | None:
    """A card's JSON object, or null."""
    return None if card is None else card_to_json(card)


def dice_json(dice: Sequence[Die]) -> list[dict[str, Any]]:
    """Dice as in a record's throw."""
    return [die_to_json(die) for die in dice]


def who(state: State, seat: int) -> dict[str, Any]:
    """The seat and its name."""
    return {"seat": seat, "player": state.players[seat]}


def facts_of_event(before: State | None, event: Event, after: State, *, hidden: bool) -> tuple[Fact, ...]:
    """Return what `event` did from `before` to `after`: itself first, then what follows from it."""
    if before is None:
        return (_started(event, after, hidden=hidden), *_ended(after))
    return (*_itself(before, event, after, hidden=hidden), *_consequences(before, event, after))


def _started(event: Event, after: State, *, hidden: bool) -> Fact:
    assert isinstance(event, Start)
    params = {"players": list(event.players), "first": event.first, "player": after.players[event.first]}
    return Fact(FactKey.GAME_STARTED, {**params, "hidden": hidden})


def _itself(before: State, event: Event, after: State, *, hidden: bool) -> list[Fact]:
    own = who(before, before.seat)
    match event:
        case Start():
            return []
        case Reveal():
            return [_revealed(before, event)]
        case Throw():
            number = (before.throw_number or (1 if any(die.kept for die in event.dice) else 0)) + 1
            shown = [None if light is None else str(light) for light in lights(after)]
            params = {**own, "throw_number": number, "dice": dice_json(event.dice), "lights": shown}
            return [Fact(FactKey.THROW_MADE, params)]
        case Take():
            card = before.visible[event.holder]
            params = {
                **own,
                "holder": event.holder,
                "card": card_json(card),
                "change": change_to_json(event.change),
            }
            return [Fact(FactKey.CARD_TAKEN, params), *_action(card, own, after)]
        case Steal():
            card = None if hidden else event.card
            victim = {"victim": event.victim, "victim_player": before.players[event.victim]}
            return [Fact(FactKey.CARD_STOLEN, {**own, **victim, "card": card_json(card)})]
        case Exchange():
            cards = (None, None) if hidden else (event.received, event.given)
            other = {"other": event.other, "other_player": before.players[event.other]}
            both = {"received": card_json(cards[0]), "given": card_json(cards[1])}
            return [Fact(FactKey.CARDS_EXCHANGED, {**own, **other, **both})]
        case Pass():
            return [Fact(FactKey.PASSED, own)]
        case EndEarly():
            return []


def _revealed(before: State, event: Reveal) -> Fact:
    was = before.visible[event.holder]
    place = {"holder": event.holder, "card": card_json(event.card)}
    if was is None:
        return Fact(FactKey.CARD_REVEALED, place)
    return Fact(FactKey.CARD_CORRECTED, {**place, "was": card_json(was)}, correction=True)


def _action(card: Card | None, own: dict[str, Any], after: State) -> list[Fact]:
    if card is None or card.action is None or after.stage is Stage.OVER:
        return []
    if card.action is Action.REPLAY:
        return [Fact(FactKey.REPLAY_WON, own)]
    params = {**own, "action": str(card.action)}
    if after.owed is None:
        return [Fact(FactKey.ACTION_IDLE, params)]
    return [Fact(FactKey.ACTION_OWED, {**params, "seats": list(after.owed.seats)})]


def _consequences(before: State, event: Event, after: State) -> list[Fact]:
    facts = []
    turn_over = after.may_end_seat == before.seat and after.may_end_seat != before.may_end_seat
    if turn_over and isinstance(event, (Throw, Reveal)):
        facts.append(Fact(FactKey.TURN_FAILED, who(before, before.seat)))
    if turn_over and after.stage is Stage.THROW:
        inherits = after.inherited_dice is not None
        facts.append(Fact(FactKey.TURN_BEGAN, {**who(after, after.seat), "inherits": inherits}))
    return facts + _ended(after)


def _ended(after: State) -> list[Fact]:
    winners = after.winners
    if winners is None or after.ending is None:
        return []
    names = [after.players[seat] for seat in winners]
    params = {"ending": after.ending.value, "winners": list(winners), "players": names}
    return [Fact(FactKey.GAME_ENDED, {**params, "points": list(after.points)})]


def facts_of_difference(before: State, after: State, *, hidden: bool) -> tuple[Fact, ...]:
    """Return what a correction changed between two states: cards, turn, the game's end."""
    facts = []
    for seat in range(len(before.hands)):
        was, now = Counter(before.hands[seat]), Counter(after.hands[seat])
        for key, cards in ((FactKey.CARD_GONE, was - now), (FactKey.CARD_GAINED, now - was)):
            for card in cards.elements():
                shown = None if hidden else card_json(card)
                facts.append(Fact(key, {**who(after, seat), "card": shown}, correction=True))
    if before.stage is Stage.OVER and after.stage is not Stage.OVER:
        facts.append(Fact(FactKey.GAME_GOES_ON, {}, correction=True))
    moved = (before.seat, before.throw_number) != (after.seat, after.throw_number)
    if moved and after.stage is not Stage.OVER:
        number = {"throw_number": after.throw_number}
        facts.append(Fact(FactKey.TURN_IS_NOW, {**who(after, after.seat), **number}, correction=True))
    if before.stage is not Stage.OVER:
        facts += _ended(after)
    return tuple(facts)

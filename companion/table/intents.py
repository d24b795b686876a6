"""Intents: what people ask of the table, parsed from a phone's JSON into frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.game.cards import Card
from companion.game.dice import DICE_COUNT, Change, Die
from companion.game.events import HOLDER_COUNT
from companion.game.fields import BadLine, field_of, index_field, is_count, json_object, one_line
from companion.game.record import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    Terms,
    card_from_json,
    change_from_json,
    die_from_json,
)

NAME_LENGTH = 40
"""Longest name of a player, in characters: a screen's line."""


class IntentError(ValueError):
    """What was sent is no intent; the sentence says which part is not as it must be."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class StartGame:
    """Start a game: names in clockwise order, who is first (None: drawn at random), scores hidden or open."""

    players: tuple[str, ...]
    first: int | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """The button was pressed: "the throw is finished", or the marker moves on."""


@dataclass(frozen=True, slots=True)
class Hold:
    """The button was held: take the only lit card, or confirm the marked one."""


@dataclass(frozen=True, slots=True)
class LongHold:
    """The button was held very long: undo."""


@dataclass(frozen=True, slots=True)
class NameCard:
    """The visible card of a holder is this one; where one is known already, a correction."""

    holder: int
    card: Card


@dataclass(frozen=True, slots=True)
class LookAtCards:
    """The cards lie there now: let the camera look at those without a name."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the card of a holder, with a change if given."""

    holder: int
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Decline the change after throw 3 (rule 3.5)."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Let the companion draw blind from seat `other`."""

    other: int


@dataclass(frozen=True, slots=True)
class Steal:
    """The card was drawn from seat `victim` by hand (rule 4.3)."""

    victim: int
    card: Card


@dataclass(frozen=True, slots=True)
class Exchange:
    """With seat `other`: this card was drawn, that one given (rule 4.4)."""

    other: int
    received: Card
    given: Card


@dataclass(frozen=True, slots=True)
class EndEarly:
    """Seat `player` ends the game (rule 4.9)."""

    player: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last step."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Bring back the step last taken back."""


@dataclass(frozen=True, slots=True)
class EnterThrow:
    """These six dice lie there: typed by hand, or the mended reading."""

    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class CorrectThrow:
    """The last throw was these dice; everything after it is derived anew (rule 6.3)."""

    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class CorrectEvent:
    """The throw at `index` of the game's events was these dice (rule 6.3)."""

    index: int
    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class DismissReading:
    """Forget the reading that waits or is under way."""


@dataclass(frozen=True, slots=True)
class AbandonGame:
    """Leave the game as it is and go back to the lobby."""


Intent = (
    StartGame
    | Press
    | Hold
    | LongHold
    | NameCard
    | LookAtCards
    | Take
    | Pass
    | Draw
    | Steal
    | Exchange
    | EndEarly
    | Undo
    | Redo
    | EnterThrow
    | CorrectThrow
    | CorrectEvent
    | DismissReading
    | AbandonGame
)

_PLAIN: dict[str, Intent] = {
    "press": Press(),
    "hold": Hold(),
    "long_hold": LongHold(),
    "look_at_cards": LookAtCards(),
    "pass": Pass(),
    "undo": Undo(),
    "redo": Redo(),
    "dismiss_reading": DismissReading(),
    "abandon_game": AbandonGame(),
}


def parse_intent(data: object, terms: Terms) -> Intent:
    """Read a decoded JSON object; `terms` (seats and colours) are those of the game, see `Table.terms`.

    Raises:
        IntentError: it is no intent of this game.
    """
    try:
        return _parsed(json_object(data, "an intent"), terms)
    except BadLine as error:
        raise IntentError(error.sentence) from error


def _parsed(fields: Mapping[str, Any], terms: Terms) -> Intent:
    kind = fields.get("type")
    if isinstance(kind, str) and kind in _PLAIN:
        return _PLAIN[kind]
    match kind:
        case "start_game":
            return _start_game(fields)
        case "name_card":
            return NameCard(index_field(fields, "holder", HOLDER_COUNT), _card(fields, "card", terms))
        case "take":
            change = change_from_json(fields.get("change"), terms.colours)
            return Take(index_field(fields, "holder", HOLDER_COUNT), change)
        case "draw":
            return Draw(index_field(fields, "other", terms.seats))
        case "steal":
            return Steal(index_field(fields, "victim", terms.seats), _card(fields, "card", terms))
        case "exchange":
            received, given = _card(fields, "received", terms), _card(fields, "given", terms)
            return Exchange(index_field(fields, "other", terms.seats), received, given)
        case "end_early":
            return EndEarly(index_field(fields, "player", terms.seats))
        case "enter_throw":
            return EnterThrow(_dice(fields, terms))
        case "correct_throw":
            return CorrectThrow(_dice(fields, terms))
        case "correct_event":
            return CorrectEvent(_event_index(fields), _dice(fields, terms))
    raise IntentError('"type" names no intent that the table knows')


def _start_game(fields: Mapping[str, Any]) -> StartGame:
    raw = field_of(fields, "players")
    if not isinstance(raw, list) or not all(isinstance(name, str) for name in raw):
        raise IntentError('"players" must be a list of names')
    if not MIN_PLAYERS <= len(raw) <= MAX_PLAYERS:
        raise IntentError(f"a game has {MIN_PLAYERS} to {MAX_PLAYERS} players, not {len(raw)}")
    players = tuple(_name(name) for name in raw)
    if len({name.casefold() for name in players}) < len(players):
        raise IntentError("two players have the same name; add something that tells them apart")
    first = None if fields.get("first") is None else index_field(fields, "first", len(players))
    hidden = fields.get("hidden", False)
    if not isinstance(hidden, bool):
        raise IntentError('"hidden" must be true or false')
    return StartGame(players, first, hidden)


def _name(raw: str) -> str:
    """Return a name as it can be shown on one line, or refuse it."""
    name = one_line(raw)
    if not name:
        raise IntentError("a player has no name")
    if len(name) > NAME_LENGTH:
        raise IntentError(f"a name may have {NAME_LENGTH} characters, this one has {len(name)}")
    return name


def _card(fields: Mapping[str, Any], name: str, terms: Terms) -> Card:
    return card_from_json(field_of(fields, name), terms.colours)


def _dice(fields: Mapping[str, Any], terms: Terms) -> tuple[Die, ...]:
    raw = field_of(fields, "dice")
    if not isinstance(raw, list) or len(raw) != DICE_COUNT:
        raise IntentError(f'"dice" must be a list of {DICE_COUNT} dice')
    return tuple(die_from_json(item, terms.colours) for item in raw)


def _event_index(fields: Mapping[str, Any]) -> int:
    """Return the index of an event, from 0; whether there is such a one the table knows."""
    value = field_of(fields, "index")
    if not is_count(value):
        raise IntentError('"index" must be a whole number from 0 up')
    return int(value)

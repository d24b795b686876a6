"""The game record: events to and from JSON lines, checked field by field."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.game.cards import Action, Card, Group, combination_is_possible
from companion.game.dice import DEFAULT_COLOURS, DICE_COUNT, Body, Change, Die
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
from companion.game.fields import (
    MAX_NUMBER,
    BadLine,
    colour_named,
    colours_field,
    field_of,
    index_field,
    is_count,
    is_text,
    is_whole,
    json_object,
    shown,
)

__all__ = [
    "BadLine",
    "Terms",
    "card_from_json",
    "card_to_json",
    "change_from_json",
    "change_to_json",
    "die_from_json",
    "die_to_json",
    "event_from_json",
    "event_to_json",
    "parse_line",
    "print_line",
    "read_events",
    "terms_of",
]

MIN_PLAYERS, MAX_PLAYERS = 2, 6
BYTE_ORDER_MARK = "\ufeff"
"""What some editors put before the first line."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a game's own start fixes for its later lines: how many seats, and the six colours."""

    seats: int = MAX_PLAYERS
    colours: tuple[str, ...] = DEFAULT_COLOURS


def parse_line(line: str, terms: Terms) -> Event:
    """Read one line of a record.

    Raises:
        BadLine: it is not a JSON object that describes an event of this game.
    """
    try:
        data = json.loads(line, parse_constant=_refuse_constant)
    except BadLine:
        raise
    except json.JSONDecodeError as error:
        raise BadLine(f"not valid JSON ({error.msg} at character {error.pos + 1})") from error
    except RecursionError as error:
        raise BadLine("not a record line: brackets are nested too deeply") from error
    except ValueError as error:  # Python's own limit for reading whole numbers, some thousands of digits
        raise BadLine("not a record line: a number is too long") from error
    return event_from_json(data, terms)


def _refuse_constant(name: str) -> None:
    raise BadLine(f"not valid JSON ({name} is no JSON number)")


def print_line(event: Event) -> str:
    """Write an event as one line of a record, without the line end."""
    return json.dumps(event_to_json(event), ensure_ascii=False)


def terms_of(start: Start) -> Terms:
    """Return what `start` fixes for the lines after it."""
    return Terms(len(start.players), start.colours)


def read_events(lines: Iterable[str | bytes]) -> Iterator[tuple[int, Event]]:
    """Yield each line's number (from 1) and event; empty lines are passed over.

    Lines as bytes are decoded here, as UTF-8 with or without a mark at the start.

    Raises:
        BadLine: a line is no event; its `line` is set.
    """
    terms = Terms()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            event = parse_line(_decoded(line, first=number == 1), terms)
        except BadLine as error:
            raise BadLine(error.sentence, number) from error
        if isinstance(event, Start):
            terms = terms_of(event)
        yield number, event


def _decoded(line: str | bytes, *, first: bool) -> str:
    if isinstance(line, bytes):
        try:
            line = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadLine(f"not UTF-8 text (byte {error.start + 1}); save the record as UTF-8") from error
    return line.removeprefix(BYTE_ORDER_MARK) if first else line


def event_from_json(data: object, terms: Terms) -> Event:
    """Turn a decoded JSON object into an event (see `parse_line`)."""
    fields = json_object(data, "the line")
    kind = fields.get("type")
    match kind:
        case "start":
            return _start(fields)
        case "reveal":
            return Reveal(index_field(fields, "holder", HOLDER_COUNT), _card(fields, "card", terms))
        case "throw":
            return Throw(_dice(fields, terms))
        case "take":
            change = change_from_json(field_of(fields, "change"), terms.colours)
            return Take(index_field(fields, "holder", HOLDER_COUNT), change)
        case "steal":
            return Steal(index_field(fields, "victim", terms.seats), _card(fields, "card", terms))
        case "exchange":
            return Exchange(
                index_field(fields, "other", terms.seats),
                _card(fields, "received", terms),
                _card(fields, "given", terms),
            )
        case "pass":
            return Pass()
        case "end_early":
            return EndEarly(index_field(fields, "player", terms.seats))
        case _:
            raise BadLine(f'unknown event type {shown(kind)}; "type" names the event')


def event_to_json(event: Event) -> dict[str, Any]:
    """Turn an event into the JSON object of its record line."""
    match event:
        case Start():
            fields: dict[str, Any] = {"type": "start", "players": list(event.players), "first": event.first}
            defaults = Start(event.players, event.first)
            if event.piles != defaults.piles:
                fields["piles"] = list(event.piles)
            if event.colours != defaults.colours:
                fields["colours"] = list(event.colours)
            return fields
        case Reveal():
            return {"type": "reveal", "holder": event.holder, "card": card_to_json(event.card)}
        case Throw():
            return {"type": "throw", "dice": [die_to_json(die) for die in event.dice]}
        case Take():
            return {"type": "take", "holder": event.holder, "change": change_to_json(event.change)}
        case Steal():
            return {"type": "steal", "victim": event.victim, "card": card_to_json(event.card)}
        case Exchange():
            return {
                "type": "exchange",
                "other": event.other,
                "received": card_to_json(event.received),
                "given": card_to_json(event.given),
            }
        case Pass():
            return {"type": "pass"}
        case EndEarly():
            return {"type": "end_early", "player": event.player}


def card_to_json(card: Card) -> dict[str, Any]:
    """Turn a card into its JSON object, groups in the order they came."""
    return {
        "groups": [[group.size, group.colour] for group in card.groups],
        "points": card.points,
        "action": None if card.action is None else str(card.action),
    }


def card_from_json(data: object, colours: tuple[str, ...]) -> Card:
    """Read a card; `colours` are the names its groups may use.

    Raises:
        BadLine: it has not exactly the keys groups, points, action, or one of them is not as it must be.
    """
    fields = json_object(data, "a card")
    if set(fields) != {"groups", "points", "action"}:
        raise BadLine('a card has exactly the keys "groups", "points" and "action"')
    raw = fields["groups"]
    if not isinstance(raw, list):
        raise BadLine('"groups" must be a list of [size, colour or null]')
    groups = tuple(_group(item, colours) for item in raw)
    if not combination_is_possible(groups):
        raise BadLine("a card needs one group or more, and no more than six dice in all")
    points, action = fields["points"], fields["action"]
    if not is_count(points):
        raise BadLine(f'"points" must be a whole number from 0 to {MAX_NUMBER}, not {shown(points)}')
    if action is not None and action not in tuple(Action):
        raise BadLine(f'"action" must be null or one of {", ".join(Action)}, not {shown(action)}')
    return Card(groups, points, None if action is None else Action(action))


def die_to_json(die: Die) -> dict[str, Any]:
    """Turn a die into its JSON object."""
    return {"body": str(die.body), "colour": die.colour, "kept": die.kept}


def change_to_json(change: Change | None) -> dict[str, Any] | None:
    """Turn a black-dice change into its JSON object, or null."""
    return None if change is None else {"die": change.die, "colour": change.colour}


def _start(fields: Mapping[str, Any]) -> Start:
    players = field_of(fields, "players")
    if not isinstance(players, list) or not all(is_text(name) for name in players):
        raise BadLine('"players" must be a list of names')
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise BadLine(f"a game has {MIN_PLAYERS} to {MAX_PLAYERS} players, not {len(players)}")
    start = Start(tuple(players), index_field(fields, "first", len(players)))
    piles = fields.get("piles", list(start.piles))
    if not isinstance(piles, list) or len(piles) != HOLDER_COUNT or not all(is_count(n) for n in piles):
        raise BadLine(f'"piles" must be three whole numbers from 0 to {MAX_NUMBER}')
    return Start(start.players, start.first, (piles[0], piles[1], piles[2]), colours_field(fields))


def _dice(fields: Mapping[str, Any], terms: Terms) -> tuple[Die, ...]:
    raw = field_of(fields, "dice")
    if not isinstance(raw, list):
        raise BadLine('"dice" must be a list of dice')
    return tuple(die_from_json(item, terms.colours) for item in raw)


def die_from_json(data: object, colours: tuple[str, ...]) -> Die:
    """Read one die of a throw.

    Raises:
        BadLine: body, colour or kept is missing or not as it must be.
    """
    fields = json_object(data, "a die")
    body, kept = field_of(fields, "body"), field_of(fields, "kept")
    if body not in tuple(Body):
        raise BadLine(f'"body" must be white or black, not {shown(body)}')
    if not isinstance(kept, bool):
        raise BadLine(f'"kept" must be true or false, not {shown(kept)}')
    return Die(Body(body), colour_named(field_of(fields, "colour"), colours), kept)


def change_from_json(data: object, colours: tuple[str, ...]) -> Change | None:
    """Read a black-dice change, or null.

    Raises:
        BadLine: the die or the colour is missing or not as it must be.
    """
    if data is None:
        return None
    change = json_object(data, '"change"')
    return Change(index_field(change, "die", DICE_COUNT), colour_named(field_of(change, "colour"), colours))


def _card(fields: Mapping[str, Any], name: str, terms: Terms) -> Card:
    return card_from_json(field_of(fields, name), terms.colours)


def _group(item: object, colours: tuple[str, ...]) -> Group:
    if not isinstance(item, list) or len(item) != 2 or not is_whole(item[0]):
        raise BadLine(f"a group is [size, colour or null], not {shown(item)}")
    return Group(item[0], None if item[1] is None else colour_named(item[1], colours))

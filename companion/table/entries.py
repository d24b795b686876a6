"""Entries: what the journal keeps, step by step; the game and its undo are the replay of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.game.cards import Card
from companion.game.dice import Die
from companion.game.events import Event, Start
from companion.game.record import (
    BadLine,
    Terms,
    card_from_json,
    card_to_json,
    die_from_json,
    die_to_json,
    event_from_json,
    event_to_json,
)


@dataclass(frozen=True, slots=True)
class Started:
    """A game began; blind draws come from the seed, scores may be hidden, `upto` is as in `Reserved`."""

    game_id: str
    seed: str
    hidden: bool
    start: Start
    upto: int


@dataclass(frozen=True, slots=True)
class Happened:
    """Events that came in one step; `by_camera` where the camera named the card that they begin with."""

    events: tuple[Event, ...]
    by_camera: bool = False


@dataclass(frozen=True, slots=True)
class Corrected:
    """The event at `index` (from 0) was this one; later ones are derived anew (rule 6.3)."""

    index: int
    event: Event


@dataclass(frozen=True, slots=True)
class Held:
    """These dice lie there and wait for a card's name (rule 3.9); none: the waiting throw was dropped."""

    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class Drew:
    """The companion drew this card blind from that seat; what is given for it is not said yet."""

    other: int
    card: Card


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The players left the game as it is."""


@dataclass(frozen=True, slots=True)
class Undone:
    """The last step was taken back."""


@dataclass(frozen=True, slots=True)
class Redone:
    """The step last taken back was brought back."""


@dataclass(frozen=True, slots=True)
class Reserved:
    """Revisions below `upto` may have been shown; a restart goes on from there, so none is used twice."""

    upto: int


Step = Started | Happened | Corrected | Held | Drew | Abandoned
"""What can be undone."""

Entry = Step | Undone | Redone | Reserved


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """Turn an entry into a JSON object."""
    match entry:
        case Started():
            own = {"game": entry.game_id, "seed": entry.seed, "hidden": entry.hidden, "upto": entry.upto}
            return {"do": "start", **own, "event": event_to_json(entry.start)}
        case Happened():
            told = {"do": "events", "events": [event_to_json(event) for event in entry.events]}
            return {**told, "by": "camera"} if entry.by_camera else told
        case Corrected():
            return {"do": "correct", "index": entry.index, "event": event_to_json(entry.event)}
        case Held():
            return {"do": "hold", "dice": [die_to_json(die) for die in entry.dice]}
        case Drew():
            return {"do": "draw", "other": entry.other, "card": card_to_json(entry.card)}
        case Abandoned():
            return {"do": "abandon"}
        case Undone():
            return {"do": "undo"}
        case Redone():
            return {"do": "redo"}
        case Reserved():
            return {"do": "reserve", "upto": entry.upto}


def entry_from_json(data: Mapping[str, Any], terms: Terms) -> Entry:
    """Read what `entry_to_json` wrote; `terms` are those of the game under way.

    Raises:
        BadLine: it is none of ours.
    """
    try:
        match data.get("do"):
            case "start":
                start = event_from_json(data["event"], Terms())
                if not isinstance(start, Start):
                    raise BadLine("a game's first entry holds no start")
                return Started(
                    str(data["game"]), str(data["seed"]), bool(data["hidden"]), start, int(data["upto"])
                )
            case "events":
                events = tuple(event_from_json(event, terms) for event in data["events"])
                return Happened(events, data.get("by") == "camera")
            case "correct":
                return Corrected(int(data["index"]), event_from_json(data["event"], terms))
            case "hold":
                return Held(tuple(die_from_json(die, terms.colours) for die in data["dice"]))
            case "draw":
                return Drew(int(data["other"]), card_from_json(data["card"], terms.colours))
            case "abandon":
                return Abandoned()
            case "undo":
                return Undone()
            case "redo":
                return Redone()
            case "reserve":
                return Reserved(int(data["upto"]))
    except (KeyError, TypeError) as error:
        raise BadLine(f"an entry's field is missing or ill-typed ({error})") from error
    raise BadLine(f"unknown entry {data.get('do')!r}")

"""Hearing: a message from the broker becomes what it says, or is refused with a reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import fastjsonschema

from companion.club.results import Delivery, Refusal, delivery_of
from companion.club.wall import Line, Wall
from companion.mqtt.topics import OFFLINE, ONLINE, Place, place_of

MOST_BYTES = 512 * 1024
"""The largest message that is looked at; a long game's is about thirty kilobytes."""

RETAINED = frozenset({"availability", "state", "health"})
"""What stays at the broker until an empty message takes it away."""

SCHEMA_OF: Mapping[str, str] = {"state": "state", "health": "health", "games": "game"}


class Hearing:
    """Takes messages: what is live goes on the wall, a finished game is returned for the ledger."""

    def __init__(self, wall: Wall, prefix: str) -> None:
        self._wall = wall
        self._prefix = prefix

    def line(self, broker: Line) -> None:
        """The broker is followed so from now on."""
        self._wall.line(broker)

    def hear(self, topic: str, payload: bytes) -> Delivery | None:
        """Take one message; return what is to be stored.

        Raises:
            Refusal: it is malformed, too large, or says what can not be.
        """
        place = place_of(topic, self._prefix)
        if place is None or place.kind not in ("availability", *SCHEMA_OF):
            raise Refusal("this is no topic of a table that is followed")
        if len(payload) > MOST_BYTES:
            raise Refusal(f"{len(payload)} bytes are more than any message has")
        if not payload and place.kind in RETAINED:
            self._wall.forget(place.table)
            return None
        if place.kind == "availability":
            self._wall.availability(place.table, _is_online(payload))
            return None
        message = _checked(place, payload)
        if place.kind == "games":
            return delivery_of(message, place.table, place.game or "")
        if message["table"] != place.table:
            raise Refusal("it speaks for another table than its topic")
        if place.kind == "state":
            self._wall.state(place.table, message)
        elif place.kind == "health":
            self._wall.health(place.table, message)
        return None


def _is_online(payload: bytes) -> bool:
    text = payload.decode(errors="replace")
    if text not in (ONLINE, OFFLINE):
        raise Refusal(f"a table is {ONLINE} or {OFFLINE}")
    return text == ONLINE


def _checked(place: Place, payload: bytes) -> Mapping[str, Any]:
    try:
        message = json.loads(payload, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Refusal(f"it is no JSON ({type(error).__name__})") from error
    try:
        _check(SCHEMA_OF[place.kind])(message)
    except fastjsonschema.JsonSchemaException as error:
        raise Refusal(f"it is not as the schema says: {str(error)[:200]}") from error
    found: Mapping[str, Any] = message
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


@cache
def _check(name: str) -> Callable[[object], object]:
    text = files("companion.mqtt").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    check: Callable[[object], object] = fastjsonschema.compile(json.loads(text), use_default=False)
    return check

"""Schemas of what goes in and out: cards, dice, intents, snapshots; limits are the table's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calibration import Step
from companion.game.cards import Action
from companion.game.dice import DICE_COUNT, Body
from companion.game.events import HOLDER_COUNT
from companion.game.judge import Light, Standing
from companion.game.record import MAX_PLAYERS, MIN_PLAYERS
from companion.pairing import door
from companion.table import intents
from companion.table.phase import Phase
from companion.table.ports import LedPattern
from companion.table.sights import Why
from companion.table.state import HealthState

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
YES_NO: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}


def ref(name: str) -> Schema:
    """Refer to a schema among the components."""
    return {"$ref": f"#/components/schemas/{name}"}


def maybe(schema: Schema) -> Schema:
    """Either that, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def one_of(values: Sequence[str]) -> Schema:
    """One of these words."""
    return {"type": "string", "enum": [str(value) for value in values]}


def list_of(schema: Schema, fewest: int | None = None, most: int | None = None) -> Schema:
    """A list of such, with so many."""
    limits = {"minItems": fewest, "maxItems": most}
    return {
        "type": "array",
        "items": schema,
        **{name: value for name, value in limits.items() if value is not None},
    }


def below(count: int) -> Schema:
    """A whole number from 0 up to, but not with, `count`."""
    return {"type": "integer", "minimum": 0, "maximum": count - 1}


def thing(fields: dict[str, Schema], *, optional: Sequence[str] = (), more: bool = True) -> Schema:
    """An object with these fields; `more`: others may come along."""
    required = [name for name in fields if name not in optional]
    told: Schema = {"type": "object", "properties": fields, "required": required}
    return told if more else {**told, "additionalProperties": False}


SEAT = below(MAX_PLAYERS)
HOLDER = below(HOLDER_COUNT)
DICE = list_of(ref("Die"), DICE_COUNT, DICE_COUNT)
CARDS = list_of(ref("Card"))

INTENT_FIELDS: dict[str, dict[str, Schema]] = {
    "start_game": {
        "players": list_of(
            {"type": "string", "minLength": 1, "maxLength": intents.NAME_LENGTH}, MIN_PLAYERS, MAX_PLAYERS
        ),
        "first": maybe(SEAT),
        "hidden": YES_NO,
    },
    "press": {},
    "hold": {},
    "long_hold": {},
    "name_card": {"holder": HOLDER, "card": ref("Card")},
    "look_at_cards": {},
    "take": {"holder": HOLDER, "change": maybe(ref("Change"))},
    "pass": {},
    "draw": {"other": SEAT},
    "steal": {"victim": SEAT, "card": ref("Card")},
    "exchange": {"other": SEAT, "received": ref("Card"), "given": ref("Card")},
    "end_early": {"player": SEAT},
    "undo": {},
    "redo": {},
    "enter_throw": {"dice": DICE},
    "correct_throw": {"dice": DICE},
    "correct_event": {"index": COUNT, "dice": DICE},
    "dismiss_reading": {},
    "abandon_game": {},
}
"""What can be asked of the table, with the fields of each; null may be left out."""


def _intent() -> Schema:
    return {
        "oneOf": [
            thing({"type": {"const": kind}, **fields}, optional=("first", "hidden", "change"))
            for kind, fields in INTENT_FIELDS.items()
        ]
    }


def _game() -> Schema:
    return thing(
        {
            "id": TEXT,
            "hidden": YES_NO,
            "colours": list_of(TEXT),
            "players": list_of(thing({"name": TEXT, "cards": COUNT, "points": maybe(COUNT)})),
            "hands": maybe(list_of(CARDS)),
            "seat": maybe(SEAT),
            "throw_number": COUNT,
            "throws_left": COUNT,
            "dice": maybe(DICE),
            "inherited": YES_NO,
            "change_open": YES_NO,
            "holders": list_of(ref("Holder"), HOLDER_COUNT, HOLDER_COUNT),
            "owed": maybe(
                thing(
                    {
                        "action": one_of(tuple(Action)),
                        "seats": list_of(SEAT),
                        "drawn": maybe(ref("Card")),
                        "drawn_from": maybe(SEAT),
                    }
                )
            ),
            "may_pass": YES_NO,
            "may_end": list_of(SEAT),
            "limits": thing({"automatic": COUNT, "by_choice": COUNT}),
            "winners": maybe(list_of(SEAT)),
            "ending": maybe(TEXT),
        }
    )


def _snapshot() -> Schema:
    picture = {"picture": maybe(TEXT), "size": maybe(list_of(COUNT, 2, 2)), "dice": list_of(ref("DieSeen"))}
    reading = {
        **picture,
        "problems": list_of(TEXT),
        "why": TEXT,
        "sentence": TEXT,
        "differing": list_of(thing({"body": TEXT, "was": list_of(TEXT), "now": TEXT})),
        "mends": list_of(thing({"index": maybe(COUNT), "dice": DICE})),
    }
    return thing(
        {
            "revision": COUNT,
            "phase": one_of(tuple(Phase)),
            "game": maybe(ref("Game")),
            "reading": maybe(thing(reading)),
            "seen": maybe(thing(picture)),
            "picture": maybe(TEXT),
            "held": maybe(DICE),
            "marker": maybe({"anyOf": [HOLDER, {"const": "pass"}]}),
            "leds": list_of(one_of(tuple(LedPattern)), HOLDER_COUNT, HOLDER_COUNT),
            "said": list_of(ref("Fact")),
            "undo": maybe(ref("Fact")),
            "redo": maybe(ref("Fact")),
            "cards": maybe(thing({"glances": YES_NO, "watched": list_of(HOLDER)})),
            "health": {
                "type": "object",
                "additionalProperties": thing(
                    {"state": one_of(tuple(HealthState)), "sentence": maybe(TEXT)}, optional=("sentence",)
                ),
            },
        }
    )


def _past_game() -> dict[str, Schema]:
    return {
        "id": TEXT,
        "started": TEXT,
        "ended": maybe(TEXT),
        "status": TEXT,
        "players": list_of(TEXT),
        "first": SEAT,
        "points": list_of(COUNT),
        "cards": list_of(COUNT),
        "winners": maybe(list_of(SEAT)),
        "ending": maybe(TEXT),
    }


def components() -> dict[str, Schema]:
    """Return all named schemas."""
    seen = {"body": one_of(tuple(Body)), "colour": TEXT, "zone": TEXT, "centre_px": list_of(NUMBER, 2, 2)}
    outline = {
        "top_px": list_of(list_of(NUMBER, 2, 2), 4, 4),
        "confidence": NUMBER,
        "runner_up": TEXT,
        "problems": list_of(TEXT),
    }
    waiting = thing({"name": TEXT, "left_s": NUMBER, "yours": YES_NO})
    question = thing(
        {"why": one_of(tuple(Why)), "look": maybe(TEXT), "cards": CARDS, "guess": maybe(ref("Card"))}
    )
    odds = {
        "chance": list_of(NUMBER, HOLDER_COUNT, HOLDER_COUNT),
        "any": NUMBER,
        "points": NUMBER,
        "keep": maybe(list_of(below(DICE_COUNT))),
        "change": maybe(ref("Change")),
        "take": maybe(HOLDER),
    }
    return {
        "Card": thing(
            {
                "groups": list_of(
                    {
                        "type": "array",
                        "prefixItems": [
                            {"type": "integer", "minimum": 1, "maximum": DICE_COUNT},
                            maybe(TEXT),
                        ],
                        "minItems": 2,
                        "maxItems": 2,
                    },
                    1,
                    DICE_COUNT,
                ),
                "points": COUNT,
                "action": maybe(one_of(tuple(Action))),
            },
            more=False,
        ),
        "Die": thing({"body": one_of(tuple(Body)), "colour": TEXT, "kept": YES_NO}),
        "DieSeen": thing({**seen, **outline}),
        "Change": thing({"die": below(DICE_COUNT), "colour": TEXT}),
        "Holder": thing(
            {
                "card": maybe(ref("Card")),
                "pile": COUNT,
                "light": maybe(one_of(tuple(Light))),
                "standing": one_of(tuple(Standing)),
                "changes": list_of(ref("Change")),
                "question": maybe(question),
            }
        ),
        "Fact": thing({"key": TEXT}),
        "Intent": _intent(),
        "Game": _game(),
        "Snapshot": _snapshot(),
        "Refusal": thing({"code": TEXT, "sentence": TEXT}),
        "Outcome": thing({"accepted": {"const": True}, "snapshot": ref("Snapshot")}),
        "NotAccepted": thing(
            {"accepted": {"const": False}, "code": TEXT, "sentence": TEXT, "snapshot": ref("Snapshot")}
        ),
        "Odds": thing(odds),
        "Pairing": thing(
            {
                "needed": YES_NO,
                "you": one_of(tuple(door.Place)),
                "name": maybe(TEXT),
                "waiting": maybe(waiting),
                "sentence": maybe(TEXT),
            }
        ),
        "Phones": thing(
            {"phones": list_of(thing({"id": TEXT, "name": TEXT, "paired_at": TEXT, "you": YES_NO}))}
        ),
        "PastGame": thing(_past_game()),
        "SetupState": thing(
            {
                "step": one_of(tuple(step.value for step in Step)),
                "advice": TEXT,
                "zones": maybe({"type": "object"}),
                "still": maybe(COUNT),
                "names": list_of(TEXT),
                "dice": list_of(
                    thing({"name": TEXT, "body": TEXT, "top_px": list_of(list_of(NUMBER, 2, 2), 4, 4)})
                ),
                "margins": list_of(
                    thing(
                        {
                            "colour": TEXT,
                            "nearest": TEXT,
                            "sigmas": NUMBER,
                            "sureness": one_of(("wide", "fair", "narrow")),
                        }
                    )
                ),
                "trial": maybe({"type": "object"}),
                "kept": YES_NO,
                "locked": YES_NO,
            }
        ),
    }

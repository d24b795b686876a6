"""The operations of the API: address, what is sent, what comes back; one line of the table each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion import __version__
from companion.pairing.door import NAME_LENGTH
from companion.web.openapi.schemas import (
    CARDS,
    COUNT,
    NUMBER,
    SEAT,
    TEXT,
    YES_NO,
    Schema,
    components,
    list_of,
    maybe,
    ref,
    thing,
)

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Operation:
    """One address with one method."""

    method: str
    path: str
    """As OpenAPI writes it, {name} for what varies."""
    summary: str
    answer: Schema | None
    """The JSON that comes back, None for another kind."""
    body: Schema | None = None
    kind: str = JSON
    refused: Sequence[int] = ()
    """Statuses with a Refusal, beside those that any address may answer with."""
    needs_pairing: bool = False
    conflict: Schema | None = None
    """What status 409 carries, where it is more than a Refusal."""
    query: Sequence[str] = ()
    """Whole numbers that may follow the question mark."""


GAME = "/api/games/{game_id}"
SETUP_STATE = ref("SetupState")
SETUP_STEPS: tuple[tuple[str, str, Schema | None], ...] = (
    ("begin", "Begin the set-up anew.", None),
    ("zones", "Where things lie, as in zones.json.", thing({"zones": {"type": "object"}})),
    ("markers", "Find that by the printed markers.", thing({"track_mm": list_of(NUMBER, 2, 2)})),
    ("empty", "Take the picture of the empty table.", None),
    ("colours", "Take the picture of the six dice.", None),
    ("names", "Name the dice.", thing({"names": list_of(TEXT)})),
    ("try", "Read a picture of now.", None),
    ("release", "Let a locked camera measure the light anew.", None),
    ("keep", "Keep the profile.", None),
)
OPERATIONS = (
    Operation("get", "/api/snapshot", "What may be shown now.", ref("Snapshot")),
    Operation(
        "get", "/api/stream", "Tells each newer revision.", None, kind="text/event-stream", refused=(503,)
    ),
    Operation(
        "post",
        "/api/intents",
        "Ask the table for something.",
        ref("Outcome"),
        body=thing({"revision": {"type": "integer"}, "intent": ref("Intent")}),
        needs_pairing=True,
        conflict=ref("NotAccepted"),
    ),
    Operation(
        "get",
        "/api/picture/{picture_id}.jpg",
        "The last reading's picture.",
        None,
        kind="image/jpeg",
        refused=(404,),
    ),
    Operation(
        "get",
        "/api/looks/{look_id}.jpg",
        "The card that is asked about, cut out of the camera's picture.",
        None,
        kind="image/jpeg",
        refused=(404,),
    ),
    Operation("get", "/api/cards", "Cards to name quickly.", thing({"cards": CARDS})),
    Operation(
        "get",
        "/api/hands/{seat}",
        "A player's cards, for that player's eyes.",
        thing({"seat": SEAT, "cards": CARDS, "drawn": maybe(ref("Card"))}),
        refused=(404,),
        needs_pairing=True,
    ),
    Operation(
        "get",
        "/api/odds",
        "The coach.",
        thing(
            {
                "revision": COUNT,
                "best": ref("Odds"),
                "again": maybe(ref("Odds")),
                "all_six": maybe(ref("Odds")),
                "inherit": maybe(thing({"points": NUMBER, "keep": list_of(COUNT)})),
            }
        ),
        refused=(409,),
    ),
    Operation("get", "/api/pairing", "Whether this phone may act.", ref("Pairing")),
    Operation(
        "post",
        "/api/pairing",
        "Ask to act; a press of the table's button then lets this phone in.",
        ref("Pairing"),
        body=thing({"name": {"type": "string", "minLength": 1, "maxLength": NAME_LENGTH}}),
        refused=(409,),
    ),
    Operation("delete", "/api/pairing", "Take that back.", ref("Pairing")),
    Operation("get", "/api/phones", "The phones that may act.", ref("Phones"), needs_pairing=True),
    Operation(
        "delete",
        "/api/phones/{phone_id}",
        "Remove one of them.",
        ref("Phones"),
        refused=(404, 503),
        needs_pairing=True,
    ),
    Operation(
        "get",
        "/api/games",
        "Past games, newest first.",
        thing({"games": list_of(ref("PastGame")), "more": YES_NO}),
        refused=(503,),
        query=("count",),
    ),
    Operation(
        "get",
        GAME,
        "One game with its moves.",
        {
            "allOf": [
                ref("PastGame"),
                thing({"moves": list_of(thing({"seat": maybe(SEAT), "facts": list_of(ref("Fact"))}))}),
            ]
        },
        refused=(404, 503),
    ),
    Operation(
        "get",
        GAME + "/steps/{step}",
        "One moment of it.",
        thing({"step": COUNT, "steps": COUNT, "facts": list_of(ref("Fact")), "game": ref("Game")}),
        refused=(404, 503),
    ),
    Operation(
        "get",
        GAME + "/luck",
        "Its luck against the exact odds.",
        thing({"players": list_of({"type": "object"}), "turns": list_of({"type": "object"})}),
        refused=(404, 503),
    ),
    Operation(
        "get", GAME + "/record.jsonl", "Its record.", None, kind="application/x-ndjson", refused=(404, 503)
    ),
    Operation("get", "/api/games.csv", "All games as a table.", None, kind="text/csv", refused=(503,)),
    Operation(
        "get",
        "/api/statistics",
        "Players and dice over all games.",
        thing(
            {
                "games": COUNT,
                "players": list_of({"type": "object"}),
                "dice": list_of({"type": "object"}),
                "luck_pending": list_of(TEXT),
            }
        ),
        refused=(503,),
    ),
    Operation(
        "get",
        "/api/service",
        "How each part of the appliance is.",
        thing({"findings": list_of({"type": "object"}), "urls": list_of(TEXT)}),
    ),
    Operation(
        "post",
        "/api/service/leds",
        "Light each LED in turn.",
        thing({"accepted": {"const": True}}),
        refused=(409,),
        needs_pairing=True,
    ),
    Operation("get", "/api/setup", "How far the set-up has come.", SETUP_STATE, needs_pairing=True),
    Operation(
        "get",
        "/api/setup/live.jpg",
        "What the camera sees now.",
        None,
        kind="image/jpeg",
        refused=(409,),
        needs_pairing=True,
    ),
    Operation(
        "get",
        "/api/setup/still/{number}.jpg",
        "The picture of the last step.",
        None,
        kind="image/jpeg",
        refused=(404,),
        needs_pairing=True,
    ),
    *(
        Operation(
            "post",
            f"/api/setup/{step}",
            summary,
            SETUP_STATE,
            body=body,
            needs_pairing=True,
            conflict=thing({"code": TEXT, "sentence": TEXT, "state": SETUP_STATE}),
        )
        for step, summary, body in SETUP_STEPS
    ),
    Operation(
        "get",
        "/api/addresses",
        "Under which addresses phones reach the page.",
        thing({"urls": list_of(TEXT)}),
    ),
    Operation("get", "/api/openapi.json", "This description.", {"type": "object"}),
)

ALWAYS = {421: "wrong_host", 429: "too_many"}
CHANGING = {400: "bad_request", 403: "wrong_origin, not_paired", 413: "too_large", 415: "not_json"}
WHOLE_NUMBERS = ("seat", "step", "number")


def describe() -> dict[str, Any]:
    """Return the whole description as JSON values."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _told(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "companion",
            "version": __version__,
            "description": "What phones at the table ask and are told; docs/api.md tells it in words.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": components(),
            "securitySchemes": {"phone": {"type": "apiKey", "in": "cookie", "name": "companion_phone"}},
        },
    }


def _told(operation: Operation) -> dict[str, Any]:
    name = "_".join(part.strip("{}") for part in operation.path.removeprefix("/api/").split("/"))
    told: dict[str, Any] = {
        "operationId": f"{operation.method}_{name.replace('.', '_').replace('}', '')}",
        "summary": operation.summary,
        "responses": _answers(operation),
    }
    parameters = [_in_path(part) for part in operation.path.split("/") if "{" in part]
    parameters += [{"name": name, "in": "query", "schema": {"type": "integer"}} for name in operation.query]
    if parameters:
        told["parameters"] = parameters
    if operation.body is not None:
        told["requestBody"] = {"required": True, "content": {JSON: {"schema": operation.body}}}
    if operation.needs_pairing:
        told["security"] = [{"phone": []}]
    return told


def _in_path(part: str) -> dict[str, Any]:
    name = part[part.index("{") + 1 : part.index("}")]
    schema = COUNT if name in WHOLE_NUMBERS else TEXT
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _answers(operation: Operation) -> dict[str, Any]:
    schema = operation.answer or ({} if operation.kind == "image/jpeg" else TEXT)
    told: dict[str, Any] = {
        "200": {"description": "done", "content": {operation.kind: {"schema": schema}}},
    }
    refused = {**ALWAYS, **dict.fromkeys(operation.refused, "as the sentence says")}
    if operation.method != "get":
        refused |= CHANGING
    if operation.needs_pairing:
        refused[403] = "not_paired"
    if any(name in operation.path for name in ("{", "}")):
        refused[404] = "not_found"
    for status, words in sorted(refused.items()):
        told[str(status)] = {"description": words, "content": {JSON: {"schema": ref("Refusal")}}}
    if operation.conflict is not None:
        told["409"] = {"description": "refused", "content": {JSON: {"schema": operation.conflict}}}
    if operation.path == "/api/snapshot":
        told["304"] = {"description": "nothing new since the revision in If-None-Match"}
    return told

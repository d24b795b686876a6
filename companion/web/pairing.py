"""Who may act: looking is free, acting needs a phone that a press of the table's button has let in."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, request

from companion.pairing.door import Door, NotAsked, Place
from companion.pairing.phones import PhonesFault
from companion.web.errors import refusal
from companion.web.guard import CHANGING
from companion.web.rates import Kind

COOKIE = "companion_phone"
COOKIE_LASTS_S = 400 * 24 * 3600
"""As long as browsers keep one; each visit of the page makes it last so long again."""

AT_THE_TABLE = "AT_THE_TABLE"
"""Configuration: endpoints that stand for the table's own things, such as the demo's drawn button."""

ASKING = frozenset({"pairing.ask", "pairing.take_back"})
PRIVATE = frozenset({"api.hand", "pairing.phones", "setup.state", "setup.live", "setup.still"})
"""What only those may see who may act."""

NOT_PAIRED = "this phone may look on; to act, let it ask, then press the button on the table"


def pairing_pages(door: Door | None) -> Blueprint:
    """Return the routes for asking and for looking after the paired phones; without a door all may act."""
    pages = Blueprint("pairing", __name__, url_prefix="/api")

    @pages.get("/pairing")
    def standing() -> Response:
        token = request.cookies.get(COOKIE)
        answer = _told(door, token)
        if door is not None and token is not None and door.place(token) is Place.PAIRED:
            _keep(answer, token)
        return answer

    @pages.post("/pairing")
    def ask() -> Response:
        body = request.get_json()
        name = body.get("name") if isinstance(body, dict) else None
        if not isinstance(name, str):
            return refusal(400, "bad_name", 'send {"name": "a name for the phone"}')
        if door is None:
            return _told(door, None)
        try:
            token = door.ask(name, request.cookies.get(COOKIE))
        except NotAsked as error:
            return refusal(400 if error.code == "bad_name" else 409, error.code, error.sentence)
        answer = _told(door, token)
        _keep(answer, token)
        return answer

    @pages.delete("/pairing")
    def take_back() -> Response:
        token = request.cookies.get(COOKIE)
        if door is not None:
            door.take_back(token)
        return _told(door, token)

    @pages.get("/phones")
    def phones() -> Response:
        return _list(door)

    @pages.delete("/phones/<phone_id>")
    def remove(phone_id: str) -> Response:
        try:
            if door is None or not door.remove(phone_id):
                abort(404)
        except PhonesFault as fault:
            return refusal(503, "phones_fault", fault.sentence)
        return _list(door)

    return pages


def keep_the_door(app: Flask, door: Door | None) -> None:
    """Let nothing be changed through `app` but by phones that are paired."""

    def check() -> Response | None:
        # No endpoint: there is no such address, or not with this method, and the answer says so.
        if door is None or request.endpoint is None or not _needs_pairing(request.endpoint):
            return None
        if door.phone(request.cookies.get(COOKIE)) is not None:
            return None
        return refusal(403, "not_paired", NOT_PAIRED)

    app.before_request(check)


def kind_of_request() -> Kind:
    """Return how the present request is counted."""
    if request.endpoint == "pairing.ask":
        return Kind.PAIRING
    return Kind.ACTING if request.method in CHANGING else Kind.LOOKING


def _needs_pairing(endpoint: str) -> bool:
    if endpoint in PRIVATE:
        return True
    free = endpoint in ASKING or endpoint in current_app.config.get(AT_THE_TABLE, ())
    return request.method in CHANGING and not free


def _told(door: Door | None, token: str | None) -> Response:
    if door is None:
        told: dict[str, Any] = {"needed": False, "you": Place.PAIRED, "name": None, "waiting": None}
    else:
        phone, wish, place = door.phone(token), door.waiting(), door.place(token)
        told = {
            "needed": True,
            "you": place,
            "name": None if phone is None else phone.name,
            "waiting": None
            if wish is None
            else {
                "name": wish.name,
                "left_s": round(door.left_s(wish), 1),
                "yours": place is Place.WAITING,
            },
            "sentence": door.why_not(token),
        }
    answer = jsonify({"sentence": None, **told})
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _list(door: Door | None) -> Response:
    own = None if door is None else door.phone(request.cookies.get(COOKIE))
    known = () if door is None else door.phones()
    answer = jsonify(
        {
            "phones": [
                {
                    "id": phone.phone_id,
                    "name": phone.name,
                    "paired_at": phone.paired_at,
                    "you": own is not None and phone.phone_id == own.phone_id,
                }
                for phone in known
            ]
        }
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _keep(answer: Response, token: str) -> None:
    answer.set_cookie(
        COOKIE, token, max_age=COOKIE_LASTS_S, httponly=True, samesite="Strict", secure=request.is_secure
    )

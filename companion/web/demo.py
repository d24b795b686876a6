"""The demo's own pages under /demo/: a simulated table to look at, dice to throw, a button, mischief."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypeVar

import cv2
from flask import Blueprint, Response, abort, jsonify, request

from companion.devices.simulated.button import SimulatedButton
from companion.devices.simulated.dealer import Dealer
from companion.devices.simulated.leds import SimulatedLeds
from companion.devices.simulated.mischief import CameraState, LampState
from companion.devices.simulated.robot_seats import RobotKind, RobotSeats
from companion.devices.simulated.table import SimulatedTable
from companion.pairing.door import Door, Place
from companion.table.intents import NAME_LENGTH
from companion.table.ports import Clock
from companion.web.demo_view import demo_view
from companion.web.errors import refusal
from companion.web.pages import ROBOT_KINDS
from companion.web.pairing import AT_THE_TABLE, COOKIE
from companion.web.setup import HANDS
from companion.web.shell import shell

JPEG_QUALITY = 88
LONGEST_HOLD_MS = 60_000
Choice = TypeVar("Choice", bound=StrEnum)


class NotUnderstood(ValueError):
    """A field of a request is not as it must be; the message is the sentence."""


def demo_pages(
    scene: SimulatedTable,
    leds: SimulatedLeds,
    button: SimulatedButton,
    dealer: Dealer,
    robots: RobotSeats,
    clock: Clock,
    door: Door | None = None,
) -> Blueprint:
    """Return the routes under /demo/ for one simulated table, the devices on it, and the robots at it."""
    demo = Blueprint("demo", __name__, url_prefix="/demo")
    # The lobby, which is the same at a real table, then offers robots as players.
    demo.record_once(lambda setup: setup.app.config.update({ROBOT_KINDS: tuple(map(str, RobotKind))}))
    # The drawn table is the table itself: whoever stands at it throws its dice, seats its robots and presses
    # its button.
    acts = ("throw", "die", "press", "mischief", "prepare", "deal", "seat_robot")
    at_the_table = frozenset({f"demo.{name}" for name in acts})
    demo.record_once(
        lambda setup: setup.app.config.update({AT_THE_TABLE: at_the_table, HANDS: "/demo/setup"})
    )

    def view() -> Response:
        answer = jsonify(
            {
                **demo_view(scene, leds, dealer, clock.now_s()),
                "pairing": _pairing(door),
                "robots": {name: str(kind) for name, kind in robots.seated().items()},
            }
        )
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def acting(act: Callable[[dict[str, Any]], None]) -> Response:
        body = request.get_json()
        if not isinstance(body, dict):
            return refusal(400, "bad_request", "send a JSON object")
        try:
            act(body)
        except NotUnderstood as error:
            return refusal(400, "bad_request", str(error))
        return view()

    @demo.get("/")
    def page() -> Response:
        return shell("demo.html")

    @demo.get("/state")
    def state() -> Response:
        return view()

    @demo.get("/picture/<int:version>.jpg")
    def picture(version: int) -> Response:
        shown, frame = scene.picture()
        encoded, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not encoded:
            abort(500)
        answer = Response(data.tobytes(), content_type="image/jpeg")
        # Asked for an older version, it gives what is there now, which must not be kept under that name.
        answer.headers["Cache-Control"] = "private, max-age=600" if shown == version else "no-store"
        return answer

    @demo.post("/throw")
    def throw() -> Response:
        return acting(lambda body: _ignore(scene.throw(_switch(body, "everything"))))

    @demo.post("/die")
    def die() -> Response:
        return acting(lambda body: _move_die(scene, body))

    @demo.post("/button")
    def press() -> Response:
        return acting(lambda body: button.held(_number(body, "held_ms", LONGEST_HOLD_MS) / 1000))

    @demo.post("/mischief")
    def mischief() -> Response:
        return acting(lambda body: _do_mischief(scene, body))

    @demo.post("/setup")
    def prepare() -> Response:
        return acting(lambda body: _prepare(scene, body))

    @demo.post("/dealer")
    def deal() -> Response:
        def act(body: dict[str, Any]) -> None:
            dealer.names_cards = _switch(body, "names_cards")

        return acting(act)

    @demo.post("/robots")
    def seat_robot() -> Response:
        return acting(lambda body: robots.seat(_name(body, "player"), _robot_kind(body)))

    return demo


def _pairing(door: Door | None) -> dict[str, Any]:
    """Tell whether this browser may act, and who asks to be let in by the next press."""
    if door is None:
        return {"you": str(Place.PAIRED), "asking": None}
    wish = door.waiting()
    place = door.place(request.cookies.get(COOKIE))
    return {"you": str(place), "asking": None if wish is None else wish.name}


def _move_die(scene: SimulatedTable, body: dict[str, Any]) -> None:
    dice = scene.moment().scene.dice
    index = _number(body, "index", len(dice) - 1)
    colour = body.get("colour")
    if colour is None:
        scene.move_die(index)
    elif isinstance(colour, str) and colour in {die.colour for die in dice} | set(scene.colours):
        scene.turn_die(index, colour)
    else:
        raise NotUnderstood('"colour" must be one of ' + ", ".join(scene.colours))


def _do_mischief(scene: SimulatedTable, body: dict[str, Any]) -> None:
    once = {
        "lean": scene.lean_die,
        "lose": scene.lose_die,
        "cheat": scene.turn_kept_die,
        "tidy": scene.tidy,
    }
    if "do" in body:
        deed = once.get(str(body["do"]))
        if deed is None:
            raise NotUnderstood('"do" must be one of ' + ", ".join(once))
        deed()
        return
    now = scene.moment().mischief
    changed = replace(
        now,
        lamp=_choice(body, "lamp", LampState, now.lamp),
        camera=_choice(body, "camera", CameraState, now.camera),
        hand=_switch(body, "hand") if "hand" in body else now.hand,
    )
    scene.set_mischief(changed)


def _prepare(scene: SimulatedTable, body: dict[str, Any]) -> None:
    """Do what set-up asks of people: clear the table, or lay the six dice out."""
    deeds = {"clear": scene.take_dice_away, "six": scene.lay_six_colours}
    deed = deeds.get(str(body.get("do")))
    if deed is None:
        raise NotUnderstood('"do" must be one of ' + ", ".join(deeds))
    deed()


def _robot_kind(body: dict[str, Any]) -> RobotKind | None:
    if body.get("kind") is None:
        return None
    return _choice(body, "kind", RobotKind, RobotKind.GREEDY)


def _name(body: dict[str, Any], field: str) -> str:
    value = body.get(field)
    if not isinstance(value, str) or not 0 < len(value) <= NAME_LENGTH:
        raise NotUnderstood(f'"{field}" must be a name of 1 to {NAME_LENGTH} characters')
    return value


def _choice(body: dict[str, Any], name: str, choices: type[Choice], now: Choice) -> Choice:
    if name not in body:
        return now
    try:
        return choices(body[name])
    except ValueError:
        raise NotUnderstood(f'"{name}" must be one of ' + ", ".join(choices)) from None


def _switch(body: dict[str, Any], name: str) -> bool:
    value = body.get(name)
    if not isinstance(value, bool):
        raise NotUnderstood(f'"{name}" must be true or false')
    return value


def _number(body: dict[str, Any], name: str, largest: int) -> int:
    value = body.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= largest:
        raise NotUnderstood(f'"{name}" must be a whole number from 0 to {largest}')
    return value


def _ignore(_: object) -> None:
    """Take a result that is not needed."""

"""The set-up in the browser: the wizard's page, the live picture, and one route a step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
from flask import Blueprint, Response, abort, current_app, jsonify, request

from companion.table.ports import Frame
from companion.web.errors import refusal
from companion.web.pages import SETUP
from companion.web.setup_desk import SetupDesk, SetupRefused
from companion.web.shell import shell

HANDS = "SETUP_HANDS"
"""Configuration: where a page may have the table cleared and the dice laid out, at a simulated table."""

LIVE_QUALITY, STILL_QUALITY = 75, 88


def setup_pages(desk: SetupDesk) -> Blueprint:
    """Return `/setup` and what it asks for; the pictures too are only for phones that may act."""
    pages = Blueprint("setup", __name__)
    pages.record_once(lambda setup: setup.app.config.update({SETUP: True}))

    def done(step: Callable[[], dict[str, Any]]) -> Response:
        try:
            answer = jsonify(step())
        except SetupRefused as refused:
            told = {"code": refused.code, "sentence": refused.sentence, "state": desk.state()}
            answer = jsonify(told)
            answer.status_code = 409
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def sent(field: str) -> Any:
        body = request.get_json()
        return body.get(field) if isinstance(body, dict) else None

    @pages.get("/setup")
    def page() -> Response:
        return shell("setup.html", hands=current_app.config.get(HANDS))

    @pages.get("/api/setup")
    def state() -> Response:
        return done(desk.state)

    @pages.get("/api/setup/live.jpg")
    def live() -> Response:
        try:
            return _jpeg(desk.look(), LIVE_QUALITY)
        except SetupRefused as refused:
            return refusal(409, refused.code, refused.sentence)

    @pages.get("/api/setup/still/<int:number>.jpg")
    def still(number: int) -> Response:
        held = desk.still()
        if held is None or held[0] != number:
            abort(404)
        return _jpeg(held[1], STILL_QUALITY)

    @pages.post("/api/setup/begin")
    def begin() -> Response:
        return done(desk.begin)

    @pages.post("/api/setup/zones")
    def zones() -> Response:
        return done(lambda: desk.take_zones(sent("zones")))

    @pages.post("/api/setup/markers")
    def markers() -> Response:
        return done(lambda: desk.find_zones(sent("track_mm")))

    @pages.post("/api/setup/empty")
    def empty() -> Response:
        return done(desk.take_empty)

    @pages.post("/api/setup/colours")
    def colours() -> Response:
        return done(desk.take_colours)

    @pages.post("/api/setup/names")
    def names() -> Response:
        return done(lambda: desk.take_names(sent("names")))

    @pages.post("/api/setup/try")
    def attempt() -> Response:
        return done(desk.try_now)

    @pages.post("/api/setup/release")
    def release() -> Response:
        return done(desk.release)

    @pages.post("/api/setup/keep")
    def keep() -> Response:
        return done(desk.keep)

    return pages


def _jpeg(frame: Frame, quality: int) -> Response:
    encoded, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not encoded:
        abort(500)
    answer = Response(data.tobytes(), content_type="image/jpeg")
    answer.headers["Cache-Control"] = "no-store"
    return answer

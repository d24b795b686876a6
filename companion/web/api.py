"""The API under /api/: the snapshot, the stream, intents, the picture, cards and hands (docs/api.md)."""

from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from companion.game.record import card_to_json
from companion.table.conductor import Table
from companion.table.intents import IntentError, parse_intent
from companion.web.errors import refusal
from companion.web.openapi import describe
from companion.web.picture import PictureStore
from companion.web.streams import Streams, event_stream
from companion.web.truth import Truth


def api_pages(table: Table, streams: Streams, pictures: PictureStore) -> Blueprint:
    """Return the routes under /api/ for `table`."""
    api = Blueprint("api", __name__, url_prefix="/api")
    truth = Truth(table)

    @api.get("/snapshot")
    def snapshot() -> Response:
        revision, text = truth.newest()
        tag = str(revision)
        unchanged = tag in request.if_none_match
        answer = Response(status=304) if unchanged else Response(text, content_type="application/json")
        answer.set_etag(tag)
        return answer

    @api.get("/stream")
    def stream() -> Response:
        return event_stream(streams, streams.events, "/api/snapshot")

    @api.post("/intents")
    def intents() -> Response:
        body = request.get_json()
        if not isinstance(body, dict) or not isinstance(body.get("intent"), dict):
            return refusal(400, "bad_intent", 'send {"revision": number, "intent": {"type": …}}')
        revision = body.get("revision")
        if isinstance(revision, bool) or not isinstance(revision, int):
            return refusal(
                400, "bad_intent", '"revision" must be the number of the snapshot that the phone shows'
            )
        try:
            intent = parse_intent(body["intent"], table.terms)
        except IntentError as error:
            return refusal(400, "bad_intent", error.sentence)
        outcome = table.submit(intent, revision)
        told: dict[str, Any] = {"accepted": outcome.accepted, "snapshot": outcome.snapshot.to_json()}
        if outcome.accepted:
            return jsonify(told)
        answer = jsonify({**told, "code": outcome.code, "sentence": outcome.sentence})
        answer.status_code = 409
        return answer

    @api.get("/picture/<picture_id>.jpg")
    def picture(picture_id: str) -> Response:
        jpeg = pictures.jpeg(picture_id)
        if jpeg is None:
            abort(404)
        answer = Response(jpeg, content_type="image/jpeg")
        # A picture's id is never given to another picture.
        answer.headers["Cache-Control"] = "private, max-age=3600, immutable"
        return answer

    @api.get("/openapi.json")
    def description() -> Response:
        return jsonify(describe())

    @api.get("/looks/<look_id>.jpg")
    def look(look_id: str) -> Response:
        jpeg = table.look(look_id)
        if jpeg is None:
            abort(404)
        answer = Response(jpeg, content_type="image/jpeg")
        # The id follows from the picture alone.
        answer.headers["Cache-Control"] = "private, max-age=3600, immutable"
        return answer

    @api.get("/cards")
    def cards() -> Response:
        return jsonify({"cards": [card_to_json(card) for card in table.known_cards()]})

    @api.get("/hands/<int:seat>")
    def hand(seat: int) -> Response:
        game = table.snapshot().game
        if game is None or seat >= len(game.players):
            abort(404)
        drawn = table.drawn(seat)
        cards = [card_to_json(card) for card in table.hand(seat)]
        answer = jsonify(
            {"seat": seat, "cards": cards, "drawn": None if drawn is None else card_to_json(drawn)}
        )
        answer.headers["Cache-Control"] = "no-store"
        return answer

    return api

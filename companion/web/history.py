"""Past games: the page under /history, its API, and what can be taken away as files."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps

from flask import Blueprint, Response, abort, jsonify, request

from companion.game.record import print_line
from companion.history.book import HistoryBook, LuckBusy
from companion.history.past_game import digest_of
from companion.history.shelf import Shelf, ShelfFault
from companion.history.statistics import dice_statistics, player_statistics
from companion.history.tables import games_csv
from companion.history.telling import dice_json, digest_json, luck_json, moment_json, moves_json, player_json
from companion.web.errors import refusal
from companion.web.pages import HISTORY
from companion.web.shell import shell

GAMES_SHOWN = 20
MOST_GAMES = 1000
LUCK_AGAIN_S = "2"
"""After how many seconds to ask again for a game's luck, as a header says it."""

Answer = Callable[..., Response]


def history_pages(shelf: Shelf) -> Blueprint:
    """Return the routes of past games, read from `shelf`."""
    history = Blueprint("history", __name__)
    book = HistoryBook(shelf)
    # The page then shows the way here.
    history.record_once(lambda setup: setup.app.config.update({HISTORY: True}))

    def read(route: Answer) -> Answer:
        @wraps(route)
        def answered(*args: object, **values: object) -> Response:
            try:
                return route(*args, **values)
            except ShelfFault as fault:
                return refusal(503, "history_fault", fault.sentence)

        return answered

    @history.get("/history")
    def page() -> Response:
        return shell("history.html")

    @history.get("/api/games")
    @read
    def games() -> Response:
        asked = request.args.get("count", GAMES_SHOWN, type=int)
        count = max(1, min(asked, MOST_GAMES))
        found = book.digests(count + 1)
        return jsonify(
            {"games": [digest_json(digest) for digest in found[:count]], "more": len(found) > count}
        )

    @history.get("/api/games/<game_id>")
    @read
    def game(game_id: str) -> Response:
        found = book.game(game_id) or abort(404)
        return jsonify({**digest_json(digest_of(found)), "moves": moves_json(found)})

    @history.get("/api/games/<game_id>/steps/<int:step>")
    @read
    def moment(game_id: str, step: int) -> Response:
        found = book.game(game_id) or abort(404)
        return jsonify(moment_json(found, step) or abort(404))

    @history.get("/api/games/<game_id>/luck")
    @read
    def luck(game_id: str) -> Response:
        try:
            turns = book.luck(game_id)
        except LuckBusy:
            answer = refusal(
                503, "luck_busy", "the luck of another game is being worked out; ask again in a moment"
            )
            answer.headers["Retry-After"] = LUCK_AGAIN_S
            return answer
        found = book.game(game_id)
        if turns is None or found is None:
            abort(404)
        return jsonify(luck_json(found.sitting.state.players, turns))

    @history.get("/api/games/<game_id>/record.jsonl")
    @read
    def record(game_id: str) -> Response:
        found = book.game(game_id) or abort(404)
        lines = "".join(f"{print_line(event)}\n" for event in found.events)
        name = re.sub(r"[^0-9A-Za-z-]", "", f"next-{found.started_at[:10]}-{game_id[:8]}")
        return _file(lines, "application/x-ndjson", f"{name}.jsonl")

    @history.get("/api/games.csv")
    @read
    def table() -> Response:
        return _file(games_csv(book.digests()), "text/csv; charset=utf-8", "next-games.csv")

    @history.get("/api/statistics")
    @read
    def statistics() -> Response:
        digests = book.digests()
        players = player_statistics(digests, book.known_luck)
        finished = [digest.game_id for digest in digests if digest.winners is not None]
        return jsonify(
            {
                "games": len(digests),
                "players": [player_json(player) for player in players],
                "dice": [dice_json(dice) for dice in dice_statistics(digests)],
                "luck_pending": [game_id for game_id in finished if book.known_luck(game_id) is None],
            }
        )

    return history


def _file(text: str, kind: str, name: str) -> Response:
    answer = Response(text, content_type=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer

"""The club's pages: the wall for a television, the season, and what can be taken away."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from flask import Blueprint, Flask, Response, jsonify, make_response, request

import companion.web
from companion.club.book import Book
from companion.club.ledger import Ledger
from companion.club.streams import WallStreams
from companion.club.telling import duels_json, games_csv, result_json, season_json, standings_csv
from companion.club.wall import Wall
from companion.web.compressed import Compressed
from companion.web.errors import PlainJson, register_errors
from companion.web.guard import Guard, own_names
from companion.web.rates import Kind, Rates
from companion.web.shell import shell
from companion.web.streams import event_stream

MOST_GAMES = 1000


def create_club_app(wall: Wall, book: Book, ledger: Ledger, *, allowed_hosts: Iterable[str] = ()) -> Flask:
    """Return the application that shows the wall and the season; everybody may look at it, nobody act."""
    here, shared = Path(__file__).resolve().parent, Path(companion.web.__file__).resolve().parent
    app = Flask(
        "companion.club", static_folder=str(shared / "static"), template_folder=str(shared / "templates")
    )
    app.config["MAX_CONTENT_LENGTH"] = 1024
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
    app.json = PlainJson(app)
    streams = WallStreams(wall)
    app.extensions["companion.streams"] = streams
    Guard(own_names() | {name.lower() for name in allowed_hosts}).register(app)
    Compressed().register(app)
    Rates().register(app, lambda: Kind.LOOKING)
    register_errors(app)
    app.register_blueprint(_html_pages(here))
    app.register_blueprint(_data_pages(wall, streams, book, ledger))
    return app


def _html_pages(here: Path) -> Blueprint:
    # Its files stand beside those it shares with a table's own pages, so that the same scripts find both.
    pages = Blueprint(
        "club",
        "companion.club",
        static_folder=str(here / "static"),
        static_url_path="/static/club",
        template_folder=str(here / "templates"),
    )

    pages.add_url_rule("/", "wall", lambda: shell("wall.html"))
    pages.add_url_rule("/season", "season", lambda: shell("season.html"))
    pages.add_url_rule("/favicon.ico", "icon", lambda: make_response("", 204))
    return pages


def _data_pages(wall: Wall, streams: WallStreams, book: Book, ledger: Ledger) -> Blueprint:
    pages = Blueprint("data", __name__)

    def season() -> str | None:
        return request.args.get("season") or None

    @pages.get("/api/club/wall")
    def now() -> Response:
        return jsonify({"broker": wall.broker, "tables": [one.to_json() for one in wall.now()[1]]})

    @pages.get("/api/club/stream")
    def stream() -> Response:
        return event_stream(streams, streams.events, "/api/club/wall")

    @pages.get("/api/club/season")
    def one_season() -> Response:
        return jsonify(season_json(book, season()))

    @pages.get("/api/club/duels")
    def duels() -> Response:
        return jsonify(duels_json(book, season(), request.args.get("player", "")[:100]))

    @pages.get("/api/club/games")
    def games() -> Response:
        count = max(1, min(request.args.get("count", 50, type=int), MOST_GAMES))
        return jsonify({"games": [result_json(one) for one in reversed(book.results(season())[-count:])]})

    @pages.get("/export/standings.csv")
    def standings_file() -> Response:
        return _file(standings_csv(book, season()), "text/csv; charset=utf-8", "next-standings.csv")

    @pages.get("/export/games.csv")
    def games_file() -> Response:
        return _file(games_csv(book.results(season())), "text/csv; charset=utf-8", "next-games.csv")

    @pages.get("/export/season.json")
    def season_file() -> Response:
        text = json.dumps(season_json(book, season()), ensure_ascii=False, indent=1)
        return _file(text, "application/json", "next-season.json")

    @pages.get("/export/records.jsonl")
    def records_file() -> Response:
        """Every game with its whole record, a line each: from it all else can be counted anew, anywhere."""

        def lines() -> Iterator[str]:
            for result, record in ledger.records():
                yield json.dumps({**result_json(result), "record": record}, ensure_ascii=False) + "\n"

        return _file(lines(), "application/x-ndjson", "next-records.jsonl")

    return pages


def _file(text: str | Iterator[str], kind: str, name: str) -> Response:
    answer = Response(text, content_type=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer

"""The Flask application: puts the page, the API, the stream and the guards together around one table."""

from collections.abc import Iterable
from pathlib import Path

from flask import Flask

from companion.history.shelf import Shelf
from companion.pairing.door import Door
from companion.table.conductor import Table
from companion.web.api import api_pages
from companion.web.coach import coach_pages
from companion.web.compressed import Compressed
from companion.web.errors import PlainJson, register_errors
from companion.web.guard import Guard, own_names
from companion.web.history import history_pages
from companion.web.house import house_pages
from companion.web.pages import html_pages
from companion.web.pairing import keep_the_door, kind_of_request, pairing_pages
from companion.web.picture import PictureStore
from companion.web.rates import Rates
from companion.web.setup import setup_pages
from companion.web.setup_desk import SetupDesk
from companion.web.streams import Streams

BODY_LIMIT_BYTES = 32 * 1024
"""An intent is a few hundred bytes; six long names stay far below this."""

STREAM_LIMIT = 240
"""Phones that may be told at once that something is new; one more is asked to poll instead."""

HEARTBEAT_S = 10.0


def create_app(
    table: Table,
    *,
    history: Shelf | None = None,
    door: Door | None = None,
    setup: SetupDesk | None = None,
    allowed_hosts: Iterable[str] = (),
    heartbeat_s: float = HEARTBEAT_S,
    stream_limit: int = STREAM_LIMIT,
) -> Flask:
    """Return the application that shows `table` and hands it what phones ask.

    `history` gives the past games; without it there is no page of them. `door` knows which phones may act;
    without one everybody may. With `setup` the table is set up in the browser. `allowed_hosts` are names,
    beside IP addresses, localhost and this machine's own name, under which browsers may ask for it. A stream
    says at least every `heartbeat_s` seconds that it is alive; at most `stream_limit` are open at once.
    """
    folder = Path(__file__).resolve().parent
    app = Flask(
        "companion.web", static_folder=str(folder / "static"), template_folder=str(folder / "templates")
    )
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT_BYTES
    app.config["MAX_FORM_MEMORY_SIZE"] = BODY_LIMIT_BYTES
    # Browsers ask each time whether a file is still the same, so that an update shows at once.
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
    app.json = PlainJson(app)
    streams = Streams(table, heartbeat_s=heartbeat_s, limit=stream_limit)
    app.extensions["companion.streams"] = streams
    Guard(own_names() | {name.lower() for name in allowed_hosts}).register(app)
    Compressed().register(app)
    Rates().register(app, kind_of_request)
    keep_the_door(app, door)
    register_errors(app)
    app.register_blueprint(html_pages())
    app.register_blueprint(api_pages(table, streams, PictureStore(table)))
    app.register_blueprint(coach_pages(table))
    app.register_blueprint(pairing_pages(door))
    app.register_blueprint(house_pages())
    if setup is not None:
        app.register_blueprint(setup_pages(setup))
    if history is not None:
        app.register_blueprint(history_pages(history))
    return app

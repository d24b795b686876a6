"""Safe mode: settings that cannot be used are shown on the page, with their line, until they are mended."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response

from companion.web.catalogue import Catalogue
from companion.web.errors import register_errors
from companion.web.guard import Guard, own_names
from companion.web.shell import shell
from companion.web.streams import StreamPlaces


def create_safe_app(sentence: str) -> Flask:
    """Return an application that only says what is wrong; phones look again by themselves."""
    folder = Path(__file__).resolve().parent
    app = Flask(
        "companion.web", static_folder=str(folder / "static"), template_folder=str(folder / "templates")
    )
    app.extensions["companion.streams"] = StreamPlaces(limit=20)
    Guard(own_names()).register(app)
    register_errors(app)
    catalogue = Catalogue("service")

    @app.get("/")
    def page() -> Response:
        answer = shell("safe_mode.html", t=catalogue.asked_for(), sentence=sentence)
        answer.status_code = 503
        return answer

    return app

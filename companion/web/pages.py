"""The HTML page: one small shell, filled by its scripts."""

from flask import Blueprint, Response, current_app, make_response

from companion.web.shell import shell

ROBOT_KINDS = "ROBOT_KINDS"
"""Configuration: the kinds of robots that may be players; none but at a simulated table."""

SETUP = "SETUP"
"""Configuration: whether the table can be set up under /setup."""

HISTORY = "HISTORY"
"""Configuration: whether past games can be looked at under /history."""

SERVICE = "SERVICE"
"""Configuration: whether the parts of the appliance can be examined under /service."""


def html_pages() -> Blueprint:
    """Return the page at `/`. `/?lang=fr` chooses a language, which a cookie keeps."""
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def page() -> Response:
        has = current_app.config.get
        return shell(
            "page.html",
            robots=has(ROBOT_KINDS, ()),
            history=has(HISTORY, False),
            setup=has(SETUP, False),
            service=has(SERVICE, False),
        )

    @pages.get("/favicon.ico")
    def icon() -> Response:
        return make_response("", 204)

    return pages

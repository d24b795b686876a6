"""The HTML page: one small shell, filled by its scripts."""

from flask import Blueprint, Response, current_app, make_response, render_template, request

from companion.web.language import LANGUAGES, best_language

YEAR_S = 365 * 24 * 3600
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
        asked = request.args.get("lang")
        language = best_language(asked or request.cookies.get("lang"), request.accept_languages)
        has = current_app.config.get
        answer = make_response(
            render_template(
                "page.html",
                language=language,
                languages=LANGUAGES,
                robots=has(ROBOT_KINDS, ()),
                history=has(HISTORY, False),
                setup=has(SETUP, False),
                service=has(SERVICE, False),
            )
        )
        answer.headers["Vary"] = "Accept-Language, Cookie"
        if asked in LANGUAGES:
            answer.set_cookie(
                "lang", asked, max_age=YEAR_S, httponly=True, samesite="Strict", secure=request.is_secure
            )
        return answer

    @pages.get("/favicon.ico")
    def icon() -> Response:
        return make_response("", 204)

    return pages

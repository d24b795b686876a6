"""Languages: the catalogues of all words on the page, and which one a browser is given."""

from flask import request
from werkzeug.datastructures import LanguageAccept

LANGUAGES = ("en", "fr")
"""The first is given where a browser names none of them. Each is static/words/<language>.json."""


def best_language(chosen: str | None, accepted: LanguageAccept) -> str:
    """Return the language that was chosen, else the first of those a browser accepts, else English."""
    if chosen in LANGUAGES:
        return chosen
    for tag, quality in accepted:
        primary = tag.partition("-")[0].lower()
        if quality > 0 and primary in LANGUAGES:
            return primary
    return LANGUAGES[0]


def asked_language() -> str:
    """Return the language of this request: `?lang=`, else the cookie's, else the browser's."""
    return best_language(request.args.get("lang") or request.cookies.get("lang"), request.accept_languages)

"""The shell of a page: a template in the language of the request, which the page's scripts fill."""

from flask import Response, make_response, render_template, request

from companion.web.code_marks import with_code
from companion.web.language import LANGUAGES, asked_language

YEAR_S = 365 * 24 * 3600


def shell(template: str, **words: object) -> Response:
    """Answer with a template, given `language`, `languages`, `code` (see `with_code`) and `words`.

    `?lang=fr` is kept by a cookie.
    """
    answer = make_response(
        render_template(template, language=asked_language(), languages=LANGUAGES, code=with_code, **words)
    )
    answer.headers["Vary"] = "Accept-Language, Cookie"
    asked = request.args.get("lang")
    if asked in LANGUAGES:
        answer.set_cookie(
            "lang", asked, max_age=YEAR_S, httponly=True, samesite="Strict", secure=request.is_secure
        )
    return answer

"""Answers to requests that go wrong: a code and a sentence, never a trace."""

from typing import Any

from flask import Flask, Response, jsonify, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import HTTPException

SENTENCES = {
    400: "this request is not of the form that the table understands",
    404: "there is nothing under this address; the page itself is at /",
    405: "this address does not take such a request",
    413: "this request is larger than any that the table needs",
    415: "send JSON: the header Content-Type must be application/json",
    500: "something went wrong inside the companion; the game is kept, please try once more",
}
CODES = {
    400: "bad_request",
    404: "not_found",
    405: "bad_method",
    413: "too_large",
    415: "not_json",
    500: "failed",
}


class PlainJson(DefaultJSONProvider):
    """JSON as Flask reads and writes it; nested too deeply to be read, it is broken JSON."""

    ensure_ascii = False

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """Return the value in `s`.

        Raises:
            ValueError: it is broken, or lists in lists go deeper than Python reads.
        """
        try:
            return super().loads(s, **kwargs)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


def refusal(status: int, code: str, sentence: str) -> Response:
    """Return the JSON answer for a request that is not carried out."""
    answer = jsonify({"code": code, "sentence": sentence})
    answer.status_code = status
    return answer


def register_errors(app: Flask) -> None:
    """Give every HTTP error of `app` a code and a sentence; plain text for the pages, JSON for the API."""

    def tell(error: HTTPException) -> Response:
        status = error.code or 500
        if error.response is not None or status < 400:
            return Response(error.get_response().get_data(), status, dict(error.get_response().headers))
        sentence = SENTENCES.get(status, error.description or error.name)
        if request.path.startswith(("/api/", "/demo/")):
            answer = refusal(status, CODES.get(status, f"http_{status}"), sentence)
        else:
            answer = Response(
                f"{sentence[:1].upper()}{sentence[1:]}.\n", status, content_type="text/plain; charset=utf-8"
            )
        if status == 405 and (allowed := getattr(error, "valid_methods", None)):
            answer.headers["Allow"] = ", ".join(sorted(allowed))
        return answer

    app.register_error_handler(HTTPException, tell)

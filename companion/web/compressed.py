"""The page's own files gzipped, each once: a phone on a weak line gets a third of the bytes."""

from __future__ import annotations

import gzip
import threading

from flask import Flask, Response, request

WORTH_BYTES = 700
KINDS = frozenset(
    {"text/css", "text/javascript", "application/javascript", "application/json", "image/svg+xml"}
)


class Compressed:
    """Answers for static files with what was compressed before, as long as the file is the same."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[str, bytes]] = {}

    def register(self, app: Flask) -> None:
        """Compress the static files of `app` for browsers that take it; nothing else, and so no secret."""
        app.after_request(self.answer)

    def answer(self, answer: Response) -> Response:
        """Return the answer, compressed where that is worth it."""
        if request.endpoint != "static" or answer.mimetype not in KINDS:
            return answer
        answer.headers.add("Vary", "Accept-Encoding")
        tag, weak = answer.get_etag()
        if answer.status_code != 200 or tag is None or weak or request.method != "GET":
            return answer
        if not request.accept_encodings["gzip"] or (answer.content_length or 0) < WORTH_BYTES:
            return answer
        answer.direct_passthrough = False
        if (close := getattr(answer.response, "close", None)) is not None:
            answer.call_on_close(close)  # the file, which is not read where it is known already
        data = self._compressed(request.path, tag, answer)
        answer.set_data(data)
        answer.headers["Content-Encoding"] = "gzip"
        # The same file in another coding: the same for whoever asks whether it has changed, not byte by byte.
        answer.set_etag(tag, weak=True)
        return answer

    def _compressed(self, path: str, tag: str, answer: Response) -> bytes:
        with self._lock:
            known = self._kept.get(path)
        if known is not None and known[0] == tag:
            return known[1]
        data = gzip.compress(answer.get_data(), mtime=0)
        with self._lock:
            self._kept[path] = (tag, data)
        return data

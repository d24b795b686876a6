"""The service page: how each part of the appliance is, and a trial of the LEDs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify

from companion.web.addresses import url_for_phones
from companion.web.catalogue import Catalogue
from companion.web.errors import refusal
from companion.web.pages import SERVICE
from companion.web.qr import qr_svg
from companion.web.shell import shell


class Found(Protocol):
    """One finding: its `to_json` has `subject`, `level` (ok, note or fault) and `sentence`."""

    def to_json(self) -> dict[str, Any]:
        """As the page shows it."""


def service_pages(
    examine: Callable[[], Sequence[Found]],
    urls: Callable[[], Sequence[str]],
    try_leds: Callable[[], None] | None,
) -> Blueprint:
    """Return `/service` and what it asks for.

    `examine` is called anew for each look; `urls` are the page's addresses for phones; `try_leds` lights each
    LED in turn, None where there are none.
    """
    pages = Blueprint("service", __name__)
    catalogue = Catalogue("service")
    # The page then shows the way here.
    pages.record_once(lambda setup: setup.app.config.update({SERVICE: True}))

    def found() -> list[dict[str, Any]]:
        return [one.to_json() for one in examine()]

    @pages.get("/service")
    def page() -> Response:
        words = catalogue.asked_for()
        findings = [
            {
                **one,
                "subject": words.of_source(f"subject.{one['subject']}", one["subject"]),
                "sentence": words.of_pattern("said", one["sentence"]),
            }
            for one in found()
        ]
        return shell("service.html", t=words, findings=findings, urls=urls(), has_leds=try_leds is not None)

    @pages.get("/api/service")
    def as_json() -> Response:
        answer = jsonify({"findings": found(), "urls": list(urls())})
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @pages.post("/api/service/leds")
    def leds() -> Response:
        if try_leds is None:
            return refusal(409, "no_leds", "there are no LEDs that could be tried; see what is said of them")
        try_leds()
        return jsonify({"accepted": True})

    @pages.get("/service/address.svg")
    def address() -> Response:
        return Response(qr_svg(url_for_phones(urls())), content_type="image/svg+xml")

    return pages

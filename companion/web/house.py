"""Pages for the whole room: the scoreboard for a television, the rules in short, the address for phones."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flask import Blueprint, Response, abort, current_app, jsonify, request

from companion.web.addresses import local_name, own_addresses, page_urls, url_for_phones
from companion.web.guard import is_loopback, port_of
from companion.web.qr import qr_svg
from companion.web.shell import shell

LISTENS_ON = "LISTENS_ON"
"""Configuration: the host that the server listens on, once it does."""


def house_pages(addresses: Callable[[], Sequence[str]] = own_addresses) -> Blueprint:
    """Return the routes; `addresses` are this machine's, as phones in the house reach it."""
    pages = Blueprint("house", __name__)

    def urls() -> tuple[str, ...]:
        """Return the page's addresses for phones, () where only this machine is listened to."""
        found = addresses()
        if is_loopback(current_app.config.get(LISTENS_ON, "")) or not found:
            return ()
        return page_urls(port_of(request.headers["Host"]), found, local_name())

    @pages.get("/display")
    def display() -> Response:
        return shell("display.html")

    @pages.get("/rules")
    def rules() -> Response:
        return shell("rules.html")

    @pages.get("/api/addresses")
    def list_addresses() -> Response:
        return jsonify({"urls": list(urls())})

    @pages.get("/address.svg")
    def address() -> Response:
        known = urls() or abort(404)
        return Response(qr_svg(url_for_phones(known)), content_type="image/svg+xml")

    return pages

"""Who may ask: Host and Origin are checked, and every answer carries a strict content policy."""

import ipaddress
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Flask, Response, request

from companion.web.errors import refusal

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
OWN_SITES = frozenset({"same-origin", "none"})


def own_names() -> frozenset[str]:
    """Return the names under which browsers in the house know this machine, in small letters."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({"localhost", name, short, f"{short}.local"})


def host_of(header: str) -> str:
    """Return the host in a Host header without its port, in small letters; "" where there is none.

    >>> host_of("Pi.local:8000"), host_of("[::1]:8000"), host_of("10.0.0.7")
    ('pi.local', '::1', '10.0.0.7')
    """
    try:
        return (urlsplit(f"//{header}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _netloc_of(origin: str) -> str:
    """Return host and port of an Origin header, in small letters; "" where there is none to be read."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def port_of(header: str) -> int:
    """Return the port in a Host header, 80 where it names none.

    >>> port_of("pi.local:8000"), port_of("[::1]:81"), port_of("10.0.0.7")
    (8000, 81, 80)
    """
    try:
        return urlsplit(f"//{header}").port or 80
    except ValueError:
        return 80


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine as only itself reaches it.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Guard:
    """Checks requests before they reach a page.

    A page elsewhere can make a visitor's browser ask this machine. Under a name of its own that it points
    here (DNS rebinding), the Host header gives it away; from its own address, Origin or Sec-Fetch-Site do,
    and a JSON body needs a permission that is never given. An IP address as Host can not be rebound.
    """

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    def register(self, app: Flask) -> None:
        """Check each request of `app`, and put the headers on each of its answers."""
        before: Callable[[], Response | None] = self.check
        app.before_request(before)
        app.after_request(self.with_headers)

    def check(self) -> Response | None:
        """Return the refusal of the present request, or None where it may go on."""
        host = host_of(request.headers.get("Host", ""))
        if not self._is_ours(host):
            return refusal(
                421,
                "wrong_host",
                f"this machine is not known as '{host}'; open the page under its own name or its IP address",
            )
        if request.method in CHANGING:
            return self._check_change()
        return None

    def _check_change(self) -> Response | None:
        origin = request.headers.get("Origin")
        site = request.headers.get("Sec-Fetch-Site")
        foreign_origin = origin is not None and _netloc_of(origin) != request.headers["Host"].lower()
        if foreign_origin or (site is not None and site not in OWN_SITES):
            return refusal(403, "wrong_origin", "only this machine's own page may act; open it and try again")
        if request.mimetype != "application/json":
            return refusal(415, "not_json", "send JSON: the header Content-Type must be application/json")
        return None

    def _is_ours(self, host: str) -> bool:
        if host in self.names:
            return True
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return False
        return True

    @staticmethod
    def with_headers(answer: Response) -> Response:
        """Put the protecting headers on `answer`; pages and API answers are asked for anew each time."""
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        answer.headers.setdefault("Cache-Control", "no-cache")
        return answer

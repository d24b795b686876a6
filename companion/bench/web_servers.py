"""The table under one of several WSGI servers, to choose between them; the product's own is waitress."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from flask import Flask

from companion.devices.clock import MonotonicClock
from companion.devices.no_leds import NoLeds
from companion.store.memory import MemoryJournal
from companion.table.conductor import Table
from companion.web import create_app, serve

THREADS = 240
"""For servers whose threads are a fixed number: as many as there are phones, and some for the rest."""

SERVERS = ("waitress", "werkzeug", "cheroot", "gunicorn")


def available_servers() -> tuple[str, ...]:
    """Names of the servers that are installed here."""
    return tuple(name for name in SERVERS if find_spec(name) is not None)


def serve_until_told(name: str, port: int) -> None:
    """Serve a table on 127.0.0.1:`port` until standard input ends (gunicorn: until terminated)."""
    starts: dict[str, Callable[[int], None]] = {
        "waitress": _waitress,
        "werkzeug": _werkzeug,
        "cheroot": _cheroot,
        "gunicorn": _gunicorn,
    }
    starts[name](port)


def _app() -> Flask:
    return create_app(Table(MemoryJournal(), None, None, NoLeds(), MonotonicClock()).start())


def _waitress(port: int) -> None:
    with serve(_app(), "127.0.0.1", port):
        sys.stdin.read()


def _werkzeug(port: int) -> None:
    from werkzeug.serving import WSGIRequestHandler, make_server

    class Quiet(WSGIRequestHandler):
        protocol_version = "HTTP/1.1"

        def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 (as named there)
            """Write no line for each request."""

    server = make_server("127.0.0.1", port, _app(), threaded=True, request_handler=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


def _cheroot(port: int) -> None:
    server = importlib.import_module("cheroot.wsgi").Server(("127.0.0.1", port), _app(), numthreads=THREADS)
    threading.Thread(target=server.safe_start, daemon=True).start()
    sys.stdin.read()


def _gunicorn(port: int) -> None:
    base: Any = importlib.import_module("gunicorn.app.base").BaseApplication

    class Application(base):  # type: ignore[misc]
        def load_config(self) -> None:
            settings = {"bind": f"127.0.0.1:{port}", "workers": 1, "worker_class": "gthread"}
            for key, value in {**settings, "threads": THREADS, "keepalive": 60, "loglevel": "error"}.items():
                self.cfg.set(key, value)

        def load(self) -> Flask:
            return _app()

    Application().run()

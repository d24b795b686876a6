"""The server that carries the application: waitress, with a thread for each open stream and a few more."""

import contextlib
import errno
import logging
import socket
import threading
from typing import Any

from flask import Flask
from waitress.server import create_server

from companion.web.addresses import url_here
from companion.web.streams import StreamPlaces

WORKERS = 8
"""Threads for everything but streams, each of which holds one of its own."""

CONNECTIONS_PER_PHONE = 3
LEFT_AFTER_MS = 30_000
"""A phone that acknowledges nothing for so long has gone out of reach; its line is given up."""

CLOSE_WITHIN_S = 4.0


class PortTaken(OSError):
    """The address can not be listened on; `sentence` says why and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class RunningServer:
    """A server that answers in threads of its own until it is closed."""

    def __init__(self, server: Any, streams: StreamPlaces, host: str, port: int) -> None:
        self.host = host
        self.port = port
        self._server = server
        self._streams = streams
        self._loop = threading.Thread(target=self._run, name="web-loop", daemon=True)
        self._closing = threading.Event()
        streams.on_count = lambda count: server.task_dispatcher.set_thread_count(WORKERS + count)
        self._loop.start()

    @property
    def address(self) -> str:
        """The page's address, as a browser on this machine opens it."""
        return url_here(self.host, self.port)

    def close(self) -> None:
        """End the streams, answer what is being answered, stop listening; idempotent, within seconds."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._streams.on_count = None
        self._streams.close()
        self._server.pull_trigger()
        self._loop.join(CLOSE_WITHIN_S)
        self._server.task_dispatcher.shutdown(timeout=CLOSE_WITHIN_S)
        # The listening socket, the lines that phones still keep open, and what wakes the loop.
        self._server.asyncore.close_all(self._server._map, ignore_all=True)

    def __enter__(self) -> "RunningServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        server = self._server
        while not self._closing.is_set():
            server.asyncore.loop(timeout=0.5, map=server._map, use_poll=True, count=1)


def serve(app: Flask, host: str = "0.0.0.0", port: int = 8000) -> RunningServer:
    """Start serving `app`, which `create_app` made, on `host` and `port` (0 takes a free one), and return.

    Raises:
        PortTaken: the port is in use or not allowed, or the host is no address of this machine.
    """
    streams: StreamPlaces = app.extensions["companion.streams"]
    listening = _listen(host, port)
    # It warns when more requests wait than threads are free, which is no news for a moment's crowd.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    server = create_server(
        app,
        sockets=[listening],
        threads=WORKERS,
        connection_limit=CONNECTIONS_PER_PHONE * streams.limit,
        channel_request_lookahead=1,  # reads on while a stream is written, and so sees the phone leave
        channel_timeout=60,
        cleanup_interval=15,
        asyncore_use_poll=True,  # select() ends at 1024 descriptors
        max_request_header_size=16 * 1024,
        max_request_body_size=64 * 1024,
        ident="companion",
        clear_untrusted_proxy_headers=True,
    )
    app.config["LISTENS_ON"] = host
    return RunningServer(server, streams, host, listening.getsockname()[1])


def check_port(host: str, port: int) -> None:
    """Find out whether `port` can be listened on, before work is done that would be in vain.

    Raises:
        PortTaken: as `serve`.
    """
    _listen(host, port).close()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Accepted connections inherit these.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, LEFT_AFTER_MS)
        listening.bind((host, port))
        listening.listen(256)
    except OSError as error:
        with contextlib.suppress(OSError):
            listening.close()
        raise PortTaken(_why(error, host, port)) from error
    return listening


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use, perhaps by another companion: stop it, or choose another with --port"
    if error.errno == errno.EACCES:
        return f"port {port} is not allowed for this user: choose one from 1024 up with --port"
    reason = error.strerror or str(error)
    return f"can not listen on {host or 'any address'} port {port}: {reason}; check --host and --port"

"""A crowd of phones on real sockets: each holds a stream open, and fetches the snapshot when told."""

from __future__ import annotations

import json
import selectors
import socket
import time
from collections.abc import Callable
from typing import Any

HEAD_END = b"\r\n\r\n"
GIVE_UP_S = 30.0


class Line:
    """One connection without blocking; `on_data` gets all that has been received and not yet been used."""

    def __init__(self, crowd: Crowd, on_data: Callable[[Line], None]) -> None:
        self.crowd = crowd
        self.received = b""
        self.on_data = on_data
        self.asked_s = 0.0
        self.socket: socket.socket | None = None

    def _connected(self) -> socket.socket:
        opened = socket.create_connection(("127.0.0.1", self.crowd.port))
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.crowd.selector.register(opened, selectors.EVENT_READ, self)
        return opened

    def close(self) -> None:
        """Close the connection; a later `ask` opens another, for servers that close after each answer."""
        if self.socket is not None:
            self.crowd.selector.unregister(self.socket)
            self.socket.close()
            self.socket = None

    def receive(self) -> bool:
        """Take in what has come; False at the connection's end."""
        data = b"" if self.socket is None else self.socket.recv(65536)
        self.received += data
        return bool(data)

    def ask(self, method: str, path: str, body: bytes = b"") -> None:
        """Send a request; the answer comes to `on_data`."""
        self.received = b""
        self.asked_s = time.perf_counter()
        if self.socket is None:
            self.socket = self._connected()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self.socket.sendall(head.encode() + b"\r\n" + body)

    def answer(self) -> bytes | None:
        """Return the body of a complete answer, or None while it is still coming."""
        head, found, body = self.received.partition(HEAD_END)
        if not found:
            return None
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        if not lengths or len(body) < int(lengths[0].split(b":")[1]):
            return None
        if b"connection: close" in head.lower():
            self.close()
        return body


class Crowd:
    """`count` phones at a server on `port`, two of which act; used from one thread."""

    def __init__(self, port: int, count: int) -> None:
        self.port = port
        self.selector = selectors.DefaultSelector()
        self.told_s: list[float] = [0.0] * count
        self.held_s: list[float] = [0.0] * count
        self.answered_s: list[float] = []
        self.revision = 0
        self.round_began_s = 0.0
        self.in_round = False
        self._points = 0
        self._second: bytes | None = None
        self._actors = [Line(self, self._answered) for _ in range(2)]
        self._fetchers = [Line(self, self._fetched(phone)) for phone in range(count)]
        self._streams = [Line(self, self._heard(phone)) for phone in range(count)]

    def open(self) -> None:
        """Open the streams and wait until each has said the revision once."""
        for stream in self._streams:
            stream.ask("GET", "/api/stream")
        self._until(lambda: all(b"data: " in stream.received for stream in self._streams))
        for stream in self._streams:
            stream.received = b""

    def close(self) -> None:
        """Leave, as phones do that are put away."""
        for line in (*self._streams, *self._fetchers, *self._actors):
            line.close()
        self.selector.close()

    def act(self, **intent: Any) -> None:
        """Do something alone and wait for its answer, before the rounds."""
        before = len(self.answered_s)
        self._actors[0].ask("POST", "/api/intents", self._body(intent))
        self._until(lambda: len(self.answered_s) > before)

    def round(self) -> tuple[list[float], list[float], list[float]]:
        """Let one phone change something, and another while the news goes round.

        Returns seconds from the change being sent until each phone was told, until each held the new
        snapshot, and how long each of the two actions took to be answered.
        """
        self.told_s = [0.0] * len(self.told_s)
        self.held_s = [0.0] * len(self.held_s)
        self.answered_s.clear()
        self._points = self._points % 9 + 1
        self._second = self._body(self._naming(1))
        self.in_round = True
        self.round_began_s = time.perf_counter()
        self._actors[0].ask("POST", "/api/intents", self._body(self._naming(0)))
        self._until(lambda: all(self.held_s) and len(self.answered_s) == 2)
        self.in_round = False
        return list(self.told_s), list(self.held_s), list(self.answered_s)

    def _naming(self, holder: int) -> dict[str, Any]:
        card = {"groups": [[3, None]], "points": self._points, "action": None}
        return {"type": "name_card", "holder": holder, "card": card}

    def _body(self, intent: dict[str, Any]) -> bytes:
        return json.dumps({"revision": self.revision, "intent": intent}).encode()

    def _heard(self, phone: int) -> Callable[[Line], None]:
        def heard(line: Line) -> None:
            if not self.in_round or b"data: " not in line.received:
                return
            line.received = b""
            if self.told_s[phone]:
                return
            self.told_s[phone] = time.perf_counter() - self.round_began_s
            self._fetchers[phone].ask("GET", "/api/snapshot")
            if self._second is not None:
                second, self._second = self._second, None
                self._actors[1].ask("POST", "/api/intents", second)

        return heard

    def _fetched(self, phone: int) -> Callable[[Line], None]:
        def fetched(line: Line) -> None:
            if line.answer() is not None and not self.held_s[phone]:
                self.held_s[phone] = time.perf_counter() - self.round_began_s

        return fetched

    def _answered(self, line: Line) -> None:
        body = line.answer()
        if body is None:
            return
        self.answered_s.append(time.perf_counter() - line.asked_s)
        told = json.loads(body)
        if not told["accepted"]:
            raise RuntimeError(f"the table refused: {told['code']}")
        self.revision = max(self.revision, told["snapshot"]["revision"])

    def _until(self, done: Callable[[], bool]) -> None:
        ends_s = time.perf_counter() + GIVE_UP_S
        while not done():
            if time.perf_counter() > ends_s:
                raise TimeoutError(f"not all phones were served within {GIVE_UP_S:.0f} s")
            for key, _ in self.selector.select(timeout=0.2):
                line: Line = key.data
                if line.receive():
                    line.on_data(line)
                elif line in self._streams:
                    raise ConnectionError("the server closed a stream")
                else:
                    line.close()

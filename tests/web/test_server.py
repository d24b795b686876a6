"""The real server with real streams: news arrives, threads come back, it closes with streams open."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from companion.table.conductor import Table
from companion.table.intents import StartGame
from companion.web import PortTaken, RunningServer, create_app, serve
from companion.web.app import HEARTBEAT_S
from tests.conftest import ROOT
from tests.web.table_at_hand import table_at_hand

WAIT_S = 60.0
STREAMS = 50


@pytest.fixture
def table() -> Iterator[Table]:
    with table_at_hand() as running:
        yield running


@pytest.fixture
def server(table: Table) -> Iterator[RunningServer]:
    with serve(create_app(table, heartbeat_s=0.5, stream_limit=STREAMS + 2), "127.0.0.1", 0) as running:
        yield running


class Stream:
    """One open stream."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
        self.connection.request("GET", "/api/stream")
        self.response = self.connection.getresponse()

    def revision(self) -> int:
        """The next revision that is said."""
        while line := self.response.readline():
            if line.startswith(b"data: "):
                return int(line.removeprefix(b"data: "))
        raise EOFError("the stream ended")

    def leave(self) -> None:
        self.response.close()
        self.connection.close()


def settles(is_so: Callable[[], bool]) -> bool:
    ends_s = time.monotonic() + WAIT_S
    while not is_so():
        if time.monotonic() > ends_s:
            return False
        time.sleep(0.05)
    return True


def place_is_free(port: int) -> bool:
    stream = Stream(port)
    stream.leave()
    return stream.response.status == 200


def heard_until_it_ends(stream: Stream) -> None:
    while stream.revision():
        pass


def test_streams_say_each_newer_revision(server: RunningServer, table: Table) -> None:
    streams = [Stream(server.port) for _ in range(3)]
    first = table.snapshot().revision
    assert [stream.revision() for stream in streams] == [first] * 3
    table.submit(StartGame(("Ana", "Ben"), 0))
    for stream in streams:
        while (revision := stream.revision()) == first:
            pass  # a heartbeat said it again
        assert revision == table.snapshot().revision
        stream.leave()


def test_a_quiet_stream_says_that_it_lives(server: RunningServer, table: Table) -> None:
    stream = Stream(server.port)
    assert stream.response.headers["Content-Type"].startswith("text/event-stream")
    assert [stream.revision() for _ in range(3)] == [table.snapshot().revision] * 3
    stream.leave()


def test_the_heartbeat_is_fifteen_seconds_at_most() -> None:
    assert HEARTBEAT_S <= 15


def test_threads_come_back_when_phones_leave(server: RunningServer) -> None:
    base, old = threading.active_count(), set(threading.enumerate())
    streams = [Stream(server.port) for _ in range(STREAMS)]
    for stream in streams:
        stream.revision()
    assert len(set(threading.enumerate()) - old) >= STREAMS
    # The rest is answered meanwhile.
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT_S)
    connection.request("GET", "/api/snapshot")
    assert connection.getresponse().status == 200
    connection.close()
    for stream in streams:
        stream.leave()
    assert settles(lambda: threading.active_count() <= base)


def test_more_streams_than_places_are_told_to_poll(server: RunningServer) -> None:
    streams = [Stream(server.port) for _ in range(STREAMS + 2)]
    for stream in streams:
        stream.revision()
    refused = Stream(server.port)
    assert refused.response.status == 503
    assert refused.response.headers["Retry-After"]
    for stream in (*streams, refused):
        stream.leave()
    assert settles(lambda: place_is_free(server.port))


def test_closing_ends_open_streams(table: Table) -> None:
    before = threading.active_count()
    server = serve(create_app(table), "127.0.0.1", 0)
    streams = [Stream(server.port) for _ in range(5)]
    for stream in streams:
        stream.revision()
    server.close()
    server.close()
    with pytest.raises((EOFError, http.client.IncompleteRead, ConnectionError)):
        heard_until_it_ends(streams[0])
    for stream in streams:
        stream.leave()
    assert settles(lambda: threading.active_count() <= before)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=WAIT_S)


def test_a_port_in_use_is_said_in_a_sentence(server: RunningServer, table: Table) -> None:
    with pytest.raises(PortTaken) as taken:
        serve(create_app(table), "127.0.0.1", server.port)
    assert f"port {server.port} is in use" in taken.value.sentence
    assert "--port" in taken.value.sentence


def test_a_host_that_is_not_here_is_said_in_a_sentence(table: Table) -> None:
    with pytest.raises(PortTaken) as taken:
        serve(create_app(table), "192.0.2.1", 0)
    assert "192.0.2.1" in taken.value.sentence


PROGRAM = """
import signal, sys, threading
from companion.web import create_app, serve
from tests.web.table_at_hand import table_at_hand

told = threading.Event()
for number in (signal.SIGTERM, signal.SIGINT):
    signal.signal(number, lambda *_: told.set())
with table_at_hand() as table, serve(create_app(table), "127.0.0.1", 0) as server:
    print(server.port, flush=True)
    # a signal that another thread is handed wakes nobody who waits without end
    while not told.wait(0.1):
        pass
print("closed", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "term"])
def test_a_process_with_open_streams_ends_when_told(number: signal.Signals) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        stream = Stream(int(process.stdout.readline()))
        stream.revision()
        process.send_signal(number)
        try:
            out, err = process.communicate(timeout=WAIT_S)
        finally:
            process.kill()  # where it has not ended, the test fails and does not wait for it
        stream.leave()
    assert (process.returncode, out.strip(), err) == (0, "closed", "")

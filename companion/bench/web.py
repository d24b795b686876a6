"""What many phones cost the web server: how soon news reaches them, and how soon an action is answered."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles

from companion.bench import Figure
from companion.bench.web_phones import Crowd
from companion.bench.web_servers import available_servers

NAME = "web"
HELP = "200 phones on open streams: news, snapshots, actions meanwhile, threads (over real sockets)"

PHONES = 200
ROUNDS = 12
LEAVE_WITHIN_S = 15.0
START_WITHIN_S = 20.0


def run() -> Sequence[Figure]:
    """Measure the product's own server."""
    return measured("waitress")


def measured(server: str, phones: int = PHONES) -> Sequence[Figure]:
    """Measure `server` with a table in a process of its own, and phones in this one."""
    told: list[float] = []
    held: list[float] = []
    answered: list[float] = []
    with _served(server) as (pid, port):
        base = _threads(pid)
        crowd = Crowd(port, phones)
        try:
            crowd.act(type="start_game", players=["Ana", "Ben"], first=0, hidden=False)
            crowd.open()
            for _ in range(ROUNDS):
                told_s, held_s, answered_s = crowd.round()
                told += told_s
                held += held_s
                answered += answered_s
            most = _threads(pid)
        finally:
            crowd.close()
        after = _threads_when_settled(pid, base)
    return (
        Figure(f"news told to {phones} phones, 95th percentile", _percentile_95(told) * 1000, "ms", 150),
        Figure("snapshot held by them, 95th percentile", _percentile_95(held) * 1000, "ms"),
        Figure("an action answered meanwhile, longest", max(answered) * 1000, "ms", 200),
        Figure("threads with all streams open", most, ""),
        Figure("threads over those before, once they left", max(0, after - base), "", 0),
    )


def main() -> None:
    """Compare the servers that are installed here."""
    for server in available_servers():
        figures = ", ".join(f"{figure.name} {figure.value:.1f} {figure.unit}" for figure in measured(server))
        sys.stdout.write(f"{server}: {figures}\n")


@contextmanager
def _served(server: str) -> Iterator[tuple[int, int]]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    code = f"from companion.bench.web_servers import serve_until_told as s; s({server!r}, {port})"
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)
    try:
        _wait_for(port)
        yield process.pid, port
    finally:
        assert process.stdin is not None
        process.stdin.close()
        if server == "gunicorn":
            process.terminate()
        process.wait(20)


def _wait_for(port: int) -> None:
    ends_s = time.monotonic() + START_WITHIN_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > ends_s:
                raise
            time.sleep(0.1)


def _threads(pid: int) -> int:
    """Return the number of threads of a process and its children; 0 where the system does not tell."""
    counts = 0
    for task in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in task.read_text().splitlines() if ":\t" in line)
        except OSError:
            continue  # it has ended meanwhile
        if str(pid) in (fields["Pid"].strip(), fields["PPid"].strip()):
            counts += int(fields.get("Threads", "0"))
    return counts


def _threads_when_settled(pid: int, base: int) -> int:
    ends_s = time.monotonic() + LEAVE_WITHIN_S
    while (now := _threads(pid)) > base and time.monotonic() < ends_s:
        time.sleep(0.2)
    return now


def _percentile_95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[-1]


if __name__ == "__main__":
    main()

"""What a club of many tables costs: how soon the wall shows a step, and what each table costs whom."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import quantiles

from companion.bench import Figure
from companion.bench.club_games import figures
from companion.bench.club_screen import Screen

NAME = "club"
HELP = "20 and 200 tables at one Mosquitto and one club: how soon the wall follows, cost per table, growth"

FEW, MANY = 20, 200
STEP_S, SECONDS = 2.0, 45.0
"""A step of each table every two seconds: nine times as fast as people play."""

EVENING_STEPS = 600
"""An evening of three hours: a step of each table in eighteen seconds."""

LIMIT_MS = 500.0
PROCESSES = 2
WITHIN_S = 120.0
LAST_NEWS_S = 10.0


@dataclass(frozen=True, slots=True)
class Measured:
    """One run; costs are processor seconds."""

    tables: int
    delays_s: Sequence[float]
    steps: int
    finished: int
    stored: int
    table_cpu_s: float
    broker_cpu_s: float
    club_cpu_s: float
    club_kib: int
    bytes_per_game: float


def run() -> Sequence[Figure]:
    """Measure with few tables and with many; without a Mosquitto there is nothing to measure."""
    if find_spec("sqlalchemy") is None:
        return (Figure("left out: `script/setup --club` brings what it needs", 0, ""),)
    broker = _program()
    if broker is None:
        return (Figure("left out: no mosquitto here, `apt-get install mosquitto`", 0, ""),)
    few, many = (measured(broker, tables) for tables in (FEW, MANY))
    both = (few, many)
    return (
        *(
            Figure(
                f"wall follows {one.tables} tables, 95th percentile",
                _p95(one.delays_s) * 1000,
                "ms",
                LIMIT_MS,
            )
            for one in both
        ),
        *(
            Figure(f"steps of {one.tables} tables that the wall never showed", _lost(one), "", 0)
            for one in both
        ),
        Figure(
            "finished games not counted exactly once",
            sum(abs(one.finished - one.stored) for one in both),
            "",
            0,
        ),
        Figure(f"games finished and stored at {MANY} tables", many.stored, ""),
        *(
            Figure(f"table and publisher, a step at {one.tables}", _ms(one.table_cpu_s, one), "ms")
            for one in both
        ),
        *(Figure(f"broker, a step at {one.tables}", _ms(one.broker_cpu_s, one), "ms") for one in both),
        *(Figure(f"club, a step at {one.tables}", _ms(one.club_cpu_s, one), "ms") for one in both),
        Figure(
            "broker and club for each table's evening, calculated",
            _ms(many.broker_cpu_s + many.club_cpu_s, many) * EVENING_STEPS / 1000,
            "s",
        ),
        Figure(f"cost of a step at {MANY} over that at {FEW}, broker and club", _growth(few, many), "", 1.5),
        Figure("club's memory for each table more", (many.club_kib - few.club_kib) / (MANY - FEW), "KiB"),
        *figures(),
    )


def main(step_s: float = STEP_S) -> None:
    """Let many tables play a whole evening, in twenty minutes or by another pace, and tell of it."""
    broker = _program()
    if broker is None:
        raise SystemExit("no mosquitto here; `apt-get install mosquitto` brings it")
    one = measured(broker, MANY, EVENING_STEPS * step_s, step_s)
    told = {
        "tables": one.tables,
        "steps": one.steps,
        "finished": one.finished,
        "stored": one.stored,
        "never_shown": _lost(one),
        "p95_ms": round(_p95(one.delays_s) * 1000, 1),
        "longest_ms": round(max(one.delays_s) * 1000, 1),
        "table_cpu_s": round(one.table_cpu_s, 1),
        "broker_cpu_s": round(one.broker_cpu_s, 1),
        "club_cpu_s": round(one.club_cpu_s, 1),
        "club_kib": one.club_kib,
        "bytes_per_game": round(one.bytes_per_game),
    }
    sys.stdout.write(json.dumps(told) + "\n")


def measured(broker: str, tables: int, seconds: float = SECONDS, step_s: float = STEP_S) -> Measured:
    """Let so many tables play for so long, and look at the wall meanwhile."""
    with ExitStack() as stack:
        # Each table has a disk of its own in a club; here they must not wait for one another's.
        shared = Path("/dev/shm")
        place = shared if os.access(shared, os.W_OK) else None
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-club-", dir=place)))
        port = _free_port()
        mosquitto = stack.enter_context(_broker(broker, folder, port))
        database = folder / "club.db"
        club, address = stack.enter_context(_club(database, port))
        screen = Screen(address)
        stack.callback(screen.close)
        players = [
            stack.enter_context(_players(port, folder, tables, number, seconds, step_s))
            for number in range(PROCESSES)
        ]
        for player in players:
            _expect(player, "ready")
        _until(lambda: screen.tables() == tables, "the wall shows all tables")
        before = (_cpu_s(mosquitto), _cpu_s(club))
        for player in players:
            assert player.stdin is not None
            player.stdin.write("go\n")
            player.stdin.flush()
        told = [json.loads(_line(player)) for player in players]
        broker_cpu_s, club_cpu_s = (
            _cpu_s(one) - was for one, was in zip((mosquitto, club), before, strict=True)
        )
        finished = sum(one["finished"] for one in told)
        _until(lambda: _stored(database) >= finished, "all finished games are stored")
        steps = [tuple(step) for one in told for step in one["steps"]]
        _wait(lambda: float("inf") not in screen.delays_s(steps[-MANY:]), LAST_NEWS_S)
        return Measured(
            tables,
            screen.delays_s(steps),
            len(steps),
            finished,
            _stored(database),
            sum(one["cpu_s"] for one in told),
            broker_cpu_s,
            club_cpu_s,
            _kib(club),
            _bytes(database) / max(1, finished),
        )


def _program() -> str | None:
    """Return Mosquitto, which Debian keeps outside of a plain user's path."""
    return shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def _p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[-1]


def _lost(one: Measured) -> int:
    return sum(delay == float("inf") for delay in one.delays_s)


def _ms(cpu_s: float, one: Measured) -> float:
    return cpu_s * 1000 / one.steps


def _growth(few: Measured, many: Measured) -> float:
    costs = [_ms(one.broker_cpu_s + one.club_cpu_s, one) for one in (few, many)]
    return costs[1] / costs[0]


@contextmanager
def _broker(program: str, folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    settings = folder / "mosquitto.conf"
    lines = (
        f"listener {port} 127.0.0.1",
        "allow_anonymous true",
        "persistence false",
        "max_queued_messages 0",
    )
    settings.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with _process([program, "-c", str(settings)], told=False) as process:
        _until(lambda: _answers(port), "the broker answers")
        yield process


@contextmanager
def _club(database: Path, port: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    words = ["club", "--database", str(database), "--broker", f"127.0.0.1:{port}"]
    command = [sys.executable, "-m", "companion", *words, "--host", "127.0.0.1", "--port", "0"]
    with _process(command) as process:
        found = re.search(r"http://\S+", _line(process))
        if found is None:
            raise RuntimeError("the club did not say where its wall is")
        yield process, found[0]


@contextmanager
def _players(
    port: int, folder: Path, tables: int, number: int, seconds: float, step_s: float
) -> Iterator[subprocess.Popen[str]]:
    count = tables // PROCESSES
    words = [str(port), str(folder), str(number * count), str(count), str(step_s), str(seconds)]
    with _process([sys.executable, "-m", "companion.bench.club_tables", *words]) as process:
        yield process


@contextmanager
def _process(command: Sequence[str], *, told: bool = True) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE if told else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=30)


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"{process.args!r} ended too early")
    return line


def _expect(process: subprocess.Popen[str], word: str) -> None:
    if (line := _line(process).strip()) != word:
        raise RuntimeError(f"expected {word!r}, not {line!r}")


def _until(true: Callable[[], bool], what: str) -> None:
    if not _wait(true, WITHIN_S):
        raise TimeoutError(f"{what}: not within {WITHIN_S:.0f} s")


def _wait(true: Callable[[], bool], within_s: float) -> bool:
    """Wait until something holds, so long at most; tell whether it does."""
    ends_s = time.monotonic() + within_s
    while not (holds := true()) and time.monotonic() < ends_s:
        time.sleep(0.1)
    return holds


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


def _cpu_s(process: subprocess.Popen[str]) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _kib(process: subprocess.Popen[str]) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    found = re.search(r"^VmRSS:\s*(\d+) kB", status, re.MULTILINE)
    return int(found[1]) if found else 0


def _stored(database: Path) -> int:
    with closing(sqlite3.connect(database, timeout=10)) as connection:
        return int(connection.execute("SELECT count(*) FROM games WHERE NOT withdrawn").fetchone()[0])


def _bytes(database: Path) -> int:
    with closing(sqlite3.connect(database, timeout=10)) as connection:
        pages = int(connection.execute("PRAGMA page_count").fetchone()[0])
        return pages * int(connection.execute("PRAGMA page_size").fetchone()[0])


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))

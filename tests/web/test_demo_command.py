"""`companion demo` as a process: it serves, says where, and ends cleanly."""

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from companion.store.journal import SqliteJournal

PATIENCE_S = 120
COMMAND = (sys.executable, "-m", "companion", "demo", "--no-browser")


@contextmanager
def running(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command with a free port, and its page's address once it is served."""
    process = subprocess.Popen(
        [*COMMAND, "--port", "0", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Calibrated")
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/demo/", line)
        assert found, line
        yield process, found.group()
    finally:
        process.kill()
        process.communicate()


def test_it_serves_the_table_and_ends_on_ctrl_c() -> None:
    with running("--seed", "3") as (process, address):
        with urlopen(address, timeout=PATIENCE_S) as page:
            assert page.status == 200
        with urlopen(f"{address}state", timeout=PATIENCE_S) as state:
            assert len(json.load(state)["dice"]) == 6
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0
        assert errors == ""
        assert "closed" in out


def test_a_game_kept_in_a_file_is_there_again(tmp_path: Path) -> None:
    data = tmp_path / "table.db"
    with running("--data", str(data)) as (process, _):
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0
    with SqliteJournal(data) as journal:
        assert journal.entries() is not None


def test_a_port_in_use_is_said_in_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ended = subprocess.run(
            [*COMMAND, "--port", port], capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    assert ended.returncode == 3
    assert port in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert ended.stdout == "", "it says so before it calibrates"


@pytest.mark.parametrize("port", ["70000", "-1", "door"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    ended = subprocess.run(
        [*COMMAND, "--port", port], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr


def test_a_data_file_that_is_none_is_kept_and_named(tmp_path: Path) -> None:
    data = tmp_path / "letter.txt"
    data.write_text("Dear Ana, this is no journal at all.\n" * 200, encoding="utf-8")
    ended = subprocess.run(
        [*COMMAND, "--port", "0", "--data", str(data)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 3
    assert "Traceback" not in ended.stderr
    kept = [
        file.read_text(encoding="utf-8", errors="replace") for file in tmp_path.iterdir() if file.is_file()
    ]
    assert any("Dear Ana" in text for text in kept)

"""The test's hands inside the virtual machine: does what each line asks for, and answers with a line.

Requests and answers are JSON objects. Standard library only: it runs with the machine's own Python.
"""

import contextlib
import ctypes
import http.client
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

PULLED_DOWN, PULLED_UP = b"pull-down", b"pull-up"
LOOK_S = 0.008
"""How often the lines are looked at."""

PTRACE_SEIZE, PTRACE_INTERRUPT, WALL = 0x4206, 0x4207, 0x40000000


def line_file(number: int, name: str) -> str:
    """Return the simulator's file of a line."""
    platform = Path("/sys/devices/platform")
    return str(next(platform.glob(f"gpio-sim.*/gpiochip*/sim_gpio{number}/{name}")))


def shell(words: Sequence[str], timeout_s: float) -> dict[str, Any]:
    """Run a command; -1 where it does not end in time."""
    try:
        done = subprocess.run(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired as late:
        return {"code": -1, "out": (late.stdout or b"").decode(errors="replace")}
    return {"code": done.returncode, "out": done.stdout.decode(errors="replace")}


def ask(
    method: str, path: str, headers: Mapping[str, str], body: str | None, timeout_s: float
) -> dict[str, Any]:
    """Ask the page as a phone does; status 0 where nobody listens."""
    connection = http.client.HTTPConnection("127.0.0.1", 8000, timeout=timeout_s)
    with contextlib.closing(connection):
        try:
            connection.request(method, path, body, dict(headers))
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        except OSError as error:
            return {"status": 0, "body": repr(error), "headers": {}}
        return {"status": answer.status, "body": text, "headers": dict(answer.getheaders())}


def kept(path: str) -> dict[str, Any]:
    """Return what the table's file keeps of all games, an entry each, as it was written.

    The page tells nothing of a game's steps while it goes on.
    """
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)) as connection:
        found = connection.execute("SELECT body FROM entries ORDER BY number").fetchall()
        return {"entries": [body for (body,) in found]}


def press(line: int, seconds: float) -> dict[str, Any]:
    """Hold the button on a line down for so long: the simulated line is pulled to ground."""
    pull = Path(line_file(line, "pull"))
    pull.write_bytes(PULLED_DOWN)
    time.sleep(seconds)
    pull.write_bytes(PULLED_UP)
    return {}


def watch(
    lines: Sequence[int], seconds: float, changes: int = 0, button: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return how the lines change: (ms, states) each time, from their state now on.

    It ends after so many seconds, or after so many changes if that is sooner; `button` is pressed meanwhile.
    """
    files = [os.open(line_file(line, "value"), os.O_RDONLY) for line in lines]
    steps: list[tuple[int, list[int]]] = []
    pressing = None if button is None else threading.Thread(target=press, kwargs=dict(button))
    began_s = time.monotonic()
    try:
        while True:
            now_s = time.monotonic() - began_s
            states = [int(os.pread(file, 4, 0)) for file in files]
            if not steps or steps[-1][1] != states:
                steps.append((round(now_s * 1000), states))
                if pressing is not None and pressing.ident is None:
                    pressing.start()  # with the lines' state before it on record
            if now_s >= seconds or (changes and len(steps) > changes):
                break
            time.sleep(LOOK_S)
    finally:
        for file in files:
            os.close(file)
    if pressing is not None:
        pressing.join()
    return {"steps": steps, "ended_ms": round((time.monotonic() - began_s) * 1000)}


def wedge(process: int) -> dict[str, Any]:
    """Hold all threads of a process but its first one still, as wedged ones are, until they are killed."""
    libc = ctypes.CDLL(None, use_errno=True)
    held: list[int] = []
    for thread in sorted(int(path.name) for path in Path(f"/proc/{process}/task").iterdir()):
        if thread == process:
            continue
        for order in (PTRACE_SEIZE, PTRACE_INTERRUPT):
            if libc.ptrace(order, thread, None, None) != 0:
                raise OSError(ctypes.get_errno(), f"thread {thread} cannot be held")
        held.append(thread)
    threading.Thread(target=bury, args=(held,), daemon=True).start()
    return {"held": len(held)}


def bury(threads: Sequence[int]) -> None:
    """Take note of the end of each thread: as long as its holder does not, the process is not gone."""
    for thread in threads:
        with contextlib.suppress(ChildProcessError):
            while os.WIFSTOPPED(os.waitpid(thread, WALL)[1]):
                pass


def main(device: str) -> None:
    """Serve one line after the other, for ever."""
    deeds: dict[str, Callable[..., dict[str, Any]]] = {
        "shell": shell,
        "ask": ask,
        "kept": kept,
        "press": press,
        "watch": watch,
        "wedge": wedge,
        "hello": lambda mark: {"greeted": mark},
    }
    with Path(device).open("r+b", buffering=0) as line:
        tty.setraw(line.fileno())
        text = b""
        while True:
            text += line.read(4096)
            while b"\n" in text:
                request, _, text = text.partition(b"\n")
                answer: dict[str, Any]
                try:
                    asked = json.loads(request)
                    answer = deeds[asked.pop("do")](**asked)
                except Exception as error:  # noqa: BLE001 - told to the test, which fails by it
                    answer = {"failed": repr(error)}
                line.write(json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])

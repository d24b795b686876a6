"""`companion run` as a process: ready, alive, ended in order; safe mode until the settings are mended."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.cli.faults import Fault
from companion.cli.main import main
from companion.cli.run import STUCK_S, look_after
from companion.cli.sd_notify import Notifier
from companion.settings.reading import settings_from_toml

SOON_S = 90.0


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def settings_text(port: int, more: str = "") -> str:
    return f'[camera]\nkind = "none"\n{more}\n[page]\nhost = "127.0.0.1"\nport = {port}\n'


class Service:
    """The process, and what it tells its manager."""

    def __init__(self, folder: Path, text: str) -> None:
        self.folder = folder
        self.settings = folder / "companion.toml"
        self.settings.write_text(text, encoding="utf-8")
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(str(folder / "notify"))
        self.manager.settimeout(SOON_S)
        self.log = folder / "log"
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": str(folder / "notify"),
            "WATCHDOG_USEC": "600000",
            "STATE_DIRECTORY": str(folder / "state"),
            "JOURNAL_STREAM": "8:1",
            "LG_WD": str(folder),
        }
        environment.pop("WATCHDOG_PID", None)
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "companion", "run", "--settings", str(self.settings)],
                env=environment,
                stderr=out,
                stdout=out,
            )

    def told(self, words: str) -> str:
        """Wait for the manager to be told this; return the whole message."""
        end = time.monotonic() + SOON_S
        while time.monotonic() < end:
            message = self.manager.recv(4096).decode()
            if words in message:
                return message
        raise AssertionError(f"never told {words}; the log:\n{self.log.read_text()}")

    def ends(self) -> int:
        """Ask it to end, and return its status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(SOON_S)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[str], Service]]:
    services: list[Service] = []

    def begin(text: str) -> Service:
        services.append(Service(tmp_path, text))
        return services[-1]

    yield begin
    for service in services:
        service.process.kill()
        service.process.wait(SOON_S)
        service.manager.close()


def get(port: int, path: str = "/api/service") -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=SOON_S) as answer:
        return str(answer.read().decode())


def test_it_is_ready_alive_and_ends_in_order(start: Callable[[str], Service]) -> None:
    port = free_port()
    service = start(settings_text(port))
    assert "STATUS=the page is at http://" in service.told("READY=1")
    service.told("WATCHDOG=1")
    found = json.loads(get(port))
    subjects = {finding["subject"] for finding in found["findings"]}
    assert {"profile", "camera", "journal", "disk", "clock", "network", "versions"} <= subjects
    assert "<h1>Service</h1>" in get(port, "/service")
    assert "<svg" in get(port, "/service/address.svg")
    assert service.ends() == 0
    service.told("STOPPING=1")
    log = service.log.read_text()
    told = re.findall(r"^<6>the page is at (.*)$", log, re.MULTILINE)
    assert told == [f"http://127.0.0.1:{port}/"], "only where it can be opened: it is for this machine alone"
    assert "█▀" in log
    assert log.rstrip().endswith("<6>the companion ends in order")
    assert "Traceback" not in log
    assert (service.folder / "state" / "companion.db").exists()


def test_bad_settings_give_a_page_that_names_the_line_until_they_are_mended(
    start: Callable[[str], Service],
) -> None:
    port = free_port()
    service = start(settings_text(port, 'knid = "usb"'))
    assert "safe mode" in service.told("READY=1")
    with pytest.raises(urllib.error.HTTPError) as caught:
        get(port, "/")
    page = caught.value.read().decode()
    caught.value.close()
    assert caught.value.code == 503
    assert "line 3: [camera] has no key &#39;knid&#39;; is &#39;kind&#39; meant?" in page
    service.told("WATCHDOG=1")
    console = [line for line in service.log.read_text().splitlines() if "safe mode" in line]
    assert "line 3: [camera] has no key 'knid'" in console[0]
    assert f"the page at http://127.0.0.1:{port}/ says this" in console[1]
    assert f"mend {service.settings} and save it" in console[1]
    service.settings.write_text(settings_text(port), encoding="utf-8")
    assert "the page is at" in service.told("READY=1")
    assert "findings" in get(port)
    assert service.ends() == 0


def test_a_named_file_that_is_not_there_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert main(["run", "--settings", str(tmp_path / "nope.toml")]) == 3
    told = capsys.readouterr().err.splitlines()
    assert [line for line in told if "nope.toml" in line] == told[-1:]
    assert told[-1].endswith("there is no such settings file; check the name.")


def test_port_in_use_is_one_sentence(start: Callable[[str], Service]) -> None:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        line.listen()
        service = start(settings_text(line.getsockname()[1]))
        assert service.process.wait(SOON_S) == 3
    last = service.log.read_text().splitlines()[-1]
    assert "is in use" in last
    assert "[page] port" in last


def test_settings_it_prints_are_the_defaults() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "run", "--print-settings"],
        capture_output=True,
        text=True,
        check=True,
        timeout=SOON_S,
    )
    assert settings_from_toml(done.stdout) == settings_from_toml("")


@pytest.mark.parametrize(
    ("environment", "watchdog_s"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_watchdog_is_taken_only_if_it_is_ours(environment: dict[str, str], watchdog_s: float | None) -> None:
    assert Notifier(environment, process=7).watchdog_s == watchdog_s


@pytest.mark.parametrize(("stuck_s", "is_ended"), [(0.0, False), (STUCK_S + 1, True)])
def test_a_camera_that_stays_stuck_ends_the_process_for_its_manager(stuck_s: float, is_ended: bool) -> None:
    """As picamera2 #1090, #1392 and #794: only a new process frees it."""
    stopped = threading.Event()

    def answers() -> bool:
        stopped.set()  # once round is enough
        return True

    appliance: Any = SimpleNamespace(
        table=SimpleNamespace(answers=answers), camera=SimpleNamespace(health=None, stuck_s=stuck_s)
    )
    notifier = Notifier({"NOTIFY_SOCKET": "@companion-test-nobody", "WATCHDOG_USEC": "30000"})
    with pytest.raises(Fault, match="stuck for a minute") if is_ended else nullcontext():
        look_after(appliance, notifier, stopped, queue.SimpleQueue())


def test_manager_in_the_abstract_namespace_and_one_that_is_gone(caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(f"\0companion-test-{os.getpid()}")
        manager.settimeout(SOON_S)
        Notifier({"NOTIFY_SOCKET": f"@companion-test-{os.getpid()}"}).alive()
        assert manager.recv(100) == b"WATCHDOG=1"
    Notifier({"NOTIFY_SOCKET": f"@companion-test-{os.getpid()}"}).alive()
    assert "cannot be told" in caplog.text
    Notifier({}).ready("nobody listens")

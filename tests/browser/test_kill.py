"""A power cut while phones are open: the table comes up in the same game, and they go on by themselves."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.phones import LAPTOP, Phone, press_button
from tests.conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


class Table:
    """`companion demo` on one file and one port, to be killed and started again."""

    def __init__(self, data: Path) -> None:
        self.data = data
        with socket.socket() as line:
            line.bind(("127.0.0.1", 0))
            self.port = int(line.getsockname()[1])
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """Start it; return the scoreboard's address."""
        words = ["demo", "--port", str(self.port), "--data", str(self.data), "--seed", "4", "--no-browser"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words, "--cards-by-hand"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"scoreboard alone: (http://\S+?)\)", line):
                return found[1]
        raise AssertionError("the demo ended without an address")

    def kill(self) -> None:
        """Cut the power."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path / "demo.db")
    yield table
    table.kill()


def state(phone: Phone) -> list[object]:
    return [
        phone.page.get_by_role("heading", level=1).inner_text(),
        phone.dice(),
        phone.page.get_by_role("article").all_inner_texts(),
    ]


def test_open_phones_come_back_to_the_same_game(browser: Browser, table: Table) -> None:
    address = table.start()
    at_table = Phone(browser, f"{address}demo/", viewport=LAPTOP)
    at_table.page.get_by_text("Press the round button once").wait_for()
    ana, ben = Phone(browser, address), Phone(browser, address)
    ana.tap("Play along")
    ana.tap("Ask", exact=True)
    ana.sees("Now press the button on the table.")
    at_table.page.get_by_text("asks to play along").wait_for()
    press_button(at_table.page)
    ana.sees("This phone may act now.")
    ana.start_game(["Ana", "Ben"], first="Ben")
    for holder in ("left", "middle", "right"):
        ana.name_card(holder, "four of a kind")
    ana.tap("More")
    ana.tap("Enter the throw by hand")
    for colour in ("red", "red", "red", "blue", "green", "yellow"):
        ana.sheet.get_by_role("group", name="Colour").get_by_role("button", name=colour).click()
    ana.tap("This is the throw")
    for phone in (ana, ben):
        phone.sees("throw 1 of 3")
    before = [state(phone) for phone in (ana, ben)]

    table.kill()
    for phone in (ana, ben):
        phone.sees("The table can not be reached")
    table.start()
    for phone in (ana, ben):
        phone.sees_no("The table can not be reached")
    ana.comes_to(lambda: [state(phone) for phone in (ana, ben)], before)
    # Still paired, and the other one still looks on.
    ana.tap("Undo")
    ben.sees("Taken back")
    ben.sees("This phone looks on.")
    for phone in (ana, ben, at_table):
        phone.close()

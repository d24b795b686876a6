"""The demo as a stranger meets it: the real command, the drawn table read by the real vision, two phones."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from companion.cli.demo_table import Demo as SimulatedDemo
from companion.game.deck import default_deck
from companion.store.memory import MemoryJournal
from companion.table.intents import Press, StartGame
from companion.web import serve
from tests.browser.phones import LAPTOP, Phone, Scoreboard, press_button
from tests.conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

CLOSE_WITHIN_S = 120
MOST_TURNS = 12


@pytest.fixture
def demo_address() -> Iterator[str]:
    """Start `companion demo`, yield the scoreboard's address, and end it as Ctrl-C does."""
    command = [sys.executable, "-m", "companion", "demo", "--port", "0", "--seed", "4", "--no-browser"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as process:
        assert process.stdout is not None
        found = None
        for line in process.stdout:
            if found := re.search(r"scoreboard alone: (http://\S+?)\)", line):
                break
        assert found, "the demo ended without an address"
        yield found[1]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=CLOSE_WITHIN_S)
    assert process.returncode == 0


class Demo(Phone):
    """The demo's page: the table at the left, the scoreboard at the right."""

    def __init__(self, browser: Browser, address: str) -> None:
        super().__init__(browser, f"{address}demo/", viewport=LAPTOP)
        beside = self.page.locator("iframe").element_handle()
        assert beside is not None
        frame = beside.content_frame()
        assert frame is not None
        frame.wait_for_url(address)
        self.board = Scoreboard(frame)
        # The first press lets this browser play.
        self.page.get_by_text("Press the round button once").wait_for()
        press_button(self.page)
        self.page.get_by_text("Start a game on the scoreboard").wait_for()

    def lets_in(self, phone: Phone) -> None:
        """Press the table's button for a phone that asks."""
        phone.tap("Play along")
        phone.page.get_by_role("textbox", name="Name of this phone").fill("Chloé's phone")
        phone.tap("Ask", exact=True)
        phone.sees("Now press the button on the table.")
        self.page.get_by_text("“Chloé's phone” asks to play along").wait_for()
        press_button(self.page)
        phone.sees("This phone may act now.")

    def throw(self, name: str = "Throw all six") -> None:
        self.page.get_by_role("button", name=re.compile(f"^{name}")).first.click()

    def press(self) -> None:
        self.page.get_by_text("press the round button").wait_for()
        press_button(self.page)

    def reads(self, number: int) -> None:
        """Wait until the throw is read; where the camera is in doubt, type what lies there."""
        read = self.board.page.get_by_text(f"throw {number} of 3")
        if number == 3:
            # Where nothing can be taken, the turn is over at once.
            read = read.or_(self.board.page.get_by_text("throw 1 comes"))
        doubt = self.board.page.get_by_text("Please have a look")
        read.or_(doubt).first.wait_for()
        if doubt.count():
            self._type_what_lies_there()
            read.first.wait_for()

    def _type_what_lies_there(self) -> None:
        told = self.page.get_by_role("button", name=re.compile("(white|black) die, .*: (set|take)"))
        labels = told.evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
        lying = [re.split(r" die, |, |: ", label)[:3] for label in labels]
        kept = [(body, colour) for body, colour, zone in lying if "reserve" in zone]
        thrown = [(body, colour) for body, colour, zone in lying if "reserve" not in zone]
        self.board.tap("Enter the throw by hand")
        sheet = self.board.sheet
        if sheet.get_by_role("button", name="Next:").count():
            chosen = sheet.get_by_role("button", name=re.compile("die, .*, kept"))
            while chosen.count():
                chosen.first.click()
            for body, colour in kept:
                sheet.get_by_role("button", name=f"{body} die, {colour}", exact=True).first.click()
            self.board.tap("Next:")
        for body in ("white", "black"):
            for _, colour in [die for die in thrown if die[0] == body]:
                sheet.get_by_role("button", name=f"{body} die, not known yet").first.click()
                sheet.get_by_role("group", name="Colour").get_by_role("button", name=colour).click()
        self.board.tap("This is the throw")

    def set_aside(self, count: int) -> None:
        for _ in range(count):
            lying = self.page.get_by_role("button", name=re.compile("on the track"))
            before = lying.count()
            lying.first.click()
            self.page.wait_for_function(
                "n => [...document.querySelectorAll('.die-place.track')].length < n", arg=before
            )


def test_turns_a_correction_an_undo_and_a_second_phone(browser: Browser, demo_address: str) -> None:
    demo, phone = Demo(browser, demo_address), Phone(browser, demo_address)
    demo.board.start_game(["Ana", "Ben"], first="Ana")
    phone.sees("Ana")
    demo.lets_in(phone)
    assert any(_turn_is_won(demo, phone) for _ in range(MOST_TURNS)), f"no card in {MOST_TURNS} turns"

    demo.throw()
    demo.press()
    demo.reads(1)
    phone.sees("throw 1 of 3")
    _correct_and_undo(demo, phone)
    demo.close()
    phone.close()


def _turn_is_won(demo: Demo, phone: Phone) -> bool:
    """Play a turn as the page says; take the first card that can be had. The phone must show the same."""
    demo.throw()
    for number in (1, 2, 3):
        demo.press()
        demo.reads(number)
        take = demo.board.page.get_by_role("button", name="Take the card")
        if take.count():
            phone.page.get_by_role("button", name="Take the card").first.wait_for()
            take.first.click()
            which = demo.board.page.get_by_text("Which die is changed?")
            taken = demo.board.page.get_by_text("takes a card")
            which.or_(taken).first.wait_for()
            if which.count():
                demo.board.sheet.get_by_role("button", name=re.compile("die from")).first.click()
            taken.first.wait_for()
            phone.sees("takes a card")
            phone.sees("1 card")
            return True
        if number < 3:
            demo.set_aside(2)
            demo.throw("Throw . di")
    return False


def _correct_and_undo(demo: Demo, phone: Phone) -> None:
    before = phone.dice()
    body, colour = re.match(r"(\w+) die, (\w+)", before[0]).groups()  # type: ignore[union-attr]
    other = "blue" if colour != "blue" else "red"
    phone.tap(before[0])
    phone.sheet.get_by_role("group", name="Colour").get_by_role("button", name=other).click()
    phone.tap("Correct it")
    demo.board.sees("Correction:")
    demo.board.comes_to(lambda: sorted(demo.board.dice()), sorted([f"{body} die, {other}", *before[1:]]))
    demo.board.tap("Undo")
    phone.sees("Taken back: the correction.")
    phone.comes_to(phone.dice, before)


def test_a_robot_fills_a_seat(browser: Browser, demo_address: str) -> None:
    demo = Demo(browser, demo_address)
    board = demo.board
    board.page.get_by_role("textbox", name="Player 1").fill("Ana")
    board.tap("+ planning robot")
    board.page.get_by_role("group", name="Who begins?").get_by_role("button", name="Robot 1").click()
    board.tap("Start the game")
    demo.page.get_by_text("Robot 1 is a robot and plays by itself").wait_for()
    board.sees("Robot 1 threw")
    demo.page.get_by_text("Players and cards").click()
    assert demo.page.get_by_role("combobox", name="Robot 1").input_value() == "planning"
    demo.page.get_by_role("combobox", name="Robot 1").select_option("a person")
    demo.page.get_by_text("is a robot").wait_for(state="hidden")
    demo.close()


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_button_stays_where_it_is_whatever_is_said(browser: Browser, locale: str) -> None:
    folder = ROOT / "companion" / "web" / "static" / "demo" / "words"
    words = json.loads((folder / f"{locale[:2]}.json").read_text(encoding="utf-8"))
    hints = [text.replace("{name}", "Bartholomew") for key, text in words.items() if key.startswith("hint.")]
    leds = [words["led"].replace("{state}", text) for key, text in words.items() if key.startswith("led.")]
    with (
        SimulatedDemo(MemoryJournal(), default_deck().cards, seed=3) as demo,
        serve(demo.app, "127.0.0.1", 0) as server,
    ):
        phone = Phone(browser, f"{server.address}demo/", viewport=LAPTOP, locale=locale)
        page = phone.page
        page.locator(".bulbs li[data-pattern]").first.wait_for()
        assert demo.table.submit(StartGame(("Ana", "Ben"), 0)).accepted
        demo.scene.throw(everything=True)
        demo.scene.lean_die()
        phone.sees(words["hint.unread"])
        before = page.locator(".controls").bounding_box()
        assert before is not None
        assert before["y"] + before["height"] <= LAPTOP["height"]
        still = pytest.approx(before, abs=0.5)
        assert demo.table.submit(Press()).accepted
        phone.sees(words["hint.doubt"])
        assert page.locator(".controls").bounding_box() == still
        for text in hints:
            page.locator(".demo-hint").evaluate("(told, text) => { told.textContent = text; }", text)
            assert page.locator(".controls").bounding_box() == still, text
        for text in leds:
            told = page.locator(".bulbs li > :last-child")
            told.evaluate_all("(all, text) => { for (const one of all) one.textContent = text; }", text)
            assert page.locator(".controls").bounding_box() == still, text
        phone.close()

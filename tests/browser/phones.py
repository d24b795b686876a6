"""Phones for tests: browser pages at a real server, driven by text and roles as a person would."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from companion.table.conductor import Table
from companion.web import RunningServer, create_app, serve
from tests.web.table_at_hand import NAMES, ToldReader, table_at_hand

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Frame, Locator, Page

PHONE = {"width": 390, "height": 844}
TABLET = {"width": 820, "height": 1180}
LAPTOP = {"width": 1280, "height": 800}
PATIENCE_MS = 60_000
"""How long a busy machine may take for what takes a moment; only a test that fails takes it."""
LOOK_AGAIN_MS = 50

Value = TypeVar("Value")


def press_button(page: Page | Frame) -> None:
    """Press the demo's round button as assistive technology does: in an instant, however busy the machine.

    A finger that a busy machine lets up late would hold it.
    """
    page.get_by_role("button", name="The table's button").evaluate("button => button.click()")


class Scoreboard:
    """The page, in a window of its own or within another."""

    def __init__(self, page: Page | Frame) -> None:
        self.page = page

    @property
    def sheet(self) -> Locator:
        return self.page.get_by_role("dialog")

    def tap(self, name: str, *, exact: bool = False, nth: int = 0) -> None:
        """Tap the button of that name: in the open sheet if there is one."""
        # Looked up anew until the button is there: a sheet may be about to open or to close.
        place = self.page.locator("dialog[open], body:not(:has(dialog[open]))")
        place.get_by_role("button", name=name, exact=exact).nth(nth).click()

    def sees(self, text: str) -> None:
        """Wait until a text is visible."""
        self.page.get_by_text(text).filter(visible=True).first.wait_for()

    def sees_no(self, text: str) -> None:
        """Wait until a text is gone."""
        self.page.get_by_text(text).filter(visible=True).first.wait_for(state="hidden")

    def start_game(self, players: Sequence[str], *, first: str) -> None:
        """Fill in the lobby."""
        for _ in range(len(players) - 2):
            self.tap("Add a player")
        for number, name in enumerate(players, start=1):
            self.page.get_by_role("textbox", name=f"Player {number}").fill(name)
        self.page.get_by_role("group", name="Who begins?").get_by_role("button", name=first).click()
        self.tap("Start the game")
        self.sees("to play")

    def name_card(self, holder: str, shape: str) -> None:
        """Name the card of a holder: the first offered of that shape, in any colour, without an action."""
        self.tap(f"Name the card in the {holder} holder")
        self.tap(shape, exact=True)
        self.sheet.get_by_role("button", name=re.compile(rf"^{shape}, \d+ points?$")).first.click()
        self.sheet.wait_for(state="hidden")

    def enter_throw(self, letters: str, kept: Sequence[int] = (), *, choose_kept: bool = False) -> None:
        """Type a throw: letters of the dice thrown, in order; `kept` are places of those that lay there."""
        self.tap("Enter throw")
        if choose_kept:
            for place in kept:
                self.sheet.get_by_role("button", name=re.compile("die")).nth(place).click()
            self.tap("Next:")
        for letter in letters:
            self.sheet.get_by_role("group", name="Colour").get_by_role("button", name=NAMES[letter]).click()
        self.tap("This is the throw")
        self.sheet.wait_for(state="hidden")

    def dice(self) -> list[str]:
        """What the dice on the scoreboard are called."""
        found = self.page.get_by_role("button", name=re.compile("(white|black) die"))
        return [
            name or "" for name in found.evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
        ]

    def comes_to(self, read: Callable[[], Value], wanted: Value) -> None:
        """Wait until what is read from the page is what is wanted; what was read instead is told."""
        for _ in range(PATIENCE_MS // LOOK_AGAIN_MS):
            if read() == wanted:
                return
            self.page.wait_for_timeout(LOOK_AGAIN_MS)
        assert read() == wanted


class Phone(Scoreboard):
    """The page in a browser of its own, and whatever it complained about."""

    page: Page

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": PHONE, "locale": "en-GB", **options})
        self.context.set_default_timeout(PATIENCE_MS)
        super().__init__(self.context.new_page())
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._console)
        self.page.goto(address, wait_until="load")

    def _console(self, message: ConsoleMessage) -> None:
        # A refused intent is an answer with status 409, which the browser notes as an error of its own.
        if message.type == "error" and "409" not in message.text and "net::" not in message.text:
            self.complaints.append(message.text)

    def close(self) -> None:
        self.context.close()
        assert self.complaints == []


@contextmanager
def served(reader: ToldReader | None = None) -> Iterator[tuple[Table, RunningServer]]:
    """Yield a table and the server that shows it."""
    with table_at_hand(reader) as table, serve(create_app(table, heartbeat_s=2), "127.0.0.1", 0) as server:
        yield table, server

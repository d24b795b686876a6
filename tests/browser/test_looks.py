"""How the page bears small screens, enlarged text, the dark, the keyboard, and a table that went away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.cli.demo_table import Demo as SimulatedDemo
from companion.game.deck import default_deck
from companion.store.memory import MemoryJournal
from companion.table.conductor import Table
from companion.web import create_app, serve
from tests.browser.conftest import AtTable, OpenPhone
from tests.browser.phones import LAPTOP, PHONE, Phone
from tests.browser.prepared import begin

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

SMALL = """all => all.map(e => [e.getAttribute("aria-label") || e.textContent,
    (e.type === "checkbox" ? e.closest("label") : e).getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.width < 44 || box.height < 44)).map(([name]) => name)"""
"""What can be tapped but is too small for a finger; a box to be ticked is as large as its label."""
ENLARGE = "document.documentElement.style.fontSize = '200%'"


def under_way(table: Table) -> None:
    shapes = ((2, 2, 2), (4,), (6,))
    begin(table, ("Ana", "Bartholomew the Elder", "Chloé"), shapes=shapes, letters="rrrygg")


def is_too_wide(phone: Phone) -> bool:
    return bool(phone.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize(
    "size", [PHONE, {"width": 320, "height": 568}, LAPTOP], ids=["phone", "old phone", "laptop"]
)
def test_nothing_is_wider_than_the_screen(
    open_phone: OpenPhone, at_table: AtTable, size: dict[str, int], locale: str
) -> None:
    under_way(at_table[0])
    phone = open_phone(viewport=size, locale=locale)
    phone.page.get_by_role("heading", level=1).wait_for()
    assert not is_too_wide(phone)
    phone.page.evaluate(ENLARGE)
    assert not is_too_wide(phone)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("width", [320, 360, 390])
def test_a_full_lobby_is_not_wider_than_the_screen(browser: Browser, width: int, locale: str) -> None:
    with (
        SimulatedDemo(MemoryJournal(), default_deck().cards, seed=3) as demo,
        serve(demo.app, "127.0.0.1", 0) as server,
    ):
        phone = Phone(browser, server.address, viewport={"width": width, "height": 844}, locale=locale)
        add = phone.page.locator("[data-focus='add']")
        for _ in range(3):
            add.click()
        names = phone.page.get_by_role("textbox")
        for place, name in enumerate(("Ana", "Ben", "Chloé", "Bartholomew the Elder", "Eva")):
            names.nth(place).fill(name)
        phone.page.locator("[data-focus='robot-planning']").click()
        assert names.count() == 6
        assert names.nth(5).evaluate("name => name.scrollWidth <= name.clientWidth"), "it can be read"
        assert not is_too_wide(phone)
        phone.page.evaluate(ENLARGE)
        assert not is_too_wide(phone)
        phone.close()


def test_targets_are_large(open_phone: OpenPhone, at_table: AtTable) -> None:
    phone = open_phone()
    phone.sees("Start the game")
    assert phone.page.get_by_role("button").evaluate_all(SMALL) == []
    under_way(at_table[0])
    phone.sees("throw 1 of 3")
    assert phone.page.get_by_role("button").evaluate_all(SMALL) == []
    for name in ("white die, red", "Enter throw", "More", "four of a kind"):
        phone.tap(name)
        assert phone.sheet.locator("button, a").evaluate_all(SMALL) == []
        phone.tap("Close")


JUMPS = """window.jumps = 0; new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) jumps += shift.value;
}).observe({type: 'layout-shift', buffered: true})"""
DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
SEEN_TO_JUMP = 0.02
"""A jump that people notice is 0.1 or more (web.dev, Cumulative Layout Shift)."""


@pytest.mark.parametrize("letters", [None, "rrrygg"], ids=["lobby", "board"])
def test_nothing_jumps_while_it_loads(open_phone: OpenPhone, at_table: AtTable, letters: str | None) -> None:
    if letters is not None:
        begin(at_table[0], letters=letters)
    phone = open_phone()
    phone.page.add_init_script(JUMPS)
    phone.page.reload(wait_until="load")
    phone.sees("Start the game" if letters is None else "throw 1 of 3")
    phone.page.evaluate(DRAWN)
    assert phone.page.evaluate("jumps") < SEEN_TO_JUMP
    if letters is not None:
        # Nor as the game goes on: what is tapped next stays where it is.
        phone.tap("Take the card in the middle holder with a change")
        phone.tap("Close")
        phone.page.evaluate(DRAWN)
        assert phone.page.evaluate("jumps") < SEEN_TO_JUMP


GAPS = """faces => faces.map(face => {
  const letter = face.querySelector(".letter"), scale = face.getScreenCTM().d;
  const [rim, symbol] = ["rect", "path"].map(part => face.querySelector(part).getBoundingClientRect().bottom);
  const foot = letter.getStartPositionOfChar(0).matrixTransform(letter.getScreenCTM()).y;
  return [rim - foot, foot - 0.7 * parseFloat(getComputedStyle(letter).fontSize) * scale - symbol];
})"""
"""How many pixels lie between a die's letter and the rim below it, and the symbol above it.

A capital letter is about seven tenths of its font's size."""


def test_a_letter_touches_neither_the_rim_of_its_die_nor_the_symbol(
    open_phone: OpenPhone, at_table: AtTable
) -> None:
    begin(at_table[0], letters="roygbp")
    phone = open_phone()
    phone.sees("throw 1 of 3")
    gaps = phone.page.locator(".dice-area .face").evaluate_all(GAPS)
    assert len(gaps) == 6
    assert min(below for below, _ in gaps) >= 3
    assert min(above for _, above in gaps) >= 1


def test_dark_is_dark(open_phone: OpenPhone) -> None:
    colour = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g)"
    lightness = f"{colour}.slice(0, 3).reduce((sum, part) => sum + Number(part), 0)"
    assert open_phone(color_scheme="light").page.evaluate(lightness) > 600
    assert open_phone(color_scheme="dark").page.evaluate(lightness) < 150


def test_a_game_is_started_by_keyboard(open_phone: OpenPhone) -> None:
    phone = open_phone()
    phone.page.get_by_role("textbox", name="Player 1").focus()
    phone.page.keyboard.type("Ana")
    phone.page.keyboard.press("Tab")
    while phone.page.evaluate("document.activeElement.tagName") != "INPUT":
        phone.page.keyboard.press("Tab")
    phone.page.keyboard.type("Ben")
    phone.page.get_by_role("button", name="Start the game").focus()
    phone.page.keyboard.press("Enter")
    phone.sees("to play")
    phone.page.get_by_role("button", name="Enter throw").focus()
    phone.page.keyboard.press("Enter")
    phone.sheet.wait_for()
    phone.page.keyboard.press("Escape")
    phone.sheet.wait_for(state="hidden")


def test_a_page_comes_back_by_itself(open_phone: OpenPhone, at_table: AtTable) -> None:
    table, server = at_table
    under_way(table)
    phone = open_phone()
    phone.sees("throw 1 of 3")
    server.close()
    phone.sees("The table can not be reached")
    with serve(create_app(table, heartbeat_s=2), "127.0.0.1", server.port):
        phone.sees_no("The table can not be reached")
        phone.tap("Undo")
        phone.sees("Taken back")

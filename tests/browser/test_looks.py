"""How the page bears small screens, enlarged text, the dark, the keyboard, and a table that went away."""

from __future__ import annotations

import pytest

from companion.web import create_app, serve
from tests.browser.conftest import AtTable, OpenPhone
from tests.browser.phones import LAPTOP, PHONE, Phone

pytestmark = pytest.mark.browser

SMALL = """all => all.map(e => [e.getAttribute("aria-label") || e.textContent, e.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.width < 44 || box.height < 44)).map(([name]) => name)"""
ENLARGE = "document.documentElement.style.fontSize = '200%'"


def under_way(phone: Phone) -> None:
    phone.start_game(["Ana", "Bartholomew the Elder", "Chloé"], first="Ana")
    phone.name_card("left", "triple pair")
    phone.name_card("middle", "four of a kind")
    phone.name_card("right", "large colour")
    phone.enter_throw("rrrygg")


def is_too_wide(phone: Phone) -> bool:
    return bool(phone.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize(
    "size", [PHONE, {"width": 320, "height": 568}, LAPTOP], ids=["phone", "old phone", "laptop"]
)
def test_nothing_is_wider_than_the_screen(open_phone: OpenPhone, size: dict[str, int], locale: str) -> None:
    under_way(open_phone())
    phone = open_phone(viewport=size, locale=locale)
    phone.page.get_by_role("heading", level=1).wait_for()
    assert not is_too_wide(phone)
    phone.page.evaluate(ENLARGE)
    assert not is_too_wide(phone)


def test_targets_are_large(open_phone: OpenPhone) -> None:
    phone = open_phone()
    phone.sees("Start the game")
    assert phone.page.get_by_role("button").evaluate_all(SMALL) == []
    under_way(phone)
    assert phone.page.get_by_role("button").evaluate_all(SMALL) == []
    for name in ("white die, red", "Enter throw", "More", "four of a kind"):
        phone.tap(name)
        assert phone.sheet.locator("button, a").evaluate_all(SMALL) == []
        phone.tap("Close")


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
    phone = open_phone()
    under_way(phone)
    server.close()
    phone.sees("The table can not be reached")
    with serve(create_app(table, heartbeat_s=2), "127.0.0.1", server.port):
        phone.sees_no("The table can not be reached")
        phone.tap("Undo")
        phone.sees("Taken back")

"""The television and the rules: follow the game, fit the screen, speak both languages."""

from __future__ import annotations

import pytest

from tests.browser.conftest import AtTable, OpenPhone
from tests.browser.prepared import CARDS, begin, name_cards, take_left_cards

pytestmark = pytest.mark.browser

TV = {"width": 1920, "height": 1080}
SMALL_TV = {"width": 1280, "height": 720}
PAGE = "document.documentElement"
FITS = f"{PAGE}.scrollHeight <= innerHeight && {PAGE}.scrollWidth <= innerWidth"
SMALLEST_PX = """() => Math.min(...[...document.querySelectorAll('#content *')]
  .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
  .filter((e) => e.getBoundingClientRect().width > 2)
  .map((e) => parseFloat(getComputedStyle(e).fontSize) / innerHeight))"""
NAMES = ["Ana", "Bartholomew the Elder", "Chloé", "Dominique", "Émile", "Françoise"]


@pytest.mark.parametrize("size", [TV, SMALL_TV], ids=["1080", "720"])
def test_the_television_follows_and_shows_all_at_once(
    open_phone: OpenPhone, at_table: AtTable, size: dict[str, int]
) -> None:
    tv = open_phone("display", viewport=size)
    tv.sees("A game begins on a phone.")
    begin(at_table[0], NAMES)
    tv.sees("to play")
    phone = open_phone()
    phone.enter_throw("rrrbgy")
    tv.sees("throw 1 of 3")
    for name in NAMES:
        tv.sees(name)
    tv.sees("Ana threw 3 red")
    assert tv.page.evaluate(FITS)
    # A thirtieth of a metre-high screen is read from two metres; small print is half of that.
    assert tv.page.evaluate(SMALLEST_PX) > 1 / 75
    phone.enter_throw("rbg", kept=(0, 1, 2), choose_kept=True)
    phone.tap("Take the card in the middle holder")
    tv.sees("Ana takes a card: four of a kind")
    assert tv.page.get_by_role("button").count() == 0, "it is only to look at"


def test_the_television_says_how_many_cards_are_to_be_named(open_phone: OpenPhone, at_table: AtTable) -> None:
    table, _ = at_table
    tv = open_phone("display", viewport=TV)
    begin(table, shapes=CARDS[:1], letters="rrrbgy")
    tv.sees("as soon as the 2 new cards are named")
    name_cards(table, CARDS[:2])
    tv.sees("as soon as the new card is named")


def test_the_television_says_who_won(open_phone: OpenPhone, at_table: AtTable) -> None:
    table, _ = at_table
    tv = open_phone("display", viewport=TV, locale="fr-FR")
    begin(table)
    take_left_cards(table, 13)
    phone = open_phone()
    phone.tap("Ana may end the game now")
    phone.tap("End the game")
    tv.page.get_by_role("heading", name="Ana gagne").wait_for()


def test_the_rules_are_a_tap_away_with_all_shapes(open_phone: OpenPhone) -> None:
    phone = open_phone()
    phone.page.get_by_role("link", name="The rules in short").click()
    phone.page.get_by_role("heading", name="The black dice").wait_for()
    shapes = phone.page.get_by_role("listitem")
    phone.comes_to(shapes.count, 8)
    assert [shapes.nth(n).locator("svg").count() for n in range(8)] == [3, 6, 5, 4, 5, 6, 6, 6]
    assert not phone.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert not phone.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    phone.page.get_by_role("link", name="To the table").click()
    phone.sees("Start the game")

"""What axe-core finds on each page and in each sheet: no serious or critical fault, by day and by night."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import AtTable, OpenPhone
from tests.browser.phones import LAPTOP, PHONE
from tests.browser.prepared import begin, name_cards, throw
from tests.web.table_at_hand import ToldReader

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

TV = {"width": 1920, "height": 1080}
SEVERE = ("serious", "critical")
MOTIONLESS = """() => Promise.allSettled(document.getAnimations()
  .filter((each) => each.effect.getComputedTiming().endTime < Infinity).map((each) => each.finished))"""


def faults(page: Page) -> list[str]:
    """Every severe fault, with where it is."""
    from axe_playwright_python.sync_playwright import Axe

    # Transitions would be measured half way; what turns for ever is left to turn.
    page.evaluate(MOTIONLESS)
    found = Axe().run(page).response["violations"]
    return [
        f"{fault['id']} ({fault['impact']}): {node['html'][:200]} {node['failureSummary'][:200]}"
        for fault in found
        if fault["impact"] in SEVERE
        for node in fault["nodes"][:3]
    ]


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_axe_sees_a_fault(open_phone: OpenPhone) -> None:
    phone = open_phone()
    field = phone.page.get_by_role("textbox", name="Player 1").element_handle()
    assert field is not None
    field.evaluate("field => ['aria-label', 'placeholder'].forEach(name => field.removeAttribute(name))")
    assert any(fault.startswith("label") for fault in faults(phone.page))


def test_lobby_board_and_sheets(open_phone: OpenPhone, at_table: AtTable, scheme: str) -> None:
    table, _ = at_table
    phone = open_phone(color_scheme=scheme)
    phone.sees("Start the game")
    assert faults(phone.page) == []
    phone.start_game(["Ana", "Ben", "Chloé"], first="Ana")
    assert faults(phone.page) == []
    name_cards(table)
    throw(table, "rrrygg")
    phone.sees("throw 1 of 3")
    assert faults(phone.page) == []
    sheets: list[Callable[[], None]] = [
        lambda: phone.tap("More"),
        lambda: phone.tap("Enter throw"),
        lambda: phone.tap("white die, red"),
        lambda: phone.tap("full house"),
        lambda: phone.page.get_by_role("button", name="Ben:").click(),
        lambda: phone.tap("Take the card in the middle holder with a change"),
    ]
    for number, opened in enumerate(sheets):
        opened()
        assert faults(phone.page) == [], number
        phone.tap("Close")
    phone.tap("full house")
    phone.tap("Another card")
    assert faults(phone.page) == []
    phone.tap("None of these")
    assert faults(phone.page) == []


def test_doubt_and_its_picture(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader, scheme: str
) -> None:
    begin(at_camera[0])
    phone = camera_phone(color_scheme=scheme)
    reader.tell("rrrbgy", "colour_unsure", unsure=3)
    phone.tap("Read the dice")
    phone.sees("Please have a look")
    assert faults(phone.page) == []
    phone.tap("Put the dice right")
    assert faults(phone.page) == []


@pytest.mark.parametrize(
    ("path", "size"),
    [("display", TV), ("display", PHONE), ("rules", PHONE), ("rules", LAPTOP)],
    ids=lambda value: value if isinstance(value, str) else str(value["width"]),
)
def test_pages_for_the_room(
    open_phone: OpenPhone, at_table: AtTable, path: str, size: dict[str, int], scheme: str
) -> None:
    begin(at_table[0], letters="rrrygg")
    phone = open_phone(path, viewport=size, color_scheme=scheme)
    phone.page.get_by_role("heading", level=1).wait_for()
    assert faults(phone.page) == []

"""The wizard in a browser: corners dragged, pictures, a refusal, names, a trial; the demo reads with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from companion.cli.demo_table import Demo
from companion.game.deck import default_deck
from companion.store.memory import MemoryJournal
from companion.web import RunningServer, serve
from tests.browser.phones import LAPTOP, PHONE, Phone
from tests.browser.test_accessible import faults

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.fixture
def demo() -> Iterator[tuple[Demo, RunningServer]]:
    with (
        Demo(MemoryJournal(), default_deck().cards, seed=3) as demo,
        serve(demo.app, "127.0.0.1", 0) as server,
    ):
        yield demo, server


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_demo_is_set_up_anew(
    browser: Browser, demo: tuple[Demo, RunningServer], size: dict[str, int]
) -> None:
    table, server = demo
    phone = Phone(browser, server.address, viewport=size)
    page = phone.page
    page.get_by_role("link", name="Set the table up").click()
    corner = page.get_by_role("button", name="track, corner north-west")
    corner.wait_for()
    assert faults(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")

    # Dragged away and brought back by the keyboard: as many pixels as there are steps.
    zones = table.scene.pose.zones()
    box = corner.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 30, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="The camera sees the cards").click()
    phone.tap("The corners are right")
    page.get_by_role("heading", name="2 The empty table").wait_for()
    phone.tap("1 Where things lie")
    moved = page.evaluate("async () => (await (await fetch('/api/setup')).json()).zones")
    assert moved["track"][0][0] > zones.track_px[0][0] + 20
    assert "holders" not in moved
    phone.tap("The camera sees the cards")
    corner.focus()
    page.keyboard.press("Shift+ArrowLeft")
    phone.tap("The corners are right")
    page.get_by_role("heading", name="2 The empty table").wait_for()
    nudged = page.evaluate("async () => (await (await fetch('/api/setup')).json()).zones")
    assert nudged["track"][0][0] == pytest.approx(moved["track"][0][0] - 16, abs=0.2)
    assert len(nudged["holders"]) == 3

    # What was played with until now is what a careful person would draw.
    page.evaluate(
        """zones => fetch('/api/setup/zones', {method: 'POST',
             headers: {'Content-Type': 'application/json'}, body: JSON.stringify({zones})})""",
        zones.to_dict(),
    )
    page.reload(wait_until="load")
    page.get_by_role("heading", name="2 The empty table").wait_for()
    phone.tap("Demo: take all dice away")
    phone.tap("Take the picture")
    page.get_by_role("heading", name="3 Six colours").wait_for()
    phone.tap("Take the picture")
    page.get_by_role("alert").get_by_text("0 dice where 6 are needed").wait_for()
    phone.tap("Demo: lay the six dice out")
    phone.tap("Take the picture")
    page.get_by_role("heading", name="4 Look and keep").wait_for()
    phone.sees("How surely the colours are told apart")
    assert faults(page) == []
    assert page.get_by_role("combobox").count() == 6

    phone.tap("Demo: throw the dice")
    phone.tap("Try it now")
    page.get_by_text("Read, ").wait_for()
    phone.tap("Keep it and play")
    phone.sees("Kept. The table reads with it from now on.")
    page.get_by_role("link", name="To the table").last.click()
    phone.sees("Start the game")
    phone.close()

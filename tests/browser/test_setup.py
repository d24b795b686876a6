"""The wizard in a browser: corners dragged, pictures, a refusal, names, a trial; the demo reads with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.cli.demo_table import Demo
from companion.devices.simulated.scene import BODIES
from companion.game.deck import default_deck
from companion.game.dice import Die
from companion.store.memory import MemoryJournal
from companion.web import RunningServer, create_app, serve
from companion.web.demo_view import demo_view
from companion.web.setup_desk import SetupDesk, SetupPort
from tests.browser.phones import PHONE, TABLET, Phone
from tests.browser.test_accessible import faults
from tests.calibration.test_markers import table as marked
from tests.calibration.test_markers import tilted
from tests.web.table_at_hand import table_at_hand

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


def test_markers_place_the_track_and_the_other_zones_beside_it(browser: Browser) -> None:
    picture, matrix = tilted(marked())
    desk = SetupDesk(SetupPort(lambda: picture, dict, lambda _profile: None))
    with table_at_hand() as table, serve(create_app(table, setup=desk), "127.0.0.1", 0) as server:
        phone = Phone(browser, f"{server.address}setup", viewport=TABLET)
        phone.page.get_by_role("button", name="track, corner north-west").wait_for()
        phone.tap("Find the printed markers instead")
        phone.sees("The markers are found")
        phone.tap("The corners are right")
        phone.page.get_by_role("heading", name="2 The empty table").wait_for()
        phone.close()
    zones = desk.state()["zones"]
    # Seen straight from above the track is 660 by 450 pixels from (200, 450) on; the rest lies beside it.
    straight = {
        name: cv2.perspectiveTransform(np.array([quad], np.float64), np.linalg.inv(matrix))[0]
        for name, quad in (
            ("track", zones["track"]),
            ("reserve", zones["reserve"]),
            *enumerate(zones["holders"]),
        )
    }
    assert straight["track"] == pytest.approx(
        np.array([[200, 450], [860, 450], [860, 900], [200, 900]]), abs=4
    )
    west, north = straight["reserve"].min(axis=0)
    assert (west, north > 900) == (pytest.approx(200, abs=4), True)
    assert all(straight[holder][:, 1].max() < 450 for holder in range(3))
    assert [straight[holder][0, 0] for holder in range(3)] == sorted(straight[h][0, 0] for h in range(3))


def test_unclear_names_are_said_by_hand(browser: Browser, demo: tuple[Demo, RunningServer]) -> None:
    table, server = demo
    phone = Phone(browser, f"{server.address}setup", viewport=PHONE)
    phone.tap("The corners are right")
    phone.tap("Demo: take all dice away")
    phone.page.get_by_role("heading", name="2 The empty table").wait_for()
    phone.comes_to(lambda: len(table.scene.moment().scene.dice), 0)
    phone.tap("Take the picture")
    phone.page.get_by_role("heading", name="3 Six colours").wait_for()
    colours = ("yellow", "yellow", "red", "green", "blue", "purple")
    table.scene.lay_out([Die(body, colour, False) for body, colour in zip(BODIES, colours, strict=True)])
    phone.tap("Take the picture")
    phone.sees("It is not clear which die has which colour")
    learn = phone.page.get_by_role("button", name="Learn these names")
    assert learn.is_disabled(), "not before each has a name"
    assert faults(phone.page) == []
    # One of the two yellow dice is called orange.
    names = ("yellow", "orange", *colours[2:])
    view = demo_view(table.scene, table.leds, table.dealer, 0.0)
    places = [np.array(die["centre"]) for die in view["dice"]]
    found = phone.page.evaluate("async () => (await (await fetch('/api/setup')).json()).found")
    for number, quad in enumerate(found, start=1):
        centre = np.mean(quad, axis=0)
        nearest = int(np.argmin([np.linalg.norm(place - centre) for place in places]))
        phone.page.get_by_role("combobox", name=f"Die {number}").select_option(names[nearest])
    learn.click()
    phone.sees("Two dice seem to show the same colour. Lay each with another colour up")
    table.scene.lay_six_colours()
    phone.tap("Take the picture")
    phone.page.get_by_role("heading", name="4 Look and keep").wait_for()
    phone.close()


def test_a_set_up_begun_on_another_device_says_so(browser: Browser, demo: tuple[Demo, RunningServer]) -> None:
    _, server = demo
    first, second = (Phone(browser, f"{server.address}setup", viewport=PHONE) for _ in range(2))
    begun = "This set-up was begun before, here or on another device"
    first.tap("The corners are right")
    first.page.get_by_role("heading", name="2 The empty table").wait_for()
    first.sees_no(begun)
    second.page.reload(wait_until="load")
    second.page.get_by_role("heading", name="2 The empty table").wait_for()
    second.sees(begun)
    assert faults(second.page) == []
    second.tap("Begin anew")
    second.page.get_by_role("heading", name="1 Where things lie").wait_for()
    second.sees_no(begun)
    for phone in (first, second):
        phone.close()


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
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
    page.get_by_role("alert").get_by_text("Dice seen: 0, where six are needed").wait_for()
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

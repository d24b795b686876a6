"""The demo's page in a browser: throw, press, set aside, mischief; on a phone and on a laptop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from companion.cli.demo_table import Demo, drawn_eye
from companion.game.deck import default_deck
from companion.store.memory import MemoryJournal
from companion.web import serve
from tests.web.demo_person import Person, as_bag, last_throw

DECK = default_deck().cards

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
PATIENCE_MS = 120_000
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Person, str]]:
    with (
        Demo(MemoryJournal(), DECK, eye=drawn_eye(DECK), seed=5) as demo,
        serve(demo.app, "127.0.0.1", 0) as server,
    ):
        yield Person(demo, demo.app.test_client()), f"{server.address}demo/"


@pytest.fixture(params=[PHONE, LAPTOP], ids=["phone", "laptop"])
def page(request: pytest.FixtureRequest, browser: Browser, served: tuple[Person, str]) -> Iterator[Page]:
    context = browser.new_context(viewport=request.param, has_touch=request.param is PHONE, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    person, address = served
    if person.snapshot()["game"] is not None:
        person.ask("abandon_game")
    person.act("mischief", lamp="normal", camera="still", hand=False)
    person.act("mischief", do="tidy")
    person.ask("start_game", players=["Ana", "Ben"], first=0, hidden=False)
    person.until()
    page.goto(address, wait_until="load")
    page.get_by_role("button", name="The table's button").wait_for()
    yield page
    context.close()
    assert complaints == []


def test_throw_and_press_brings_the_dice_to_the_rules(page: Page, served: tuple[Person, str]) -> None:
    person, _ = served
    page.get_by_role("button", name=re.compile("^Throw")).first.click()
    page.get_by_text("press the round button").wait_for()
    truth = person.lying()
    page.get_by_role("button", name="The table's button").click()
    now = person.until("reading", "throw")
    if now["phase"] == "doubt":
        page.get_by_text("The companion is not sure").wait_for()
        return
    assert as_bag(last_throw(person.demo)) == as_bag(truth)


def test_a_tap_on_a_die_sets_it_aside_and_another_takes_it_back(
    page: Page, served: tuple[Person, str]
) -> None:
    person, _ = served
    for die in person.state()["dice"]:
        if die["zone"] == "reserve":
            person.act("die", index=die["index"])
    page.locator(".view:not(.waiting) [data-die='2'].track").wait_for()
    for zone in ("reserve", "track"):
        box = page.locator("[data-die='2']").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.locator(f".view:not(.waiting) [data-die='2'].{zone}").wait_for()
        assert person.state()["dice"][2]["zone"] == zone


def test_a_die_is_reached_by_keyboard(page: Page, served: tuple[Person, str]) -> None:
    person, _ = served
    before = person.state()["dice"][0]["zone"]
    page.locator("[data-die='0']").focus()
    page.keyboard.press("Enter")
    after = "track" if before == "reserve" else "reserve"
    page.locator(f"[data-die='0'].{after}").wait_for()


def test_the_button_tells_what_letting_go_would_do(page: Page, served: tuple[Person, str]) -> None:
    person, _ = served
    person.ask("undo")  # the last card's name: something that a very long hold could take back further
    revision = person.snapshot()["revision"]
    round_button = page.get_by_role("button", name="The table's button")
    box = round_button.bounding_box()
    assert box is not None
    # The page's clock stands still but for what is told here, however busy the machine.
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.clock.run_for(1500)
    page.get_by_text("Let go: take").wait_for()
    page.clock.run_for(2000)
    page.get_by_text("Let go: undo").wait_for()
    page.mouse.up()
    newer = person.demo.table.wait_newer(revision, PATIENCE_MS / 1000)
    assert newer is not None
    assert newer.redo is not None


def test_everything_needed_fits_the_screen(page: Page) -> None:
    viewport = page.viewport_size
    assert viewport is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    for part in (".view", ".demo-hint", ".round-button", ".throws-column .button"):
        box = page.locator(part).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= viewport["height"], part
        assert box["height"] >= 44, part


def test_the_scoreboard_is_beside_or_behind_a_tab(page: Page) -> None:
    frame = page.frame_locator("iframe")
    if page.viewport_size == PHONE:
        page.get_by_role("button", name="Scoreboard").click()
    frame.get_by_text("Ana").first.wait_for()
    frame.get_by_text("Ben").first.wait_for()


def test_mischief_is_told_on_the_page(page: Page, served: tuple[Person, str]) -> None:
    person, _ = served
    page.get_by_text("Mischief").click()
    with page.expect_response("**/demo/mischief"):
        page.get_by_role("combobox", name="Camera").select_option("unplugged")
    page.get_by_role("button", name="The table's button").click()
    page.get_by_text("The companion is not sure").wait_for()
    assert person.snapshot()["phase"] == "doubt"

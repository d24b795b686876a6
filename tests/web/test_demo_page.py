"""The demo's page in a browser: throw, press, set aside, mischief; on a phone and on a laptop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

import pytest

from companion.cli.demo_table import Demo, drawn_eye
from companion.devices.simulated.scene import BODIES
from companion.game.cards import makes
from companion.game.deck import default_deck
from companion.game.dice import DEFAULT_COLOURS, Die
from companion.game.record import card_from_json, die_to_json
from companion.store.memory import MemoryJournal
from companion.web import serve
from tests.browser.phones import press_button
from tests.web.demo_person import HOLD_MS, LONG_HOLD_MS, Person, as_bag, last_throw

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
    press_button(page)
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
        page.mouse.click(*middle_of(page, 2))
        page.locator(f".view:not(.waiting) [data-die='2'].{zone}").wait_for()
        assert person.state()["dice"][2]["zone"] == zone


def test_dice_are_set_aside_as_fast_as_they_are_tapped_and_one_may_be_turned(
    page: Page, served: tuple[Person, str]
) -> None:
    person, _ = served
    colours = ("red", "red", "blue", "yellow", "green", "green")
    person.demo.scene.lay_out(
        [Die(body, colour, False) for body, colour in zip(BODIES, colours, strict=True)]
    )
    press_button(page)
    assert person.until("reading", "throw")["game"]["change_open"]
    # What is read is shown, and what comes next is to set dice aside, not to throw all.
    page.locator(".throws-column .button:not(.primary)").first.wait_for()
    page.locator(".view:not(.waiting)").wait_for()
    lying = [middle_of(page, index) for index in range(4)]
    for x, y in lying[:3]:
        page.mouse.click(x, y)
    for index in (0, 1, 2):
        page.locator(f"[data-die='{index}'].reserve").wait_for()
    page.get_by_role("button", name="Throw 3 dice").wait_for()
    assert is_green(page, "Throw 3 dice")

    change = page.get_by_role("group", name="The black-dice change")
    change.get_by_text("Turn the white blue one").wait_for()
    change.get_by_role("button", name="to red").click()
    change.get_by_text("The white die is turned from blue to red.").wait_for()
    assert [die["colour"] for die in person.state()["dice"]][:3] == ["red"] * 3
    page.mouse.click(*lying[3])
    page.get_by_role("button", name="Throw 2 dice").wait_for()
    assert change.get_by_role("button").count() == 1, "only one die is turned"
    # Taken back, it is as it was thrown.
    page.locator(".view:not(.waiting)").wait_for()
    page.mouse.click(*middle_of(page, 2))
    page.get_by_role("button", name="Throw 3 dice").wait_for()
    change.get_by_text("Turn the white yellow one").wait_for()
    assert person.state()["dice"][2]["colour"] == "blue"


def test_a_tap_counts_though_the_table_changes_while_the_finger_is_down(
    page: Page, served: tuple[Person, str]
) -> None:
    person, _ = served
    dice = [Die(body, "red", False) for body in BODIES]
    person.demo.scene.lay_out(dice)
    press_button(page)
    person.until("reading", "throw")
    page.locator(".view:not(.waiting) [data-die='5'].track").wait_for()
    page.mouse.move(*middle_of(page, 1))
    page.mouse.down()
    person.act("die", index=0)
    page.locator(".view:not(.waiting) [data-die='0'].reserve").wait_for()
    page.mouse.up()
    page.locator("[data-die='1'].reserve").wait_for()


def test_throwing_is_offered_only_where_it_has_a_meaning(page: Page, served: tuple[Person, str]) -> None:
    person, _ = served
    page.get_by_text("it is your turn").wait_for()
    assert is_green(page, "Throw all six")
    person.ask("abandon_game")
    page.get_by_text("Start a game on the scoreboard").wait_for()
    throw = page.get_by_role("button", name="Throw")
    assert throw.is_disabled()
    assert is_green(page, "Throw") is False


def middle_of(page: Page, die: int) -> tuple[float, float]:
    """Where to tap a die, in pixels of the page."""
    box = page.locator(f"[data-die='{die}']").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def is_green(page: Page, name: str) -> bool:
    """Whether the button of that name looks like what comes next."""
    classes = page.get_by_role("button", name=re.compile(f"^{name}")).first.get_attribute("class") or ""
    return "primary" in classes.split()


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


def test_what_the_button_did_not_do_or_took_back_stands_on_the_picture(
    page: Page, served: tuple[Person, str]
) -> None:
    person, _ = served
    person.button(HOLD_MS)
    page.locator(".told").get_by_text("No card can be taken now.").wait_for()
    person.button(LONG_HOLD_MS)
    page.locator(".told").get_by_text(re.compile("^Taken back: ")).wait_for()


def test_where_a_card_is_lit_the_round_button_is_what_comes_next(
    page: Page, served: tuple[Person, str]
) -> None:
    person, _ = served
    shown = next(holder["card"] for holder in person.snapshot()["game"]["holders"] if holder["card"])
    card = card_from_json(shown, DEFAULT_COLOURS)
    made = next(colours for colours in product(DEFAULT_COLOURS, repeat=6) if makes(card, colours))
    dice = [Die(body, colour, False) for body, colour in zip(BODIES, made, strict=True)]
    person.ask("enter_throw", dice=[die_to_json(die) for die in dice])
    assert any(holder["light"] for holder in person.snapshot()["game"]["holders"])
    # A die that lies in the reserve from before says nothing of what is wanted now.
    if person.state()["dice"][0]["zone"] != "reserve":
        person.act("die", index=0)
    page.locator("[data-die='0'].reserve").wait_for()
    page.locator(".round-button.wanted").wait_for()
    assert not is_green(page, "Throw")


def test_everything_needed_fits_the_screen(page: Page) -> None:
    viewport = page.viewport_size
    assert viewport is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    parts = [".view", ".demo-hint", ".round-button", ".throws-column .button"]
    if viewport == LAPTOP:
        parts += [".drawer >> nth=0", ".drawer >> nth=1"]
    for part in parts:
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
    press_button(page)
    page.get_by_text("The companion is not sure").wait_for()
    assert person.snapshot()["phase"] == "doubt"


def test_mischief_that_no_die_is_there_for_can_not_be_done(page: Page, served: tuple[Person, str]) -> None:
    person, _ = served
    page.get_by_text("Mischief").click()
    turn, tidy = (
        page.get_by_role("button", name=name)
        for name in ("Someone turns a kept die", "Lay all dice flat again")
    )
    person.act("throw", everything=True)
    page.get_by_text("No die is kept yet.").wait_for()
    assert turn.is_disabled()
    assert tidy.is_disabled()
    page.get_by_role("button", name="A die leans on the wall").click()
    tidy.click()
    page.get_by_role("button", name="Lay all dice flat again", disabled=True).wait_for()
    person.act("die", index=0)
    page.get_by_text("No die is kept yet.").wait_for(state="hidden")
    assert turn.is_enabled()
    person.act("die", index=0)
    page.get_by_text("No die is kept yet.").wait_for()

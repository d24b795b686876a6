"""Playing along in a real browser: a phone looks on, asks, is let in by a press, is removed again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.pairing.door import Door
from companion.store.journal import SqliteJournal
from companion.store.phones import StoredPhones
from companion.web import create_app, serve
from tests.browser.conftest import Size, on_phone_and_tablet, phones_at
from tests.browser.phones import Phone
from tests.web.table_at_hand import PlainClock, table_at_hand

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Browser, Route

    from tests.browser.conftest import OpenPhone

pytestmark = pytest.mark.browser


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with SqliteJournal(tmp_path / "table.db") as journal:
        yield Door(StoredPhones(journal.path), PlainClock())


@pytest.fixture
def open_phone(browser: Browser, door: Door, screen: Size) -> Iterator[OpenPhone]:
    with (
        table_at_hand() as table,
        serve(create_app(table, heartbeat_s=2, door=door), "127.0.0.1", 0) as server,
    ):
        yield from phones_at(browser, server, screen)


@on_phone_and_tablet
def test_what_was_tapped_is_done_once_the_button_is_pressed(open_phone: OpenPhone, door: Door) -> None:
    ana, ben = open_phone(), open_phone()
    ana.sees("This phone looks on.")
    for number, name in enumerate(("Ana", "Ben"), start=1):
        ana.page.get_by_role("textbox", name=f"Player {number}").fill(name)
    ana.tap("Start the game")
    ana.page.get_by_role("textbox", name="Name of this phone").fill("Ana <i>phone</i>")
    ana.tap("Ask", exact=True)
    ana.sees("Now press the button on the table.")
    ben.tap("Play along")
    ben.tap("Ask", exact=True)
    ben.sees("Another phone is asking just now.")
    assert door.let_in()
    # No second tap: the game begins, and it is the other phone's turn to ask.
    ana.sees("to play")
    ana.sees_no("This phone looks on.")
    ben.tap("Ask", exact=True)
    ben.sees("Now press the button on the table.")
    # Not the question it asks every second.
    with ben.page.expect_response(lambda answer: answer.request.method == "DELETE"):
        ben.tap("Never mind")
    assert not door.let_in()


def test_a_half_typed_throw_is_not_lost_by_joining(open_phone: OpenPhone, door: Door) -> None:
    ana, ben = open_phone(), open_phone()
    joined(ana, door)
    ana.start_game(["Ana", "Ben"], first="Ana")
    ben.sees("to play")
    ben.tap("Enter throw")
    for colour in ("red", "red", "red", "blue", "green", "yellow"):
        ben.sheet.get_by_role("group", name="Colour").get_by_role("button", name=colour).click()
    ben.tap("This is the throw")
    ben.tap("Close")
    # The throw is there again.
    ben.comes_to(ben.sheet.get_by_role("button", name="die, red").count, 3)
    ben.tap("This is the throw")
    ben.tap("Ask", exact=True)
    ben.sees("Now press the button on the table.")
    door.let_in()
    ben.sheet.wait_for(state="hidden")
    ana.sees("It counts as soon as the 3 new cards are named.")


def test_a_phone_that_slept_while_it_was_let_in_may_act(open_phone: OpenPhone, door: Door) -> None:
    ana = open_phone()
    ana.page.clock.install()
    asks(ana)
    assert door.let_in()
    # It wakes, and learns of it by that, before it asks again in its turn.
    with ana.page.expect_response("**/api/pairing"):
        ana.page.evaluate("window.dispatchEvent(new Event('pageshow'))")
    ana.sees_no("This phone looks on.")
    ana.page.clock.run_for(1_000)
    ana.sees("This phone may act now.")
    assert ana.sheet.count() == 0


def test_an_answer_from_before_it_asked_does_not_end_a_phones_wish(open_phone: OpenPhone, door: Door) -> None:
    ana = open_phone()
    ana.sees("This phone looks on.")
    late: list[tuple[Route, APIResponse]] = []
    ana.page.route("**/api/pairing", lambda route: late.append((route, route.fetch())), times=1)
    with ana.page.expect_request("**/api/pairing"):
        ana.page.evaluate("window.dispatchEvent(new Event('pageshow'))")
    ana.comes_to(lambda: len(late), 1)
    asks(ana)
    route, answer = late[0]
    with ana.page.expect_response(lambda told: told.request.method == "GET" and "pairing" in told.url):
        route.fulfill(response=answer)
    assert door.let_in()
    ana.sees("This phone may act now.")


def test_a_wish_that_ended_while_the_phone_slept_can_be_told_again(open_phone: OpenPhone, door: Door) -> None:
    ana = open_phone()
    ana.page.clock.install()
    asks(ana)
    token = next(cookie["value"] for cookie in ana.context.cookies() if "phone" in cookie["name"])
    door.take_back(token)
    with ana.page.expect_response("**/api/pairing"):
        ana.page.evaluate("window.dispatchEvent(new Event('pageshow'))")
    ana.page.clock.run_for(1_000)
    ana.tap("Ask", exact=True)
    ana.sees("Now press the button on the table.")
    assert door.let_in()
    ana.page.clock.run_for(1_000)
    ana.sees("This phone may act now.")


def test_a_wish_that_is_given_up_on_its_way_lets_nobody_in(open_phone: OpenPhone, door: Door) -> None:
    ana = open_phone()
    ana.tap("Play along")
    held: list[Route] = []
    ana.page.route(
        "**/api/pairing",
        lambda route: held.append(route) if route.request.method == "POST" else route.continue_(),
    )
    ana.tap("Ask", exact=True)
    ana.comes_to(lambda: len(held), 1)
    ana.tap("Close")
    with ana.page.expect_response(lambda answer: answer.request.method == "DELETE"):
        held[0].continue_()
    assert not door.let_in()
    ana.sees("This phone looks on.")


def test_a_waiting_phone_says_that_the_table_does_not_answer(open_phone: OpenPhone, door: Door) -> None:
    ana = open_phone()
    asks(ana)
    in_sheet = ana.sheet.get_by_text("The table can not be reached.")
    assert not in_sheet.is_visible()
    ana.context.set_offline(True)
    in_sheet.wait_for()
    ana.context.set_offline(False)
    in_sheet.wait_for(state="hidden")
    assert door.let_in()
    ana.sees("This phone may act now.")


def test_a_removed_phone_looks_on_again(open_phone: OpenPhone, door: Door) -> None:
    ana, ben = open_phone(), open_phone()
    joined(ana, door, "Ana's phone")
    joined(ben, door, "Ben's phone")
    ana.tap("More")
    ana.tap("Phones that may act")
    ana.sees("Ben's phone")
    ana.tap("Remove Ben's phone")
    ana.tap("Yes, remove")
    ana.sheet.get_by_text("Ben's phone").wait_for(state="hidden")
    ana.tap("Close")
    ben.page.reload(wait_until="load")
    ben.sees("This phone looks on.")
    ana.page.reload(wait_until="load")
    ana.sees("Start the game")
    ana.sees_no("This phone looks on.")


def joined(phone: Phone, door: Door, name: str = "phone") -> None:
    asks(phone, name)
    assert door.let_in()
    phone.sees("This phone may act now.")


def asks(phone: Phone, name: str = "phone") -> None:
    phone.tap("Play along")
    phone.page.get_by_role("textbox", name="Name of this phone").fill(name)
    phone.tap("Ask", exact=True)
    phone.sees("Now press the button on the table.")

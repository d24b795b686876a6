"""Past games in a browser: from the lobby to a game, its steps, players and dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from companion.store.history import StoredGames
from companion.web import RunningServer, create_app, serve
from tests.browser.conftest import Size, on_phone_and_tablet
from tests.browser.phones import PHONE, Phone
from tests.browser.test_looks import ENLARGE, SMALL, is_too_wide
from tests.history.kept_games import file_with_games
from tests.web.table_at_hand import table_at_hand

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    path = file_with_games(
        tmp_path_factory.mktemp("games") / "table.db", *[("Ana", "Ben", "<b>Chloé</b>")] * 2, ("Ana", "Ben")
    )
    with (
        table_at_hand() as table,
        serve(create_app(table, history=StoredGames(path)), "127.0.0.1", 0) as running,
    ):
        yield running


@pytest.fixture
def phone(browser: Browser, server: RunningServer, screen: Size) -> Iterator[Phone]:
    phone = Phone(browser, server.address, viewport=screen)
    yield phone
    phone.close()


def link(phone: Phone, name: str, nth: int = 0) -> None:
    phone.page.get_by_role("link", name=name).nth(nth).click()


@on_phone_and_tablet
def test_a_game_is_found_and_replayed(phone: Phone) -> None:
    link(phone, "Past games and statistics")
    phone.sees("<b>Chloé</b>")
    link(phone, "wins", nth=1)
    phone.sees("Luck and skill")
    phone.sees("wins the game")
    phone.tap("To the start")
    phone.sees("A game begins")
    for _ in range(4):
        phone.tap("One step on")
    phone.sees("step 5 of")
    phone.page.get_by_role("region", name="Step by step").get_by_text(" threw ").first.wait_for()
    phone.comes_to(phone.page.get_by_role("region", name="Step by step").locator(".die").count, 6)
    phone.page.get_by_text("All steps").click()
    phone.page.get_by_role("listitem").get_by_role("button", name="takes a card").first.click()
    phone.page.get_by_role("status").get_by_text("takes a card").wait_for()
    phone.page.get_by_role("img", name="Luck of each player").wait_for()
    with phone.page.expect_download() as download:
        link(phone, "This game as a record")
    assert download.value.suggested_filename.endswith(".jsonl")


@on_phone_and_tablet
def test_players_and_dice(phone: Phone) -> None:
    link(phone, "Past games and statistics")
    link(phone, "Players")
    ana = phone.page.get_by_role("region", name="Ana")
    ana.get_by_text("Best choices").wait_for()
    phone.sees_no("being worked out")
    # Greedy robots choose the best.
    ana.get_by_text("100%").first.wait_for()
    link(phone, "Dice")
    phone.sees("As even as fair dice usually are")
    phone.page.go_back()
    ana.wait_for()
    link(phone, "To the table")
    phone.sees("Who plays?")


@pytest.mark.parametrize("page", ["", "#game=game0", "#players", "#dice"])
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_pages_bear_small_screens_and_large_text(
    browser: Browser, server: RunningServer, page: str, locale: str
) -> None:
    phone = Phone(browser, f"{server.address}history{page}", viewport=PHONE, locale=locale)
    phone.page.locator("#content section, #content .games").first.wait_for()
    if page:
        phone.page.get_by_role("img").or_(phone.page.locator(".bars")).first.wait_for()
    assert not is_too_wide(phone)
    assert phone.page.get_by_role("button").evaluate_all(SMALL) == []
    phone.page.evaluate(ENLARGE)
    assert not is_too_wide(phone)
    phone.close()

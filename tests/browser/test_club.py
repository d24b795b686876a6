"""The club in a real browser: a wall of three live tables, a season, and names that are markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.club.running import Club, Wanted
from companion.table import intents
from tests.browser.phones import Phone
from tests.mqtt.mosquitto import Mosquitto, running, until
from tests.mqtt.told_table import SIX_RED, ToldTable, told_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytestmark = pytest.mark.browser
TELEVISION = {"width": 1920, "height": 1080}
MARKUP = "<img src=x onerror=alert(1)>"
TABLES = ("elm", "fir", "oak")


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with running(tmp_path / "broker") as broker:
        yield broker


@pytest.fixture
def club(mosquitto: Mosquitto, tmp_path: Path) -> Iterator[Club]:
    wanted = Wanted(str(tmp_path / "club.db"), mosquitto.broker, host="127.0.0.1", port=0)
    with Club(wanted) as running:
        until(lambda: running.receiver.is_connected, "the club is at the broker")
        yield running


@pytest.fixture
def tables(mosquitto: Mosquitto, tmp_path: Path) -> Iterator[dict[str, ToldTable]]:
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(told_table(tmp_path / f"{name}.db", mosquitto.broker, table_id=name))
            for name in TABLES
        }


def at(browser: Browser, club: Club, path: str = "", **options: object) -> Phone:
    return Phone(browser, f"{club.server.address}{path}", **options)


def test_the_wall_follows_three_live_tables(
    browser: Browser, club: Club, tables: dict[str, ToldTable]
) -> None:
    screen = at(browser, club, viewport=TELEVISION)
    for number, table in enumerate(tables.values()):
        table.does(intents.StartGame(("Ana", MARKUP) if number == 0 else (f"Ben {number}", "Chloé"), 0))
    screen.page.get_by_role("article").nth(2).wait_for()
    screen.sees("Ben 1 throws")
    screen.sees("Ben 2 throws")
    screen.sees(MARKUP)  # as text
    assert screen.page.locator("#content img").count() == 0
    winner = tables["fir"]
    winner.does(intents.AbandonGame())
    winner.wins(4, ("Dana", "Emil"))
    screen.sees("Dana wins!")
    tables["oak"].does(intents.AbandonGame())
    tables["oak"].does(intents.StartGame(("Finn", "Gil"), 1, hidden=True))
    screen.sees("Gil throws")
    screen.page.get_by_text("hidden", exact=True).first.wait_for()
    sideways = screen.page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    assert not sideways
    screen.close()


def test_a_table_that_leaves_is_seen_to_be_away(
    browser: Browser, club: Club, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    screen = at(browser, club, viewport=TELEVISION)
    with told_table(tmp_path / "1.db", mosquitto.broker) as oak:
        oak.does(intents.StartGame(("Ana", "Ben"), 0))
        screen.sees("Ana throws")
    screen.page.get_by_text("away", exact=True).wait_for()
    screen.close()


def test_a_broker_that_is_away_is_no_tables_fault(
    browser: Browser, club: Club, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    with told_table(tmp_path / "1.db", mosquitto.broker) as oak:
        oak.does(intents.StartGame(("Ana", "Ben"), 0))
        screen = at(browser, club, viewport=TELEVISION)
        screen.sees("Ana throws")
        mosquitto.kill()
        screen.sees("The club does not reach the broker")
        assert screen.page.get_by_text("away", exact=True).count() == 0
        mosquitto.start()
        screen.page.get_by_text("The club does not reach the broker").wait_for(state="detached")
        screen.sees("Ana throws")
        screen.close()


def test_the_season_in_french_and_by_hand(browser: Browser, club: Club, tables: dict[str, ToldTable]) -> None:
    tables["oak"].wins(1, ("Ana", "Ben"))
    tables["elm"].wins(2, ("Ana", MARKUP))
    until(lambda: len(club.book.results()) == 2, "both games are counted")
    phone = at(browser, club, "season?lang=fr", locale="fr-FR")
    page = phone.page
    page.get_by_role("heading", name="Classement").wait_for()
    row = page.get_by_role("row", name="Ana")
    row.first.wait_for()
    page.get_by_role("button", name="Ana", exact=True).click()
    page.get_by_role("heading", name="Ana face à face").wait_for()
    page.get_by_role("button", name="Toutes les saisons").click()
    page.get_by_role("button", name="Toutes les saisons", pressed=True).wait_for()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Les parties en tableau (CSV)").click()
    assert saved.value.suggested_filename == "next-games.csv"
    assert page.locator("#content img").count() == 0
    phone.close()


def test_an_answer_that_comes_late_overwrites_no_newer_one(
    browser: Browser, club: Club, tables: dict[str, ToldTable]
) -> None:
    tables["oak"].wins(1, ("Ana", "Ben"))
    until(lambda: len(club.book.results()) == 1, "the game is counted")
    phone = at(browser, club, "season")
    page = phone.page
    page.get_by_role("row", name="Ana").first.wait_for()
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.route(re.compile(r"/api/club/season$"), hold)  # of all seasons
    with page.expect_request(re.compile(r"/api/club/season$")):
        page.get_by_role("button", name="All seasons").click()
    with page.expect_response(re.compile(r"/api/club/season\?season=")):
        page.get_by_role("button", name=re.compile("^20")).click()
    empty: dict[str, object] = {
        "season": None,
        "seasons": [],
        "games": 0,
        "standings": [],
        "records": [],
        "newest": [],
    }
    with page.expect_response(re.compile(r"/api/club/season$")):
        until(lambda: page.evaluate("1") == 1 and bool(late), "the held question")
        late[0].fulfill(json=empty)
    page.evaluate("fetch('/api/club/wall').then((answer) => answer.text())")  # and what was in its way
    assert page.get_by_role("row", name="Ana").count() > 0
    page.get_by_role("button", name=re.compile("^20"), pressed=True).wait_for()
    phone.close()


def test_axe_finds_no_fault(browser: Browser, club: Club, tables: dict[str, ToldTable]) -> None:
    from axe_playwright_python.sync_playwright import Axe

    tables["oak"].wins(1, ("Ana", "Ben"))
    tables["elm"].does(intents.StartGame(("Ana", "Ben"), 0))
    tables["elm"].does(intents.EnterThrow(SIX_RED))
    until(lambda: len(club.book.results()) == 1, "the game is counted")
    for path, heading in (("", "The tables"), ("season", "Standings")):
        screen = at(browser, club, path, viewport=TELEVISION)
        screen.page.get_by_role("heading", name=heading).wait_for()
        if path == "":
            screen.page.get_by_role("article").nth(2).wait_for()
        found = Axe().run(screen.page)
        assert found.violations_count == 0, found.generate_report()
        screen.close()

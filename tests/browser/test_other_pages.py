"""Every other page: what axe finds, targets for fingers, small screens, the way there and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from companion.cli.settings_rows import rows_of
from companion.doctor.finding import Finding, Level
from companion.settings.values import Settings
from companion.store.history import StoredGames
from companion.web import RunningServer, create_app, serve
from companion.web.safe_mode import create_safe_app
from companion.web.service import service_pages
from companion.web.settings_page import settings_pages
from tests.browser.conftest import OpenPhone, Size, phones_at
from tests.browser.phones import LAPTOP, PATIENCE_MS, PHONE, TABLET, Phone
from tests.browser.test_accessible import faults
from tests.browser.test_looks import ENLARGE, SMALL, is_too_wide
from tests.history.kept_games import file_with_games
from tests.web.table_at_hand import table_at_hand

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

FOUND = (
    Finding("camera", Level.OK, "The camera gives pictures."),
    Finding("warmth", Level.NOTE, "83 °C is hot: give the Pi air or a heat sink."),
    Finding("network", Level.FAULT, "No network: phones cannot reach the page."),
)
PATHS = (
    "history",
    "history#game=game0",
    "history#players",
    "history#dice",
    "service",
    "settings",
    "rules",
)
THERE = {
    "history": "Ana",
    "history#game=game0": "Luck of each player",
    "history#players": "Luck over all games",
    "history#dice": "fair dice",
}
"""What a page shows last; the others come whole."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    path = file_with_games(tmp_path_factory.mktemp("games") / "table.db", *[("Ana", "Ben")] * 2)
    with table_at_hand() as table:
        app = create_app(table, history=StoredGames(path))
        app.register_blueprint(service_pages(lambda: FOUND, lambda: ("http://a.local/",), lambda: None))
        app.register_blueprint(settings_pages(rows_of(Settings()), "/etc/companion/companion.toml"))
        with serve(app, "127.0.0.1", 0) as running:
            yield running


@pytest.fixture
def open_phone(browser: Browser, server: RunningServer, screen: Size) -> Iterator[OpenPhone]:
    yield from phones_at(browser, server, screen)


def opened(open_phone: OpenPhone, path: str, **options: object) -> Phone:
    phone = open_phone(path, **options)
    last = THERE.get(path)
    if last is None:
        phone.page.get_by_role("heading", level=1).wait_for()
    else:
        phone.page.get_by_role("img", name=last).or_(phone.page.get_by_text(last)).first.wait_for()
    phone.sees_no("being worked out")
    return phone


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_serious(open_phone: OpenPhone, path: str, scheme: str) -> None:
    assert faults(opened(open_phone, path, color_scheme=scheme).page) == []


@pytest.mark.parametrize("path", PATHS)
def test_targets_are_large_and_nothing_is_too_wide(open_phone: OpenPhone, path: str) -> None:
    phone = opened(open_phone, path)
    assert phone.page.locator("a, button, select, summary, input").evaluate_all(SMALL) == []
    assert not is_too_wide(phone)
    phone.page.evaluate(ENLARGE)
    assert not is_too_wide(phone)


@pytest.mark.parametrize("size", [PHONE, TABLET, LAPTOP], ids=["phone", "tablet", "laptop"])
def test_the_way_there_and_back(open_phone: OpenPhone, size: Size) -> None:
    phone = open_phone(viewport=size)
    page = phone.page
    page.get_by_role("link", name="Service").click()
    phone.sees("83 °C is hot")
    phone.tap("Light each LED in turn")
    phone.sees("Left, middle, right")
    page.get_by_role("link", name="Settings").click()
    phone.sees("/etc/companion/companion.toml")
    page.get_by_role("link", name="To the table").click()
    phone.sees("Start the game")
    page.get_by_role("link", name="Past games and statistics").click()
    page.get_by_role("link", name="Players").click()
    page.get_by_role("img", name="Luck of each player, summed up game by game").wait_for()


def test_safe_mode_goes_on_by_itself(browser: Browser) -> None:
    context = browser.new_context(locale="fr-FR")
    page = context.new_page()
    with serve(create_safe_app("line 3: there is no key `colour`"), "127.0.0.1", 0) as safe:
        answer = page.goto(safe.address)
        assert answer is not None
        assert answer.status == 503
        page.get_by_role("heading", name="Les réglages sont à revoir").wait_for()
        page.get_by_text("there is no key").wait_for()
        assert faults(page) == []
    with table_at_hand() as table, serve(create_app(table), "127.0.0.1", safe.port):
        page.get_by_role("button", name="Commencer la partie").wait_for(timeout=PATIENCE_MS)
        context.close()

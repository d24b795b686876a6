"""Takes the pictures of the pages for the docs: a simulated table is played a little, each page is shot."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from companion.cli.demo_table import Demo
from companion.game.deck import default_deck
from companion.store.history import StoredGames
from companion.store.journal import SqliteJournal
from companion.store.phones import StoredPhones
from companion.table.intents import AbandonGame, Intent, Press, StartGame
from companion.table.phase import Phase
from companion.web import serve
from companion.web.qr import qr_svg

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
CHROMIUM = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
SEED = 11
PATIENCE_S = 30.0

ADDRESSES = ["http://companion.local:8000/", "http://192.168.1.20:8000/"]
PHONE = {"width": 390, "height": 844}
TABLET = {"width": 820, "height": 1180}
LAPTOP = {"width": 1280, "height": 860}
TV = {"width": 1920, "height": 1080}


class Studio:
    """A simulated table, its pages, and a browser that shoots them."""

    def __init__(self, demo: Demo, address: str, browser: Browser, wanted: frozenset[str]) -> None:
        self.demo = demo
        self.address = address
        self.browser = browser
        self.wanted = wanted
        self.cookies: list[Any] = []

    def shoot(
        self,
        name: str,
        path: str,
        size: dict[str, int],
        act: Callable[[Page], None] = lambda _page: None,
        *,
        dark: bool = False,
        locale: str = "en-GB",
    ) -> None:
        """Open a page, do something on it, and keep its picture."""
        if self.wanted and name not in self.wanted:
            return
        context = self.browser.new_context(
            viewport=size,  # type: ignore[arg-type]
            device_scale_factor=1 if size in (TV, LAPTOP) else 2,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            locale=locale,
        )
        context.add_cookies(self.cookies)
        # An address as a reader's own looks, not that of the machine that took the picture.
        context.route("**/api/addresses", lambda route: route.fulfill(json={"urls": ADDRESSES}))
        code = qr_svg(ADDRESSES[-1])
        context.route("**/address.svg", lambda route: route.fulfill(body=code, content_type="image/svg+xml"))
        page = context.new_page()
        page.goto(self.address + path, wait_until="load")
        page.get_by_role("heading").or_(page.get_by_role("button")).first.wait_for()
        act(page)
        page.wait_for_timeout(400)  # pictures and fonts
        _keep(FOLDER / f"{name}.webp", page.screenshot())
        context.close()

    def join(self) -> None:
        """Let the browser in, as a press of the button does."""
        assert self.demo.door is not None
        token = self.demo.door.ask("Ana's phone")
        self.demo.door.let_in()
        self.cookies = [{"name": "companion_phone", "value": token, "url": self.address}]

    def ask(self, intent: Intent) -> None:
        """Ask the table, which may not refuse."""
        outcome = self.demo.table.submit(intent)
        if not outcome.accepted:
            raise SystemExit(f"the table refuses {intent}: {outcome.sentence}")

    def until(self, *phases: Phase) -> None:
        """Wait until the table is in one of these phases."""
        snapshot = self.demo.table.snapshot()
        while snapshot.phase not in phases:
            newer = self.demo.table.wait_newer(snapshot.revision, PATIENCE_S)
            if newer is None:
                raise SystemExit(f"the table stays in the phase {snapshot.phase}")
            snapshot = newer

    def named(self) -> None:
        """Wait until all three cards are known."""
        snapshot = self.demo.table.snapshot()
        while snapshot.game is None or any(holder.card is None for holder in snapshot.game.holders):
            newer = self.demo.table.wait_newer(snapshot.revision, PATIENCE_S)
            if newer is None:
                raise SystemExit("nobody names the cards")
            snapshot = newer

    def throw(self) -> None:
        """Throw all dice and let the camera read them."""
        self.demo.scene.throw(everything=True)
        self.ask(Press())
        self.until(Phase.DECIDE, Phase.DOUBT, Phase.THROW, Phase.CARD_NEEDED)


def _keep(path: Path, png: bytes) -> None:
    """Write a picture as WebP, a tenth of a PNG."""
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    path.write_bytes(cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, 88])[1].tobytes())
    print(f"docs/images/{path.name}")


def main(wanted: frozenset[str]) -> int:
    """Take all pictures, or those that are named."""
    from playwright.sync_api import sync_playwright

    program = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if program is None:
        print("no Chromium here: sudo apt-get install chromium", file=sys.stderr)
        return 3
    FOLDER.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="companion-screenshots-")))
        journal = stack.enter_context(SqliteJournal(folder / "demo.db"))
        shelf, phones = StoredGames(journal.path), StoredPhones(journal.path)
        deck = default_deck().cards
        demo = stack.enter_context(Demo(journal, deck, seed=SEED, history=shelf, phones=phones))
        server = stack.enter_context(serve(demo.app, "0.0.0.0", 0))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        stack.callback(browser.close)
        take_all(Studio(demo, f"http://127.0.0.1:{server.port}", browser, wanted))
    return 0


def take_all(studio: Studio) -> None:
    """Play a little, and shoot each page when it has something to show."""
    studio.shoot("lobby", "/", PHONE)
    studio.shoot("join", "/", PHONE, lambda page: page.get_by_role("button", name="Play along").click())
    studio.shoot("display-lobby", "/display", TV)
    studio.join()
    studio.demo.dealer.names_cards = True
    studio.ask(StartGame(("Ana", "Ben", "Chloé", "Dominique"), 0))
    studio.named()
    studio.throw()
    studio.shoot("board", "/", PHONE)
    studio.shoot("board-dark", "/", PHONE, dark=True, locale="fr-FR")
    studio.shoot("board-tablet", "/", TABLET)
    studio.shoot(
        "card", "/", PHONE, lambda page: page.get_by_role("article").first.get_by_role("button").first.click()
    )
    studio.shoot("die", "/", PHONE, lambda page: page.get_by_role("button", name="die,").first.click())
    studio.shoot("menu", "/", PHONE, lambda page: page.get_by_role("button", name="More").click())
    studio.shoot("display", "/display", TV)
    studio.shoot("display-dark", "/display", TV, dark=True, locale="fr-FR")
    studio.shoot(
        "demo",
        "/demo/",
        LAPTOP,
        lambda page: page.frame_locator("iframe").get_by_role("heading").first.wait_for(),
    )
    studio.shoot("rules", "/rules", PHONE)
    studio.shoot(
        "setup",
        "/setup",
        LAPTOP,
        lambda page: page.get_by_role("button", name="track, corner").first.wait_for(),
    )
    studio.ask(AbandonGame())
    studio.shoot("history", "/history", PHONE)


if __name__ == "__main__":
    raise SystemExit(main(frozenset(sys.argv[1:])))

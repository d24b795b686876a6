"""The command `companion demo`: a simulated table in the browser, read by the real calibration and vision."""

from __future__ import annotations

import argparse
import os
import random
import secrets
import signal
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

from companion.cli.deck_place import add_deck_arguments, deck_beside, open_deck
from companion.cli.demo_table import Demo, drawn_eye
from companion.cli.faults import Fault
from companion.cli.port_number import port_number
from companion.game.deck import default_deck
from companion.pairing.phones import PhonesFault
from companion.store.faults import StoreFault
from companion.store.growing_deck import GrowingDeck
from companion.store.history import StoredGames
from companion.store.journal import SqliteJournal
from companion.store.phones import StoredPhones
from companion.table.log import LogError
from companion.table.ports import DeckFault, JournalFault
from companion.vision.profile import Profile
from companion.web import PortTaken, check_port, serve

HELP = "play at a simulated table, all in the browser, without hardware"
DEFAULT_PORT = 8000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--port",
        type=port_number,
        default=DEFAULT_PORT,
        metavar="N",
        help="port of the page (default: %(default)s)",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="H",
        help="address to listen on (default: %(default)s, this machine only; 0.0.0.0 lets phones join)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="let dice and cards fall the same way each time (default: by chance)",
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FILE",
        help="keep the game in this file and go on with the one in it (default: forgotten at the end)",
    )
    add_deck_arguments(parser)
    parser.add_argument(
        "--new-cards",
        action="store_true",
        help="begin with cards that the camera has never seen, and let it learn them by play; else it knows "
        "the demo's cards where there is no deck yet",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="only print the page's address, do not open a browser"
    )


def run(args: argparse.Namespace) -> int:
    """Serve the demo until Ctrl-C or a terminating signal."""
    stop = threading.Event()
    _stop_on_signals(stop)
    try:
        check_port(args.host, args.port)
    except PortTaken as error:
        raise Fault(error.sentence) from error
    with ExitStack() as opened:
        data: Path | None = args.data
        token: Callable[[], str] = secrets.token_hex
        if data is None:
            folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-"))
            data, token = Path(folder) / "demo.db", _token_of(args.seed)
        journal = opened.enter_context(_opened_journal(data))
        eye = None if args.cards_by_hand else _eye(deck_beside(data, args.deck), args.new_cards)
        demo = opened.enter_context(_opened_demo(journal, args.seed, token, eye))
        print(
            f"Calibrated in {demo.calibration_s:.1f} s from pictures of the empty table and of six dice.",
            flush=True,
        )
        try:
            server = opened.enter_context(serve(demo.app, args.host, args.port))
        except PortTaken as error:
            raise Fault(error.sentence) from error
        address = f"{server.address}demo/"
        print(
            f"The table: {address}   (the scoreboard alone: {server.address})   Ctrl-C ends the demo.",
            flush=True,
        )
        if not args.no_browser and _has_screen():
            webbrowser.open(address)
        stop.wait()
    print("The demo is closed.")
    return 0


def _opened_journal(data: Path) -> SqliteJournal:
    try:
        return SqliteJournal(data)
    except StoreFault as error:
        raise Fault(error.sentence) from error


def _eye(path: Path, new_cards: bool) -> Callable[[Profile], GrowingDeck]:
    """Return what makes the reader of the cards: with the deck's file, else with the demo's own drawings."""
    if new_cards or path.exists():
        return lambda profile: open_deck(profile, path)
    return drawn_eye(default_deck().cards, path)


def _opened_demo(
    journal: SqliteJournal,
    seed: int | None,
    token: Callable[[], str],
    eye: Callable[[Profile], GrowingDeck] | None,
) -> Demo:
    try:
        shelf = StoredGames(journal.path)
        phones = StoredPhones(journal.path)
        return Demo(
            journal, default_deck().cards, seed=seed, token=token, eye=eye, history=shelf, phones=phones
        )
    except DeckFault as fault:
        raise Fault(fault.sentence) from fault
    except (JournalFault, LogError, PhonesFault) as error:
        raise Fault(
            f"{journal.path} holds no game to go on with ({error}); choose another file with --data"
        ) from error


def _token_of(seed: int | None) -> Callable[[], str]:
    """Return what makes game ids: chance, or with a seed always the same ones."""
    if seed is None:
        return secrets.token_hex
    chance = random.Random(seed)
    return lambda: chance.randbytes(16).hex()


def _stop_on_signals(stop: threading.Event) -> None:
    def ask(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask)


def _has_screen() -> bool:
    """Tell whether a browser window can open; on a bare console one would take the terminal over."""
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )

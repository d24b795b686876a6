"""`companion watch`: a real table whose camera drops its pictures in a folder."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from companion.cli.data_file import add_data_argument, data_file
from companion.cli.deck_place import add_deck_arguments, deck_beside, open_deck
from companion.cli.door import open_door
from companion.cli.faults import Fault
from companion.cli.pictures import load_profile
from companion.cli.port_number import port_number
from companion.cli.table_parts import colours_of, deck_in, reader_of, setup_of
from companion.cli.watch_loop import Watch
from companion.devices.clock import MonotonicClock
from companion.devices.folder import FolderCamera, FolderFault, PictureFolder
from companion.devices.no_leds import NoLeds
from companion.game.cards import Card
from companion.game.events import HOLDER_COUNT
from companion.game.record import Terms, card_from_json
from companion.pairing.door import Door
from companion.store.faults import StoreFault
from companion.store.growing_deck import GrowingDeck
from companion.store.history import StoredGames
from companion.store.journal import SqliteJournal
from companion.table.conductor import Table
from companion.table.intents import Intent, IntentError, NameCard, parse_intent
from companion.table.log import LogError
from companion.table.phase import Phase
from companion.table.ports import DeckFault, JournalFault
from companion.table.snapshot import Snapshot
from companion.vision.profile import Profile
from companion.web.guard import is_loopback

HELP = "run a table whose camera drops its pictures in a folder"
DEFAULT_PORT = 8000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="where the pictures come; each new one is a press"
    )
    parser.add_argument("--profile", type=Path, required=True, help="the profile that calibration made")
    add_data_argument(parser)
    add_deck_arguments(parser)
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on (default: %(default)s, this machine only; 0.0.0.0 lets phones in)",
    )
    parser.add_argument(
        "--port", type=port_number, default=DEFAULT_PORT, help=f"the page's port (default: {DEFAULT_PORT})"
    )
    parser.add_argument(
        "--open",
        action="store_true",
        help="let everybody act who opens the page (default where --host lets phones in: those let in by a "
        "new picture, as by a press)",
    )
    parser.add_argument("--no-page", action="store_true", help="serve no page")
    parser.add_argument(
        "--existing", action="store_true", help="count the pictures that are there already, by name"
    )
    parser.add_argument(
        "--once", action="store_true", help="stop when all pictures that are there are handled"
    )
    parser.add_argument(
        "--players", nargs="+", metavar="NAME", help="start a game with them if none is going on"
    )
    parser.add_argument(
        "--cards", type=Path, metavar="FILE", help="name the three cards, from a JSON list of them"
    )
    parser.add_argument(
        "--first-throws",
        action="store_true",
        help="take each picture by itself as a first throw of all its dice, where it is no course of play",
    )


def run(args: argparse.Namespace) -> int:
    """Watch until it is stopped; 2 where the players can be none."""
    try:
        start = None if args.players is None else _start_with(args.players)
    except IntentError as error:
        print(f"companion watch: --players: {error.sentence}.", file=sys.stderr)
        return 2
    profile = load_profile(args.profile)
    cards = None if args.cards is None else _load_cards(args.cards, profile)
    folder = _open_folder(args)
    camera = FolderCamera()
    with ExitStack() as stack:
        stopped = stack.enter_context(_stopped_by_signal())
        journal = stack.enter_context(_open_journal(args.data))
        by_hand = args.cards_by_hand or args.first_throws  # single pictures show other cards each
        deck = None if by_hand else _open_deck(profile, deck_beside(journal.path, args.deck))
        table = _open_table(stack, journal, profile, camera, deck)
        free = args.open or args.no_page or is_loopback(args.host)
        door = None if free else open_door(journal.path)
        if not args.no_page:
            _serve(stack, table, journal, door, args)
        _prepare(table, start, cards)
        page = not args.no_page
        watch = Watch(table, camera, folder, profile, first_throws=args.first_throws, door=door, page=page)
        print(f"watching {args.folder} for pictures; the games are kept in {journal.path}", flush=True)
        watch.until(stopped, once=args.once)
    return 0


def _load_cards(path: Path, profile: Profile) -> tuple[Card, ...]:
    """Read three cards from a JSON list, or from the `cards` of a table's truth."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        cards = data["cards"] if isinstance(data, dict) else data
        found = tuple(card_from_json(card, colours_of(profile)) for card in cards)
    except OSError as error:
        raise Fault(f"{path}: the cards cannot be read ({error.strerror}).") from error
    except (ValueError, KeyError, TypeError) as error:
        raise Fault(f"{path}: this is no JSON list of three cards ({error}).") from error
    if len(found) != HOLDER_COUNT:
        raise Fault(f"{path}: three cards are needed, one a holder; there are {len(found)}.")
    return found


def _open_folder(args: argparse.Namespace) -> PictureFolder:
    try:
        return PictureFolder(args.folder, with_present=args.existing)
    except FolderFault as fault:
        raise Fault(fault.sentence) from fault


def _open_journal(given: Path | None) -> SqliteJournal:
    path = data_file(given)
    try:
        if given is None:  # a folder that was given is not made: its name may be mistyped
            path.parent.mkdir(parents=True, exist_ok=True)
        return SqliteJournal(path)
    except StoreFault as fault:
        raise Fault(fault.sentence) from fault
    except OSError as error:
        raise Fault(
            f"{path}: the folder cannot be made ({error.strerror}); say where with --data."
        ) from error


def _open_deck(profile: Profile, path: Path) -> GrowingDeck | None:
    """Return what reads the cards; None, and a sentence why, where the profile knows of no holders."""
    if not profile.zones.holders_px:
        print("the profile has no zones for the card holders, so people name the cards", flush=True)
        return None
    try:
        return open_deck(profile, path)
    except DeckFault as fault:
        raise Fault(f"{fault.sentence} Or let people name the cards, with --cards-by-hand.") from fault


def _open_table(
    stack: ExitStack,
    journal: SqliteJournal,
    profile: Profile,
    camera: FolderCamera,
    deck: GrowingDeck | None,
) -> Table:
    setup = setup_of(profile)
    own = () if deck is None else deck.deck.deck.kinds
    try:
        table = Table(
            journal,
            reader_of(profile),
            camera,
            NoLeds(),
            MonotonicClock(),
            setup=setup,
            deck=(*own, *deck_in(setup.colours)),
            eye=deck,
        )
        return stack.enter_context(table)
    except LogError as error:
        raise Fault(f"{journal.path}: {error}; keep the file, and choose another one with --data.") from error
    except JournalFault as fault:
        raise Fault(fault.sentence) from fault


def _serve(
    stack: ExitStack, table: Table, journal: SqliteJournal, door: Door | None, args: argparse.Namespace
) -> None:
    from companion.web import PortTaken, create_app, serve

    try:
        app = create_app(table, history=StoredGames(journal.path), door=door)
        server = stack.enter_context(serve(app, args.host, args.port))
    except PortTaken as fault:
        raise Fault(f"{fault.sentence}.") from fault
    print(f"the page is at {server.address}", flush=True)


def _start_with(players: list[str]) -> Intent:
    """Return the wish for a game of these players.

    Raises:
        IntentError: they are too few, too many, or have no proper names.
    """
    return parse_intent({"type": "start_game", "players": players, "first": 0, "hidden": False}, Terms())


def _prepare(table: Table, start: Intent | None, cards: tuple[Card, ...] | None) -> None:
    """Start a game if none is going on, and name the cards that are not known."""
    snapshot = table.snapshot()
    if start is not None and snapshot.phase not in (Phase.LOBBY, Phase.OVER):
        print("a game is going on already, and goes on; --players is not used", flush=True)
    elif start is not None:
        snapshot = _accepted(table, start)
    for holder, card in enumerate(cards or ()):
        if snapshot.game is None:
            raise Fault("--cards: no game is going on; start one with --players.")
        if snapshot.game.holders[holder].card != card:
            snapshot = _accepted(table, NameCard(holder, card))


def _accepted(table: Table, intent: Intent) -> Snapshot:
    outcome = table.submit(intent)
    if not outcome.accepted:
        raise Fault(f"the table refuses: {outcome.sentence}.")
    return outcome.snapshot


@contextmanager
def _stopped_by_signal() -> Iterator[threading.Event]:
    """Yield what is set by Ctrl-C or by the system's wish that this process end."""
    stopped = threading.Event()
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(kind, lambda *_: stopped.set()) for kind in kinds]
    try:
        yield stopped
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)

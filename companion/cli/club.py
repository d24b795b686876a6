"""`companion club`: follows the tables at a broker, keeps their finished games, and shows wall and season."""

from __future__ import annotations

import argparse
import logging
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.broker import broker_of
from companion.cli.faults import Fault
from companion.cli.port_number import port_number
from companion.cli.run import stopped_by_signal
from companion.cli.story import begin_log
from companion.mqtt.address import is_host
from companion.mqtt.link import Broker, LinkFault
from companion.settings.place import SettingsFault, load_settings, settings_file
from companion.settings.values import Settings
from companion.store.place import default_file
from companion.web.server import PortTaken

if TYPE_CHECKING:
    from companion.club.running import Wanted

HELP = "follow many tables: wall, season, ratings, all games in a database"
LOG = logging.getLogger(__name__)
FILE_NAME = "club.db"
LIBRARIES = ("sqlalchemy", "alembic", "openskill", "fastjsonschema", "psycopg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="the settings; [mqtt] says where the broker is, [club] the rest (default: as for a table)",
    )
    parser.add_argument(
        "--broker",
        type=_address,
        metavar="HOST[:PORT]",
        help="the broker, in place of the one in the settings",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help="a file, or postgresql://USER@HOST/NAME (default: club.db where a table's games would be)",
    )
    parser.add_argument("--host", metavar="H", help="address to listen on; 127.0.0.1 keeps others out")
    parser.add_argument("--port", type=port_number, metavar="N", help="port of the page (default: 8010)")
    parser.add_argument(
        "--rebuild",
        action="store_true",
        help="only work all results out anew from the stored records, and say how many were otherwise",
    )


def run(args: argparse.Namespace) -> int:
    """Follow until Ctrl-C or a terminating signal."""
    settings = _settings(args.settings)
    try:
        from companion.club.running import Club, Wanted
    except ModuleNotFoundError as missing:
        raise Fault(_not_installed(missing)) from missing
    from companion.club.database import DatabaseFault

    wanted = _with_arguments(_wanted(Wanted, settings), args)
    try:
        if args.rebuild:
            return _rebuild(wanted.database)
        begin_log(os.environ)
        logging.getLogger("alembic").setLevel(logging.WARNING)  # how it migrates is told nobody
        with stopped_by_signal() as stopped, Club(wanted) as club:
            print(f"the wall is at {club.server.address}", flush=True)
            LOG.info("%d games are kept", len(club.book.results()))
            stopped.wait()
    except DatabaseFault as fault:
        raise Fault(fault.sentence) from fault
    except (LinkFault, PortTaken) as fault:
        raise Fault(f"{fault.sentence.rstrip('.')}.") from fault
    LOG.info("the club ends in order")
    return 0


def _settings(given: Path | None) -> Settings:
    try:
        return load_settings(settings_file(given, os.environ, Path.home()))
    except SettingsFault as fault:
        raise Fault(fault.sentence) from fault


def _wanted(kind: type[Wanted], settings: Settings) -> Wanted:
    club = settings.club
    database = club.database or str(default_file(os.environ, Path.home()).with_name(FILE_NAME))
    return kind(
        database=database,
        broker=broker_of(settings.mqtt),
        prefix=settings.mqtt.prefix,
        season=club.season,
        host=club.host,
        port=club.port,
        allowed_hosts=club.allowed_hosts,
    )


def _with_arguments(wanted: Wanted, args: argparse.Namespace) -> Wanted:
    given = {name: getattr(args, name) for name in ("database", "host", "port")}
    wanted = replace(wanted, **{name: value for name, value in given.items() if value is not None})
    if args.broker is not None:
        wanted = replace(wanted, broker=_broker(args.broker, wanted.broker))
    if "://" not in wanted.database and args.database is None:
        try:
            Path(wanted.database).expanduser().parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Fault(
                f"{wanted.database}: the folder cannot be made ({error.strerror}); say where with --database."
            ) from error
    return wanted


def _address(text: str) -> tuple[str, int | None]:
    """Read a broker's address; an IPv6 address with a port stands in brackets."""
    host, colon, port = text.rpartition(":")
    if not colon or text.endswith("]"):
        return _host(text), None
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} names no port from 1 to 65535 after the colon")
    return _host(host), int(port)


def _host(text: str) -> str:
    host = text.strip("[]")
    if not is_host(host):
        raise argparse.ArgumentTypeError(f"{text!r} can be no broker's name or address")
    return host


def _broker(given: tuple[str, int | None], before: Broker) -> Broker:
    host, port = given
    return replace(before, host=host, port=before.port if port is None else port)


def _rebuild(database: str) -> int:
    from companion.club.database import opened
    from companion.club.ledger import Ledger

    with opened(database) as engine:
        ledger = Ledger(engine)
        changed = ledger.rebuild()
        print(f"{len(ledger.results())} games are kept; {changed} were worked out otherwise before.")
    return 0


def _not_installed(missing: ModuleNotFoundError, libraries: Sequence[str] = LIBRARIES) -> str:
    """Say which package is missing; a missing part of our own is a defect and keeps its traceback."""
    package = (missing.name or "").partition(".")[0]
    if package not in libraries:
        raise missing
    return f"the Python package '{package}' is not installed here; run `script/setup --club`."

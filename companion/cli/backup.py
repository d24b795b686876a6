"""`companion backup`: all games in one file, also while the table plays."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.data_file import add_data_argument, data_file
from companion.cli.faults import Fault
from companion.store.backup import back_up
from companion.store.faults import StoreFault

HELP = "save all games in one file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="the backup to write; it must not be there yet"
    )
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Save; nothing is ever overwritten."""
    source = data_file(args.data)
    try:
        back_up(source, args.file)
    except StoreFault as fault:
        raise Fault(fault.sentence) from fault
    back = f"companion restore {args.file}" + ("" if args.data is None else f" --data {args.data}")
    print(f"{args.file}: all games of {source} are saved; `{back}` brings them back.")
    return 0

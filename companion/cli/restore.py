"""`companion restore`: bring back the games that a backup saved."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.data_file import add_data_argument, data_file
from companion.cli.faults import Fault
from companion.store.backup import restore
from companion.store.faults import StoreFault

HELP = "bring back what a backup saved"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup")
    add_data_argument(parser)
    parser.add_argument(
        "--replace",
        action="store_true",
        help="where there are games already, set them aside under a new name",
    )


def run(args: argparse.Namespace) -> int:
    """Restore; games that were there are set aside, never overwritten."""
    target = data_file(args.data)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        done = restore(args.file, target, replace=args.replace)
    except StoreFault as fault:
        raise Fault(fault.sentence) from fault
    except OSError as error:
        raise Fault(
            f"{target}: the folder cannot be made ({error.strerror}); say where with --data."
        ) from error
    print(f"{target}: the games of {args.file} are back.")
    if done.aside is not None:
        print(f"the games that were there are kept as {done.aside}")
    print(
        "the phones that may act are the same as before"
        if done.keeps_phones
        else "the phones that may act are those of the backup, also any that were removed since; look on the "
        "page's list of phones"
    )
    return 0

"""`companion markers`: the sheet of corner markers to print and lay around the track."""

from __future__ import annotations

import argparse
from pathlib import Path

from calibration import CalibrationRefused, marker_sheet
from companion.cli.faults import Fault
from companion.cli.pictures import save_picture

HELP = "make the sheet of corner markers to print"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        default=Path("markers.png"),
        help="the picture to write (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Write the sheet: A4 at 300 dots per inch."""
    try:
        sheet = marker_sheet()
    except CalibrationRefused as refusal:
        raise Fault(refusal.sentence) from refusal
    save_picture(args.out, sheet)
    print(f"{args.out}: print it at full size on A4, check the ruler on it, cut out the four stickers.")
    return 0

"""`companion calibrate`: an empty picture and one of six colours become a table's profile."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from calibration import CalibrationRefused, MarkerLayout, Palette, Settings, Setup
from companion.cli.faults import Fault
from companion.cli.pictures import load_picture, load_zones, save_text
from companion.vision.frame_view import FrameError
from companion.vision.geometry import ZonesError

HELP = "make a table's profile from an empty picture and one of the six colours"

OF_THE_EMPTY_ONE = {"table_not_empty": "{empty}", "pictures_swapped": "{empty} and {picture}"}
"""What is at fault where it shows only beside the colours: the picture of the empty table, or both."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--zones",
        type=Path,
        help="where track, reserve and holders lie (zones.json); without it the printed markers tell "
        "the track, "
        "and nothing is read beside it",
    )
    parser.add_argument("--empty", type=Path, required=True, help="a picture of the table without dice")
    parser.add_argument(
        "--colours", type=Path, required=True, help="six dice on the track, each another colour up"
    )
    parser.add_argument(
        "--names",
        help="the colours of the six dice as calibration numbered them, with commas, where it named "
        "them wrongly",
    )
    parser.add_argument("--out", type=Path, required=True, help="the profile to write")


def run(args: argparse.Namespace) -> int:
    """Calibrate and write the profile; a refusal says why and what to do."""
    names = None if args.names is None else [name.strip() for name in args.names.split(",")]
    wanted = Palette.of().names
    if names is not None and sorted(names) != sorted(wanted):
        # A matter of the command line, whatever the pictures show.
        print(f"companion calibrate: --names: give each of {', '.join(wanted)} once.", file=sys.stderr)
        return 2
    if (why := _not_to_write(args)) is not None:
        print(f"companion calibrate: --out {args.out}: {why}; name another file.", file=sys.stderr)
        return 2
    empty, colours = load_picture(args.empty), load_picture(args.colours)
    picture = args.empty
    setup = Setup() if args.zones is None else Setup().with_zones(load_zones(args.zones))
    try:
        setup = setup.with_markers(empty, MarkerLayout()).with_empty(empty)
        picture = args.colours
        setup = setup.with_colours(colours)
        if names is not None:
            setup = setup.with_names(names)
    except CalibrationRefused as refusal:
        at_fault = OF_THE_EMPTY_ONE.get(refusal.code, "{picture}").format(picture=picture, empty=args.empty)
        raise Fault(f"{at_fault}: {refusal.sentence}") from refusal
    except (ZonesError, FrameError) as error:
        raise Fault(f"{picture}: {error}") from error
    profile = setup.profile(Settings(made_at=datetime.now(UTC).isoformat(timespec="seconds")))
    save_text(args.out, profile.to_json())
    if setup.lesson is not None:
        for number, (name, quad) in enumerate(
            zip(setup.lesson.names, setup.top_faces_px, strict=True), start=1
        ):
            x, y = (sum(corner[axis] for corner in quad) / 4 for axis in (0, 1))
            print(f"  die {number} at {x:.0f},{y:.0f}: {name}")
    print(f"{args.out}: profile written; try it with: companion read --profile {args.out} {args.colours}")
    return 0


def _not_to_write(args: argparse.Namespace) -> str | None:
    """Tell why a file that is there must not be written over; a profile is, whatever its version."""
    if not args.out.is_file():
        return None
    if any(given is not None and given.resolve() == args.out.resolve() for given in _given(args)):
        return "this is one of the files to calibrate from"
    try:
        found = json.loads(args.out.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    return (
        None if isinstance(found, dict) and "version" in found else "another file that is no profile is there"
    )


def _given(args: argparse.Namespace) -> tuple[Path | None, ...]:
    return args.empty, args.colours, args.zones

"""`companion calibrate`: an empty picture and one of six colours become a table's profile."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from calibration import CalibrationRefused, learn_faces
from companion.cli.faults import Fault
from companion.cli.pictures import load_picture, load_zones
from companion.vision.find import find_dice
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import ZonesError, focal_px
from companion.vision.profile import Profile

HELP = "make a table's profile from an empty picture and one of the six colours"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--zones", type=Path, required=True, help="where track, reserve and holders lie (zones.json)"
    )
    parser.add_argument("--empty", type=Path, required=True, help="a picture of the table without dice")
    parser.add_argument(
        "--colours", type=Path, required=True, help="six dice on the track, each another colour up"
    )
    parser.add_argument("--out", type=Path, required=True, help="the profile to write")


def run(args: argparse.Namespace) -> int:
    """Calibrate and write the profile; a refusal says why and what to do."""
    zones, empty, colours = load_zones(args.zones), load_picture(args.empty), load_picture(args.colours)
    try:
        focal = focal_px(zones)
        reference = EmptyView.from_picture(empty)
        quads = [die.top_px for die in find_dice(colours, zones, focal, reference)]
        faces = learn_faces(colours, quads).references
    except ZonesError as error:
        raise Fault(f"{args.colours}: {error}") from error
    except CalibrationRefused as refusal:
        raise Fault(f"{args.colours}: {refusal.sentence}") from refusal
    profile = Profile(zones, focal, faces, reference, datetime.now(UTC).isoformat(timespec="seconds"))
    try:
        args.out.write_text(profile.to_json(), encoding="utf-8")
    except OSError as error:
        raise Fault(f"{args.out}: cannot be written ({error.strerror}); choose another place.") from error
    print(f"{args.out}: profile written; try it with: companion read --profile {args.out} {args.colours}")
    return 0

"""`companion read`: what dice pictures show."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from companion.cli.faults import Fault
from companion.cli.marked import not_to_mark, save_marked
from companion.cli.pictures import load_picture, load_profile
from companion.vision.annotate import annotate
from companion.vision.geometry import ZonesError
from companion.vision.profile import Profile
from companion.vision.read import read_picture
from companion.vision.reading import Reading, in_words

HELP = "read the dice in pictures"

ELSEWHERE = (
    "this is not the table as it was calibrated, so rely on none of its dice: put the camera back, give this "
    "table's own profile, or calibrate again"
)
"""What is told of a picture in which the camera was moved, as also in one of another table."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--profile", type=Path, required=True, help="the profile that calibration made")
    parser.add_argument("--json", action="store_true", help="print one JSON object per picture")
    parser.add_argument(
        "--annotate",
        type=Path,
        metavar="DIR",
        help="write the pictures with the dice marked there, in a folder other than their own; of what is "
        "there only earlier marked copies are replaced",
    )
    parser.add_argument("pictures", type=Path, nargs="+", metavar="PICTURE", help="JPEG or PNG files")


def run(args: argparse.Namespace) -> int:
    """Read every picture; one that cannot be read is told on standard error and the others are still read."""
    if args.annotate is not None and (why := not_to_mark(args.pictures, args.annotate)) is not None:
        print(f"companion read: --annotate {args.annotate}: {why}", file=sys.stderr)
        return 2
    profile = load_profile(args.profile)
    status = 0
    for path in args.pictures:
        try:
            _read_one(path, profile, args)
        except Fault as fault:
            print(fault, file=sys.stderr)
            status = 3
    return status


def _read_one(path: Path, profile: Profile, args: argparse.Namespace) -> None:
    frame = load_picture(path)
    try:
        reading = read_picture(frame, profile)
    except ZonesError as error:
        raise Fault(f"{path}: {error}") from error
    if args.json:
        print(json.dumps(reading.to_dict(str(path)), ensure_ascii=False), flush=True)
    else:
        print(_told(path, reading), flush=True)
    if args.annotate is not None:
        save_marked(path, args.annotate, annotate(frame, reading))


def _told(path: Path, reading: Reading) -> str:
    verdict = "trusted" if reading.trusted else "NOT trusted: " + ", ".join(map(in_words, reading.problems))
    lines = [f"{path}: {verdict}"]
    # How sure a colour is was measured as if the dice lay on the table that was calibrated.
    elsewhere = "camera_moved" in reading.problems
    if elsewhere:
        lines.append(f"  {ELSEWHERE}")
    for die in reading.dice:
        perhaps = f" (perhaps {die.runner_up})" if "colour_unsure" in die.problems else ""
        doubt = "  " + ", ".join(map(in_words, die.problems)) + perhaps if die.problems else ""
        sure = "?" if elsewhere else f"{die.confidence:.0%}"
        x, y = die.centre_px
        lines.append(f"  {die.body:5} {die.colour:8} {die.zone:8} {sure:>4}  at {x:.0f},{y:.0f}{doubt}")
    return "\n".join(lines)

"""`companion calibrate`: a picture of the empty table and one of six colours become a table's profile."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from calibration import CalibrationRefused, MarkerLayout, Palette, Settings, Setup
from companion.cli.appliance_parts import places_of
from companion.cli.calibrate_camera import BY_HAND, SAYS_BY_HAND, calibrated, dice_lines, opened_camera
from companion.cli.faults import Fault
from companion.cli.pictures import load_picture, load_zones, save_text
from companion.cli.setting_up import save
from companion.cli.story import no_log
from companion.settings.place import SettingsFault, load_settings, settings_file
from companion.vision.frame_view import FrameError
from companion.vision.geometry import ZonesError
from companion.web.setup_desk import SetupRefused

HELP = "make a table's profile, from two pictures or with its camera"

OTHERWISE = (
    "choose another place with --out, or run this as who may write there, with the service as: "
    "sudo -u companion companion calibrate --camera."
)

OF_THE_EMPTY_ONE = {"table_not_empty": "{empty}", "pictures_swapped": "{empty} and {picture}"}
"""What is at fault where it shows only beside the colours: the picture of the empty table, or both."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--zones",
        type=Path,
        help="where track, reserve and holders lie (zones.json); without it the printed markers tell "
        "the track (220 mm by 150 mm inside), and nothing is read beside it",
    )
    parser.add_argument("--empty", type=Path, help="a picture of the table without dice")
    parser.add_argument(
        "--colours", type=Path, help="a picture of six dice on the track, each another colour up"
    )
    parser.add_argument(
        "--camera",
        action="store_true",
        help="take both pictures with the camera of the settings, in place of --empty and --colours: its "
        "exposure, gain, colour gains and lens are measured above the empty table, locked, and kept in the "
        "profile. Pictures from files lock nothing",
    )
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="the settings that name the camera (default: as for companion run)",
    )
    parser.add_argument(
        "--names",
        help="the colours of the six dice as calibration numbered them, with commas, where it named "
        "them wrongly",
    )
    parser.add_argument(
        "--out",
        type=Path,
        help="the profile to write (with --camera by default the one that the table reads with)",
    )


def run(args: argparse.Namespace) -> int:
    """Calibrate and write the profile; a refusal says why and what to do."""
    names = None if args.names is None else [name.strip() for name in args.names.split(",")]
    wanted = Palette.of().names
    if names is not None and sorted(names) != sorted(wanted):
        # A matter of the command line, whatever the pictures show.
        return _refused(f"--names: give each of {', '.join(wanted)} once.")
    if (why := _not_together(args)) is not None:
        return _refused(why)
    if args.out is not None and (why := _not_to_write(args.out, args)) is not None:
        return _refused(f"--out {args.out}: {why}; name another file.")
    return _with_camera(args, names) if args.camera else _from_pictures(args, names)


def _with_camera(args: argparse.Namespace, names: list[str] | None) -> int:
    """Take the pictures with the table's camera, locked, as a person lays things out."""
    no_log()  # what the camera logs is told in sentences
    try:
        settings = load_settings(settings_file(args.settings, os.environ, Path.home()))
    except SettingsFault as fault:
        raise Fault(fault.sentence) from fault
    zones = None if args.zones is None else load_zones(args.zones)
    usual = places_of(settings, os.environ, Path.home()).profile
    out = args.out or usual
    _make_sure_of(out, args)
    with opened_camera(settings, zones) as camera:
        profile = calibrated(camera, settings.camera.kind, zones, input, print, names)
    try:
        save(out, profile)
    except SetupRefused as refused:
        raise Fault(f"{refused.sentence}; {OTHERWISE}") from refused
    read_once = (
        "it is started: sudo systemctl start companion"
        if out.resolve() == usual.resolve()
        else f'[table] profile = "{out.resolve()}" stands in the settings'
    )
    print(f"{out}: profile written; the table reads with it once {read_once}")
    return 0


def _from_pictures(args: argparse.Namespace, names: list[str] | None) -> int:
    """Learn from pictures that somebody took; how they were taken nobody knows, so nothing is locked."""
    empty, colours = load_picture(args.empty), load_picture(args.colours)
    picture = args.empty
    setup = Setup() if args.zones is None else Setup().with_zones(load_zones(args.zones))
    try:
        setup = setup.with_markers(empty, MarkerLayout()).with_empty(empty)
        picture = args.colours
        setup = setup.with_dice(colours)
        setup = setup.learned() if names is None else setup.with_names(names)
    except CalibrationRefused as refusal:
        at_fault = OF_THE_EMPTY_ONE.get(refusal.code, "{picture}").format(picture=picture, empty=args.empty)
        how = ""
        if refusal.code == "names_unclear":  # names go by these numbers
            print("\n".join(dice_lines(setup)), file=sys.stderr)
            how = " To name them yourself, give --names in the order of the dice above."
        if refusal.code in SAYS_BY_HAND:
            how = f" {BY_HAND}"
        if refusal.code == "wrong_number_of_dice" and args.zones is not None:
            how = f" If six dice lie there, see that {args.zones} belongs to these pictures."
        raise Fault(f"{at_fault}: {refusal.sentence}{how}") from refusal
    except (ZonesError, FrameError) as error:
        raise Fault(f"{picture}: {error}") from error
    profile = setup.profile(Settings(made_at=datetime.now(UTC).isoformat(timespec="seconds")))
    save_text(args.out, profile.to_json())
    print("\n".join(dice_lines(setup)))
    print(f"{args.out}: profile written; read a throw with: companion read --profile {args.out} PICTURE")
    return 0


def _refused(sentence: str) -> int:
    print(f"companion calibrate: {sentence}", file=sys.stderr)
    return 2


def _not_together(args: argparse.Namespace) -> str | None:
    """Tell what is missing in the command line, or does not go together; None where all is well."""
    missing = [name for name in ("empty", "colours", "out") if getattr(args, name) is None]
    if args.camera:
        return (
            None
            if {"empty", "colours"} <= set(missing)
            else "--camera takes the pictures itself: leave out --empty and --colours."
        )
    if missing:
        *first, last = (f"--{name}" for name in missing)
        named = f"{', '.join(first)} and {last}" if first else last
        return f"give {named}, or --camera to take the pictures now."
    return (
        None
        if args.settings is None
        else "--settings names the camera: give --camera as well, or leave it out."
    )


def _make_sure_of(out: Path, args: argparse.Namespace) -> None:
    """Make sure that the profile can be written, before anybody lays dice for it.

    Raises:
        Fault: it can not, with why.
    """
    if (why := _not_to_write(out, args)) is not None:
        raise Fault(f"{out}: {why}; move it away, or name another file with --out.")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=out.parent, prefix=f".{out.name}."):
            pass
    except OSError as error:
        raise Fault(f"{out}: the profile cannot be written ({error.strerror}); {OTHERWISE}") from error


def _not_to_write(out: Path, args: argparse.Namespace) -> str | None:
    """Tell why what is there must not be written over; a profile is, whatever its version."""
    try:
        if out.is_dir():
            return "a folder is there"
        if not out.is_file():
            return None
    except OSError:  # who may not look there may not write there either, and is told so when it is tried
        return None
    if any(given is not None and given.resolve() == out.resolve() for given in _given(args)):
        return "this is one of the files to calibrate from"
    try:
        found = json.loads(out.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    return (
        None if isinstance(found, dict) and "version" in found else "another file that is no profile is there"
    )


def _given(args: argparse.Namespace) -> tuple[Path | None, ...]:
    return args.empty, args.colours, args.zones

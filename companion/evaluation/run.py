"""Evaluating a table: calibrate from its own two pictures, read the others, score each against its truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration import CalibrationRefused, calibrate
from companion.evaluation.figures import Scored
from companion.evaluation.match import score_picture, score_unread
from companion.evaluation.perturb import Change, moved_truth, moved_zones, track_px_per_mm
from companion.evaluation.truth import TrueTable, TruthError
from companion.vision.frame_view import FrameError
from companion.vision.geometry import ZonesError
from companion.vision.profile import Profile
from companion.vision.read import read_picture
from companion.vision.reading import Reading

Picture = npt.NDArray[np.uint8]

#: How the single "problem" of a picture begins whose table could not be calibrated.
REFUSED = "calibration refused: "


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One scored picture, with the pixels and the reading it was scored by (for the report)."""

    scored: Scored
    frame_bgr: Picture
    reading: Reading


def evaluate_table(table: TrueTable, change: Change | None = None) -> Iterator[Evaluated]:
    """Score every picture of a table, under a change if one is given.

    A table whose calibration is refused counts with every picture unread: nothing right, nothing trusted.

    Raises:
        TruthError: a picture is missing or unreadable.
    """
    at_start = change if change is not None and change.also_calibration else None
    empty, matrix = _changed(load(table, "empty"), table, "empty", at_start)
    colours, _ = _changed(load(table, "colours"), table, "colours", at_start)
    size_px = (empty.shape[1], empty.shape[0])
    zones = moved_zones(table.zones, matrix, size_px)
    profile: Profile | None = None
    refused = ""
    try:
        profile = calibrate(zones, empty, colours)
    except (CalibrationRefused, ZonesError, FrameError) as refusal:
        refused = f"{REFUSED}{refusal}"
    for picture in table.pictures:
        frame, moved = _changed(load_path(picture.path), table, picture.path.stem, change)
        true = moved_truth(picture, moved, (frame.shape[1], frame.shape[0]))
        if profile is None:
            reading = Reading((), (refused,), trusted=False)
            score = score_unread(true, refused)
        else:
            reading = read_picture(frame, profile)
            score = score_picture(true, reading)
        name = change.name if change is not None else ""
        yield Evaluated(Scored(table.name, table.light, name, score), frame, reading)


def throws_as_recorded(table: TrueTable, readings: list[Reading]) -> int:
    """How many readings, in order, are trusted and equal the throws of the game's record.

    A die in the reserve is a kept one; the order of the dice does not matter.
    """
    equal = 0
    for throw, reading in zip(table.throws, readings, strict=False):
        seen = Counter((die.body, die.colour, die.zone == "reserve") for die in reading.dice)
        equal += reading.trusted and seen == Counter(throw)
    return equal


def load(table: TrueTable, which: str) -> Picture:
    """The table's `empty` or `colours` picture. Raises TruthError."""
    return load_path(table.empty if which == "empty" else table.colours)


def load_path(path: Path) -> Picture:
    """A picture as (h, w, 3) uint8 BGR. Raises TruthError where it is missing or no picture."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise TruthError(f"{path}: this picture is missing or can not be read.")
    return np.asarray(picture, np.uint8)


def evaluate_all(
    tables: list[TrueTable], changes: tuple[Change | None, ...], watch: Callable[[Evaluated], None]
) -> list[Scored]:
    """Score all tables under all changes (None: as they are); ``watch`` sees each picture as it is done."""
    scored = []
    for change in changes:
        for table in tables:
            for evaluated in evaluate_table(table, change):
                watch(evaluated)
                scored.append(evaluated.scored)
    return scored


def _changed(
    picture: Picture, table: TrueTable, name: str, change: Change | None
) -> tuple[Picture, npt.NDArray[np.float64] | None]:
    if change is None:
        return picture, None
    return change.apply_to(picture, f"{table.name}/{name}", track_px_per_mm(table.zones))

"""Folders of pictures with known truth: one table each, with zones, calibration pictures and dice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.game.events import Throw
from companion.game.fields import BadLine
from companion.game.record import read_events
from companion.vision.geometry import Zones, ZonesError

Point = tuple[float, float]

#: Kinds of pictures that show six dice lying properly, in the light of the calibration or another.
GOOD_KINDS = frozenset({"throw", "drift"})
#: Kinds of pictures that calibrate and are not evaluated.
CALIBRATION_KINDS = frozenset({"empty", "colours"})


class TruthError(ValueError):
    """A folder with truth that can not be used; the message says which file, what, and what to do."""


@dataclass(frozen=True, slots=True)
class TrueDie:
    """One die as it really lies; ``top_px`` are the corners of its top face in the picture's pixels."""

    body: str
    colour: str
    zone: str
    centre_px: Point
    top_px: tuple[Point, Point, Point, Point]
    cut: bool
    leaning: bool
    stacked: bool


@dataclass(frozen=True, slots=True)
class TruePicture:
    """One picture of a table: its file, what kind it is, and its dice."""

    path: Path
    kind: str
    dice: tuple[TrueDie, ...]

    @property
    def is_good(self) -> bool:
        """Six dice, none of them cut, leaning, stacked: nothing that would excuse a doubt."""
        return (
            self.kind in GOOD_KINDS
            and len(self.dice) == 6
            and not any(die.cut or die.leaning or die.stacked for die in self.dice)
        )

    @property
    def must_be_doubted(self) -> bool:
        """A die is missing, leans or stands on another: whatever is read, it is no throw."""
        return len(self.dice) != 6 or any(die.leaning or die.stacked for die in self.dice)


@dataclass(frozen=True, slots=True)
class TrueTable:
    """One table: its two calibration pictures, its zones and its pictures, in order.

    ``throws`` are the dice of a game's record, throw by throw, as (body, colour, kept), where there is one.
    """

    name: str
    folder: Path
    light: str
    zones: Zones
    empty: Path
    colours: Path
    pictures: tuple[TruePicture, ...]
    throws: tuple[tuple[tuple[str, str, bool], ...], ...] = ()


def find_tables(folder: Path) -> tuple[Path, ...]:
    """Every folder at most two levels below (or ``folder`` itself) that has a `truth.json`, in order.

    Raises:
        TruthError: there is no such folder, or none in it has one.
    """
    if not folder.is_dir():
        raise TruthError(f"{folder}: there is no such folder; check the name.")
    found = {path.parent for pattern in ("", "*/", "*/*/") for path in folder.glob(f"{pattern}truth.json")}
    if not found:
        raise TruthError(
            f"{folder}: neither it nor a folder in it has a truth.json; give a folder of pictures with truth."
        )
    return tuple(sorted(found))


def is_deck(folder: Path) -> bool:
    """Whether the folder's truth is about cards and not dice.

    Raises:
        TruthError: its `truth.json` can not be read.
    """
    return "deck" in read_json(folder / "truth.json")


def load_table(folder: Path) -> TrueTable:
    """Read one folder.

    Raises:
        TruthError: a file is missing, is no JSON or lacks a field.
    """
    truth = read_json(folder / "truth.json")
    zones_path = folder / "zones.json"
    # The renderer of more tables writes the zones into truth.json.
    zones_value = read_json(zones_path) if zones_path.exists() else truth
    try:
        zones = Zones.from_dict(zones_value)
        pictures = tuple(picture_of(folder, value) for value in truth["pictures"])
    except ZonesError as error:
        raise TruthError(f"{zones_path}: {error}") from error
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise TruthError(f"{folder / 'truth.json'}: a field is missing or ill-formed ({error}).") from error
    if not pictures:
        raise TruthError(f"{folder / 'truth.json'}: it names no pictures.")
    by_kind = {picture.kind: picture.path for picture in pictures}
    return TrueTable(
        name=folder.name,
        folder=folder,
        light=str(truth.get("light", "unknown")),
        zones=zones,
        empty=by_kind.get("empty", folder / "empty.jpg"),
        colours=by_kind.get("colours", folder / "colours.jpg"),
        pictures=tuple(picture for picture in pictures if picture.kind not in CALIBRATION_KINDS),
        throws=_throws(folder / "record.jsonl"),
    )


def picture_of(folder: Path, value: Mapping[str, Any]) -> TruePicture:
    """A picture as `truth.json` tells it."""
    return TruePicture(folder / str(value["file"]), str(value["kind"]), tuple(map(_die, value["dice"])))


def _die(value: Mapping[str, Any]) -> TrueDie:
    corners = [(float(x), float(y)) for x, y in value["top"]]
    return TrueDie(
        body=str(value["body"]),
        colour=str(value["colour"]),
        zone=str(value["zone"]),
        centre_px=(float(value["centre"][0]), float(value["centre"][1])),
        top_px=(corners[0], corners[1], corners[2], corners[3]),
        cut=bool(value.get("cut", False)),
        leaning=bool(value.get("cocked", False)),
        stacked=bool(value.get("stacked", False)),
    )


def _throws(path: Path) -> tuple[tuple[tuple[str, str, bool], ...], ...]:
    """The dice of every throw of a game's record; none where there is no record."""
    if not path.exists():
        return ()
    try:
        with path.open("rb") as lines:
            events = [event for _, event in read_events(lines)]
    except (OSError, BadLine) as error:
        raise TruthError(f"{path}: the record can not be read ({error}).") from error
    return tuple(
        tuple((str(die.body), die.colour, die.kept) for die in event.dice)
        for event in events
        if isinstance(event, Throw)
    )


def read_json(path: Path) -> dict[str, Any]:
    """A file's JSON object. Raises TruthError where it is missing or none."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise TruthError(f"{path}: this file is missing.") from None
    except OSError as error:
        raise TruthError(f"{path}: it can not be read ({error.strerror}).") from error
    except ValueError as error:
        raise TruthError(f"{path}: this is no JSON ({error}).") from error
    if not isinstance(value, dict):
        raise TruthError(f"{path}: expected a JSON object.")
    return value

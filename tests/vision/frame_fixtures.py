"""The fixture pictures: rendered tables, each picture named by what it shows, its right reading beside it."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration import calibrate
from companion.vision.geometry import Zones
from companion.vision.profile import Profile

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "images" / "vision"
CALIBRATION = ("empty", "colours")

Frame = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Fixture:
    """One picture of a table, what must be told of it, and which codes it comes close to."""

    table: str
    name: str
    shows: str
    problems: tuple[str, ...]
    near_miss_of: tuple[str, ...]
    dice: tuple[dict[str, Any], ...]

    @property
    def path(self) -> Path:
        return FOLDER / self.table / f"{self.name}.jpg"

    def __str__(self) -> str:
        return f"{self.table}/{self.name}"


def load(path: Path) -> Frame:
    """A picture, uint8 BGR."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert picture is not None, f"{path} is no picture"
    return np.asarray(picture, np.uint8)


@cache
def fixtures() -> tuple[Fixture, ...]:
    """All of them, in order."""
    found = []
    for path in sorted(FOLDER.glob("*/*.json")):
        if path.name == "zones.json":
            continue
        value = json.loads(path.read_text(encoding="utf-8"))
        found.append(
            Fixture(
                table=path.parent.name,
                name=path.stem,
                shows=value["shows"],
                problems=tuple(value["problems"]),
                near_miss_of=tuple(value["near_miss_of"]),
                dice=tuple(value["dice"]),
            )
        )
    return tuple(found)


def zones_of(table: str) -> Zones:
    """Where things lie on a table."""
    return Zones.from_json((FOLDER / table / "zones.json").read_text(encoding="utf-8"))


@cache
def profile_of(table: str) -> Profile:
    """The profile made of the table's own two pictures."""
    return calibrate(
        zones_of(table), load(FOLDER / table / "empty.jpg"), load(FOLDER / table / "colours.jpg")
    )

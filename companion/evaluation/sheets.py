"""The finder's sheets of pictures with known truth, for fitting its weights."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.evaluation.truth import load_table
from companion.vision.find import Finder
from companion.vision.find_sheet import Sheet
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import apply, focal_px

Values = npt.NDArray[np.float64]

#: In the names of folders, between a table and what it was changed by (`changed_tables`).
CHANGED = "+"


@dataclass(frozen=True, slots=True, eq=False)
class TrueSheet:
    """One picture, and where its dice lie: x, y (mm on the sheet) and angle (rad), (n, 3) each."""

    table: str
    """The table's name; what was changed of it has the same."""
    finder: Finder
    sheet: Sheet
    upright: Values
    unclear: Values
    """Those that lean, are cut or stand on another."""
    leaning: Values


def true_sheets(folders: Sequence[Path]) -> Iterator[TrueSheet]:
    """Every picture of the folders but the empty ones."""
    for folder in folders:
        given = load_table(folder)
        zones = given.zones
        finder = Finder(zones, focal_px(zones), EmptyView.from_picture(_picture(given.empty)))
        windows = {window.floor.zone: window for window in finder.plan.windows}
        for shot in json.loads((folder / "truth.json").read_text(encoding="utf-8"))["pictures"]:
            if shot["kind"] == "empty":
                continue
            upright: list[Values] = []
            unclear: list[Values] = []
            leaning: list[Values] = []
            for die in shot["dice"]:
                window = windows[die["zone"]]
                corners = apply(window.floor.lift(zones.die_mm)[1], np.asarray(die["top"], np.float64))
                side = corners[1] - corners[0]
                middle = corners.mean(axis=0) + window.corner_mm
                odd = die.get("cut") or die.get("cocked") or die.get("stacked")
                place = np.append(middle, np.arctan2(side[1], side[0]))
                (unclear if odd else upright).append(place)
                if die.get("cocked"):
                    leaning.append(place)
            yield TrueSheet(
                folder.name.split(CHANGED)[0],
                finder,
                finder.sheet(_picture(folder / shot["file"])),
                np.array(upright).reshape(-1, 3),
                np.array(unclear).reshape(-1, 3),
                np.array(leaning).reshape(-1, 3),
            )


def table_folders(arguments: Sequence[str]) -> list[Path]:
    """The folders with truth in the folders given."""
    return [
        folder
        for given in arguments
        for folder in sorted(Path(given).glob("*"))
        if (folder / "truth.json").exists()
    ]


def _picture(path: Path) -> npt.NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(path)), np.uint8)

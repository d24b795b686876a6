"""The finder's views of pictures with known truth, for fitting its weights."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.find import Finder
from companion.vision.find_scene import Scene
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import Zones, apply, floors, focal_px

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TrueScene:
    """One zone of one picture, and where its dice lie: x, y (mm) and angle (rad), (n, 3) each."""

    table: int
    scene: Scene
    upright: Values
    unclear: Values
    """Those that lean, are cut or stand on another."""


def true_scenes(folders: Sequence[Path]) -> Iterator[TrueScene]:
    """Every zone of every picture of the folders but the empty ones."""
    for table, folder in enumerate(folders):
        zones = Zones.from_json((folder / "zones.json").read_text(encoding="utf-8"))
        focal = focal_px(zones)
        finder = Finder(zones, focal, EmptyView.from_picture(_picture(folder / "empty.jpg")))
        for shot in json.loads((folder / "truth.json").read_text(encoding="utf-8"))["pictures"]:
            if shot["kind"] == "empty":
                continue
            frame = _picture(folder / shot["file"])
            for floor in floors(zones, focal):
                to_mm = floor.lift(zones.die_mm)[1]
                upright: list[tuple[float, float, float]] = []
                unclear: list[tuple[float, float, float]] = []
                for die in shot["dice"]:
                    if die["zone"] == floor.zone:
                        odd = die.get("cut") or die.get("cocked") or die.get("stacked")
                        (unclear if odd else upright).append(_place(die["top"], to_mm))
                yield TrueScene(
                    table,
                    finder.scene(frame, floor, finder.to_empty),
                    np.array(upright).reshape(-1, 3),
                    np.array(unclear).reshape(-1, 3),
                )


def table_folders(arguments: Sequence[str]) -> list[Path]:
    """The folders with zones in the folders given."""
    return [
        folder
        for given in arguments
        for folder in sorted(Path(given).glob("*"))
        if (folder / "zones.json").exists()
    ]


def _place(top_px: object, to_mm: Values) -> tuple[float, float, float]:
    corners = apply(to_mm, np.asarray(top_px, np.float64))
    side = corners[1] - corners[0]
    x, y = corners.mean(axis=0)
    return float(x), float(y), float(np.arctan2(side[1], side[0]))


def _picture(path: Path) -> npt.NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(path)), np.uint8)

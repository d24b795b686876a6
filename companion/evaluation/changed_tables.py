"""Tables with truth under a change, written out: for fitting to more light, noise and cameras than there are.

`python -m companion.evaluation.changed_tables DIR OUT [--changes N] [--seed S]` takes a folder of tables laid
out as for `companion evaluate` and writes to OUT, laid out alike, each table under N of the changes that
`companion evaluate --perturb` makes, chosen by chance. Folders are named table+change, and what is fitted
treats all of one table as one.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.evaluation.perturb import CHANGES, Change, moved_truth, moved_zones, track_px_per_mm
from companion.evaluation.run import load_path
from companion.evaluation.sheets import CHANGED, table_folders
from companion.evaluation.truth import CALIBRATION_KINDS, load_table, picture_of, read_json

CHANGES_EACH = 2


def write_changed(folder: Path, out: Path, change: Change) -> None:
    """Write one table under a change.

    Raises:
        TruthError: the table's truth or a picture of it cannot be read.
    """
    table = load_table(folder)
    truth = read_json(folder / "truth.json")
    out.mkdir(parents=True, exist_ok=True)
    zones, shots = table.zones, []
    for shot in truth["pictures"]:
        frame, matrix = load_path(folder / shot["file"]), None
        if change.also_calibration or shot["kind"] not in CALIBRATION_KINDS:
            name = f"{table.name}/{Path(shot['file']).stem}"
            frame, matrix = change.apply_to(frame, name, track_px_per_mm(table.zones))
        size_px = (frame.shape[1], frame.shape[0])
        if change.also_calibration:
            zones = moved_zones(table.zones, matrix, size_px)
        moved = moved_truth(picture_of(folder, shot), matrix, size_px)
        file = f"{Path(shot['file']).stem}.png"
        cv2.imwrite(str(out / file), frame)
        dice: list[dict[str, Any]] = [
            {
                **told,
                "centre": list(die.centre_px),
                "top": [list(corner) for corner in die.top_px],
                "cut": die.cut,
            }
            for told, die in zip(shot["dice"], moved.dice, strict=True)
        ]
        shots.append({**shot, "file": file, "dice": dice})
    (out / "zones.json").write_text(json.dumps(zones.to_dict()), encoding="utf-8")
    (out / "truth.json").write_text(json.dumps({**truth, "pictures": shots}), encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Write every table under some changes; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--changes", type=int, default=CHANGES_EACH)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    for folder in table_folders([str(given.tables)]):
        rng = np.random.default_rng(zlib.crc32(f"{given.seed}/{folder.name}".encode()))
        for index in rng.permutation(len(CHANGES))[: given.changes]:
            change = CHANGES[int(index)]
            write_changed(folder, given.out / f"{folder.name}{CHANGED}{change.name}", change)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How much naming hangs on each value of `LightSpread`, which were chosen by hand.

`python -m companion.evaluation.spread_check DIR…` takes folders of tables laid out as for `companion
evaluate`. Every top face is given as the truth has it, so that only naming is judged. Each value by itself is
made a third more and a quarter less: printed is what becomes of the dice named rightly, of those wrong and
yet sure, and of those unsure. Last comes every table by the values that suit the other tables best, which it
had no part in.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration import calibrate
from companion.evaluation.sheets import table_folders
from companion.evaluation.truth import TrueDie, TrueTable, load_table
from companion.vision.face import FaceReader, FaceReferences
from companion.vision.face_light import LightSpread
from companion.vision.face_patch import FacePatches, measure_faces

FACTORS = (0.75, 4 / 3)
_LEAST_CHANCE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class TrueFaces:
    """The faces of one picture, and what they are."""

    references: FaceReferences
    faces: FacePatches
    dice: tuple[TrueDie, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Of some dice: how many there are, are right, wrong though sure, unsure; how unlikely the truth is."""

    dice: int = 0
    right: int = 0
    wrong_sure: int = 0
    unsure: int = 0
    surprise: float = 0.0
    """Minus the log of the chance given to the true colours, summed."""

    def __add__(self, other: Score) -> Score:
        return Score(
            self.dice + other.dice,
            self.right + other.right,
            self.wrong_sure + other.wrong_sure,
            self.unsure + other.unsure,
            self.surprise + other.surprise,
        )

    def told(self) -> str:
        """In words, for a line."""
        return (
            f"{self.right} of {self.dice} right, {self.wrong_sure} wrong and sure, {self.unsure} unsure "
            f"({self.surprise:.1f})"
        )


def faces_of(table: TrueTable) -> Iterator[TrueFaces]:
    """Every picture's level and whole dice, at least two of them, as calibration and truth have them."""
    profile = calibrate(table.zones, _picture(table.empty), _picture(table.colours))
    for picture in table.pictures:
        dice = tuple(die for die in picture.dice if not (die.cut or die.leaning or die.stacked))
        if len(dice) < 2:
            continue
        quads = [die.top_px for die in dice]
        faces = measure_faces(_picture(picture.path), quads, profile.faces.corners_are_body)
        yield TrueFaces(profile.faces, faces, dice)


def score(pictures: Sequence[TrueFaces], spread: LightSpread) -> Score:
    """How well the dice of these pictures are named with this spread."""
    total = Score()
    for true in pictures:
        reader = FaceReader(true.references, spread)
        chances = reader.colour_chances(true.faces)
        names = [ink.name for ink in true.references.inks]
        for die, naming, chance in zip(true.dice, reader.judge(true.faces), chances, strict=True):
            right = (naming.body, naming.colour) == (die.body, die.colour)
            unsure = naming.colour_unsure or naming.body_unsure
            surprise = -float(np.log(max(chance[names.index(die.colour)], _LEAST_CHANCE)))
            total += Score(1, int(right), int(not right and not unsure), int(unsure), surprise)
    return total


def others() -> dict[str, LightSpread]:
    """By what is changed: the values as they are, and each by itself a quarter less and a third more."""
    usual = LightSpread()
    changed = {"as it is": usual}
    for each in fields(LightSpread):
        for factor in FACTORS:
            value = getattr(usual, each.name) * factor
            changed[f"{each.name} × {factor:.2f}"] = replace(usual, **{each.name: value})
    return changed


def left_out(by_change: dict[str, list[Score]]) -> Score:
    """The sum over the tables of what each scores with the change by which the others are best named."""
    total = Score()
    for table in range(len(by_change["as it is"])):
        best = min(
            by_change,
            key=lambda change: sum(s.surprise for k, s in enumerate(by_change[change]) if k != table),
        )
        total += by_change[best][table]
    return total


def main(arguments: Sequence[str]) -> int:
    """Score and print; see the module's docstring."""
    tables = [list(faces_of(load_table(folder))) for folder in table_folders(arguments)]
    by_change = {name: [score(pictures, spread) for pictures in tables] for name, spread in others().items()}
    for name, scores in by_change.items():
        sys.stdout.write(f"{name:24} {sum(scores, Score()).told()}\n")
    sys.stdout.write(f"{'each table left out':24} {left_out(by_change).told()}\n")
    return 0


def _picture(path: object) -> npt.NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(path)), np.uint8)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

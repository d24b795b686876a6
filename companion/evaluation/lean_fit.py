"""Fits the weights of `companion.vision.find_lean` to pictures with known truth.

`python -m companion.evaluation.lean_fit DIR…` takes folders of tables laid out as for `companion evaluate`,
the first with pictures as they were taken, the others with some made by `companion.evaluation.made_pictures`.
It prints the module `find_lean_weights.py` on standard output and, on standard error, how many dice of each
are judged wrongly, each table (by its folder's name) by weights fitted to the others.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.evaluation.finder_fit import Examples, Fit, Training, as_module, fit
from companion.evaluation.sheets import TrueSheet, Values, table_folders, true_sheets
from companion.vision.find import LEAST_HIDDEN
from companion.vision.find_hidden import hidden_parts
from companion.vision.find_lean import LEANS_FROM, WITNESSES, lean_witnesses
from companion.vision.find_sheet import Sheet

TOLD = "Weights of `find_lean`, fitted by `companion.evaluation.lean_fit` to rendered and made tables."
HOW = Training(units=8, steps=1500, batch=400, decay=3e-3, jitter=0.2)
# Level dice as they were taken count so often: there are few, and they are what the finder will see.
TAKEN_COUNTS = 3
# A face this near to a die's, in its sides, is that die's.
NEAR_FRAC = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Dice as the finder sees them: witnesses, whether each leans, its table, and whether it was made."""

    witnesses: Values
    leans: Values
    table: npt.NDArray[np.str_]
    made: npt.NDArray[np.bool_]

    def __getitem__(self, which: npt.NDArray[np.bool_]) -> Judged:
        return Judged(self.witnesses[which], self.leans[which], self.table[which], self.made[which])


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """What the finder takes for faces on one sheet, (n, 4), and which of them are a whole die's, (k,)."""

    sheet: Sheet
    table: str
    made: bool
    spots: Values
    which: npt.NDArray[np.intp]
    leans: Values
    """1 where one leans, 0 where it lies level, (k,)."""


def gather(given: Sequence[str]) -> Judged:
    """The dice of every picture of the folders."""
    rows: list[Values] = []
    leans: list[Values] = []
    tables: list[str] = []
    made: list[bool] = []
    for seen in every_die(given):
        rows.append(lean_witnesses(seen.sheet, seen.spots)[seen.which])
        leans.append(seen.leans)
        tables += [seen.table] * len(seen.which)
        made += [seen.made] * len(seen.which)
    return Judged(np.vstack(rows), np.concatenate(leans), np.array(tables), np.array(made, np.bool_))


def every_die(given: Sequence[str]) -> Iterator[Spots]:
    """The dice of each picture of the folders that shows any."""
    for number, folder in enumerate(given):
        for true in true_sheets(table_folders([folder])):
            seen = _dice_of(true, made=number > 0)
            if len(seen.which):
                yield seen


def _dice_of(true: TrueSheet, made: bool) -> Spots:
    """Where a picture was taken, level dice beside a leaning one are left out: it is not trusted anyway."""
    spots = true.finder.on_sheet(true.finder.spots(true.sheet, true.sheet.scenes()))
    whole = hidden_parts(true.sheet, spots).mean(axis=1) < LEAST_HIDDEN if len(spots) else ()
    near_mm = NEAR_FRAC * true.sheet.plan.die_mm
    which: list[int] = []
    leans: list[float] = []
    for number in np.flatnonzero(whole).tolist():
        place = spots[number, :2]
        leaning, level = (_reach(place, dice) < near_mm for dice in (true.leaning, true.upright))
        if leaning != level and (leaning or made or not len(true.leaning)):
            which.append(number)
            leans.append(float(leaning))
    return Spots(true.sheet, true.table, made, spots, np.array(which, np.intp), np.array(leans))


def _reach(place: Values, dice: Values) -> float:
    return float(np.hypot(*(dice[:, :2] - place).T).min()) if len(dice) else np.inf


def fitted(dice: Judged) -> Fit:
    """Weights for these dice."""
    often = np.where(~dice.made & (dice.leans == 0), TAKEN_COUNTS, 1)
    rows, leans = (np.repeat(values, often, axis=0) for values in (dice.witnesses, dice.leans))
    return fit(Examples(rows, leans, np.full(len(rows), "")), HOW)


def main(arguments: Sequence[str]) -> int:
    """Fit and print; see the module's docstring."""
    dice = gather(arguments)
    odds = np.zeros(len(dice.leans))
    for table in np.unique(dice.table):
        odds[dice.table == table] = fitted(dice[dice.table != table]).score(
            dice.witnesses[dice.table == table]
        )
    for made, told in ((False, "as taken"), (True, "made")):
        for leaning, name in ((1, "leaning"), (0, "level")):
            which = (dice.made == made) & (dice.leans == leaning)
            wrong = int(((odds[which] > LEANS_FROM) != bool(leaning)).sum())
            sys.stderr.write(f"leave one table out, {told}: of {which.sum()} {name} dice {wrong} wrong\n")
    sys.stdout.write(as_module(fitted(dice), WITNESSES, TOLD))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Fits the weights of `companion.vision.find_tilt` to pictures with known truth.

`python -m companion.evaluation.tilt_fit DIR…` takes the folders that `companion.evaluation.lean_fit` takes.
It prints the module `find_tilt_weights.py` on standard output and, on standard error, how many dice are
judged wrongly by the first look alone and with the second, each table (by its folder's name) by weights of
both looks that were fitted to the others.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.evaluation import lean_fit
from companion.evaluation.sheets import Values
from companion.vision.find_lean import LEANS_FROM, lean_witnesses, odds_of
from companion.vision.find_tilt import LOOKS_FROM, WITNESSES, heard, tilt_witnesses

TOLD = "Weights of `find_tilt`, fitted by `companion.evaluation.tilt_fit` to rendered and made tables."
# Dice somewhat below those that get a second look are fitted as well: there are few level ones.
FITTED_FROM = LOOKS_FROM - 2
# How strongly weights are drawn to nothing (of witnesses in units of their spread).
DECAY = 0.3
_STEPS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """A weighted sum of the witnesses."""

    weights: Values
    bias: float

    def score(self, witnesses: Values) -> Values:
        """Log odds, (n, witnesses) → (n,)."""
        return np.asarray(witnesses @ self.weights + self.bias, np.float64)


def fitted(witnesses: Values, leaning: Values) -> Weights:
    """Logistic loss, leaning and level dice in balance, by Newton's steps."""
    middle, spread = witnesses.mean(axis=0), witnesses.std(axis=0) + 1e-6
    rows = np.column_stack([(witnesses - middle) / spread, np.ones(len(witnesses))])
    often = np.where(leaning > 0, 0.5 / leaning.sum(), 0.5 / (1 - leaning).sum()) * len(leaning)
    decay = np.append(np.full(len(middle), DECAY), 0)
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        curve = (rows * (often * chance * (1 - chance))[:, None]).T @ rows + np.diag(decay + 1e-9)
        weights = weights + np.linalg.solve(curve, rows.T @ (often * (leaning - chance)) - decay * weights)
    own = weights[:-1] / spread
    return Weights(own, float(weights[-1] - middle @ own))


def gather(given: Sequence[str]) -> tuple[lean_fit.Judged, Values]:
    """The dice of every picture of the folders as the first look sees them, and the second, (n, 9)."""
    first: list[Values] = []
    second: list[Values] = []
    leaning: list[Values] = []
    tables: list[str] = []
    made: list[bool] = []
    for seen in lean_fit.every_die(given):
        first.append(lean_witnesses(seen.sheet, seen.spots)[seen.which])
        second += [tilt_witnesses(seen.sheet, seen.spots, one, 0.0) for one in seen.which.tolist()]
        leaning.append(seen.leans)
        tables += [seen.table] * len(seen.which)
        made += [seen.made] * len(seen.which)
    dice = lean_fit.Judged(
        np.vstack(first), np.concatenate(leaning), np.array(tables), np.array(made, np.bool_)
    )
    return dice, np.array(second)


def main(arguments: Sequence[str]) -> int:
    """Fit and print; see the module's docstring."""
    dice, witnesses = gather(arguments)
    first = np.zeros(len(dice.leans))
    for table in np.unique(dice.table):
        own = dice.table == table
        first_look = lean_fit.fitted(dice[~own])
        first[own] = odds_of(dice.witnesses[own], first_look.score(dice.witnesses[own]))
    witnesses[:, 0] = heard(first)
    odds = first.copy()
    for table in np.unique(dice.table):
        own = dice.table == table
        others = ~own & (first > FITTED_FROM)
        seen = own & (first > LOOKS_FROM)
        odds[seen] += fitted(witnesses[others], dice.leans[others]).score(witnesses[seen])
    told = (("first look", first > LEANS_FROM), ("both looks", odds > LEANS_FROM))
    for made, kind in ((False, "as taken"), (True, "made")):
        for leaning, name in ((1, "leaning"), (0, "level")):
            which = (dice.made == made) & (dice.leans == leaning)
            for look, judged in told:
                wrong = int((judged[which] != bool(leaning)).sum())
                sys.stderr.write(f"{look}, {kind}: of {which.sum()} {name} dice {wrong} wrong\n")
    close = first > FITTED_FROM
    weights = fitted(witnesses[close], dice.leans[close])
    lines = [f'"""{TOLD}"""', "", "WEIGHTS = ("]
    lines += [f"    {weight:.5g},  # {name}" for weight, name in zip(weights.weights, WITNESSES, strict=True)]
    sys.stdout.write("\n".join([*lines, ")", f"BIAS = {weights.bias:.5g}", ""]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

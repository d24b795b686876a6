"""Fits the weights of `companion.vision.find_score` to pictures with known truth.

`python -m companion.evaluation.finder_fit DIR…` takes folders laid out as for `companion evaluate`, prints
the module `find_weights.py` on standard output and, on standard error, how many dice and other things are
told apart, each table judged by weights fitted to the others.

Examples are places around every true face (a little off, as a search would leave them), places around it that
are wrong, and the wrong places that a search with the weights so far prefers.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.evaluation.sheets import TrueSheet, Values, table_folders, true_sheets
from companion.vision.find_evidence import FEATURES, measure
from companion.vision.find_scene import Floats
from companion.vision.find_score import score as score_so_far
from companion.vision.find_search import CLOSE_LOOK, search

Names = npt.NDArray[np.str_]
TOLD = "Weights of `find_score`, fitted by `companion.evaluation.finder_fit` to rendered tables."
# A place this near (mm) to the truth is right, one this far is wrong; in between it teaches nothing.
RIGHT_MM, WRONG_MM = 0.8, 1.5


@dataclass(frozen=True, slots=True)
class Training:
    """How to fit: how many soft steps, examples at once and rounds.

    `decay` of the weights and `jitter` of the features (in standard deviations) keep few examples from being
    learned by heart.
    """

    units: int = 10
    steps: int = 4000
    batch: int = 3000
    decay: float = 1e-4
    jitter: float = 0.0


# With less of either, what is learned holds less on tables that are left out.
HOW = Training(decay=1e-3, jitter=0.1)


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Rows of features, whether each is a die (1) or not (0), and the name of its table."""

    features: Values
    is_die: Values
    table: Names


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The weights of one layer of soft steps."""

    inputs: Values
    offsets: Values
    output: Values
    bias: float

    def score(self, features: Values) -> Values:
        """Log odds, (n, features) → (n,)."""
        return np.asarray(np.tanh(features @ self.inputs + self.offsets) @ self.output + self.bias)


def gather(folders: Sequence[Path], seed: int = 0) -> Examples:
    """Examples from every picture of the folders but the empty ones."""
    rng = np.random.default_rng(seed)
    rows: list[Floats] = []
    labels: list[Values] = []
    tables: list[Names] = []
    for true in true_sheets(folders):
        for features, label in _examples(true, rng):
            rows.append(features)
            labels.append(np.full(len(features), label))
            tables.append(np.full(len(features), true.table))
    return Examples(np.vstack(rows).astype(np.float64), np.concatenate(labels), np.concatenate(tables))


def _examples(true: TrueSheet, rng: np.random.Generator) -> list[tuple[Floats, float]]:
    faces, every = true.upright, np.vstack([true.upright, true.unclear])
    right = np.repeat(faces, 3, axis=0) + rng.normal(0, 1, (3 * len(faces), 3)) * (0.25, 0.25, 0.02)
    away = rng.uniform(WRONG_MM, 12, 40 * len(faces))
    turn = rng.uniform(0, 2 * np.pi, len(away))
    wrong = np.repeat(faces, 40, axis=0)
    wrong = wrong + np.column_stack([away * np.cos(turn), away * np.sin(turn), rng.normal(0, 0.3, len(away))])
    preferred = search(true.sheet, score_so_far, true.finder.allowed, CLOSE_LOOK)
    wrong = np.vstack([wrong, preferred.places])
    if len(every):
        gap = np.linalg.norm(wrong[:, None, :2] - every[None, :, :2], axis=2)
        wrong = wrong[gap.min(axis=1) > WRONG_MM]
    return [
        (measure(true.sheet, places), label) for places, label in ((right, 1.0), (wrong, 0.0)) if len(places)
    ]


def fit(examples: Examples, how: Training = Training(), seed: int = 0) -> Fit:
    """Logistic loss, dice and other things in balance, by Adam (Kingma and Ba, 2015) on small batches."""
    rng = np.random.default_rng(seed)
    middle, spread = examples.features.mean(axis=0), examples.features.std(axis=0) + 1e-6
    rows, truth = (examples.features - middle) / spread, examples.is_die
    count, width = rows.shape
    balance = np.where(truth > 0, 0.5 / truth.sum(), 0.5 / (1 - truth).sum()) * count
    weights = [
        rng.normal(0, width**-0.5, (width, how.units)),
        np.zeros(how.units),
        rng.normal(0, how.units**-0.5, how.units),
        np.zeros(1),
    ]
    first, second = [weight * 0 for weight in weights], [weight * 0 for weight in weights]
    for step in range(1, how.steps + 1):
        chosen = rng.integers(0, count, how.batch)
        seen = rows[chosen] + rng.normal(0, how.jitter, (how.batch, width)) if how.jitter else rows[chosen]
        hidden = np.tanh(seen @ weights[0] + weights[1])
        chance = 1 / (1 + np.exp(-np.clip(hidden @ weights[2] + weights[3], -30, 30)))
        error = balance[chosen] * (chance - truth[chosen]) / how.batch
        back = np.outer(error, weights[2]) * (1 - hidden**2)
        slopes = [
            seen.T @ back + how.decay * weights[0],
            back.sum(axis=0),
            hidden.T @ error + how.decay * weights[2],
            np.array([error.sum()]),
        ]
        rate = 0.01 * min(1.0, 2 * (1 - step / how.steps))
        for k, slope in enumerate(slopes):
            first[k] = 0.9 * first[k] + 0.1 * slope
            second[k] = 0.999 * second[k] + 0.001 * slope**2
            move = first[k] / (1 - 0.9**step) / (np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8)
            weights[k] = weights[k] - rate * move
    inputs = weights[0] / spread[:, None]
    return Fit(inputs, weights[1] - middle @ inputs, weights[2], float(weights[3][0]))


def as_module(weights: Fit, names: Sequence[str], told: str) -> str:
    """The text of a module of weights, of inputs with these names; `told` is what its docstring tells."""

    def row(values: Values) -> str:
        return "(" + ", ".join(f"{value:.4g}" for value in values) + ")"

    lines = [f'"""{told}"""', ""]
    lines += ["# fmt: off", "INPUTS = ("]
    lines += [f"    {row(values)},  # {name}" for values, name in zip(weights.inputs, names, strict=True)]
    lines += [")", f"OFFSETS = {row(weights.offsets)}", f"OUTPUT = {row(weights.output)}"]
    return "\n".join([*lines, f"BIAS = {weights.bias:.5g}", ""])


def main(arguments: Sequence[str]) -> int:
    """Fit and print; see the module's docstring."""
    folders = table_folders(arguments)
    examples = gather(folders)
    kept_aside = np.zeros(len(examples.is_die))
    for table in np.unique(examples.table):
        inside = examples.table == table
        others = Examples(examples.features[~inside], examples.is_die[~inside], examples.table[~inside])
        kept_aside[inside] = fit(others, HOW).score(examples.features[inside])
    dice = examples.is_die > 0
    missed, taken = int((kept_aside[dice] < 0).sum()), int((kept_aside[~dice] > 0).sum())
    sys.stderr.write(
        f"leave one table out: {missed} of {dice.sum()} dice missed, "
        f"{taken} of {(~dice).sum()} others taken\n"
    )
    sys.stdout.write(as_module(fit(examples, HOW), FEATURES, TOLD))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Fits the weights of the first glance, `companion.vision.find_seeds`, to pictures with known truth.

`python -m companion.evaluation.seeds_fit DIR…` takes folders laid out as for `companion evaluate` and
prints the weights; on standard error, each table judged by weights fitted to the others, how many dice
come late.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.evaluation.sheets import TrueSheet, Values, table_folders, true_sheets
from companion.vision.find_search import QUICK_LOOK
from companion.vision.find_seeds import (
    ANGLES,
    SEED_FEATURES,
    Guesses,
    edge_map,
    places_worth_a_look,
    side_edges,
    surroundings,
)

# A place this near to the truth is right, one this far is wrong; in between it teaches nothing.
RIGHT_MM, WRONG_MM, RIGHT_DEG, WRONG_DEG = 1.6, 2.6, 11.0, 22.0
# So near the search finds the best place.
NEAR_MM, NEAR_DEG = 3.0, 17.0
WRONG_PER_SHEET = 1200
RANKS = (6, 8, 10, 12)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One picture: features of all places and angles; which are right (1), wrong (0), unclear."""

    true: TrueSheet
    guesses: Guesses
    features: Values
    """(ANGLES · n, features)"""
    label: Values


def examples_of(true: TrueSheet) -> Example | None:
    """What the glance sees in one picture; None where nothing has changed."""
    sheet = true.sheet
    spots = places_worth_a_look(sheet, true.finder.allowed, QUICK_LOOK.changed_from)
    if spots.shape[1] == 0:
        return None
    edges = edge_map(sheet.half)
    sides = side_edges(edges, spots)
    others = surroundings(sheet, edges, spots)
    spread = np.broadcast_to(others[:, None], (len(others), ANGLES, spots.shape[1]))
    features = np.concatenate([sides, spread]).reshape(len(SEED_FEATURES), -1).T.astype(np.float64)
    guesses = Guesses(sheet, spots, np.zeros((ANGLES, spots.shape[1]), np.float32))
    places = guesses.places()
    label = np.zeros(len(places))
    for die in true.upright:
        label[_is_near(places, die, WRONG_MM, WRONG_DEG) & (label == 0)] = np.nan
        label[_is_near(places, die, RIGHT_MM, RIGHT_DEG)] = 1
    for die in true.unclear:
        label[np.hypot(*(places[:, :2] - die[:2]).T) < sheet.plan.die_mm / 2] = np.nan
    return Example(true, guesses, features, label)


def _is_near(places: Values, die: Values, near_mm: float, near_deg: float) -> Values:
    turn = (places[:, 2] - die[2] + np.pi / 4) % (np.pi / 2) - np.pi / 4
    gap = np.hypot(*(places[:, :2] - die[:2]).T)
    return np.asarray((gap < near_mm) & (np.abs(turn) < np.radians(near_deg)))


def fit(examples: Sequence[Example], seed: int = 0) -> Values:
    """Logistic regression (Newton's method), dice and others in balance: weights, then the constant."""
    rng = np.random.default_rng(seed)
    rows, truth = [], []
    for example in examples:
        right, wrong = np.flatnonzero(example.label == 1), np.flatnonzero(example.label == 0)
        wrong = rng.choice(wrong, min(len(wrong), WRONG_PER_SHEET), replace=False)
        rows.append(example.features[np.concatenate([right, wrong])])
        truth.append(np.repeat([1.0, 0.0], [len(right), len(wrong)]))
    x, is_die = np.vstack(rows), np.concatenate(truth)
    middle, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    x = np.column_stack([(x - middle) / spread, np.ones(len(x))])
    balance = np.where(is_die > 0, 0.5 / is_die.sum(), 0.5 / (1 - is_die).sum())
    weights = np.zeros(x.shape[1])
    for _ in range(15):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (balance * (chance - is_die)) + 1e-4 * weights
        bend = (x * (balance * chance * (1 - chance))[:, None]).T @ x + 1e-4 * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    inputs = weights[:-1] / spread
    return np.append(inputs, weights[-1] - middle @ inputs)


def ranks(example: Example, weights: Values) -> list[int]:
    """At which rank of the best places each die comes; a large number where it does not."""
    odds = (example.features @ weights[:-1] + weights[-1]).reshape(ANGLES, -1).astype(np.float32)
    best = Guesses(example.true.sheet, example.guesses.spots, odds).best(-np.inf, 1000)
    near = [_is_near(best, die, NEAR_MM, NEAR_DEG) for die in example.true.upright]
    return [int(which.argmax()) if which.any() else 1000 for which in near]


def main(arguments: Sequence[str]) -> int:
    """Fit and print; see the module's docstring."""
    examples = [example for true in true_sheets(table_folders(arguments)) if (example := examples_of(true))]
    kept_aside: list[int] = []
    for table in sorted({example.true.table for example in examples}):
        weights = fit([example for example in examples if example.true.table != table])
        for example in examples:
            if example.true.table == table:
                kept_aside += ranks(example, weights)
    late = [f"{sum(rank >= limit for rank in kept_aside)} after the first {limit}" for limit in RANKS]
    sys.stderr.write(f"leave one table out: of {len(kept_aside)} dice {', '.join(late)}\n")
    for weight, name in zip(fit(examples), [*SEED_FEATURES, "constant"], strict=True):
        sys.stdout.write(f"{name:16} {weight:9.4f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

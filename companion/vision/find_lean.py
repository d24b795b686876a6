"""Does a die lean? Its symbol, its sides and how well a level square fits are weighed against each other.

A level die shows sides only where the camera's place says, and a symbol as wide as it is long. A leaning one
turns up another side, turns the expected one away, and shows a symbol squeezed across its lean.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.find_scene import Scene
from companion.vision.find_sides import side_witnesses
from companion.vision.find_symbol import symbol_shapes

Values = npt.NDArray[np.float64]

# The log odds from which a die is taken to lean.
LEANS_FROM = 1.5
# Something so much brighter than the floor beside a die (logarithm), which no other die explains, is a side.
_PLAINLY_A_SIDE = 1.0
_LEAST_SCORE, _MOST_SCORE = -3.0, 13.0
# From here on brightness beside a die counts more, and below this contrast the symbol counts less.
_BRIGHT_FROM, _CLEAR_FROM = 0.6, 1.2
# Weights by logistic regression, level and leaning dice in balance.
_WEIGHTS = {
    "outline": 21.765,
    "moments": 10.916,
    "contrast": 1.944,
    "changed": 5.252,
    "near": 1.833,
    "far": -0.509,
    "beyond": 4.374,
    "least_edge": -1.882,
    "bases": -1.472,
    "inked": 14.328,
    "side_contrast": -1.237,
    "floor_like": 7.660,
    "score": -0.231,
    "bright": 0.618,
    "unclear": -11.076,
    "unclear_outline": -16.776,
}
_BIAS = -16.86
WITNESSES = tuple(_WEIGHTS)
_WEIGHT = np.array(tuple(_WEIGHTS.values()))
_OUTLINE, _CONTRAST, _NEAR = (WITNESSES.index(name) for name in ("outline", "contrast", "near"))


def lean_odds(scene: Scene, spots: Values) -> Values:
    """Log odds that the dice of one view lean, spots (n, 4: x, y mm, angle rad, score; n > 0) → (n,)."""
    witnesses = lean_witnesses(scene, spots)
    odds = witnesses @ _WEIGHT + _BIAS
    plainly = witnesses[:, _NEAR] > _PLAINLY_A_SIDE
    return np.asarray(np.where(plainly, np.maximum(odds, LEANS_FROM + 1), odds), np.float64)


def lean_witnesses(scene: Scene, spots: Values) -> Values:
    """All that is weighed, (n, 4) as for `lean_odds` → (n, 16), as `WITNESSES` names it."""
    base = np.column_stack(
        [
            symbol_shapes(scene, spots),
            side_witnesses(scene, spots),
            np.clip(spots[:, 3], _LEAST_SCORE, _MOST_SCORE),
        ]
    )
    unclear = np.maximum(_CLEAR_FROM - base[:, _CONTRAST], 0)
    return np.column_stack(
        [
            base,
            np.maximum(base[:, _NEAR] - _BRIGHT_FROM, 0),
            unclear,
            unclear * base[:, _OUTLINE],
        ]
    )

"""Does a die lean? Its symbol, its sides and how well a level square fits are weighed against each other.

A level die shows sides only where the camera's place says, and a symbol as wide as it is long. A leaning one
turns up another side, turns the expected one away, and shows a symbol squeezed across its lean. A single
layer of soft steps weighs them, so that one can stand in for another: a black die on black felt shows no
sides, but ink; a disc is easily seen to be squeezed, a star in deep gloom is not.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.find_lean_weights import BIAS, INPUTS, OFFSETS, OUTPUT
from companion.vision.find_scene import Seen
from companion.vision.find_sides import side_witnesses
from companion.vision.find_symbol import symbol_shapes

Values = npt.NDArray[np.float64]

# The log odds from which a die is taken to lean. The fit had as many level dice as leaning ones; on a table
# there are far more of the former.
LEANS_FROM = 1.5
# A symbol that is less clear than this (logarithm of its contrast in units of noise) hides a lean, so that
# less must speak for it.
_CLEAR_FROM, _UNCLEAR_ODDS = 1.4, 1.0
_LEAST_SCORE, _MOST_SCORE = -3.0, 13.0
WITNESSES = (
    "outline", "own_outline", "contrast", "changed", "near", "far", "beyond", "least_edge", "bases", "inked",
    "side_contrast", "floor_like", "score",
)  # fmt: skip
_CONTRAST = WITNESSES.index("contrast")
_INPUTS, _OFFSETS, _OUTPUT = np.array(INPUTS), np.array(OFFSETS), np.array(OUTPUT)


def lean_odds(scene: Seen, spots: Values) -> Values:
    """Log odds that dice lean, spots (n, 4: x, y mm, angle rad, score; n > 0) → (n,)."""
    witnesses = lean_witnesses(scene, spots)
    return odds_of(witnesses, np.tanh(witnesses @ _INPUTS + _OFFSETS) @ _OUTPUT + BIAS)


def odds_of(witnesses: Values, weighed: Values) -> Values:
    """Log odds that dice lean, (n,), by their witnesses, (n, 13), and by what the weights make of these."""
    unclear = witnesses[:, _CONTRAST] < _CLEAR_FROM
    return np.asarray(weighed + _UNCLEAR_ODDS * unclear, np.float64)


def lean_witnesses(scene: Seen, spots: Values) -> Values:
    """All that is weighed, (n, 4) as for `lean_odds` → (n, 13), as `WITNESSES` names it."""
    fit = np.clip(spots[:, 3], _LEAST_SCORE, _MOST_SCORE)
    return np.column_stack([symbol_shapes(scene, spots), side_witnesses(scene, spots), fit])

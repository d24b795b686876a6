"""Weighing the evidence for a top face: features → log odds of a die against anything else.

A single layer of ten soft steps, so that evidences can stand in for one another (a black die on black
felt has faint edges but ink in its middle; a hard shadow has edges but no ink). The training keeps dice and
other things in balance, so 0 means as likely as not.
"""

from __future__ import annotations

import numpy as np

from companion.vision.find_scene import Floats
from companion.vision.find_weights import BIAS, INPUTS, OFFSETS, OUTPUT

_INPUTS = np.array(INPUTS, np.float32)
_OFFSETS = np.array(OFFSETS, np.float32)
_OUTPUT = np.array(OUTPUT, np.float32)


def score(features: Floats) -> Floats:
    """Log odds of each row of features, shape (n, FEATURES) → (n,)."""
    return np.asarray(np.tanh(features @ _INPUTS + _OFFSETS) @ _OUTPUT + np.float32(BIAS), np.float32)

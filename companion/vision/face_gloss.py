"""Where on the table gloss mirrors the lamp: what the faces of a table tell each other of their veils.

Top faces are level and of one make, so how much of the lamp one mirrors hangs on where it lies, and little
on which die it is: beside a veiled die a veil is likely, and where others have none it is not. The log of the
veil is taken for a field that changes smoothly over the table, a Gaussian process (Rasmussen and Williams,
"Gaussian Processes for Machine Learning", 2006, chapter 2): each face is a measurement of it, as sure as the
face is of its own veil whatever its colour, and is judged by what the others have measured. The six faces
that the inks were learned from are measurements too, and what is found of their veils tells more of the inks.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.vision.face_light import VEILS, LightSpread
from companion.vision.few import inverse

Floats = npt.NDArray[np.float64]

#: Veils are compared as log(veil + this), in units of white: less than this is as good as none.
_OFFSET = 0.01
_LOG = np.log(VEILS + _OFFSET)
_WIDTH = np.gradient(_LOG)
#: Variance of where between two of the `VEILS` a veil lies.
_BETWEEN = _WIDTH**2 / 12
#: The variance of a measurement that says nothing.
_NOTHING = 1e3


def measured(likely: Floats, spread: LightSpread) -> tuple[Floats, Floats]:
    """What faces have measured of the field: mean and variance, (f,), from the log likelihood of each of the
    `VEILS` by all that is seen on the face, (f, veils).

    It is what has to be heard beside the field's own distribution to give what is believed of the face.
    """
    mean, variance = _moments(_chances(likely + _usual(spread)))
    # The field's own distribution as these steps show it: none of them is darker than no veil at all.
    before, prior = _shown(spread)
    precision = np.maximum(1 / variance - 1 / prior, 1 / _NOTHING)
    return before + (mean - before) / (variance * precision), 1 / precision


def expected(
    place: Floats, mean: Floats, variance: Floats, faces: int, spread: LightSpread
) -> tuple[Floats, Floats]:
    """What is expected at each place by what is measured at all others: mean and variance, (n,).

    `place` is (n, 2), in widths of a die; the first `faces` of them lie in the picture that is read, the
    others lay in the colours picture. Each picture's widths are its own dice's: that some are off by a
    twentieth is little beside `gloss_reach`.
    """
    usual, prior = _before(spread)
    apart = ((place[:, None] - place[None]) ** 2).sum(axis=2) / spread.gloss_reach**2
    here = np.arange(len(place)) < faces
    field = spread.gloss_log**2 * np.exp(-0.5 * apart)
    field += spread.gloss_picture**2 * (here[:, None] == here)
    inverted = inverse(field + np.diag(variance + spread.gloss_own**2))
    # Leaving one out costs no inverse of its own (Rasmussen and Williams, equation 5.12).
    precision = np.diag(inverted)
    left_out = mean - inverted @ (mean - usual) / precision
    return left_out, np.clip(1 / precision - variance, spread.gloss_own**2, prior)


def heard(mean: Floats, variance: Floats, spread: LightSpread) -> Floats:
    """How much likelier each of the `VEILS` is for what is expected, (n,) each: log, (n, veils)."""
    usual, prior = _before(spread)
    wide, narrow = prior + _BETWEEN, variance[:, None] + _BETWEEN
    gain = (_LOG - usual) ** 2 / wide - (_LOG - mean[:, None]) ** 2 / narrow + np.log(wide / narrow)
    strange = spread.gloss_strange
    return np.asarray(np.log((1 - strange) * np.exp(0.5 * gain) + strange))


def believed(likely: Floats, mean: Floats, variance: Floats, spread: LightSpread) -> Floats:
    """The chance of each of the `VEILS`, (n, veils): what is seen (logs) and what is expected together."""
    return _chances(likely + heard(mean, variance, spread) + _usual(spread))


def _moments(chance: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of the log, (n,) each, by the chance of each of the `VEILS`, (n, veils)."""
    mean = chance @ _LOG
    return mean, (chance * ((_LOG - mean[:, None]) ** 2 + _BETWEEN)).sum(axis=1)


def _before(spread: LightSpread) -> tuple[float, float]:
    """Mean and variance of what is known of a die's veil before anything is seen."""
    return float(np.log(spread.gloss)), spread.gloss_log**2 + spread.gloss_own**2 + spread.gloss_picture**2


@lru_cache(maxsize=8)
def _usual(spread: LightSpread) -> Floats:
    """The log of how usual each of the `VEILS` is in the field, up to a constant, (veils,)."""
    usual, prior = _before(spread)
    log = np.asarray(np.log(_WIDTH) - 0.5 * (_LOG - usual) ** 2 / prior)
    log.setflags(write=False)
    return log


@lru_cache(maxsize=8)
def _shown(spread: LightSpread) -> tuple[float, float]:
    """Mean and variance of the field before anything is seen, as the `VEILS` show it."""
    (mean,), (variance,) = _moments(_chances(_usual(spread)[None]))
    return float(mean), float(variance)


def _chances(log: Floats) -> Floats:
    weight = np.exp(log - log.max(axis=1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))

"""Measurements of which some are only limits: a channel that ran out of range was so much, or more, or less.

A limit that is met says little by itself, but it ties what was measured beside it: light that leaks into
all channels alike cannot have brightened the green while the blue stayed black.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]

#: Farther than so many standard deviations from its limit nothing is judged more finely.
_FARTHEST = 5.0
#: How often what was there lies beyond a limit for other reasons than those that are modelled.
_UNEXPECTED = 0.001


@dataclass(frozen=True, slots=True)
class Gaps:
    """Of n models: k measured numbers less the model's, (n, k), and the covariance of that, (n, k, k); and
    which numbers are only known to be so much or more, `above`, or so much or less, `below`, (n, k).
    """

    gap: Floats
    covariance: Floats
    above: Flags
    below: Flags

    def only(self, which: Indices) -> Gaps:
        """Those of some models."""
        return Gaps(self.gap[which], self.covariance[which], self.above[which], self.below[which])

    @property
    def limits(self) -> Flags:
        """Which numbers are limits of what was there, and no measurements of it, (n, k)."""
        return self.above | self.below

    def measured(self) -> tuple[Floats, Floats]:
        """Gaps, (n, k), and their covariance, (n, k, k), by which limits tell nothing."""
        known = ~self.limits
        both = known[:, :, None] & known[:, None, :]
        unit = np.eye(self.gap.shape[1])
        return np.where(known, self.gap, 0.0), np.where(both, self.covariance, unit)

    def log_likelihood(self, tail: float) -> Floats:
        """Up to a constant for so many limits, (n,): a density of the numbers that were measured, and of
        those that are limits the probability that what was there lies beyond them, given the others.

        The density is Student's t with `tail` degrees of freedom; limits are judged by the normal
        distribution with the same covariance, since how badly the others fit is told by the density already.
        """
        gap, covariance = self.measured()
        distance = (gap * np.linalg.solve(covariance, gap[..., None])[..., 0]).sum(axis=-1)
        count = (~self.limits).sum(axis=-1)
        volume = np.linalg.slogdet(covariance)[1]
        score = np.asarray(-0.5 * (tail + count) * np.log1p(distance / tail) - 0.5 * volume, np.float64)
        some = np.flatnonzero(self.limits.any(axis=-1))
        if len(some):
            inverse = np.asarray(np.linalg.inv(covariance[some]), np.float64)
            score[some] += self._beyond(some, gap[some], inverse)
        return score

    def _beyond(self, some: Indices, gap: Floats, inverse: Floats) -> Floats:
        """The log probability that what was there lies beyond its limits, of some models, (m,).

        One limit after another is heard: given all before, each is a normal distribution cut off at one side,
        whose mean and variance change what the rest are expected to be (Mendell and Elston, "Multifactorial
        qualitative traits: genetic analysis and prediction of recurrence risks", 1974).
        """
        covariance, known = self.covariance[some], ~self.limits[some]
        gain = (covariance * known[:, None, :]) @ inverse
        expected = (gain @ gap[..., None])[..., 0]
        left = covariance - gain @ covariance
        upwards, limit = np.where(self.above[some], 1.0, -1.0), self.gap[some]
        total = np.zeros(len(some))
        for k in np.flatnonzero(~known.all(axis=0)):
            here = np.flatnonzero(~known[:, k])
            deviation = np.sqrt(left[here, k, k])
            reach = upwards[here, k] * (expected[here, k] - limit[here, k]) / deviation
            chance, push, less = _normal_beyond(reach)
            total[here] += np.log(_UNEXPECTED + (1 - _UNEXPECTED) * chance)
            along = left[here, :, k] / deviation[:, None]
            expected[here] += (upwards[here, k] * push)[:, None] * along
            left[here] -= less[:, None, None] * along[:, :, None] * along[:, None, :]
        return total


def _normal_beyond(reach: Floats) -> tuple[Floats, Floats, Floats]:
    """The probability that a standard normal number is above -reach, (n,); if it is, its mean, and by how
    much its variance is less than 1.
    """
    near = np.clip(reach, -_FARTHEST, _FARTHEST)
    chance = np.array([0.5 * math.erfc(-z / math.sqrt(2.0)) for z in near.tolist()])
    mean = np.exp(-0.5 * near**2) / math.sqrt(2.0 * math.pi) / chance
    return chance, mean, mean * (mean + near)

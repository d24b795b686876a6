"""Are the dice fair? Pearson's chi-square test of how often each colour came up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

LEAST_EXPECTED = 5.0
"""The chi-square distribution fits where each colour is expected so often (Cochran's rule)."""

NOTICEABLE, UNLIKELY = 0.05, 0.005


class Verdict(StrEnum):
    """What the test says, for words."""

    TOO_FEW = "too_few"
    """Too few throws to tell."""
    USUAL = "usual"
    """As even as fair dice usually are."""
    NOTICEABLE = "noticeable"
    """Uneven as fair dice are less than once in 20 times."""
    UNLIKELY = "unlikely"
    """Uneven as fair dice are less than once in 200 times."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """A test's result: the statistic, and how likely fair dice are at least as uneven."""

    count: int
    chi_square: float
    p_value: float
    verdict: Verdict


def fairness(counts: Sequence[int]) -> Fairness:
    """Test whether faces that came up so often are equally likely; two faces or more."""
    count = sum(counts)
    expected = count / len(counts)
    if expected == 0:
        return Fairness(0, 0.0, 1.0, Verdict.TOO_FEW)
    chi_square = sum((n - expected) ** 2 for n in counts) / expected
    p_value = chi_square_above(chi_square, len(counts) - 1)
    if expected < LEAST_EXPECTED:
        verdict = Verdict.TOO_FEW
    elif p_value >= NOTICEABLE:
        verdict = Verdict.USUAL
    else:
        verdict = Verdict.NOTICEABLE if p_value >= UNLIKELY else Verdict.UNLIKELY
    return Fairness(count, chi_square, p_value, verdict)


def chi_square_above(value: float, freedom: int) -> float:
    """Return the chance that a chi-square variable of `freedom` (1 or more) degrees exceeds `value` (≥ 0).

    By the recurrence Q(x; k + 2) = Q(x; k) + (x/2)^(k/2) e^(-x/2) / Γ(k/2 + 1) from Q(x; 1) = erfc(√(x/2)) or
    Q(x; 2) = e^(-x/2) (Abramowitz and Stegun 26.4.4, 26.4.5).
    """
    half = value / 2
    odd = freedom % 2 == 1
    chance = math.erfc(math.sqrt(half)) if odd else math.exp(-half)
    for k in range(1 if odd else 2, freedom, 2):
        chance += half ** (k / 2) * math.exp(-half) / math.gamma(k / 2 + 1)
    return min(chance, 1.0)

"""Measurements of which some are only limits, against the probabilities that drawn numbers show."""

import numpy as np
import pytest

from companion.vision.face_limits import Gaps

TAIL = 8.0
DRAWN = 400_000


def gaps(gap: list[float], covariance: np.ndarray, above: tuple[int, ...], below: tuple[int, ...]) -> Gaps:
    """One model's numbers; `above` and `below` say which are limits."""
    flags = [np.isin(np.arange(len(gap)), which)[None] for which in (above, below)]
    return Gaps(np.array([gap]), covariance[None], *flags)


def one(*arguments: object) -> float:
    return float(gaps(*arguments).log_likelihood(TAIL)[0])  # type: ignore[arg-type]


def some_covariance(seed: int) -> np.ndarray:
    """Of four numbers that depend on each other."""
    spread = np.random.default_rng(seed).normal(size=(4, 4))
    return np.asarray(spread @ spread.T + 0.3 * np.eye(4))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("above", "below"),
    [((2,), ()), ((), (3,)), ((2,), (3,)), ((1, 2), (3,)), ((), (0, 1, 2))],
    ids=["one above", "one below", "one each way", "two above, one below", "three below"],
)
def test_limits_weigh_as_often_as_numbers_lie_beyond_them(
    seed: int, above: tuple[int, ...], below: tuple[int, ...]
) -> None:
    covariance = some_covariance(seed)
    gap = [0.6, -0.8, 0.3, -0.2]
    limits = [*above, *below]
    known = [k for k in range(4) if k not in limits]
    whole = Gaps(
        np.array([[gap[k] for k in known]]),
        covariance[np.ix_(known, known)][None],
        np.zeros((1, len(known)), np.bool_),
        np.zeros((1, len(known)), np.bool_),
    ).log_likelihood(TAIL)
    gain = covariance[np.ix_(limits, known)] @ np.linalg.inv(covariance[np.ix_(known, known)])
    mean = gain @ [gap[k] for k in known]
    left = covariance[np.ix_(limits, limits)] - gain @ covariance[np.ix_(known, limits)]
    drawn = np.random.default_rng(99).multivariate_normal(mean, left, DRAWN)
    beyond = [drawn[:, i] >= gap[k] if k in above else drawn[:, i] <= gap[k] for i, k in enumerate(limits)]
    chance = np.all(beyond, axis=0).mean()
    # hearing one limit after another is exact for one, and nearly so for more
    allowed = 0.02 if len(limits) == 1 else 0.25
    assert one(gap, covariance, above, below) - whole[0] == pytest.approx(np.log(chance), abs=allowed)


def test_a_limit_far_beyond_what_is_expected_says_nothing() -> None:
    covariance = np.diag([1.0, 1.0])
    assert one([0.0, -9.0], covariance, (1,), ()) == pytest.approx(one([0.0, 9.0], covariance, (), (1,)))
    assert one([0.0, -9.0], covariance, (1,), ()) == pytest.approx(0.0, abs=1e-6)


def test_what_would_lift_all_alike_is_not_believed_of_one_while_another_stays_black() -> None:
    """Light that leaks into green and blue alike explains a bright green unless the blue is cut off."""
    leak = np.array([[1.0, 0.95], [0.95, 1.0]]) * 0.05**2
    bright_green = [0.09, 0.0]
    cut_off = one(bright_green, leak, (), (1,))
    free = one(bright_green, leak, (1,), ())
    assert cut_off < free - 3


@pytest.mark.parametrize("by", [8.0, 20.0, 50.0])
def test_a_limit_that_is_contradicted_is_so_but_once(by: float) -> None:
    """However far one number is from its limit, it costs the same from some distance on, and what it says of
    another is no more than that it lies at the farthest.
    """
    alone, both = np.diag([1.0, 1.0]), np.array([[1.0, 0.8], [0.8, 1.0]])
    assert one([0.0, by], alone, (1,), ()) == pytest.approx(one([0.0, 5.0], alone, (1,), ()), abs=1e-9)
    assert one([0.0, by], alone, (1,), ()) == pytest.approx(np.log(0.001), abs=0.01)
    assert one([by, 0.0], both, (0, 1), ()) == pytest.approx(one([5.0, 0.0], both, (0, 1), ()), abs=0.02)
    assert one([by, by], both, (0, 1), ()) <= one([3.0, 3.0], both, (0, 1), ())


def test_the_farther_beyond_its_limit_the_less_likely() -> None:
    costs = [one([0.0, by], np.diag([1.0, 1.0]), (1,), ()) for by in (-3.0, -1.0, 0.0, 1.0, 2.0, 3.0)]
    assert costs == sorted(costs, reverse=True)
    assert costs[2] == pytest.approx(np.log(0.5), abs=0.01)


def test_numbers_that_are_all_limits_still_tell() -> None:
    covariance = np.eye(3)
    assert one([0.0, 0.0, 0.0], covariance, (0, 1), (2,)) == pytest.approx(3 * np.log(0.5), abs=0.01)

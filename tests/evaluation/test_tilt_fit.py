"""The weights of the second look at dice that may lean, as they are fitted."""

import numpy as np
import pytest

from companion.evaluation.tilt_fit import fitted


@pytest.mark.parametrize("share", [0.5, 0.1])
def test_a_fit_tells_apart_what_differs_and_leaves_out_what_does_not(share: float) -> None:
    """However few of them lean: both kinds weigh the same."""
    rng = np.random.default_rng(3)
    leans = (rng.random(2000) < share).astype(np.float64)
    telling = 3 * leans + rng.normal(0, 1, len(leans)) + 40
    witnesses = np.column_stack([telling, rng.normal(5, 9, len(leans))])
    fit = fitted(witnesses, leans)
    odds = fit.score(witnesses)
    assert (odds[leans > 0] > 0).mean() > 0.9
    assert (odds[leans == 0] < 0).mean() > 0.9
    assert fit.weights[0] == pytest.approx(3, rel=0.25)
    assert abs(fit.weights[1]) < 0.05


def test_a_fit_bears_witnesses_that_never_vary() -> None:
    leans = np.array([0.0, 1, 0, 1, 0, 1])
    fit = fitted(np.column_stack([leans + np.array([0, 0.1, 0.2, -0.1, 0, 0]), np.ones(6)]), leans)
    assert np.isfinite(fit.weights).all()
    assert np.isfinite(fit.bias)

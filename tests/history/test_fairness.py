"""The chi-square test: against tables of quantiles, and against thrown dice."""

from random import Random

import pytest

from companion.history.fairness import Verdict, chi_square_above, fairness


@pytest.mark.parametrize(
    ("freedom", "value", "chance"),
    [
        (1, 3.841, 0.05),
        (1, 10.828, 0.001),
        (2, 5.991, 0.05),
        (2, 0.0, 1.0),
        (3, 7.815, 0.05),
        (4, 13.277, 0.01),
        (5, 1.145, 0.95),
        (5, 4.351, 0.50),
        (5, 11.070, 0.05),
        (5, 15.086, 0.01),
        (5, 20.515, 0.001),
        (10, 18.307, 0.05),
    ],
)
def test_published_quantiles(freedom: int, value: float, chance: float) -> None:
    assert chi_square_above(value, freedom) == pytest.approx(chance, rel=2e-3)


def test_an_example_by_hand() -> None:
    """60 throws, 10 of each colour expected."""
    found = fairness([5, 8, 9, 10, 12, 16])
    assert found.count == 60
    assert found.chi_square == pytest.approx((25 + 4 + 1 + 0 + 4 + 36) / 10)
    assert found.verdict is Verdict.USUAL


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ([0] * 6, Verdict.TOO_FEW),
        ([29, 0, 0, 0, 0, 0], Verdict.TOO_FEW),
        ([30, 30, 30, 30, 30, 30], Verdict.USUAL),
        ([46, 18, 30, 30, 28, 28], Verdict.NOTICEABLE),
        ([60, 24, 24, 24, 24, 24], Verdict.UNLIKELY),
    ],
)
def test_verdicts(counts: list[int], verdict: Verdict) -> None:
    assert fairness(counts).verdict is verdict


def test_fair_dice_are_called_uneven_about_once_in_twenty() -> None:
    chance = Random(5)
    verdicts = []
    for _ in range(1000):
        faces = chance.choices(range(6), k=120)
        verdicts.append(fairness([faces.count(face) for face in range(6)]).verdict)
    uneven = sum(verdict is not Verdict.USUAL for verdict in verdicts)
    assert 30 <= uneven <= 75


def test_a_loaded_die_is_found() -> None:
    chance = Random(6)
    faces = chance.choices(range(6), weights=[3, 1, 1, 1, 1, 1], k=300)
    assert fairness([faces.count(face) for face in range(6)]).verdict is Verdict.UNLIKELY

"""The field of gloss over a table: what faces measure of it, and what they are told by the others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.face_gloss import believed, expected, heard, measured
from companion.vision.face_light import VEILS, Learned, LightSpread

SPREAD = LightSpread()
UNVEILED, VEILED = 0, 6
"""Places in `VEILS`."""

places: st.SearchStrategy[np.ndarray] = st.lists(
    st.tuples(*[st.floats(0, 14)] * 2), min_size=2, max_size=12
).map(np.array)


def sure_of(*which: int) -> np.ndarray:
    """The log likelihood of each veil on faces that leave no doubt."""
    return np.where(np.arange(len(VEILS)) == np.array(which)[:, None], 0.0, -40.0)


def some(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(-3, 1, count), rng.uniform(0.02, 4, count)


def test_faces_that_show_nothing_tell_nothing_however_many_they_are() -> None:
    place = np.array([(x, y) for x in range(4) for y in range(3)], np.float64)
    mean, variance = measured(np.zeros((12, len(VEILS))), SPREAD)
    alone = expected(place[:1], mean[:1], variance[:1], 1, SPREAD)
    among = expected(place, mean, variance, 12, SPREAD)
    assert among[0] == pytest.approx(alone[0][0], abs=0.01)
    assert among[1] == pytest.approx(alone[1][0], abs=0.02)
    assert heard(*among, SPREAD) == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize(("mean", "deviation"), [(-2.4, 0.6), (-1.5, 0.5), (-3.0, 0.7)])
def test_what_a_face_measures_is_what_its_likelihood_says(mean: float, deviation: float) -> None:
    """The field's own distribution is taken off again: it does not draw a measurement towards the usual."""
    likely = -0.5 * ((np.log(VEILS + 0.01) - mean) / deviation) ** 2
    found, variance = measured(likely[None], SPREAD)
    assert found[0] == pytest.approx(mean, abs=0.15)
    # between the steps nothing is known
    assert deviation < np.sqrt(variance[0]) < 1.5 * deviation


def test_a_face_that_is_sure_measures_its_veil() -> None:
    mean, variance = measured(sure_of(UNVEILED, VEILED), SPREAD)
    assert np.exp(mean) == pytest.approx(VEILS[[UNVEILED, VEILED]] + 0.01, rel=0.15)
    assert (variance < 0.3).all()


@given(places, st.integers(0, 9))
def test_nobody_is_told_what_it_has_measured_itself(place: np.ndarray, seed: int) -> None:
    mean, variance = some(len(place), seed)
    told = expected(place, mean, variance, len(place), SPREAD)
    other = mean + np.eye(len(place))[0] * 2.0
    assert expected(place, other, variance, len(place), SPREAD)[0][0] == pytest.approx(told[0][0], abs=1e-6)


@given(places, st.integers(0, 9))
def test_leaving_a_face_out_is_as_if_it_had_measured_nothing(place: np.ndarray, seed: int) -> None:
    mean, variance = some(len(place), seed)
    told = expected(place, mean, variance, len(place), SPREAD)
    deaf = np.where(np.arange(len(place)) == 0, 1e7, variance)
    without = expected(place, mean, deaf, len(place), SPREAD)
    assert told[0][0] == pytest.approx(without[0][0], abs=1e-3)
    assert told[1][0] == pytest.approx(without[1][0], abs=1e-3)


def test_near_a_veiled_die_a_veil_is_expected_and_far_away_the_usual() -> None:
    place = np.array([(0.0, 0.0), (1.5, 0.0), (60.0, 0.0)])
    mean, variance = measured(np.vstack([sure_of(VEILED), np.zeros((2, len(VEILS)))]), SPREAD)
    found, left = expected(place, mean, variance, 3, SPREAD)
    assert np.exp(found[1]) > 0.5 * VEILS[VEILED]
    assert found[2] == pytest.approx(np.log(SPREAD.gloss), abs=0.2)
    assert left[1] < 0.3 < left[2]
    gain = heard(found, left, SPREAD)
    assert gain[1, VEILED] > gain[1, UNVEILED] + 2
    assert abs(gain[2]).max() < 0.3


def test_a_die_of_the_colours_picture_tells_a_little_less_than_one_of_the_same() -> None:
    place = np.array([(0.0, 0.0), (0.0, 0.0)])
    mean, variance = np.array([-3.0, -1.0]), np.array([3.0, 0.05])
    same, other = (expected(place, mean, variance, faces, SPREAD) for faces in (2, 1))
    assert same[0][0] > other[0][0] > -2.0
    assert same[1][0] < other[1][0]


def test_what_the_others_tell_is_never_taken_for_certain() -> None:
    gain = heard(np.array([np.log(0.011)]), np.array([0.06]), SPREAD)
    assert gain.min() == pytest.approx(np.log(SPREAD.gloss_strange), abs=0.05)


def test_an_ink_is_what_it_is_under_the_veil_that_is_believed() -> None:
    count = len(VEILS)
    inks = np.array([0.5, 0.2, 0.1]) - 0.5 * VEILS[None, :, None]
    learned = Learned(
        np.zeros((1, 2)), np.zeros((1, count)), inks, np.tile(0.01 * np.eye(3), (1, count, 1, 1))
    )
    mean, covariance = learned.inks_for(np.eye(count)[None, VEILED])
    assert mean[0] == pytest.approx(inks[0, VEILED])
    assert covariance[0] == pytest.approx(0.01 * np.eye(3))
    half = (np.eye(count)[UNVEILED] + np.eye(count)[VEILED]) / 2
    mean, covariance = learned.inks_for(half[None])
    assert mean[0] == pytest.approx((inks[0, UNVEILED] + inks[0, VEILED]) / 2)
    # what is not known is how much of all channels is veil
    between = (0.25 * VEILS[VEILED]) ** 2
    assert covariance[0] == pytest.approx(0.01 * np.eye(3) + between)


def test_a_face_that_leaves_its_veil_open_is_believed_to_have_its_neighbours() -> None:
    open_face = np.zeros((1, len(VEILS)))
    chance = believed(open_face, np.array([np.log(VEILS[VEILED] + 0.01)]), np.array([0.1]), SPREAD)
    assert abs(chance[0].argmax() - VEILED) <= 1
    sure = believed(sure_of(UNVEILED), np.array([np.log(VEILS[VEILED] + 0.01)]), np.array([0.1]), SPREAD)
    assert sure[0].argmax() == UNVEILED

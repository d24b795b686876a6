"""From a glance to exact places: every step on the way, for both bodies, any turn, touching dice."""

from dataclasses import replace

import numpy as np
import pytest

from companion.devices.simulated.scene import Place, Scene, SceneDie, fresh_dice
from companion.game.dice import Body
from companion.vision.find_align import hypotheses
from companion.vision.find_evidence import FEATURES, measure
from companion.vision.find_score import score
from companion.vision.find_search import CLOSE_LOOK, QUICK_LOOK, Look, Weighed, search
from companion.vision.find_seeds import guesses
from tests.vision.finder_scenes import finder, off_by, sheet_of, true_places

TURNS_DEG = (0.0, 13.0, 30.0, 45.0, 71.0)


def turned(turn_deg: float) -> Scene:
    scene = Scene(fresh_dice())
    for index, die in enumerate(scene.dice):
        scene = scene.with_die(index, replace(die, yaw_rad=np.radians(turn_deg) + 0.05 * index))
    return scene


@pytest.mark.parametrize("turn_deg", TURNS_DEG)
def test_a_glance_ranks_the_dice_first(turn_deg: float) -> None:
    scene = turned(turn_deg)
    seen = guesses(sheet_of(scene), finder().allowed, QUICK_LOOK.changed_from)
    assert seen is not None
    first = seen.best(QUICK_LOOK.least_odds, 8)
    for true in true_places(scene):
        assert min(off_by(place, true)[0] for place in first) < 3


def test_an_empty_table_shows_no_die() -> None:
    for look in (QUICK_LOOK, CLOSE_LOOK):
        found = search(sheet_of(Scene(), noise=5), score, finder().allowed, look)
        assert not ((found.scores > 0) & (found.changed > 0.5)).any()


def test_edges_take_a_place_that_is_off_to_where_the_die_is() -> None:
    scene = turned(20.0)
    sheet = sheet_of(scene)
    rng = np.random.default_rng(0)
    for true in true_places(scene):
        off = true + rng.uniform(-1, 1, (12, 3)) * (1.6, 1.6, np.radians(6))
        for near in hypotheses(sheet, off):
            assert min(off_by(place, true) for place in near)[0] < 0.7


def test_more_speaks_for_a_face_than_for_places_beside_it() -> None:
    scene = turned(5.0)
    sheet = sheet_of(scene)
    true = true_places(scene)
    right = score(measure(sheet, true))
    assert right.min() > 2
    for shift in ((4.0, 0, 0), (0, -4.0, 0), (3.0, 3.0, 0), (0, 0, np.pi / 4)):
        assert (score(measure(sheet, true + shift)) < right - 2).all()


def test_features_do_not_depend_on_how_many_are_measured_or_which_corner_comes_first() -> None:
    scene = turned(5.0)
    sheet = sheet_of(scene)
    true = true_places(scene)
    alone = np.vstack([measure(sheet, place[None]) for place in true])
    together = measure(sheet, true)
    assert together.shape == (6, len(FEATURES))
    assert np.allclose(alone, together, atol=1e-4)
    assert np.allclose(measure(sheet, true + np.array([0, 0, np.pi / 2])), together, atol=1e-2)


@pytest.mark.parametrize("look", [QUICK_LOOK, CLOSE_LOOK])
@pytest.mark.parametrize("turn_deg", [0.0, 38.0])
def test_the_dice_are_found_exactly(look: Look, turn_deg: float) -> None:
    scene = turned(turn_deg)
    found = search(sheet_of(scene), score, finder().allowed, look)
    for true in true_places(scene):
        off_mm, off_deg = off_by(_nearest(found, true), true)
        assert off_mm < 1.1
        assert off_deg < 4
    assert (found.scores[:6] > 2).all()
    assert len(found) == 6 or found.scores[6] < found.scores[:6].min()


def test_touching_dice_are_two() -> None:
    pair = (
        SceneDie(Body.WHITE, "red", Place.TRACK, 80.0, 70.0, 0.35),
        SceneDie(
            Body.WHITE, "blue", Place.TRACK, 80.0 + 16.2 * np.cos(0.35), 70.0 + 16.2 * np.sin(0.35), 0.35
        ),
    )
    scene = Scene(pair)
    found = search(sheet_of(scene), score, finder().allowed, QUICK_LOOK)
    for true in true_places(scene):
        assert off_by(_nearest(found, true), true)[0] < 1
    assert (found.scores[:2] > 2).all()


def test_of_suppositions_side_by_side_the_best_stays() -> None:
    places = np.array([[10.0, 10, 0], [11, 10, 0], [40, 10, 0], [13.5, 10, 0]])
    scores = np.array([1.0, 3.0, 2.0, 0.5], np.float32)
    kept = Weighed(places, scores, scores).apart(4.0)
    assert kept.scores.tolist() == [3.0, 2.0]
    assert kept.places[:, 0].tolist() == [11.0, 40.0]


def _nearest(found: Weighed, true: np.ndarray) -> np.ndarray:
    return np.asarray(found.places[np.hypot(*(found.places[:, :2] - true[:2]).T).argmin()])

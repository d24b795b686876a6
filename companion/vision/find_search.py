"""Where dice lie: likely places, moved to where the edges are, weighed, and moved on while that is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.vision.find_align import hypotheses
from companion.vision.find_evidence import measure
from companion.vision.find_scene import Floats, Scene
from companion.vision.find_seeds import Guesses, Places, guesses

Scorer = Callable[[Floats], Floats]
Steps = tuple[tuple[float, float], ...]

# Two suppositions nearer than this are one (fraction of a die).
SAME_FRAC = 0.25


@dataclass(frozen=True, slots=True)
class Look:
    """How closely to look."""

    changed_from: float
    """The change against the empty table that counts, in units of noise."""
    most_weighed: int
    """So many of the likeliest places at first glance are weighed before the best are chosen."""
    least_odds: float
    """Log odds from which a place is chosen, and how many are."""
    most_chosen: int
    least_score: float
    """Log odds of a die from which it is worth finding the best place near by."""
    steps: Steps
    """Steps in which the best place is sought: mm for a die of 16 mm, and degrees."""
    rounds: int


#: For dice that show clearly: nearly all.
QUICK_LOOK = Look(0.5, 0, 0.0, 12, -3.0, ((0.4, 2.0), (0.2, 1.0)), 1)
#: For dice in deep shadow, half hidden, or leaning.
CLOSE_LOOK = Look(0.3, 6000, -np.inf, 28, -np.inf, ((0.8, 4.0), (0.4, 2.0), (0.2, 1.0)), 6)
# So many are weighed at once: their samples fit the cache.
_CHUNK = 1000

_MOVES = np.array([(x, y, turn) for x in (-1, 0, 1) for y in (-1, 0, 1) for turn in (-1, 0, 1)], np.float64)


def best_apart(places: Places, scores: Floats, distance_mm: float) -> npt.NDArray[np.intp]:
    """Indices of the best suppositions, best first, none nearer to a better one than `distance_mm`."""
    kept: list[int] = []
    for index in np.argsort(-scores, kind="stable"):
        gap = places[kept, :2] - places[index, :2]
        if not kept or ((gap**2).sum(axis=1) > distance_mm**2).all():
            kept.append(int(index))
    return np.array(kept, np.intp)


def improve(scene: Scene, score: Scorer, places: Places, scores: Floats, look: Look) -> tuple[Places, Floats]:
    """Move and turn each supposition to where it scores best, in steps that shrink."""
    places, scores = places.copy(), scores.copy()
    for step, step_deg in look.steps:
        step_mm = step * scene.die_mm / 16
        moves = _MOVES * (step_mm, step_mm, np.radians(step_deg))
        moving = np.arange(len(places))
        for _ in range(look.rounds):
            if len(moving) == 0:
                break
            tried = places[moving, None] + moves
            found = score(measure(scene, tried.reshape(-1, 3))).reshape(len(moving), len(moves))
            best = found.argmax(axis=1)
            top = found[np.arange(len(moving)), best]
            better = top > scores[moving] + 1e-4
            best, top, moving = best[better], top[better], moving[better]
            places[moving] += moves[best]
            scores[moving] = top
    return places, scores


def search(scene: Scene, score: Scorer, slack_mm: float, look: Look) -> tuple[Places, Floats]:
    """The best suppositions of one view: places (n, 3), scores (n,), best first.

    `slack_mm` is how far outside the zone a die's middle may lie.
    """
    near = guesses(scene, slack_mm, look.changed_from)
    if near is not None and look.most_weighed:
        near = _weighed(near, score, look.most_weighed)
    chosen = near.best(look.least_odds, look.most_chosen) if near is not None else np.empty((0, 3))
    if len(chosen) == 0:
        return chosen, np.empty(0, np.float32)
    tried = hypotheses(scene, chosen)
    found = score(measure(scene, tried.reshape(-1, 3))).reshape(tried.shape[:2])
    best = found.argmax(axis=1)
    each = np.arange(len(chosen))
    places, scores = tried[each, best], found[each, best]
    apart_mm = SAME_FRAC * scene.die_mm
    kept = best_apart(places, scores, apart_mm)
    kept = kept[scores[kept] > look.least_score]
    places, scores = improve(scene, score, places[kept], scores[kept], look)
    kept = best_apart(places, scores, apart_mm)
    return places[kept], scores[kept]


def _weighed(near: Guesses, score: Scorer, most: int) -> Guesses:
    """The likeliest `most` guesses with their scores for odds, the others without any."""
    likely = near.odds.ravel()
    order = np.argpartition(-likely, most)[:most] if len(likely) > most else np.arange(len(likely))
    places = near.places()[order]
    odds = np.full(len(likely), -np.inf, np.float32)
    for start in range(0, len(order), _CHUNK):
        odds[order[start : start + _CHUNK]] = score(measure(near.scene, places[start : start + _CHUNK]))
    return replace(near, odds=odds.reshape(near.odds.shape))

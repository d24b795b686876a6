"""Where dice lie: likely places, moved to where the edges are, weighed, and moved on while that is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.vision.find_align import hypotheses
from companion.vision.find_evidence import CHANGED, measure
from companion.vision.find_scene import Floats
from companion.vision.find_seeds import Guesses, Places, guesses
from companion.vision.find_sheet import Sheet

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
    """How often at most each step is taken; 0: once, and then to where the best must be between steps."""


#: For dice that show clearly: nearly all.
QUICK_LOOK = Look(0.5, 0, 0.0, 12, -3.0, ((0.5, 2.5),), 0)
#: For dice in deep shadow, half hidden, or leaning.
CLOSE_LOOK = Look(0.3, 600, -np.inf, 14, -6.0, ((0.5, 2.5),), 3)
# So many are weighed at once: their samples fit the cache.
_CHUNK = 1000

_MOVES = np.array([(x, y, turn) for x in (-1, 0, 1) for y in (-1, 0, 1) for turn in (-1, 0, 1)], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """Suppositions and what speaks for them."""

    places: Places
    """(n, 3): x and y (mm on the sheet), angle (rad)."""
    scores: Floats
    """(n,): log odds of a die."""
    changed: Floats
    """(n,): mean change of the face against the empty table, in units of noise, at most 1.5."""

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, which: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Weighed:
        return Weighed(self.places[which], self.scores[which], self.changed[which])

    def and_also(self, others: Weighed) -> Weighed:
        """These and the others."""
        return Weighed(
            np.concatenate([self.places, others.places]),
            np.concatenate([self.scores, others.scores]),
            np.concatenate([self.changed, others.changed]),
        )

    def away_from(self, places: Places, distance_mm: float) -> Weighed:
        """Those no nearer than `distance_mm` to any of the places, (n, 2 or more) mm."""
        gap = np.linalg.norm(self.places[:, None, :2] - places[:, :2], axis=2)
        return self[(gap >= distance_mm).all(axis=1)]

    def apart(self, distance_mm: float) -> Weighed:
        """The best, best first, none nearer to a better one than `distance_mm`."""
        if len(self) < 2:
            return self
        order = np.argsort(-self.scores, kind="stable")
        x, y = self.places[order, 0], self.places[order, 1]
        left = np.ones(len(order), np.bool_)
        kept: list[int] = []
        while left.any():
            best = int(left.argmax())
            kept.append(best)
            left &= (x - x[best]) ** 2 + (y - y[best]) ** 2 > distance_mm**2
        return self[order[kept]]

    def better(self, tried: Weighed, each: int) -> tuple[Weighed, npt.NDArray[np.bool_]]:
        """The best of `each` tries in turn where it beats the supposition, and where it does."""
        best = tried.scores.reshape(-1, each).argmax(axis=1) + np.arange(len(self)) * each
        beats = tried.scores[best] > self.scores + _GAIN
        return Weighed(
            np.where(beats[:, None], tried.places[best], self.places),
            np.where(beats, tried.scores[best], self.scores),
            np.where(beats, tried.changed[best], self.changed),
        ), beats


# So much more must speak for a place than for the one before it.
_GAIN = np.float32(1e-4)


def weigh(sheet: Sheet, score: Scorer, places: Places) -> Weighed:
    """Weigh places, (n, 3)."""
    features = measure(sheet, places)
    return Weighed(places, score(features), features[:, CHANGED])


def improve(sheet: Sheet, score: Scorer, found: Weighed, look: Look) -> Weighed:
    """Move and turn each supposition to where it scores best, in steps that shrink."""
    for step, step_deg in look.steps:
        step_mm = step * sheet.plan.die_mm / 16
        moves = _MOVES * (step_mm, step_mm, np.radians(step_deg))
        moving = np.arange(len(found))
        for _ in range(look.rounds):
            if len(moving) == 0:
                break
            part = found[moving]
            tried = weigh(sheet, score, (part.places[:, None] + moves).reshape(-1, 3))
            part, beats = part.better(tried, len(moves))
            found.places[moving], found.scores[moving], found.changed[moving] = (
                part.places,
                part.scores,
                part.changed,
            )
            moving = moving[beats]
    return found


def settle(sheet: Sheet, score: Scorer, found: Weighed, look: Look) -> Weighed:
    """Each supposition where parabolas through its best neighbours' scores have their tops.

    The scores told are those of the best neighbours: a place's score is less steady than its surroundings.
    """
    step, step_deg = look.steps[0]
    step_mm = step * sheet.plan.die_mm / 16
    steps = np.array([step_mm, step_mm, np.radians(step_deg)])
    tried = weigh(sheet, score, (found.places[:, None] + _MOVES * steps).reshape(-1, 3))
    scores = tried.scores.reshape(-1, 3, 3, 3)
    best = scores.reshape(len(found), -1).argmax(axis=1)
    each = np.arange(len(found))
    at = np.stack(np.unravel_index(best, (3, 3, 3)))
    top = np.zeros((len(found), 3))
    for axis in range(3):
        before, here, after = at.copy(), at.copy(), at.copy()
        before[axis], here[axis], after[axis] = 0, 1, 2
        low, middle, high = (scores[each, one[0], one[1], one[2]] for one in (before, here, after))
        bend = np.minimum(low - 2 * middle + high, -_LEAST_BEND)
        top[:, axis] = np.where(at[axis] == 1, np.clip((low - high) / (2 * bend), -1, 1), 0)
    chosen = tried[each * len(_MOVES) + best]
    return Weighed(chosen.places + top * steps, chosen.scores, chosen.changed)


# Scores that bend less from step to step have no top between them.
_LEAST_BEND = np.float32(1e-3)


NOTHING = Weighed(np.empty((0, 3)), np.empty(0, np.float32), np.empty(0, np.float32))


def search(
    sheet: Sheet,
    score: Scorer,
    where: npt.NDArray[np.bool_],
    look: Look,
    known: Weighed = NOTHING,
    edges: Floats | None = None,
) -> Weighed:
    """The best suppositions on a sheet, best first.

    `where` a die's middle may lie is `companion.vision.find_seeds.allowed`; what is `known` from another look
    is moved on. `edges` are the `edge_map` of the sheet's half, where it is known.
    """
    near = guesses(sheet, where, look.changed_from, edges)
    if near is not None and look.most_weighed:
        near = _weighed(near, score, look.most_weighed)
    chosen = near.best(look.least_odds, look.most_chosen) if near is not None else np.empty((0, 3))
    if len(chosen) == 0:
        return known
    tried = hypotheses(sheet, chosen)
    found = weigh(sheet, score, tried.reshape(-1, 3))
    each = tried.shape[1]
    found = found[found.scores.reshape(-1, each).argmax(axis=1) + np.arange(len(chosen)) * each]
    apart_mm = SAME_FRAC * sheet.plan.die_mm
    found = found[found.scores > look.least_score].and_also(known).apart(apart_mm)
    if len(found) == 0:
        return found
    return (improve if look.rounds else settle)(sheet, score, found, look).apart(apart_mm)


def _weighed(near: Guesses, score: Scorer, most: int) -> Guesses:
    """The likeliest `most` guesses with their scores for odds, the others without any."""
    likely = near.odds.ravel()
    order = np.argpartition(-likely, most)[:most] if len(likely) > most else np.arange(len(likely))
    places = near.places(order)
    odds = np.full(len(likely), -np.inf, np.float32)
    for start in range(0, len(order), _CHUNK):
        odds[order[start : start + _CHUNK]] = score(measure(near.sheet, places[start : start + _CHUNK]))
    return replace(near, odds=odds.reshape(near.odds.shape))

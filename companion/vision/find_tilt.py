"""A second look at dice that may lean: the best level cube against the best leaning one.

What a leaning die shows goes together: a top that is shorter across its lean, a symbol that is squeezed alike
and in the top's middle still, a side where a level die shows floor. A gleam along an edge, or a shadow, has
one of these without the others. So each cube is fitted to all that is seen, and whether a die leans is told
by how much better the leaning one explains it, beside what the first look (`find_lean`) said. Few level dice
get there: a second look costs half as much as a whole reading.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.find_cube_costs import Explained, Surroundings, surroundings
from companion.vision.find_cubes import POSE, TILT, eye_mm
from companion.vision.find_lean import LEANS_FROM
from companion.vision.find_sheet import Sheet
from companion.vision.find_tilt_weights import BIAS, WEIGHTS

Values = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

#: The first look's log odds from which there is a second one.
LOOKS_FROM = -1.0
# Where there are more dice than this there are too many anyway, and each look takes its time.
_MOST_LOOKS = 6
# What has a lower score is hardly a face (`find.SURE_SCORE` and a half).
_SURE_FACE = 3.0
# Pixels of the sheet from one that is looked at to the next: to choose among cubes, and to fit those chosen.
_COARSE_PX, _FINE_PX = 3.0, 1.5
# Leaning cubes to begin with: which ways, and how far. Less than the least tilt is as good as level.
_WAYS = 12
_TILTS = np.radians([14, 20, 27, 35, 43])
_LEAST_TILT, _MOST_TILT = np.radians(12), np.radians(45)
# How many of these are fitted, coarsely and finely, in how many steps each, and how far the first step goes.
_CHOSEN, _FITTED, _COARSE_STEPS, _FINE_STEPS = 4, 2, 2, 4
_STEP = np.array([1.2, 1.2, np.radians(6), np.radians(15), np.radians(4)])
_SHRINKS, _FINER = 0.75, 0.6
_MOVES = np.vstack([np.zeros(POSE), np.eye(POSE), -np.eye(POSE)]) * _STEP
_COARSE_MOVES = _MOVES * _SHRINKS ** np.arange(_COARSE_STEPS)[:, None, None]
_FINE_MOVES = _MOVES * _FINER * _SHRINKS ** np.arange(_FINE_STEPS)[:, None, None]
# The first look is heard up to this: its odds are soft witnesses summed up, not chances.
_HEARD = 4.0
# What is left unexplained of any die (mean cost of a pixel), and how far off and uneven symbols are anyway.
_UNEXPLAINED, _OFF_CENTRE, _UNEVEN, _CLEAR = 0.05, 0.02, 0.03, 0.5
WITNESSES = (
    "first", "top", "sides", "floor", "level_off_centre", "level_uneven", "tilted_off_centre",
    "tilted_uneven", "clear",
)  # fmt: skip
_WEIGHTS = np.array(WEIGHTS)


def second_odds(sheet: Sheet, spots: Values, first: Values) -> Values:
    """Log odds that dice lean, spots (n, 4: x, y mm, angle rad, score), `first` as of `lean_odds` → (n,).

    Those that are too low for a second look stay as they are, and so do those that seem to lean and are
    hardly a face: they may be what looks out from under another die.
    """
    odds = np.array(first, np.float64)
    stays = (spots[:, 3] < _SURE_FACE) & (first > LEANS_FROM)
    again = np.flatnonzero((first > LOOKS_FROM) & ~stays)
    for which in again[np.argsort(-spots[again, 3], kind="stable")][:_MOST_LOOKS]:
        odds[which] = tilt_witnesses(sheet, spots, int(which), first[which]) @ _WEIGHTS + BIAS
    return odds


def leans(first: Values, second: Values) -> Flags:
    """Which dice lean, by both looks' log odds, (n,) each → (n,): those of which one look says so, and of
    which the other does not say more plainly that they are level.

    A second look may fail to find how a die leans, and a leaning die that is missed is worse than a level one
    that is asked about. So it acquits none of which the first was surer.
    """
    return np.asarray((np.maximum(first, second) > LEANS_FROM) & (first + second > 0))


def tilt_witnesses(sheet: Sheet, spots: Values, which: int, first: float) -> Values:
    """All that is weighed for one of the spots, as `WITNESSES` names it.

    The first look's odds; how much better the leaning cube explains top, sides and floor, as a part of what
    it leaves; how far off the top's middle the symbol is and how uneven (logarithms), by the level cube and
    by the leaning one; how clear the symbol is.
    """
    window = sheet.plan.windows[int(sheet.zone_of(spots[which : which + 1])[0])]
    eye = eye_mm(window.floor) + np.append(window.corner_mm, 0)
    coarse, fine = surroundings(sheet, spots, which, eye, (_COARSE_PX, _FINE_PX))
    both = _best(coarse, fine, spots[which])
    left = float(both.total[1]) + _UNEXPLAINED
    better = [float(level - tilted) / left for level, tilted in (both.top, both.sides, both.floor)]
    symbol = np.log([both.off_centre + _OFF_CENTRE, both.uneven + _UNEVEN]).T.ravel()
    return np.array([float(heard(first)), *better, *symbol, np.log(fine.clear + _CLEAR)])


def heard(first: Values | float) -> Values:
    """The first look's odds as the second hears them."""
    return np.asarray(_HEARD * np.tanh(np.asarray(first) / _HEARD), np.float64)


def _best(coarse: Surroundings, fine: Surroundings, spot: Values) -> Explained:
    """What the best level cube explains, and the best leaning one: each (2,)."""
    ways = spot[2] + np.arange(_WAYS) * 2 * np.pi / _WAYS
    level = np.array([[*spot[:3], 0, 0]])
    tilted = np.array([(*spot[:3], way, tilt) for way in ways for tilt in _TILTS])
    first = np.argsort(coarse.explained(tilted).total)[:_CHOSEN]
    poses, coarsely = _fitted(coarse, np.vstack([level, tilted[first]]), _COARSE_MOVES)
    kept = np.append(0, 1 + np.argsort(coarsely.total[1:])[:_FITTED])
    _, finely = _fitted(fine, poses[kept], _FINE_MOVES)
    return finely[np.array([0, 1 + int(np.argmin(finely.total[1:]))])]


def _fitted(seen: Surroundings, poses: Values, steps: Values) -> tuple[Values, Explained]:
    """Poses (m, 5) after steps, each by the best of some moves (steps, k, 5), and what they explain."""
    poses, explained = _moved(seen, poses, steps[0])
    for moves in steps[1:]:
        poses, explained = _moved(seen, poses, moves)
    return poses, explained


def _moved(seen: Surroundings, poses: Values, moves: Values) -> tuple[Values, Explained]:
    """Poses (m, 5) each by the best of some moves (k, 5), and what they explain. A level cube stays level."""
    tipped = poses[:, TILT] > 0
    least, most = np.where(tipped, _LEAST_TILT, 0), np.where(tipped, _MOST_TILT, 0)
    there = poses[:, None] + moves
    there[..., TILT] = np.clip(there[..., TILT], least[:, None], most[:, None])
    there = there.reshape(-1, POSE)
    explained = seen.explained(there)
    best = explained.total.reshape(len(poses), -1).argmin(axis=1) + np.arange(len(poses)) * len(moves)
    return there[best], explained[best]

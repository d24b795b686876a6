"""A second look at dice that may lean: the level cubes that fit best against the leaning ones that do.

What a leaning die shows goes together: a top that is shorter across its lean, a symbol that is squeezed alike
and in the top's middle still, a side where a level die shows floor. A gleam along an edge, or a shadow, has
one of these without the others. So each cube is fitted to all that is seen, and whether a die leans is told
by how much better leaning ones explain it, beside what the first look (`find_lean`) said. That counts twice,
as one of the second's witnesses and beside it: so far fewer leaning dice are missed than by the second alone.
Few level dice get there: a second look costs half as much as a whole reading.
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
# A cube that costs so much more than the best (mean of a pixel) counts e times less: costs are no surer than
# so, and what is told must not hang on which of two alike the search ends at.
_AS_GOOD = 0.005
# The first look is heard up to this: its odds are soft witnesses summed up, not chances.
_HEARD = 4.0
# What is left unexplained of any die (mean cost of a pixel), and how far off and uneven symbols are anyway.
_UNEXPLAINED, _OFF_CENTRE, _UNEVEN, _CLEAR = 0.05, 0.02, 0.03, 0.5
WITNESSES = (
    "first", "top", "sides", "floor", "level_off_centre", "level_uneven", "tilted_off_centre",
    "tilted_uneven", "clear",
)  # fmt: skip
_WEIGHTS = np.array(WEIGHTS)


def leaning_dice(sheet: Sheet, spots: Values, first: Values) -> Flags:
    """Which dice lean, spots (n, 4: x, y mm, angle rad, score), `first` as of `lean_odds` → (n,).

    What both looks say is added up. There is no second look where the first is sure enough that a die is
    level, nor at what seems to lean and is hardly a face: it may be what looks out from under another die.
    """
    odds = np.array(first, np.float64)
    hardly = (spots[:, 3] < _SURE_FACE) & (first > LEANS_FROM)
    again = np.flatnonzero((first > LOOKS_FROM) & ~hardly)
    for which in again[np.argsort(-spots[again, 3], kind="stable")][:_MOST_LOOKS]:
        odds[which] += tilt_odds(sheet, spots, int(which), first[which])
    return np.asarray(odds > LEANS_FROM)


def tilt_odds(sheet: Sheet, spots: Values, which: int, first: float) -> float:
    """Log odds that one of the spots leans by the second look, which heard the first."""
    return float(tilt_witnesses(sheet, spots, which, first) @ _WEIGHTS + BIAS)


def tilt_witnesses(sheet: Sheet, spots: Values, which: int, first: float) -> Values:
    """All that is weighed for one of the spots, as `WITNESSES` names it.

    The first look's odds; how much better the leaning cube explains top, sides and floor, as a part of what
    it leaves; how far off the top's middle the symbol is and how uneven (logarithms), by the level cube and
    by the leaning one; how clear the symbol is.
    """
    window = sheet.plan.windows[int(sheet.zone_of(spots[which : which + 1])[0])]
    eye = eye_mm(window.floor) + np.append(window.corner_mm, 0)
    coarse, fine = surroundings(sheet, spots, which, eye, (_COARSE_PX, _FINE_PX))
    level, tilted = _explained(coarse, fine, spots[which])
    left = tilted.total[0] + _UNEXPLAINED
    better = np.concatenate([level.top - tilted.top, level.sides - tilted.sides, level.floor - tilted.floor])
    symbol = [(one.off_centre[0] + _OFF_CENTRE, one.uneven[0] + _UNEVEN) for one in (level, tilted)]
    clear = np.log(fine.clear + _CLEAR)
    return np.array([float(heard(first)), *(better / left), *np.log(symbol).ravel(), clear])


def heard(first: Values | float) -> Values:
    """The first look's odds as the second hears them."""
    return np.asarray(_HEARD * np.tanh(np.asarray(first) / _HEARD), np.float64)


def _explained(coarse: Surroundings, fine: Surroundings, spot: Values) -> tuple[Explained, Explained]:
    """What level cubes explain, and leaning ones, (1,) each: all that were tried near the best."""
    ways = spot[2] + np.arange(_WAYS) * 2 * np.pi / _WAYS
    tilted = np.array([(*spot[:3], way, tilt) for way in ways for tilt in _TILTS])
    chosen = tilted[np.argsort(coarse.explained(tilted).total)[:_CHOSEN]]
    poses = np.vstack([(*spot[:3], 0, 0), chosen])
    cost = np.zeros(len(poses))
    for moves in _COARSE_MOVES:
        poses, tried = _moved(coarse, poses, moves)
        cost = tried.total.reshape(len(poses), -1).min(axis=1)
    poses = poses[np.append(0, 1 + np.argsort(cost[1:])[:_FITTED])]
    level: list[Explained] = []
    leaning: list[Explained] = []
    for moves in _FINE_MOVES:
        poses, tried = _moved(fine, poses, moves)
        level.append(tried[: len(moves)])
        leaning.append(tried[len(moves) :])
    return Explained.average(level, _AS_GOOD), Explained.average(leaning, _AS_GOOD)


def _moved(seen: Surroundings, poses: Values, moves: Values) -> tuple[Values, Explained]:
    """Poses (m, 5) each by the best of some moves (k, 5), and what all of them explain, (m k,).

    A level cube stays level.
    """
    tipped = poses[:, TILT] > 0
    least, most = np.where(tipped, _LEAST_TILT, 0), np.where(tipped, _MOST_TILT, 0)
    there = poses[:, None] + moves
    there[..., TILT] = np.clip(there[..., TILT], least[:, None], most[:, None])
    there = there.reshape(-1, POSE)
    explained = seen.explained(there)
    best = explained.total.reshape(len(poses), -1).argmin(axis=1) + np.arange(len(poses)) * len(moves)
    return there[best], explained

"""Is anything but the floor shown there? Shadows are floor, only darker; blurred corners are floor too."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.few import median
from companion.vision.find_scene import Faces, Floats, Scene, samples_at

# A face is looked at in three by three blocks, whose mean colours neither grain nor blur changes much.
_BLOCKS, _PER_BLOCK = 3, 3
_REACH_FRAC = 0.46
_STEPS = (np.arange(_BLOCKS * _PER_BLOCK) + 0.5) / (_BLOCKS * _PER_BLOCK) * 2 * _REACH_FRAC - _REACH_FRAC
_AT = np.array([(x, y) for y in _STEPS for x in _STEPS], np.float32).T.copy()
# Each block's mean, (9, 81).
_IN_BLOCK = np.kron(np.eye(_BLOCKS), np.full((1, _PER_BLOCK), 1 / _PER_BLOCK))
_BLOCK_MEANS = np.kron(_IN_BLOCK, _IN_BLOCK).astype(np.float32)
# Light of the floor may grow by so much (a die throws some back on it).
_BRIGHTEST_FLOOR = 1.1
# Grain that is left in a block's mean (fraction of a pixel's), rounding in grey levels, and what the floor's
# colour differs by from lamp to lamp (fraction of its brightness).
_GRAIN_LEFT_FRAC, _ROUNDING, _LAMPS_FRAC = 0.25, 2.0, 0.04
# How unlike the floor a face must be somewhere: a share of what is usual for the supposed ones, within
# limits. In deep gloom dice are from 1.7 on, in ordinary light from 4, mostly over 20; shadows and blurred
# corners of the track below 2.
_SHOWN_SHARE, _LEAST_SHOWN, _PLAINLY_SHOWN = 0.1, 1.2, 2.4


def is_shown(scene: Scene, places: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Whether each supposed face, (n, 3) as for `unlike_floor`, shows more than the floor, (n,)."""
    unlike = unlike_floor(scene, places)
    if len(unlike) == 0:
        return np.zeros(0, np.bool_)
    usual = float(median(unlike))
    return unlike > min(max(_SHOWN_SHARE * usual, _LEAST_SHOWN), _PLAINLY_SHOWN)


def unlike_floor(scene: Scene, places: npt.NDArray[np.float64]) -> Floats:
    """How far the most different part of each face is from the floor there in whatever light, (n, 3) → (n,).

    In units of what grain, rounding and lamps can do. Places are x, y (mm) and angle (rad).
    """
    if len(places) == 0:
        return np.empty(0, np.float32)
    u, v = Faces.of(scene, places).pixels(_AT)
    seen, empty = (_in_blocks(samples_at(picture, u, v)) for picture in (scene.layers, scene.empty))
    floor = np.minimum(empty * scene.gain_of(places)[:, None], 255)
    share = (seen * floor).sum(axis=2) / ((floor * floor).sum(axis=2) + 1)
    share = np.minimum(share, np.float32(_BRIGHTEST_FLOOR))
    rest = seen - share[..., None] * floor
    level = np.maximum(seen, floor).max(axis=2)
    noise = scene.noise[level.astype(np.uint8)]
    unit = _ROUNDING + _GRAIN_LEFT_FRAC * noise + _LAMPS_FRAC * floor.max(axis=2)
    return np.asarray((np.sqrt((rest * rest).sum(axis=2)) / unit).max(axis=1), np.float32)


def _in_blocks(samples: Floats) -> Floats:
    """The mean BGR of each block, (n, 81, 4) → (n, 9, 3)."""
    return np.asarray((_BLOCK_MEANS @ samples)[..., :3], np.float32)

"""How likely a face's ink and body are under one light: each body, each ink, any shading, any veil of gloss.

Shafer's dichromatic model ("Using color to separate reflection components", 1985): what a surface sends to
the camera is its own colour times the light on it, plus a share of the lamp's own colour, the veil, mirrored
by the gloss. Ink and body of one face share light and veil. So with the picture's light as the unit,

    body = shading × (white or black) + veil,    ink = shading × ink + veil,

and each pair of body and ink is judged by the shading and veil that explain it best. What the model leaves
out goes into the covariance of the six measured numbers, each part with its reason (`LightSpread`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.vision.face_patch import FacePatches, Flags, Floats


@dataclass(frozen=True, slots=True)
class LightSpread:
    """Standard deviations, as shares of what they are a spread of unless another unit is said.

    The values were chosen by hand on rendered tables; how little hangs on each,
    `companion.evaluation.spread_check` tells. In the channels that an ink takes away it is brighter on white
    bodies than on black ones by a fiftieth at most on those tables, for which `leak` stands. Where a wall or
    the tower hides the lamp only the room's light is left, so that `shadow_log` allows for far less.
    """

    shading_log: float = 0.17  # a die in the open, here or there on the table, natural log
    shadow_frac: float = 0.15  # so many dice lie in a shadow
    bright_frac: float = 0.03  # so many lie in the light while the white ones lie in a shadow
    shadow_log: float = 1.0  # how deep it is, natural log
    blind: float = 0.15  # a channel whose light no white body shows, each by itself, natural log
    veil: float = 0.03  # most faces have less veil than this, in units of the picture's white; a few far more
    veil_tail: float = 1.3  # how fast large veils get rare (Lomax)
    gloss: float = 0.033  # the usual veil (and a hundredth) of the field that all dice mirror (`face_gloss`)
    gloss_log: float = 1.0  # how much it differs from place to place and from table to table, natural log
    gloss_reach: float = 5.0  # from one place to another, in widths of a die
    gloss_own: float = 0.25  # a die that is glossier than others or lies not quite level, natural log
    gloss_picture: float = 0.2  # all dice of one picture against another, natural log
    gloss_strange: float = 0.03  # so many mirror what others do not tell, as in the shadow of a hand
    floor: float = 0.005  # noise and rounding, in units of white
    channel: float = 0.03  # each channel by itself: tone curve, sharpening
    mixing: float = 0.01  # cameras take channels off each other: share of the brightest channel
    together: float = 0.06  # all at once: between the steps of the shading that are tried
    between: float = 0.06  # body against ink: they lie millimetres apart
    tint: float = 0.16  # warm or cool light on one die, against the picture's
    shadow_tint: float = 0.1  # a shadow keeps the lamp's light out, not the room's: tint per natural log
    green: float = 0.03  # from green to magenta
    veil_tint: float = 0.03  # the veil's colour against the light's
    veil_warm: float = 0.3  # the lamp that is mirrored may be warmer or cooler than all light together
    veil_warm_each: float = 0.05  # the same from die to die
    slope_veil: float = 0.4  # how much of the veil changes over a face
    slope_shading: float = 0.08  # how much of the ink's own light does
    slope_floor: float = 0.003  # in units of white
    veil_change: float = 0.08  # veil on the ink against veil on the body
    leak: float = 0.025  # body light blurred into the ink
    leak_back: float = 0.04  # ink light blurred into the body
    rim_leak_back: float = 0.15  # the same where the body is only seen in the rim
    leak_apart: float = 0.5  # each channel by itself, where ink ran out of range: share of that
    rim: float = 0.40  # the rounded rim faces other ways than the face
    rim_veil: float = 0.08  # gloss on the rim, in units of white
    black: float = 0.5  # the black bodies' own reflection
    tail: float = 8.0  # degrees of freedom of Student's t


SHADINGS = np.exp(np.linspace(np.log(0.08), np.log(3.0), 18))
#: Profiles keep what is known of inks for each of these: whoever changes one gives profiles another version.
VEILS = np.array([0.0, 0.02, 0.05, 0.1, 0.17, 0.26, 0.38, 0.52, 0.68, 0.9, 1.2])
VEIL_STEPS = 0.3 * np.gradient(VEILS)
_SHADING_GRID = np.repeat(SHADINGS, len(VEILS))
_VEIL_GRID = np.tile(VEILS, len(SHADINGS))
TINT = np.array([1.0, 0.0, -1.0])
GREEN = np.array([1.0, -2.0, 1.0]) / np.sqrt(3.0)
#: What sharpening, blur and JPEG leave of a channel cut off at black: ten levels, or so much of white.
_BLACK_LEVEL, _BLACK_SHARE = 0.003, 0.006
#: In the first, coarse look at all shadings and veils: share of each value, and of rims.
_COARSE, _COARSE_RIM = 0.10, 0.35


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What the colours picture showed of each ink, for each of the `VEILS` (v of them) that may have lain on
    it.

    `place` (c, 2) is where it lay, in widths of a die; `likely` (c, v) the log likelihood of each veil, heard
    from this face alone; `inks` (c, v, 3) what the ink is then, in units of the white body, with covariances
    `spread` (c, v, 3, 3).
    """

    place: Floats
    likely: Floats
    inks: Floats
    spread: Floats

    def inks_for(self, chance: Floats) -> tuple[Floats, Floats]:
        """Means (c, 3) and covariances (c, 3, 3) of the inks, given the chance of each veil, (c, v)."""
        weight = chance[:, None]
        mean = weight @ self.inks
        off = self.inks - mean
        within = (weight @ self.spread.reshape(*chance.shape, 9)).reshape(-1, 3, 3)
        return mean[:, 0], within + np.swapaxes(off, 1, 2) @ (chance[:, :, None] * off)


@dataclass(frozen=True, slots=True, eq=False)
class Surfaces:
    """What can lie in the picture, in units of the white body: `bodies` (2, 3) white and black, `inks` (c,
    3).

    `ink_spread` (c, 3, 3) is the covariance of what is known of each ink; `learned`, where calibration has
    kept it, tells what more is known once it is heard how much veil lay on the faces they were learned from.
    """

    bodies: Floats
    inks: Floats
    ink_spread: Floats
    learned: Learned | None = None


def cut_off(ink: Floats, light: Floats) -> Flags:
    """Which channels of inks (…, 3) may have been cut off at black, in this light (3,), both linear RGB."""
    return np.asarray(ink < np.maximum(_BLACK_LEVEL, _BLACK_SHARE * light))


def veil_and_shading_prior(shading: Floats, veil: Floats, spread: LightSpread) -> Floats:
    """Twice the negative log of how usual such a shading and veil are."""
    log = np.log(shading)
    lit = (1 - spread.shadow_frac) / spread.shading_log * np.exp(-0.5 * (log / spread.shading_log) ** 2)
    dark = np.exp(-0.5 * ((log + spread.shadow_log) / spread.shadow_log) ** 2)
    bright = np.exp(-0.5 * ((log - spread.shadow_log) / spread.shadow_log) ** 2)
    usual = np.log(lit + (spread.shadow_frac * dark + spread.bright_frac * bright) / spread.shadow_log)
    return np.asarray(2 * spread.veil_tail * np.log1p(veil / spread.veil) - 2 * usual)


def shadow_tint(shading: Floats, spread: LightSpread) -> Floats:
    """How much warmer or cooler than the picture's light a shadow may be, natural log."""
    return np.asarray(spread.shadow_tint * np.maximum(-np.log(shading), 0.0))


def coarse_misfit(faces: FacePatches, light: Floats, surfaces: Surfaces, spread: LightSpread) -> Floats:
    """Twice the negative log likelihood of every shading and veil, channels taken as independent: (f, 2, c,
    g).
    """
    shading, veil = _SHADING_GRID[:, None], _VEIL_GRID[:, None]
    gloss = ((spread.veil_tint + spread.veil_warm * abs(TINT)) * veil) ** 2
    leak = (spread.leak * shading) ** 2
    share = np.hypot(_COARSE, 0.8 * shadow_tint(shading, spread))
    back = spread.leak_back if faces.corners_are_body else spread.rim_leak_back
    leak_back = ((back * (faces.ink - faces.body) / light) ** 2)[:, None, None]
    if faces.corners_are_body:
        body_veil, body_extra, body_share = veil, gloss, 1.3 * share
    else:
        body_veil = 0.2 * veil
        body_extra = (0.12 * veil) ** 2 + spread.rim_veil**2
        body_share = np.full_like(share, _COARSE_RIM)
    body = _misfit(
        faces.body / light,
        faces.body_clipped,
        shading * surfaces.bodies[:, None] + body_veil,
        body_extra + spread.floor**2 + leak_back,
        body_share,
        relative_to_both=not faces.corners_are_body,
    )
    ink = _misfit(
        faces.ink / light,
        faces.ink_clipped,
        shading * surfaces.inks[:, None] + veil,
        gloss + leak + spread.floor**2,
        1.5 * share,
    )
    total = body[:, :, None] + ink[:, None] + _grid_prior(spread)
    if faces.corners_are_body:
        rim = shading * surfaces.bodies[:, None] + 0.5 * spread.rim_veil
        extra = spread.rim_veil**2 + (0.15 * veil) ** 2 + spread.floor**2
        seen = faces.rim / light
        misfit = _misfit(seen, faces.rim_clipped, rim, extra, _COARSE_RIM, relative_to_both=True)
        total = total + np.minimum(misfit, 12)[:, :, None]
    return np.asarray(total)


def _misfit(
    seen: Floats,
    clipped: Flags,
    model: Floats,
    extra: Floats,
    share: Floats | float,
    relative_to_both: bool = False,
) -> Floats:
    """Squared distance and log variance of (f, 3) seen values from (m, g, 3) model values: (f, m, g)."""
    # Single precision is enough for a first look, and twice as fast; so are channels that come first.
    expected, looked = _by_channel(model), _by_channel(seen[:, None, None, :])
    if clipped.any():
        looked = np.where(clipped.T[:, :, None, None], np.maximum(looked, expected), looked)
    size = expected * (np.maximum(looked, np.float32(1e-4)) if relative_to_both else expected)
    variance = _by_channel(share) ** 2 * size + _by_channel(extra)
    gap = looked - expected
    return np.asarray((gap * gap / variance).sum(axis=0) + np.log(variance.prod(axis=0)), np.float64)


def _by_channel(values: Floats | float) -> npt.NDArray[np.float32]:
    """What broadcasts to (f, m, g, 3) as what broadcasts to (3, f, m, g)."""
    given = np.asarray(values, np.float32)
    whole = given.reshape((1,) * (4 - given.ndim) + given.shape)
    return np.ascontiguousarray(whole.transpose(3, 0, 1, 2))


@lru_cache(maxsize=8)
def _grid_prior(spread: LightSpread) -> Floats:
    """`veil_and_shading_prior` of all that the coarse look tries, (g,)."""
    prior = veil_and_shading_prior(_SHADING_GRID, _VEIL_GRID, spread)
    prior.setflags(write=False)
    return prior

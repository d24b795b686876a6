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

import numpy as np
import numpy.typing as npt

from companion.vision.face_patch import FacePatches, Flags, Floats


@dataclass(frozen=True, slots=True)
class LightSpread:
    """Standard deviations, as shares of what they are a spread of unless another unit is said.

    The values were chosen on rendered tables and are flat: a third more or less hardly changes a reading.
    """

    shading_log: float = 0.2  # a die in the open, here or there on the table, natural log
    shadow_frac: float = 0.15  # so many dice lie in a shadow
    shadow_log: float = 0.5  # how deep it is, natural log
    blind: float = 0.15  # a channel whose light no white body shows, each by itself, natural log
    veil: float = 0.03  # most faces have less veil than this, in units of the picture's white; a few far more
    veil_tail: float = 1.3  # how fast large veils get rare (Lomax)
    floor: float = 0.008  # noise and rounding, in units of white
    channel: float = 0.03  # each channel by itself: tone curve, sharpening
    mixing: float = 0.01  # cameras take channels off each other: share of the brightest channel
    together: float = 0.06  # all at once: between the steps of the shading that are tried
    between: float = 0.06  # body against ink: they lie millimetres apart
    tint: float = 0.16  # warm or cool light on one die, against the picture's
    shadow_tint: float = 0.1  # a shadow keeps the lamp's light out, not the room's: tint per natural log
    green: float = 0.03  # from green to magenta
    veil_tint: float = 0.07  # the veil's colour against the light's
    veil_change: float = 0.08  # veil on the ink against veil on the body
    leak: float = 0.05  # body light blurred into the ink
    leak_back: float = 0.04  # ink light blurred into the body
    rim_leak_back: float = 0.15  # the same where the body is only seen in the rim
    rim: float = 0.40  # the rounded rim faces other ways than the face
    rim_veil: float = 0.08  # gloss on the rim, in units of white
    black: float = 0.5  # the black bodies' own reflection
    reference: float = 0.0  # an ink's own print against the one seen at calibration
    tail: float = 8.0  # degrees of freedom of Student's t


_SHADINGS = np.exp(np.linspace(np.log(0.08), np.log(3.0), 18))
_VEILS = np.array([0.0, 0.02, 0.05, 0.1, 0.18, 0.3, 0.5, 0.8, 1.2])
_VEIL_STEPS = 0.3 * np.gradient(_VEILS)
_SHADING_GRID = np.repeat(_SHADINGS, len(_VEILS))
_VEIL_GRID = np.tile(_VEILS, len(_SHADINGS))
_STEP_GRID = np.tile(_VEIL_STEPS, len(_SHADINGS))
_TINT = np.array([1.0, 0.0, -1.0])
_GREEN = np.array([1.0, -2.0, 1.0]) / np.sqrt(3.0)
#: What sharpening, blur and JPEG leave of a channel cut off at black: ten levels, or so much of white.
_BLACK_LEVEL, _BLACK_SHARE = 0.003, 0.006
#: In the first, coarse look at all shadings and veils: share of each value, and of rims.
_COARSE, _COARSE_RIM = 0.10, 0.35


@dataclass(frozen=True, slots=True)
class Surfaces:
    """What can lie in the picture, in units of the white body: `bodies` (2, 3) white and black, `inks` (c,
    3).

    `ink_spread` (c, 3, 3) is the covariance of what is known of each ink.
    """

    bodies: Floats
    inks: Floats
    ink_spread: Floats


@dataclass(frozen=True, slots=True)
class Explanations:
    """Of each face, body and ink the k best: log likelihood, shading and veil, all of shape (f, 2, c, k)."""

    log_likelihood: Floats
    shading: Floats
    veil: Floats

    def best(self) -> Floats:
        """Log likelihood of the best explanation, (f, 2, c)."""
        return np.asarray(self.log_likelihood.max(axis=-1))


def explain(
    faces: FacePatches,
    light: Floats,
    surfaces: Surfaces,
    spread: LightSpread,
    blind: Flags | None = None,
    keep: int = 6,
) -> Explanations:
    """The `keep` best explanations of every face by every body and ink, under this light (3,) linear RGB.

    Channels of it that are `blind`, (3,), were not seen in this picture and so may be off.
    """
    coarse = _coarse(faces, light, surfaces, spread)
    chosen = np.argpartition(coarse, keep, axis=-1)[..., :keep]
    return _judge(faces, light, surfaces, spread, chosen, np.zeros(3, np.bool_) if blind is None else blind)


def cut_off(ink: Floats, light: Floats) -> Flags:
    """Which channels of inks (…, 3) may have been cut off at black, in this light (3,), both linear RGB."""
    return np.asarray(ink < np.maximum(_BLACK_LEVEL, _BLACK_SHARE * light))


def _prior(shading: Floats, veil: Floats, spread: LightSpread) -> Floats:
    """Twice the negative log of how usual such a shading and veil are."""
    log = np.log(shading)
    lit = (1 - spread.shadow_frac) / spread.shading_log * np.exp(-0.5 * (log / spread.shading_log) ** 2)
    dark = np.exp(-0.5 * ((log + spread.shadow_log) / spread.shadow_log) ** 2)
    usual = np.log(lit + spread.shadow_frac / spread.shadow_log * dark + 1e-6)
    return np.asarray(2 * spread.veil_tail * np.log1p(veil / spread.veil) - 2 * usual)


def _shadow_tint(shading: Floats, spread: LightSpread) -> Floats:
    """How much warmer or cooler than the picture's light a shadow may be, natural log."""
    return np.asarray(spread.shadow_tint * np.maximum(-np.log(shading), 0.0))


def _coarse(faces: FacePatches, light: Floats, surfaces: Surfaces, spread: LightSpread) -> Floats:
    """Twice the negative log likelihood of every shading and veil, channels taken as independent: (f, 2, c,
    g).
    """
    shading, veil = _SHADING_GRID[:, None], _VEIL_GRID[:, None]
    gloss = (spread.veil_tint * veil) ** 2
    leak = (spread.leak * shading) ** 2
    share = np.hypot(_COARSE, 0.8 * _shadow_tint(shading, spread))
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
        body_extra + spread.floor**2,
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
    total = body[:, :, None] + ink[:, None] + _prior(_SHADING_GRID, _VEIL_GRID, spread)
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
    looked = seen[:, None, None, :]
    looked = np.where(clipped[:, None, None, :], np.maximum(looked, model), looked)
    size = model * np.maximum(looked, 1e-4) if relative_to_both else model**2
    variance = share**2 * size + extra
    return np.asarray(((looked - model) ** 2 / variance + np.log(variance)).sum(axis=-1))


def _judge(
    faces: FacePatches,
    light: Floats,
    surfaces: Surfaces,
    spread: LightSpread,
    chosen: npt.NDArray[np.intp],
    blind: Flags,
) -> Explanations:
    """The likelihood of the chosen explanations with all that the six numbers share."""
    shading, veil, step = _SHADING_GRID[chosen], _VEIL_GRID[chosen], _STEP_GRID[chosen]
    s, v = shading[..., None], veil[..., None]
    flat = faces.corners_are_body
    body = np.broadcast_to(surfaces.bodies[None, :, None, None, :], (*chosen.shape, 3)) * s
    ink = np.broadcast_to(surfaces.inks[None, None, :, None, :], (*chosen.shape, 3)) * s
    none = np.zeros_like(body)
    on_body = 1.0 if flat else 0.2
    model = np.concatenate([body + on_body * v, ink + v], axis=-1)
    seen = np.concatenate([faces.body / light, faces.ink / light], axis=-1)[:, None, None, None]
    clipped = np.concatenate([faces.body_clipped, faces.ink_clipped], axis=-1)[:, None, None, None]
    seen = np.where(clipped, np.maximum(seen, model), seen)
    gap = seen - model
    # A channel that met an end of the range, and that the model takes beyond it, tells nothing more.
    cut = np.concatenate([np.zeros_like(faces.body_clipped), cut_off(faces.ink, light)], axis=-1)
    cut = cut[:, None, None, None]
    gap = np.where(cut & (gap > 0), 0.0, gap)
    told = 1.0 - ((clipped | cut) & (gap == 0.0))
    surface = np.concatenate([body, ink], axis=-1)
    brightest = np.maximum(surface.reshape(*surface.shape[:-1], 2, 3).max(axis=-1), 0.0)
    mixed = (spread.mixing * np.repeat(brightest, 3, axis=-1)) ** 2
    own = spread.floor**2 + (spread.channel * model) ** 2 + mixed
    covariance = own[..., :, None] * np.eye(6)
    if flat:
        between = np.hypot(spread.between, 0.5 * faces.uneven)[:, None, None, None, None]
        apart = between * body
    else:
        apart = spread.rim * np.sqrt(np.maximum(seen[..., :3], 1e-4) * body)
    ink_only = np.concatenate([np.zeros(3), np.ones(3)])
    body_only = 1.0 - ink_only
    shared = ink_only + on_body * body_only
    back = spread.leak_back if flat else spread.rim_leak_back
    is_black = np.array([0.0, 1.0])[None, :, None, None, None]
    parts = [
        spread.together * surface,
        np.concatenate([apart, none], axis=-1),
        np.hypot(spread.tint, _shadow_tint(s, spread)) * surface * np.tile(_TINT, 2),
        spread.green * surface * np.tile(_GREEN, 2),
        (spread.veil_change * v + 0.01) * ink_only,
        step[..., None] * (shared if flat else ink_only),
        np.concatenate([none, spread.leak * (body - ink)], axis=-1),
        np.concatenate([back * (body - ink), none], axis=-1),
        np.concatenate([spread.black * is_black * body, none], axis=-1),
    ]
    parts += [(spread.veil_tint * v + 0.004) * shared * np.tile(np.eye(3)[k], 2) for k in range(3)]
    parts += [spread.blind * surface * np.tile(np.eye(3)[k], 2) for k in np.flatnonzero(blind)]
    if not flat:
        parts.append((spread.rim_veil + 0.12 * v) * body_only)
    spreads = np.stack(parts, axis=-1)
    covariance = covariance + spreads @ np.swapaxes(spreads, -1, -2)
    covariance[..., 3:, 3:] += (s[..., None] ** 2) * surfaces.ink_spread[None, None, :, None]
    covariance[..., [3, 4, 5], [3, 4, 5]] += (spread.reference * ink) ** 2
    variance = np.diagonal(covariance, axis1=-2, axis2=-1)
    apart = told[..., :, None] * told[..., None, :]
    apart[..., range(6), range(6)] = 1.0
    covariance = covariance * apart
    solved = np.linalg.solve(covariance, gap[..., None])[..., 0]
    distance = (gap * solved).sum(axis=-1)
    # Beyond an end of the range there is a probability, no density: such channels have no volume.
    volume = np.linalg.slogdet(covariance)[1] - np.where(clipped | cut, np.log(variance), 0.0).sum(axis=-1)
    score = -0.5 * (spread.tail + 6) * np.log1p(distance / spread.tail) - 0.5 * volume
    score = score - 0.5 * _prior(shading, veil, spread)
    if flat:
        score = score - _rim_doubt(faces, light, spread, body, v)
    return Explanations(np.asarray(score), shading, veil)


def _rim_doubt(faces: FacePatches, light: Floats, spread: LightSpread, body: Floats, veil: Floats) -> Floats:
    """What the rim has to say against an explanation: it is of the body, but rounded, with a gloss of its
    own.
    """
    model = body + 0.5 * spread.rim_veil
    seen = (faces.rim / light)[:, None, None, None]
    seen = np.where(faces.rim_clipped[:, None, None, None], np.maximum(seen, model), seen)
    variance = spread.floor**2 + spread.rim**2 * model * np.maximum(seen, 1e-4) + spread.rim_veil**2
    variance = variance + (0.15 * veil) ** 2
    misfit = ((seen - model) ** 2 / variance + np.log(variance)).sum(axis=-1)
    return np.asarray(0.3 * np.minimum(misfit, 14))

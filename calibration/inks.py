"""Inks as the six faces of the colours picture show them: with light, shading and gloss taken off."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.checks import washed_out
from calibration.palette import Palette
from companion.vision.face import InkReference
from companion.vision.face_explain import Explanations
from companion.vision.face_light import VEILS, LightSpread, cut_off
from companion.vision.face_patch import FacePatches
from companion.vision.symbol import symbol_to_rows

Floats = npt.NDArray[np.float64]

#: Explanations of a face less likely than this share of the best are not heard, and a veil without any is as
#: good as impossible (log likelihood). Others may yet tell of a veil that is unlikely by the face alone.
_LEAST_SHARE, _HOPELESS = 1e-6, -30.0
#: Variance of what is not measured.
_UNKNOWN = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class Ink:
    """An ink's mean (3,) and covariance (3, 3), in units of the white body; and the same for each of the
    `VEILS`, (v, 3) and (v, 3, 3), with how likely the veil is by this face alone, log, (v,): how usual it is
    does not count.
    """

    mean: Floats
    covariance: Floats
    likely: Floats
    means: Floats
    covariances: Floats


def measure_ink(
    faces: FacePatches, face: int, light: Floats, explained: Explanations, palette: Palette, colour: int
) -> Ink:
    """What is known of an ink over all explanations of its face by how likely they are.

    `face` and `colour` are indices; `light` (3,) is that of a white body, linear RGB. Of a die that is all
    glare nothing is known but the palette's ink.
    """
    if washed_out(faces)[face]:
        mean, covariance = palette.inks[colour], palette.spread[colour]
        return Ink(mean, covariance, np.zeros(len(VEILS)), *_for_each_veil(mean, covariance))
    likely = explained.log_likelihood[face, :, colour].ravel()
    weight = np.exp(likely - likely.max())
    keep = weight > _LEAST_SHARE
    weight = weight[keep] / weight[keep].sum()
    shading = explained.shading[face, :, colour].ravel()[keep]
    veil = explained.veil[face, :, colour].ravel()[keep]
    means, spreads = _under(faces, face, light, palette.inks[colour], palette.spread[colour], shading, veil)
    mean, covariance = _mixed(weight, means, spreads)
    by_veil, covariances = _for_each_veil(mean, covariance)
    alone = np.full(len(VEILS), _HOPELESS)
    spread = LightSpread()
    # How usual a veil is, is told by the field when a picture is read, and is left out here.
    usual = -spread.veil_tail * np.log1p(VEILS / spread.veil)
    for which, this in enumerate(VEILS):
        mine = veil == this
        if mine.any():
            total = weight[mine].sum()
            by_veil[which], covariances[which] = _mixed(weight[mine] / total, means[mine], spreads[mine])
            alone[which] = math.log(total) - usual[which]
    return Ink(mean, covariance, alone - alone.max(), by_veil, covariances)


def _under(
    faces: FacePatches,
    face: int,
    light: Floats,
    prior: Floats,
    prior_spread: Floats,
    shading: Floats,
    veil: Floats,
) -> tuple[Floats, Floats]:
    """An ink's mean (n, 3) and covariance (n, 3, 3) under each shading and veil, (n,) each.

    It is the Kalman update of the palette's ink, `prior`, by what was measured; of a channel cut off at black
    only that is known.
    """
    shading, veil = shading[:, None], veil[:, None]
    model = shading * prior + veil
    seen = np.where(
        faces.ink_clipped[face],
        np.maximum(faces.ink[face] / light, model),
        faces.ink[face] / light,
    )
    cut = cut_off(faces.ink[face], light)
    noise = (
        0.006**2
        + (0.04 * model) ** 2
        + 0.5 * (0.1 * veil + 0.006) ** 2
        + (0.5 * faces.uneven[face] * model) ** 2
        + np.where(cut, _UNKNOWN, 0.0)
    )
    step = 0.25 * veil + 0.006
    noise_spread = noise[:, :, None] * np.eye(3) + (step**2)[:, :, None]
    s = shading[:, :, None]
    gain = s * prior_spread @ np.linalg.inv(s * s * prior_spread + noise_spread)
    means = prior + (gain @ (seen - model)[:, :, None])[:, :, 0]
    spreads = prior_spread - gain @ (s * prior_spread)
    for channel in np.flatnonzero(cut):
        limit = (seen[:, channel] - veil[:, 0]) / shading[:, 0]
        means, spreads = _cut_off(means, spreads, int(channel), limit)
    return means, spreads


def _mixed(weight: Floats, means: Floats, spreads: Floats) -> tuple[Floats, Floats]:
    """Mean and covariance of a mixture: weights (n,) of sum 1, means (n, 3), covariances (n, 3, 3)."""
    mean = (weight[:, None] * means).sum(axis=0)
    off = means - mean
    return mean, (weight[:, None, None] * (spreads + off[:, :, None] * off[:, None, :])).sum(axis=0)


def _for_each_veil(mean: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """The same ink whatever the veil."""
    return np.tile(mean, (len(VEILS), 1)), np.tile(covariance, (len(VEILS), 1, 1))


def _cut_off(means: Floats, spreads: Floats, channel: int, limit: Floats) -> tuple[Floats, Floats]:
    """Inks (n, 3) and covariances (n, 3, 3) once it is known that one channel is below its limit (n,).

    Mean and variance of the normal distribution cut off above (Johnson, Kotz and Balakrishnan, "Continuous
    univariate distributions", 1994, chapter 13); the other channels follow as far as they are correlated.
    """
    deviation = np.sqrt(spreads[:, channel, channel])
    reach = np.clip((limit - means[:, channel]) / deviation, -6.0, 6.0)
    below = np.array([0.5 * math.erfc(-z / math.sqrt(2.0)) for z in reach])
    ratio = np.exp(-0.5 * reach**2) / math.sqrt(2.0 * math.pi) / below
    along = spreads[:, :, channel] / deviation[:, None]
    less = ratio * (reach + ratio)
    moved = means - ratio[:, None] * along
    return moved, spreads - less[:, None, None] * along[:, :, None] * along[:, None, :]


def reference_of(name: str, ink: Ink, symbol: Floats) -> InkReference:
    """The reference of an ink whose face has this symbol, as `symbol_of` gives it."""
    a, b, c, d, e, f = _six(ink.covariance)
    return InkReference(name, as_triple(ink.mean), (a, b, c, d, e, f), tuple(symbol_to_rows(symbol)))


def with_veils(reference: InkReference, place: Floats, ink: Ink) -> InkReference:
    """With what is known of the ink for each veil; its face lay at `place`, (2,)."""
    x, y = place
    rows = tuple(
        (round(float(likely), 3), *as_triple(mean), *_six(covariance))
        for likely, mean, covariance in zip(ink.likely, ink.means, ink.covariances, strict=True)
    )
    return replace(reference, place=(round(float(x), 3), round(float(y), 3)), by_veil=rows)


def _six(covariance: Floats) -> tuple[float, ...]:
    """A symmetric matrix (3, 3) as its six numbers rr rg rb gg gb bb."""
    return tuple(round(float(value), 7) for value in covariance[np.triu_indices(3)])


def as_triple(value: Floats) -> tuple[float, float, float]:
    """Linear RGB as a profile keeps it."""
    r, g, b = (round(float(number), 5) for number in value)
    return r, g, b

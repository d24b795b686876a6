"""From the six top faces of the colours picture to the references that reading uses.

Which die shows which colour is not told: every face is explained by every name's rough ink (`palette`), and the
six names are given out so that all six explanations together are best. Each ink is then what was measured, with
light, shading and gloss taken off, and how well it is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from calibration.palette import Palette
from calibration.refusal import CalibrationRefused
from companion.vision.face import FaceReferences, InkReference
from companion.vision.face_light import (
    Explanations,
    LightSpread,
    Surfaces,
    explain,
    looks_white,
    picture_light,
)
from companion.vision.face_patch import FacePatches, Flags, Quad, measure_faces
from companion.vision.symbol import symbol_of, symbol_to_rows

Floats = npt.NDArray[np.float64]

DICE = 6
#: Black bodies in units of the white ones.
BLACK = (0.02, 0.02, 0.02)
#: How far above the top of the range clipped white may be, natural log: tried in steps, unusual ones cost.
_ABOVE_TOP = (1.0, 1.3, 1.7)
_ABOVE_TOP_LOG = 0.3
_KEEP = 24
_BLACK_LEVEL = 0.004


@dataclass(frozen=True, slots=True)
class Assignment:
    """Names given to the faces: `names` index of each face's colour, `score` of all, and `lead` over the next."""

    names: tuple[int, ...]
    score: float
    lead: float


def learn_faces(
    colours_bgr: npt.NDArray[np.uint8],
    quads: Sequence[Quad],
    palette: Palette | None = None,
    names: Sequence[str] | None = None,
) -> FaceReferences:
    """Learn the inks and the bodies from the colours picture, uint8 BGR, its top faces given.

    `names`, where a person has said them, are the colours of the faces in the order of the quads.

    Raises:
        CalibrationRefused: with what to do about it.
    """
    known = palette or Palette.of()
    if len(quads) != DICE:
        raise CalibrationRefused(
            "wrong_number_of_dice",
            f"The colours picture shows {len(quads)} dice where 6 are needed: put six dice on the track, "
            "each with another colour up, clear of walls and of each other, and take it again.",
        )
    faces = measure_faces(colours_bgr, quads)
    spread = LightSpread(shading_log=0.35)
    surfaces = Surfaces(np.array([(1.0, 1.0, 1.0), BLACK]), known.inks, known.spread)
    told = None if names is None else tuple(known.names.index(name) for name in names)
    best: tuple[float, Floats, Explanations, Assignment] | None = None
    for light, cost in _lights(faces):
        explained = explain(faces, light, surfaces, spread, _KEEP)
        assignment = _assign(explained, told)
        score = assignment.score - cost
        if best is None or score > best[0]:
            best = (score, light, explained, assignment)
    assert best is not None  # _lights gives at least one
    _, light, explained, assignment = best
    symbols = symbol_of(faces.ink_share)
    inks = []
    for face, colour in enumerate(assignment.names):
        ratio, covariance = _measure_ink(faces, face, light, explained, known, colour)
        inks.append((colour, _reference(known.names[colour], ratio, covariance, symbols[face])))
    ordered = tuple(ink for _, ink in sorted(inks, key=lambda pair: pair[0]))
    return FaceReferences(ordered, _as_triple(light), BLACK, faces.corners_are_body)


def _lights(faces: FacePatches) -> list[tuple[Floats, float]]:
    """The lights to try, with the cost of each: one where the white bodies can be measured, more where they clip."""
    white: Flags = looks_white(faces, np.ones(3))
    light, blind = picture_light(faces, white, np.ones(3))
    if not blind.any():
        return [(light, 0.0)]
    tried = []
    for above in _ABOVE_TOP:
        for red in _ABOVE_TOP[:2] if blind[0] else (1.0,):
            factor = np.where(blind, above, 1.0) * np.array([red, 1.0, 1.0])
            tried.append(
                (light * factor, 0.5 * float((np.log([above, above * red]) ** 2).sum()) / _ABOVE_TOP_LOG**2)
            )
    return tried


def _assign(explained: Explanations, told: tuple[int, ...] | None) -> Assignment:
    """The names that together explain all faces best."""
    peak = explained.log_likelihood.max(axis=(1, 3))
    weight = np.exp(explained.log_likelihood - peak[:, None, :, None])
    score = peak + np.log(weight.sum(axis=(1, 3)))
    faces = np.arange(len(score))
    orders = [told] if told is not None else list(permutations(range(score.shape[1]), len(score)))
    totals = np.array([score[faces, list(order)].sum() for order in orders])
    ranked = np.argsort(totals)
    lead = float(totals[ranked[-1]] - totals[ranked[-2]]) if len(orders) > 1 else np.inf
    return Assignment(orders[int(ranked[-1])], float(totals[ranked[-1]]), lead)


def _measure_ink(
    faces: FacePatches, face: int, light: Floats, explained: Explanations, palette: Palette, colour: int
) -> tuple[Floats, Floats]:
    """The ink's mean (3,) and covariance (3, 3), over all explanations of the face by how likely they are.

    For one shading and veil this is the Kalman update of the palette's ink by what was measured.
    """
    likely = explained.log_likelihood[face, :, colour].ravel()
    weight = np.exp(likely - likely.max())
    keep = weight > 1e-3
    weight = weight[keep] / weight[keep].sum()
    shading = explained.shading[face, :, colour].ravel()[keep][:, None]
    veil = explained.veil[face, :, colour].ravel()[keep][:, None]
    prior, prior_spread = palette.inks[colour], palette.spread[colour]
    model = shading * prior + veil
    seen = np.where(
        faces.ink_clipped[face], np.maximum(faces.ink[face] / light, model), faces.ink[face] / light
    )
    cut = (faces.ink[face] < _BLACK_LEVEL) & (seen < model)
    noise = (
        0.006**2
        + (0.04 * model) ** 2
        + 0.5 * (0.1 * veil + 0.006) ** 2
        + np.where(cut, (0.05 * shading) ** 2, 0)
    )
    step = 0.25 * veil + 0.006
    noise_spread = noise[:, :, None] * np.eye(3) + (step**2)[:, :, None]
    s = shading[:, :, None]
    gain = s * prior_spread @ np.linalg.inv(s * s * prior_spread + noise_spread)
    means = prior + (gain @ (seen - model)[:, :, None])[:, :, 0]
    spreads = prior_spread - gain @ (s * prior_spread)
    mean = (weight[:, None] * means).sum(axis=0)
    off = means - mean
    covariance = (weight[:, None, None] * (spreads + off[:, :, None] * off[:, None, :])).sum(axis=0)
    return np.maximum(mean, 0.001), covariance


def _reference(name: str, ratio: Floats, covariance: Floats, symbol: Floats) -> InkReference:
    r, g, b = covariance
    spread = (r[0], r[1], r[2], g[1], g[2], b[2])
    a, b_, c, d, e, f = (round(float(value), 7) for value in spread)
    return InkReference(name, _as_triple(ratio), (a, b_, c, d, e, f), tuple(symbol_to_rows(symbol)))


def _as_triple(value: Floats) -> tuple[float, float, float]:
    r, g, b = (round(float(number), 5) for number in value)
    return r, g, b

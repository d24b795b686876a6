"""Explaining faces: body, ink, shading and veil of each, judged with all that the six numbers share.

A coarse look (`face_light`) tells which explanations are worth a close one. The close look is taken twice.
After the first, the faces of one picture tell each other what they have in common: the colour of the lamp
that their gloss mirrors, which may be another than that of all light together. In the second each face is
judged by what the others have told.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.vision.face_gloss import believed, expected, heard, measured
from companion.vision.face_light import (
    GREEN,
    SHADINGS,
    TINT,
    VEIL_STEPS,
    VEILS,
    Learned,
    LightSpread,
    Surfaces,
    coarse_misfit,
    cut_off,
    shadow_tint,
    veil_and_shading_prior,
)
from companion.vision.face_limits import Gaps
from companion.vision.face_patch import FacePatches, Flags, Floats

Indices = npt.NDArray[np.intp]

#: What the coarse look finds this much less likely than the best (twice the natural log) is not looked at
#: closely, and counts as next to impossible.
_HOPELESS, _HOPELESS_SCORE = 30.0, -60.0
#: An explanation less likely than this has nothing to tell the other faces.
_LEAST_SHARE = 0.02
#: Where the variance of the veil's warmth is still so large a share of what it was, there is no gloss to
#: speak of, and nothing is judged again.
_TOLD_LITTLE = 0.7
#: Makes a channel that is not known count for nothing.
_UNKNOWN = 1e4
#: Degrees of freedom of Student's t for changes over a face: a shadow's edge changes much.
_SLOPE_TAIL = 4.0
_INK_ONLY = np.concatenate([np.zeros(3), np.ones(3)])
_BODY_ONLY = 1.0 - _INK_ONLY
_WARM, _GREENER = np.tile(TINT, 2), np.tile(GREEN, 2)
#: Each channel of body and ink together, (6, 3).
_EACH_CHANNEL = np.vstack([np.eye(3), np.eye(3)])


@dataclass(frozen=True, slots=True)
class Explanations:
    """Of each face, body and ink k of the best: log likelihood, shading and veil, each (f, 2, c, k)."""

    log_likelihood: Floats
    shading: Floats
    veil: Floats

    def best(self) -> Floats:
        """Log likelihood of the best explanation, (f, 2, c)."""
        return np.asarray(self.log_likelihood.max(axis=-1))


@dataclass(frozen=True, slots=True)
class _Known:
    """What each face is judged by: how much warmer than the light its veil is, (f,), and the variance of
    that; how much likelier each of the `VEILS` is than usual, log, (f, veils); and the inks, (c, 3), with
    their covariances, (c, 3, 3).
    """

    warm: Floats
    warm_variance: Floats
    veils: Floats
    inks: Floats
    ink_spread: Floats


@dataclass(frozen=True, slots=True)
class _Tried:
    """Explanations that are tried, n of them: indices of face, body, ink and veil; shading."""

    face: Indices
    body: Indices
    ink: Indices
    which: Indices
    shading: Floats

    @property
    def veil(self) -> Floats:
        """In units of white."""
        return np.asarray(VEILS[self.which])

    @property
    def step(self) -> Floats:
        """How far from the next veil that is tried."""
        return np.asarray(VEIL_STEPS[self.which])

    def only(self, which: Indices) -> _Tried:
        """Some of them."""
        return _Tried(
            self.face[which],
            self.body[which],
            self.ink[which],
            self.which[which],
            self.shading[which],
        )


@dataclass(frozen=True, slots=True)
class _Picture:
    """The faces under their light, all that does not change from try to try."""

    faces: FacePatches
    light: Floats
    blind: Flags
    surfaces: Surfaces
    spread: LightSpread


def explain(
    faces: FacePatches,
    light: Floats,
    surfaces: Surfaces,
    spread: LightSpread,
    blind: Flags | None = None,
    shadings: int = 1,
    together: bool = True,
) -> Explanations:
    """The best explanations of every face by every body and ink, under this light (3,) linear RGB.

    Of each veil the best `shadings` are kept. Channels of the light that are `blind`, (3,), were not seen in
    this picture and so may be off. `together` lets the faces tell each other what they have in common.
    """
    coarse = coarse_misfit(faces, light, surfaces, spread)
    coarse = coarse.reshape(*coarse.shape[:-1], len(SHADINGS), len(VEILS))
    if shadings == 1:
        chosen = coarse.argmin(axis=3)[..., None, :]
    else:
        chosen = np.argpartition(coarse, shadings, axis=3)[..., :shadings, :]
    least = np.take_along_axis(coarse, chosen, axis=3)
    shape = (*least.shape[:3], -1)
    veil = np.broadcast_to(np.arange(len(VEILS)), chosen.shape).reshape(shape)
    chosen, least = chosen.reshape(shape), least.reshape(shape)
    where = np.nonzero(least < least.min(axis=(1, 2, 3), keepdims=True) + _HOPELESS)
    face, body, ink, _ = where
    tried = _Tried(face, body, ink, veil[where], SHADINGS[chosen[where]])
    unseen = np.zeros(3, np.bool_) if blind is None else blind
    picture = _Picture(faces, light, unseen, surfaces, spread)
    count = len(faces.ink)
    known = _Known(
        np.zeros(count),
        np.full(count, spread.veil_warm**2),
        np.zeros((count, len(VEILS))),
        surfaces.inks,
        surfaces.ink_spread,
    )
    usual = _usual(picture, tried)
    gaps = _gaps(picture, known, tried)
    score = np.full(least.shape, _HOPELESS_SCORE)
    score[where] = usual + _judge(picture, known, tried, gaps)
    if together and (count > 1 or surfaces.learned is not None):
        told = _told_of_warmth(picture, known, tried, where, score, gaps)
        warmth_matters = told.warm_variance.min() < _TOLD_LITTLE * spread.veil_warm**2
        if surfaces.learned is not None:
            told = _told_of_veils(picture, told, surfaces.learned, tried, score[where])
        if warmth_matters or surfaces.learned is not None:
            score[where] = usual + _judge(picture, told, tried, _gaps(picture, told, tried))
    return Explanations(score, SHADINGS[chosen], VEILS[veil])


def _gaps(picture: _Picture, known: _Known, tried: _Tried) -> Gaps:
    """How far the model of each try is from what was measured."""
    faces, light, spread = picture.faces, picture.light, picture.spread
    f, s, v = tried.face, tried.shading[:, None], tried.veil[:, None]
    flat = faces.corners_are_body
    body = picture.surfaces.bodies[tried.body] * s
    ink = known.inks[tried.ink] * s
    shared = _shared(faces)
    surface = np.concatenate([body, ink], axis=-1)
    model = surface + v * shared * (1.0 + known.warm[f, None] * _WARM)
    seen = np.concatenate([faces.body / light, faces.ink / light], axis=-1)[f]
    above = np.concatenate([faces.body_clipped, faces.ink_clipped], axis=-1)[f]
    below = np.concatenate([np.zeros_like(faces.body_clipped), cut_off(faces.ink, light)], axis=-1)[f]
    brightest = np.maximum(surface.reshape(-1, 2, 3).max(axis=-1), 0.0)
    mixed = (spread.mixing * np.repeat(brightest, 3, axis=-1)) ** 2
    own = spread.floor**2 + (spread.channel * model) ** 2 + mixed
    if flat:
        apart = np.hypot(spread.between, 0.5 * faces.uneven)[f, None] * body
    else:
        rim = np.where(above[:, :3], np.maximum(seen[:, :3], model[:, :3]), seen[:, :3])
        apart = spread.rim * np.sqrt(np.maximum(rim, 1e-4) * body)
    back = (spread.leak_back if flat else spread.rim_leak_back) * (body - np.maximum(ink, 0.0))
    own[:, :3] += (spread.leak_apart * back) ** 2
    blind = np.flatnonzero(picture.blind)
    # one column for each part of the spread, filled in place: there are many, and few tries
    spreads = np.zeros((len(f), 6, 14 + len(blind)))
    spreads[:, :, 0] = spread.together * surface
    spreads[:, :3, 1] = apart
    spreads[:, :, 2] = np.hypot(spread.tint, shadow_tint(s, spread)) * surface * _WARM
    spreads[:, :, 3] = surface * (spread.green * _GREENER)
    spreads[:, 3:, 4] = spread.veil_change * v + 0.01
    spreads[:, :, 5] = tried.step[:, None] * (shared if flat else _INK_ONLY)
    spreads[:, :, 6] = np.sqrt(known.warm_variance + spread.veil_warm_each**2)[f, None] * v * (shared * _WARM)
    spreads[:, 3:, 7] = spread.leak * (body - ink)
    spreads[:, :3, 8] = back
    spreads[:, :3, 9] = spread.black * tried.body[:, None] * body
    spreads[:, :, 10:13] = (spread.veil_tint * v + 0.004)[:, :, None] * (shared[:, None] * _EACH_CHANNEL)
    if not flat:
        spreads[:, :3, 13] = spread.rim_veil + 0.12 * v
    if len(blind):
        spreads[:, :, 14:] = spread.blind * surface[:, :, None] * _EACH_CHANNEL[:, blind]
    covariance = spreads @ spreads.transpose(0, 2, 1)
    variance = covariance.reshape(-1, 36)[:, ::7]  # the diagonal, which can be written to
    variance += own
    covariance[:, 3:, 3:] += (s[..., None] ** 2) * known.ink_spread[tried.ink]
    return Gaps(seen - model, covariance, above, below & ~above)


def _usual(picture: _Picture, tried: _Tried) -> Floats:
    """How usual explanations are, and what the rim has to say, log likelihood (n,)."""
    score = -0.5 * veil_and_shading_prior(tried.shading, tried.veil, picture.spread)
    return np.asarray(score - _rim_doubt(picture, tried) if picture.faces.corners_are_body else score)


def _judge(picture: _Picture, known: _Known, tried: _Tried, gaps: Gaps) -> Floats:
    """The log likelihood of what explanations, usual or not, leave of the faces, (n,)."""
    score = gaps.log_likelihood(picture.spread.tail) + known.veils[tried.face, tried.which]
    return np.asarray(score + _slope_likelihood(picture, known, tried))


def _told_of_warmth(
    picture: _Picture,
    known: _Known,
    tried: _Tried,
    where: tuple[Indices, ...],
    score: Floats,
    gaps: Gaps,
) -> _Known:
    """How warm each face's veil is by all that the others have measured, each explanation counting as much as
    it is likely.

    Warmth is normally distributed; each face adds to its precision.
    """
    flat = score.reshape(len(score), -1)
    share = np.exp(flat - flat.max(axis=1, keepdims=True))
    share = (share / share.sum(axis=1, keepdims=True)).reshape(score.shape)[where]
    which = np.flatnonzero((share > _LEAST_SHARE) & (tried.veil > 0))
    told, share = tried.only(which), share[which]
    theirs = gaps.only(which)
    gap, covariance = theirs.measured()
    along = told.veil[:, None] * _shared(picture.faces) * _WARM * ~theirs.limits
    solved = np.linalg.solve(covariance, np.stack([along, gap], axis=-1))
    variance = picture.spread.veil_warm**2
    seen, pull = (along[..., None] * solved).sum(axis=1).T
    left = variance - variance**2 * seen
    count = len(score)
    precision = np.bincount(told.face, share * (1 / left - 1 / variance), count)
    moment = np.bincount(told.face, share * variance * pull / left, count)
    warm_variance = 1 / (1 / variance + precision.sum() - precision)
    return replace(known, warm=warm_variance * (moment.sum() - moment), warm_variance=warm_variance)


def _told_of_veils(
    picture: _Picture, known: _Known, learned: Learned, tried: _Tried, score: Floats
) -> _Known:
    """What is known once the faces have told each other of their veils, and those of the colours picture with
    them, of whose inks more is known then.

    `score` is that of the tries, (n,), judged without this. What a face has told of its veil, whatever its
    colour, comes back to it in the inks: that is little, and an ink for each face would cost much. Faces are
    still judged by how usual veils are on all tables as well, which is nearer to the truth than without.
    """
    place, spread = picture.faces.place, picture.spread
    # The field tells how usual a veil is: what was taken for usual before does not count beside it.
    own = score + spread.veil_tail * np.log1p(tried.veil / spread.veil)
    best = np.full(len(place), -np.inf)
    np.maximum.at(best, tried.face, own)
    likely = np.tile(best[:, None] + _HOPELESS_SCORE, (1, len(VEILS)))
    np.logaddexp.at(likely, (tried.face, tried.which), own)
    faces = len(place)
    seen = measured(np.vstack([likely, learned.likely]), spread)
    mean, variance = expected(np.vstack([place, learned.place]), *seen, faces, spread)
    chance = believed(learned.likely, mean[faces:], variance[faces:], spread)
    inks, ink_spread = learned.inks_for(chance)
    veils = heard(mean[:faces], variance[:faces], spread)
    return replace(known, veils=veils, inks=inks, ink_spread=ink_spread)


def _shared(faces: FacePatches) -> Floats:
    """How much of a veil each of the six numbers has, (6,): of a rim's gloss little lies on the flat part."""
    return _INK_ONLY + (1.0 if faces.corners_are_body else 0.2) * _BODY_ONLY


def _slope_likelihood(picture: _Picture, known: _Known, tried: _Tried) -> Floats:
    """How likely the changes of the ink's light over the face are, log likelihood (n,).

    An ink's own light is nearly the same all over a face. The mirror image of a lamp is not: towards it the
    veil grows. So an ink that changes from one side to the other owes part of its light to a veil, and one
    that does not is likely to have none.
    """
    faces, light, spread = picture.faces, picture.light, picture.spread
    f, v = tried.face, tried.veil[:, None]
    unknown = faces.ink_clipped | cut_off(faces.ink, light)
    error = (faces.slope_error / light) ** 2 + spread.slope_floor**2 + np.where(unknown, _UNKNOWN, 0.0)
    ink = known.inks[tried.ink] * tried.shading[:, None]
    even = np.hypot(spread.slope_shading, 1.5 * faces.uneven)[f, None] * ink
    veil = spread.slope_veil * v * (1.0 + known.warm[f, None] * TINT)
    warm = spread.slope_veil * np.sqrt(known.warm_variance)[f, None] * v * TINT
    parts = np.stack([even, veil, warm], axis=-1)
    covariance = error[f][:, :, None] * np.eye(3) + parts @ np.swapaxes(parts, -1, -2)
    slope = np.swapaxes(faces.slope / light, 1, 2)[f]
    distance = (slope * np.linalg.solve(covariance, slope)).sum(axis=(1, 2))
    volume = np.linalg.slogdet(covariance)[1]
    return np.asarray(-0.5 * (_SLOPE_TAIL + 6) * np.log1p(distance / _SLOPE_TAIL) - volume)


def _rim_doubt(picture: _Picture, tried: _Tried) -> Floats:
    """What the rim has to say against an explanation, (n,): it is of the body, but rounded, with a gloss of
    its own.
    """
    faces, spread = picture.faces, picture.spread
    model = picture.surfaces.bodies[tried.body] * tried.shading[:, None] + 0.5 * spread.rim_veil
    seen = (faces.rim / picture.light)[tried.face]
    seen = np.where(faces.rim_clipped[tried.face], np.maximum(seen, model), seen)
    variance = spread.floor**2 + spread.rim**2 * model * np.maximum(seen, 1e-4) + spread.rim_veil**2
    variance = variance + (0.15 * tried.veil[:, None]) ** 2
    misfit = ((seen - model) ** 2 / variance + np.log(variance)).sum(axis=-1)
    return np.asarray(0.3 * np.minimum(misfit, 14))

"""From the six top faces of the colours picture to the references that reading uses.

Which die shows which colour is not told: every face is explained by every name's rough ink (`palette`), and
the six names are given out so that all six explanations together are best. Each ink is then what was
measured, with light, shading and gloss taken off, and how well it is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
import numpy.typing as npt

from calibration.checks import (
    Margin,
    blame,
    check_count,
    check_inside,
    check_margins,
    check_picture,
    checked_bodies,
    margins,
    swapped,
)
from calibration.inks import as_triple, measure_ink, reference_of, with_veils
from calibration.palette import Palette
from calibration.refusal import CalibrationRefused
from companion.vision.face import FaceReader, FaceReferences
from companion.vision.face_explain import Explanations, explain
from companion.vision.face_light import LightSpread, Surfaces, cut_off
from companion.vision.face_patch import FacePatches, Quad, measure_faces
from companion.vision.picture_light import looks_white, picture_light
from companion.vision.symbol import symbol_of

Floats = npt.NDArray[np.float64]

#: Black bodies in units of the white ones.
BLACK = (0.02, 0.02, 0.02)
#: How far above the top of the range clipped white may be, natural log: tried in steps, unusual ones cost.
_ABOVE_TOP_STEPS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_ABOVE_TOP_LOG = 0.5
_APART_LOG = 0.25
#: How much more vivid than life cameras show colours, and how usual it is to be so far from life.
_VIVIDNESSES = (0.9, 1.0, 1.1, 1.2, 1.3, 1.4)
_VIVID_SPREAD = 0.12
#: So many shadings are tried of each veil.
_SHADINGS = 3
#: Log likelihood that makes one explanation of all six faces clearly better than another.
_CLEARLY = 1.0
#: Where names that may repeat explain the faces so much better than six names do (log likelihood), the faces
#: do not show six colours: where they do, it is next to nothing.
_FAR_BETTER = 10.0
#: One face in twenty has more gloss than this, in units of white (`LightSpread`'s prior of veils).
_VEILED = 0.25


@dataclass(frozen=True, slots=True)
class Assignment:
    """Names given to the faces: `names` index of each face's colour, `score` of all, `lead` over the next
    best.
    """

    names: tuple[int, ...]
    score: float
    lead: float
    next_names: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What the colours picture taught: of each face its name and body, the references, and the colours'
    margins.
    """

    names: tuple[str, ...]
    bodies: tuple[str, ...]
    references: FaceReferences
    margins: tuple[Margin, ...]


def learn_faces(
    colours_bgr: npt.NDArray[np.uint8],
    quads: Sequence[Quad],
    palette: Palette | None = None,
    names: Sequence[str] | None = None,
) -> Lesson:
    """Learn the inks and the bodies from the colours picture, uint8 BGR (h, w, 3), its six top faces given.

    `names`, where a person has said them, are the colours of the faces in the order of the quads: they win.

    Raises:
        CalibrationRefused: with what to do about it.
    """
    check_count(quads)
    check_inside((colours_bgr.shape[1], colours_bgr.shape[0]), quads)
    return learn_from(measure_faces(colours_bgr, quads), palette or Palette.of(), names)


def learn_from(faces: FacePatches, palette: Palette, names: Sequence[str] | None = None) -> Lesson:
    """Learn from six measured faces; see `learn_faces`."""
    white, _ = picture_light(faces, looks_white(faces, np.ones(3)), np.ones(3))
    check_picture(faces, white)
    told = None if names is None else _told(names, palette)
    try:
        return _lesson(faces, palette, told)
    except CalibrationRefused as refusal:
        raise blame(refusal, faces) from None


def _lesson(faces: FacePatches, palette: Palette, told: tuple[int, ...] | None) -> Lesson:
    guess = _best_guess(faces, palette, told)
    if told is None:
        _check_names(faces, guess, palette)
    symbols = symbol_of(faces.ink_share)
    in_order = sorted((colour, face) for face, colour in enumerate(guess.assignment.names))
    measured = [
        measure_ink(faces, face, guess.light, guess.explained, guess.palette, colour)
        for colour, face in in_order
    ]
    ordered = tuple(
        reference_of(palette.names[colour], ink, symbols[face])
        for (colour, face), ink in zip(in_order, measured, strict=True)
    )
    references = FaceReferences(ordered, as_triple(guess.light), BLACK, faces.corners_are_body)
    # Of a wrong name, as where a colour is shown twice or a person insists, a veil may be what makes it fit.
    own_names = told is None and _shown_twice(guess)[0] is None
    veiled = (_veils(guess) > _VEILED) & own_names
    found = margins(faces, guess.assignment.names, references, veiled)
    check_margins(found)
    narrow = {margin.colour: margin.sigmas for margin in found}
    references = replace(
        references,
        inks=tuple(replace(ink, margin_sigmas=narrow[ink.name]) for ink in ordered),
    )
    bodies = checked_bodies(faces, [naming.body for naming in FaceReader(references).judge(faces)])
    # Only now: what the faces tell of their veils would count twice if they were read by it themselves. And a
    # wrong name's veil, which is what makes it fit, would be told to all dice.
    if _assign(guess.explained, None).names == guess.assignment.names:
        references = replace(
            references,
            inks=tuple(
                with_veils(ink, faces.place[face], learned)
                for ink, (_, face), learned in zip(references.inks, in_order, measured, strict=True)
            ),
        )
    return Lesson(
        names=tuple(palette.names[colour] for colour in guess.assignment.names),
        bodies=bodies,
        references=references,
        margins=found,
    )


def _told(names: Sequence[str], palette: Palette) -> tuple[int, ...]:
    """The names a person gave as the palette's indices; each must be there once."""
    if sorted(names) != sorted(palette.names):
        raise CalibrationRefused(
            "names_not_all",
            f"Each of {', '.join(palette.names)} must be given to one die: choose the names again.",
        )
    return tuple(palette.names.index(name) for name in names)


def _check_names(faces: FacePatches, guess: _Guess, palette: Palette) -> None:
    """Refuse when red and blue seem exchanged, or two names could as well be the other way round.

    A colour shown twice is explained badly by six names, in the other order of the channels perhaps less so:
    only an order that also beats names that may repeat is told.
    """
    found, other = guess.assignment, _best_guess(swapped(faces), palette, None)
    twice, gain = _shown_twice(guess)
    if other.score > guess.score + max(gain, _CLEARLY):
        raise CalibrationRefused(
            "channels_swapped",
            "Red and blue look exchanged: the camera gives its channels in the other order. Choose BGR "
            "where RGB is set (or RGB where BGR is set) for the camera, and take both pictures again.",
        )
    if found.lead < _CLEARLY or gain > _FAR_BETTER:
        pair = [palette.names[k] for k, n in zip(found.names, found.next_names, strict=True) if k != n]
        seen = (
            f"Two dice seem to show {palette.names[twice]}"
            if twice is not None and gain > _CLEARLY
            else f"It is not clear which die is which of {' and '.join(pair)}"
        )
        raise CalibrationRefused(
            "names_unclear",
            f"{seen}: see that each die has another colour up; where each has, give the table whiter light, "
            "or name the colours yourself. Then take the picture again.",
        )


def _shown_twice(guess: _Guess) -> tuple[int | None, float]:
    """The colour that several faces show, if each is named by itself, and by how much that explains them
    better.
    """
    score = _name_scores(guess.explained)
    own = score.argmax(axis=1)
    repeated = [colour for colour, count in enumerate(np.bincount(own)) if count > 1]
    named = score[np.arange(len(score)), list(guess.assignment.names)]
    return (repeated[0] if repeated else None), float(score.max(axis=1).sum() - named.sum())


@dataclass(frozen=True, slots=True, eq=False)
class _Guess:
    """A light and a vividness of the camera, and how well the palette explains the faces with them."""

    score: float
    light: Floats
    palette: Palette
    explained: Explanations
    assignment: Assignment


def _best_guess(faces: FacePatches, palette: Palette, told: tuple[int, ...] | None) -> _Guess:
    """The light and the camera's vividness with which the palette explains the faces best.

    Where the white bodies can be measured they tell the light. Channels in which they met the top of the
    range are more than that by an unknown factor: channel by channel the one is taken that explains the inks
    best.
    """
    light, blind = picture_light(faces, looks_white(faces, np.ones(3)), np.ones(3))

    def judged(above: Floats, vividness: float) -> _Guess:
        tried = light * np.exp(above)
        shown = palette.seen_by(tried, vividness)
        surfaces = Surfaces(np.array([(1.0, 1.0, 1.0), BLACK]), shown.inks, shown.spread)
        explained = explain(faces, tried, surfaces, LightSpread(), shadings=_SHADINGS, together=True)
        assignment = _assign(explained, told)
        level = above[blind].mean() if blind.any() else 0.0
        apart = above[blind] - level
        cost = 0.5 * (level / _ABOVE_TOP_LOG) ** 2 + 0.5 * float((apart**2).sum()) / _APART_LOG**2
        cost += 0.5 * ((vividness - 1) / _VIVID_SPREAD) ** 2
        # Likelihoods are densities in units of the light: brighter light makes the units coarser. Of limits
        # they are probabilities.
        limits = faces.ink_clipped | cut_off(faces.ink, tried)
        seen = (~limits).sum(axis=0) + (~faces.body_clipped).sum(axis=0)
        coarser = float((seen * above).sum())
        return _Guess(assignment.score - cost - coarser, tried, shown, explained, assignment)

    above, vividness = np.zeros(3), 1.0
    best = judged(above, vividness)
    channels = [np.arange(3) == k for k in np.flatnonzero(blind)]
    for moved in [blind, *channels, None, *channels, None] if blind.any() else [None]:
        for step in _VIVIDNESSES if moved is None else _ABOVE_TOP_STEPS:
            tried = (above, step) if moved is None else (np.where(moved, step, above), vividness)
            guess = judged(*tried)
            if guess.score > best.score:
                best, (above, vividness) = guess, tried
    return best


def _assign(explained: Explanations, told: tuple[int, ...] | None) -> Assignment:
    """The names that together explain all faces best."""
    score = _name_scores(explained)
    faces = np.arange(len(score))
    orders = [told] if told is not None else list(permutations(range(score.shape[1]), len(score)))
    totals = np.array([score[faces, list(order)].sum() for order in orders])
    ranked = np.argsort(totals)
    lead = float(totals[ranked[-1]] - totals[ranked[-2]]) if len(orders) > 1 else np.inf
    best, following = (
        orders[int(ranked[-1])],
        orders[int(ranked[max(-2, -len(orders))])],
    )
    return Assignment(best, float(totals[ranked[-1]]), lead, following)


def _name_scores(explained: Explanations) -> Floats:
    """How well each name explains each face, (f, names) log likelihoods."""
    peak = explained.log_likelihood.max(axis=(1, 3))
    weight = np.exp(explained.log_likelihood - peak[:, None, :, None])
    return np.asarray(peak + np.log(weight.sum(axis=(1, 3))))


def _veils(guess: _Guess) -> Floats:
    """The veil of each face, in units of white, (f,), as its name explains it best."""
    explained = guess.explained
    named = np.arange(len(explained.veil)), slice(None), np.array(guess.assignment.names)
    likely, veil = (
        values[named].reshape(len(values), -1) for values in (explained.log_likelihood, explained.veil)
    )
    return np.asarray(np.take_along_axis(veil, likely.argmax(axis=1)[:, None], axis=1)[:, 0])

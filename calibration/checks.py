"""Whether the colours picture is good enough to learn from, and how far apart its colours are."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.refusal import CalibrationRefused
from companion.vision.face import BLACK_DICE, DICE, FaceReader, FaceReferences
from companion.vision.face_patch import SHARE_PX, FacePatches, Floats, Quad

#: Channels of the six inks, eighteen in all: where so many have met the top of the range, it is the light
#: that makes colours alike.
_MANY_CLIPPED = 7
#: The name of one die that is all glare is what the other five leave.
_MOST_WASHED_OUT = 1
_DARKEST_WHITE = 0.02
_LEAST_CONTRAST = 4.0
#: Share of the way from body to ink that the steepest part of a symbol's edge makes in a twentieth of the
#: die: a sharp picture makes half; below this the edge spreads over more than a sixth of the die.
_SOFTEST_EDGE = 0.30
#: In units of noise. Two colours nearer than this would be mistaken for each other about every third time;
#: nearer than twice or thrice this, readings often ask.
_CLOSEST = 1.0
_FAIR, _WIDE = 3.0, 6.0
_AXIS = np.abs((np.arange(SHARE_PX) + 0.5) / SHARE_PX - 0.5)
_INSIDE = np.maximum(_AXIS[:, None], _AXIS[None, :]) < 0.4


@dataclass(frozen=True, slots=True)
class Margin:
    """How far a colour is from the one it is most like on this table, in units of noise (standard
    deviations).
    """

    colour: str
    nearest: str
    sigmas: float

    @property
    def sureness(self) -> str:
        """How surely it is told from that one: "wide", "fair", or "narrow", of which readings often ask."""
        return "wide" if self.sigmas >= _WIDE else "fair" if self.sigmas >= _FAIR else "narrow"


def check_count(quads: Sequence[Quad]) -> None:
    """Refuse when not six dice were found."""
    if len(quads) == DICE:
        return
    what = (
        "a die is missing, hidden or too near to another"
        if len(quads) < DICE
        else "something else lies there"
    )
    raise CalibrationRefused(
        "wrong_number_of_dice",
        f"The colours picture shows {len(quads)} dice where 6 are needed ({what}): put six dice on the "
        "track, each with another colour up, clear of the walls, of the tower and of each other, and take "
        "the picture again.",
    )


def checked_bodies(faces: FacePatches, named: Sequence[str]) -> tuple[str, ...]:
    """The six bodies: as named, but of a die that is all glare what the others leave.

    Raises:
        CalibrationRefused: not four are white and two black (rule 6.2).
    """
    glaring = washed_out(faces)
    shown = [body for body, unseen in zip(named, glaring, strict=True) if not unseen]
    left = "white" if shown.count("black") == BLACK_DICE else "black"
    bodies = tuple(left if unseen else body for body, unseen in zip(named, glaring, strict=True))
    black = bodies.count("black")
    if black == BLACK_DICE:
        return bodies
    raise CalibrationRefused(
        "wrong_bodies",
        f"The colours picture seems to show {len(bodies) - black} white dice and {black} black ones where "
        f"{DICE - BLACK_DICE} and {BLACK_DICE} are needed: see that all six are of one set and lie in the "
        "open where the light reaches them, and take the picture again.",
    )


def check_inside(size_px: tuple[int, int], quads: Sequence[Quad]) -> None:
    """Refuse when a die is cut by the edge of a picture of this (width, height)."""
    for quad in quads:
        corners = np.asarray(quad, np.float64)
        if corners.min() < 0 or (corners.max(axis=0) > size_px).any():
            x, y = corners.mean(axis=0)
            raise CalibrationRefused(
                "cut_die",
                f"The die at {x:.0f}, {y:.0f} is cut by the picture's edge: move it inwards, or the camera "
                "back, and take the colours picture again.",
            )


def check_picture(faces: FacePatches, white: Floats) -> None:
    """Refuse when the light is too little or too much, or the picture is not sharp.

    `white` is the light of a white body, (3,) linear RGB 0..1.
    """
    if white.mean() < _DARKEST_WHITE or np.median(faces.contrast - _LEAST_CONTRAST * faces.noise) < 0:
        raise CalibrationRefused(
            "too_dark",
            "It is too dark to tell the colours from the camera's noise: give the table more light, or the "
            "camera a longer exposure, and take both pictures again.",
        )
    if washed_out(faces).sum() > _MOST_WASHED_OUT:
        raise _light_clips()
    if float(np.median(edge_steepness(faces))) < _SOFTEST_EDGE:
        raise CalibrationRefused(
            "blurred",
            "The dice are not sharp: focus the lens on them, see that the camera stands still, and take both "
            "pictures again.",
        )


def blame(refusal: CalibrationRefused, faces: FacePatches) -> CalibrationRefused:
    """What colours that cannot be told apart are refused for: the light, where many have run out of range."""
    alike = refusal.code in ("names_unclear", "colours_too_close")
    return _light_clips() if alike and faces.ink_clipped.sum() >= _MANY_CLIPPED else refusal


def _light_clips() -> CalibrationRefused:
    return CalibrationRefused(
        "light_clips",
        "The light clips: the dice are so bright that their colours run out of the camera's range. Shorten "
        "the exposure, or turn the lamp away, and take both pictures again.",
    )


def washed_out(faces: FacePatches) -> npt.NDArray[np.bool_]:
    """Faces whose ink has met the top of the range in every channel, (f,): they do not show their colour."""
    return np.asarray(faces.ink_clipped.all(axis=1))


def edge_steepness(faces: FacePatches) -> Floats:
    """The steepest change of the share of ink over a twentieth of the die, (f,)."""
    down, right = np.gradient(faces.ink_share.astype(np.float64), axis=(1, 2))
    return np.asarray(np.quantile(np.hypot(down, right)[:, _INSIDE], 0.965, axis=1))


def swapped(faces: FacePatches) -> FacePatches:
    """The same faces with red and blue exchanged, as a camera read in the wrong order shows them."""
    return dataclasses.replace(
        faces,
        image=faces.image[..., ::-1],
        ink=faces.ink[:, ::-1],
        body=faces.body[:, ::-1],
        rim=faces.rim[:, ::-1],
        slope=faces.slope[:, :, ::-1],
        slope_error=faces.slope_error[:, ::-1],
        ink_clipped=faces.ink_clipped[:, ::-1],
        body_clipped=faces.body_clipped[:, ::-1],
        rim_clipped=faces.rim_clipped[:, ::-1],
    )


def margins(
    faces: FacePatches,
    colours: Sequence[int],
    references: FaceReferences,
    veiled: npt.NDArray[np.bool_],
) -> tuple[Margin, ...]:
    """Of each face of the colours picture, whose colour is given by index: how far other colours are from its
    own.

    The difference of the log likelihoods, as the number of standard deviations that it stands for; of two
    colours the smaller one of both faces counts. Negative differences count as none. What a face that is
    `veiled`, (f,), or all glare shows is not what its colour usually does: beside one that is neither, that
    one alone tells.
    """
    names = [ink.name for ink in references.inks]
    log = np.log(np.maximum(FaceReader(references).colour_chances(faces), 1e-30))
    apart = np.full((len(names), len(names)), np.inf)
    glaring = washed_out(faces)
    for row, own, unseen in zip(log, colours, glaring, strict=True):
        if not unseen:
            apart[own] = np.sqrt(2 * np.maximum(row[own] - row, 0.0))
    np.fill_diagonal(apart, np.inf)
    usual = np.ones(len(names), np.bool_)
    usual[list(colours)] = ~(glaring | veiled)
    own_tells, other_tells = (usual[:, None] & ~usual), (~usual[:, None] & usual)
    apart = np.where(own_tells, apart, np.where(other_tells, apart.T, np.minimum(apart, apart.T)))
    nearest = apart.argmin(axis=1)
    return tuple(
        Margin(names[own], names[int(nearest[own])], round(float(apart[own].min()), 1)) for own in colours
    )


def check_margins(found: Sequence[Margin]) -> None:
    """Refuse when two colours are so alike on this table that readings would often doubt or err."""
    closest = min(found, key=lambda margin: margin.sigmas)
    if closest.sigmas < _CLOSEST:
        raise CalibrationRefused(
            "colours_too_close",
            f"Two dice seem to show one colour: {closest.colour} and {closest.nearest} look too much alike "
            f"({closest.sigmas:.1f} times the noise). Lay the dice with six colours up and take that picture "
            "again; where they have lain so, give the table more or whiter light, without glare on the dice, "
            "and take both pictures again.",
        )

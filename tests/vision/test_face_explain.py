"""Explaining faces: what changes over a face is a veil, and one lamp is mirrored in all of them."""

import dataclasses

import numpy as np
import pytest

from companion.vision.colour import linear_from_srgb
from companion.vision.face_explain import explain
from companion.vision.face_light import VEILS, Learned, LightSpread, Surfaces
from companion.vision.face_patch import FacePatches, measure_faces
from tests.vision.die_faces import INKS, DrawnFace, Light, draw, six

LIGHT = np.array(Light().rgb)
BODIES = np.array([(1.0, 1.0, 1.0), (0.02, 0.02, 0.02)])


def surfaces() -> Surfaces:
    inks = np.array(list(INKS.values()))
    return Surfaces(BODIES, inks, np.array([np.diag((0.03 + 0.05 * ink) ** 2) for ink in inks]))


def faces(drawn: list[DrawnFace]) -> FacePatches:
    return measure_faces(*draw(drawn), corners_are_body=True)


def likely_veil(measured: FacePatches, face: int, together: bool = True) -> float:
    """The veil over a face, each explanation counting as much as it is likely."""
    found = explain(measured, LIGHT, surfaces(), LightSpread(), together=together)
    weight = np.exp(found.log_likelihood[face] - found.log_likelihood[face].max())
    return float((weight * found.veil[face]).sum() / weight.sum())


def test_light_that_rises_across_a_face_has_a_slope() -> None:
    frame, quads = draw([DrawnFace("black", "orange", shape="full")], Light(blur_px=0, noise_levels=0))
    linear = linear_from_srgb(frame)
    left, right = min(x for x, _ in quads[0]), max(x for x, _ in quads[0])
    columns = (np.arange(frame.shape[1]) + 0.5 - left) / (right - left)
    risen = linear + 0.2 * columns[None, :, None]
    levels = np.where(risen <= 0.0031308, 12.92 * risen, 1.055 * np.maximum(risen, 0) ** (1 / 2.4) - 0.055)
    picture = np.clip(np.round(255 * levels), 0, 255).astype(np.uint8)
    measured = measure_faces(picture, quads, corners_are_body=False)
    slope = measured.slope[0, :, 1]
    assert np.hypot(*slope) == pytest.approx(0.2, abs=0.03)
    flat = measure_faces(frame, quads, corners_are_body=False)
    assert np.abs(flat.slope).max() < 0.03


def test_an_ink_that_changes_over_its_face_owes_light_to_a_veil() -> None:
    measured = faces(six(blacks=(2, 3)))
    lifted = measured.ink.copy()
    lifted[0] += 0.06 * LIGHT
    even = dataclasses.replace(measured, ink=lifted)
    slope = measured.slope.copy()
    slope[0] = 0.06 * np.array([LIGHT, -0.5 * LIGHT])
    assert likely_veil(dataclasses.replace(even, slope=slope), 0) > 1.2 * likely_veil(even, 0)


def test_faces_tell_each_other_the_colour_of_the_lamp_they_mirror() -> None:
    """A veil of the lamp's own colour fits better once the others have shown what colour that is."""
    measured = faces(six(blacks=(3, 4)))
    warm = np.array([1.6, 1.0, 0.4]) * LIGHT
    ink, body = measured.ink.copy(), measured.body.copy()
    for face in (3, 4, 5):
        ink[face] += 0.3 * warm
        body[face] += 0.3 * warm
    veiled = dataclasses.replace(measured, ink=ink, body=body)
    purple = list(INKS).index("purple")

    def fit(together: bool) -> float:
        return float(
            explain(veiled, LIGHT, surfaces(), LightSpread(), together=together).best()[5, 0, purple]
        )

    assert fit(together=True) > fit(together=False) + 0.5


#: Where the six inks were learned: in the row that is drawn, so that faces tell of them and they of faces;
#: each where another face of the row lies now.
IN_THE_ROW = np.array([(2.0 * k + 1, 1.5) for k in (4, 5, 2, 0, 1, 3)])


def learned(likely: np.ndarray, place: np.ndarray = IN_THE_ROW) -> Surfaces:
    """The inks as calibration keeps them: less is left of one for its veil, (6, veils) log likelihoods."""
    known = surfaces()
    inks = known.inks[:, None] - VEILS[None, :, None] + VEILS[1]
    spread = np.tile(0.3 * known.ink_spread[:, None], (1, len(VEILS), 1, 1))
    return dataclasses.replace(known, learned=Learned(place, likely, inks, spread))


def under_a_veil(measured: FacePatches, veiled: tuple[int, ...], veil: float = 0.25) -> FacePatches:
    """The same faces, with a veil over some of them."""
    more = np.where(np.isin(np.arange(6), veiled), veil, 0.0)[:, None] * LIGHT
    return dataclasses.replace(measured, ink=measured.ink + more, body=measured.body + more)


def test_beside_veiled_dice_a_veil_is_likelier() -> None:
    """A white body that has run out of the range does not tell how much of it is gloss."""
    nothing = learned(np.zeros((6, len(VEILS))), IN_THE_ROW + 100)
    clear = faces(six(blacks=(1, 3)))
    blank = dataclasses.replace(
        clear, body_clipped=np.isin(np.arange(6), (2,))[:, None] | clear.body_clipped, uneven=np.zeros(6)
    )

    def veil_of(measured: FacePatches) -> float:
        found = explain(measured, LIGHT, nothing, LightSpread())
        weight = np.exp(found.log_likelihood[2] - found.log_likelihood[2].max())
        return float((weight * found.veil[2]).sum() / weight.sum())

    assert veil_of(under_a_veil(blank, (1, 3))) > 1.5 * veil_of(blank)


def test_faces_beside_where_an_ink_was_learned_tell_what_the_ink_is() -> None:
    """Whether the yellow was learned from under a veil was open; the faces that lie there now tell."""
    yellow, veil = list(INKS).index("yellow"), 0.25
    known = learned(np.zeros((6, len(VEILS))))

    def darker_fits_better_by(veiled: tuple[int, ...]) -> float:
        drawn = under_a_veil(faces(six(blacks=(1, 3))), veiled, veil)
        fits = []
        for less in (veil, VEILS[1]):
            ink = drawn.ink.copy()
            ink[5] = np.maximum(np.array(INKS["yellow"]) + VEILS[1] - less, 0.0) * LIGHT
            shown = dataclasses.replace(drawn, ink=ink)
            fits.append(explain(shown, LIGHT, known, LightSpread()).best()[5, 0, yellow])
        return float(fits[0] - fits[1])

    assert darker_fits_better_by((1, 3)) > darker_fits_better_by(()) + 2


def test_a_face_alone_is_explained_too() -> None:
    measured = faces([DrawnFace("white", "blue")])
    score = explain(measured, LIGHT, surfaces(), LightSpread()).best()[0]
    assert np.unravel_index(score.argmax(), score.shape) == (0, list(INKS).index("blue"))

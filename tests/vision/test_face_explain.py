"""Explaining faces: what changes over a face is a veil, and one lamp is mirrored in all of them."""

import dataclasses

import numpy as np
import pytest

from companion.vision.colour import linear_from_srgb
from companion.vision.face_explain import explain
from companion.vision.face_light import LightSpread, Surfaces
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


def test_a_face_alone_is_explained_too() -> None:
    measured = faces([DrawnFace("white", "blue")])
    score = explain(measured, LIGHT, surfaces(), LightSpread()).best()[0]
    assert np.unravel_index(score.argmax(), score.shape) == (0, list(INKS).index("blue"))

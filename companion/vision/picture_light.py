"""The light of a picture, and what its faces show in it.

The white bodies among the dice are a white reference that is in every picture. Where they met the top of the
range the light is not known, and is taken to be the calibration's, give or take some.
"""

from __future__ import annotations

import numpy as np

from companion.vision.face_explain import explain
from companion.vision.face_light import LightSpread, Surfaces
from companion.vision.face_patch import FacePatches, Flags, Floats

#: How much more the faces brightest in a channel count, where the body is only seen in the rim.
_RIM_POWER = 6


def looks_white(faces: FacePatches, light: Floats) -> Flags:
    """A first guess which faces have a white body, (f,): there the ink takes light away, on black it adds."""
    change = (faces.ink - faces.body) / light
    return np.asarray(-change.min(axis=1) > change.max(axis=1))


def picture_light(faces: FacePatches, white: Flags, expected: Floats) -> tuple[Floats, Flags]:
    """The light of a picture, (3,) linear RGB of a white body in it, and which channels it could not be seen
    in.

    Bright bodies count more: those in shadow have the shadow's colour. A rim is so thin that blur mixes ink
    into it, which takes light away in some channels: there each channel is taken from the faces brightest in
    it. Channels in which most of the white has met the top of the range keep the `expected` light's colour,
    scaled as the other channels are.
    """
    if not white.any():
        return np.maximum(expected, 1e-3), np.ones(3, np.bool_)
    body = np.maximum(faces.body[white], 1e-4)
    seen = ~faces.body_clipped[white]
    if faces.corners_are_body:
        weight = np.repeat(body.mean(axis=1, keepdims=True), 3, axis=1)
    else:
        weight = body**_RIM_POWER
    blind = (weight * seen).sum(axis=0) < 0.5 * weight.sum(axis=0)
    weight = weight * seen / np.maximum((weight * seen).sum(axis=0), 1e-30)
    mean = np.exp((weight * np.log(body)).sum(axis=0))
    change = np.log(mean[~blind] / expected[~blind]).mean() if not blind.all() else 0.0
    light = np.where(blind, np.maximum(expected * np.exp(change), 0.97), mean)
    return np.maximum(light, 1e-3), blind


def light_chances(
    faces: FacePatches,
    light: Floats,
    blind: Flags,
    surfaces: Surfaces,
    spread: LightSpread,
) -> Floats:
    """The log probability of each face's body and ink by their light (3,) linear RGB, (f, 2, c)."""
    best = explain(faces, light, surfaces, spread, blind).best()
    flat = best.reshape(len(best), -1)
    top = flat.max(axis=1, keepdims=True)
    weight = np.exp(flat - top)
    return np.asarray(np.log(weight / weight.sum(axis=1, keepdims=True) + 1e-30).reshape(best.shape))

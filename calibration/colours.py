"""From the six top faces of the colours picture to the references that reading uses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import numpy.typing as npt

from companion.vision.colour import linear_from_srgb
from companion.vision.face import FaceReferences, InkReference, Quad, measure_face

# What people mean by these names, as 8-bit sRGB of a printed ink; a rough prior, used only to put the
# right name to each of six dice that differ among themselves.
DEFAULT_PALETTE = {
    "red": (200, 30, 40),
    "orange": (235, 115, 25),
    "yellow": (245, 205, 40),
    "green": (25, 140, 65),
    "blue": (25, 80, 180),
    "purple": (110, 45, 140),
}


class CalibrationRefused(ValueError):  # noqa: N818 - it is a refusal, said in the table's words
    """The pictures do not make a profile: a stable code and a sentence with advice."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def learn_faces(colours_bgr: npt.NDArray[np.uint8], quads: Sequence[Quad]) -> FaceReferences:
    """Learn the six inks and both bodies from the colours picture, its six top faces given.

    Raises:
        CalibrationRefused: with what to do about it.
    """
    if len(quads) != len(DEFAULT_PALETTE):
        raise CalibrationRefused(
            "wrong_number_of_dice",
            f"The colours picture shows {len(quads)} dice where 6 are needed: put six dice on the track, "
            "each with another colour up, clear of walls and of each other, and take it again.",
        )
    measured = [measure_face(colours_bgr, quad) for quad in quads]
    brightness = np.array([body.mean() for body, _ in measured])
    order = np.argsort(brightness)
    black = np.mean([measured[k][0] for k in order[:2]], axis=0)
    white = np.mean([measured[k][0] for k in order[2:]], axis=0)
    ratios = np.array([ink / np.maximum(white, 1e-3) for _, ink in measured])
    names = tuple(DEFAULT_PALETTE)
    feature = np.log(ratios + 0.02)
    prior = np.log(linear_from_srgb([DEFAULT_PALETTE[name] for name in names]) + 0.02)
    feature -= feature.mean(axis=1, keepdims=True)
    prior -= prior.mean(axis=1, keepdims=True)
    cost = ((feature[:, None] - prior[None]) ** 2).sum(axis=2)
    best = min(permutations(range(6)), key=lambda p: sum(cost[k, p[k]] for k in range(6)))
    inks = sorted(zip(best, ratios, strict=True), key=lambda pair: pair[0])
    return FaceReferences(
        tuple(InkReference(names[k], _as_triple(ratio)) for k, ratio in inks),
        _as_triple(white),
        _as_triple(black),
    )


def _as_triple(value: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    return float(value[0]), float(value[1]), float(value[2])

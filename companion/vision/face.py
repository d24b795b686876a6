"""Naming the top faces of dice: body, ink colour, how sure, and the runner-up.

Every face is judged by itself; the faces of one picture share only the estimate of the light, which
the white bodies among them give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.colour import linear_from_srgb

Quad = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class InkReference:
    """One colour as calibration saw it: name, linear RGB reflectance relative to the white body."""

    name: str
    ratio: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class FaceReferences:
    """What naming a face needs to know of this table: inks, and the two bodies under calibration light.

    `white` is the white bodies' linear RGB 0..1 at calibration, `black` that of the black bodies.
    """

    inks: tuple[InkReference, ...]
    white: tuple[float, float, float]
    black: tuple[float, float, float]

    def to_dict(self) -> dict[str, object]:
        """A form that JSON can hold."""
        return {
            "inks": [{"name": ink.name, "ratio": list(ink.ratio)} for ink in self.inks],
            "white": list(self.white),
            "black": list(self.black),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> FaceReferences:
        """Read what `to_dict` gave.

        Raises:
            ValueError, KeyError, TypeError: the data has another form.
        """
        inks = data["inks"]
        if not isinstance(inks, list):
            raise ValueError("inks is no list")
        return cls(
            tuple(InkReference(str(ink["name"]), _triple(ink["ratio"])) for ink in inks),
            _triple(data["white"]),
            _triple(data["black"]),
        )


def _triple(value: object) -> tuple[float, float, float]:
    if not isinstance(value, list) or len(value) != 3:
        raise ValueError("three numbers expected")
    return float(value[0]), float(value[1]), float(value[2])


@dataclass(frozen=True, slots=True)
class FaceNaming:
    """What one face was named, with the probability of body and colour (0 to 1) and the next best colour."""

    body: str
    colour: str
    confidence: float
    runner_up: str
    body_confidence: float
    colour_unsure: bool
    body_unsure: bool


class FaceReader:
    """Names the top faces of one picture at a time."""

    def __init__(self, references: FaceReferences) -> None:
        self._references = references

    def read(self, frame_bgr: npt.NDArray[np.uint8], quads: Sequence[Quad]) -> tuple[FaceNaming, ...]:
        """Name the faces with these corners (pixels of the frame, any start corner), in their order."""
        refs = self._references
        measured = [measure_face(frame_bgr, quad) for quad in quads]
        threshold = float(np.sqrt(np.mean(refs.white) * np.mean(refs.black)))
        whites = [body for body, _ in measured if body.mean() > threshold]
        light = np.median(np.array(whites), axis=0) if whites else np.array(refs.white)
        names = [ink.name for ink in refs.inks]
        table = np.log(np.array([ink.ratio for ink in refs.inks]) + 0.02)
        table -= table.mean(axis=1, keepdims=True)
        result = []
        for body, ink in measured:
            feature = np.log(ink / np.maximum(light, 1e-3) + 0.02)
            gap = ((feature - feature.mean() - table) ** 2).sum(axis=1) / (2 * 0.25**2)
            weight = np.exp(gap.min() - gap)
            weight /= weight.sum()
            first, second = (int(k) for k in np.argsort(-weight)[:2])
            white = bool(body.mean() > threshold)
            result.append(
                FaceNaming(
                    "white" if white else "black",
                    names[first],
                    float(weight[first]),
                    names[second],
                    0.99,
                    bool(weight[first] < 0.8),
                    False,
                )
            )
        return tuple(result)


def measure_face(frame_bgr: npt.NDArray[np.uint8], quad: Quad) -> tuple[npt.NDArray[np.float64], ...]:
    """Linear RGB of the body (rim) and of the ink (middle) of one top face."""
    size = 48
    target = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    patch = cv2.warpPerspective(
        frame_bgr, cv2.getPerspectiveTransform(np.array(quad, np.float32), target), (size, size)
    )
    linear = linear_from_srgb(patch[..., ::-1])
    y, x = np.mgrid[:size, :size]
    reach = np.maximum(abs(x - size / 2 + 0.5), abs(y - size / 2 + 0.5)) / size
    body = np.median(linear[(reach > 0.38) & (reach < 0.46)], axis=0)
    ink = np.median(linear[np.hypot(x - size / 2 + 0.5, y - size / 2 + 0.5) < 0.12 * size], axis=0)
    return body, ink

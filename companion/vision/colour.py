"""Naming colours from 8-bit sRGB samples: a model fitted from one or more samples a colour.

The names are whatever the caller uses, from two up; nothing here knows what "red" looks like.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


class ColourModelError(ValueError):
    """Samples from which no model can be fitted, or that cannot be named; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class ColourNaming:
    """What one sample was named: the colour, how sure (0 to 1), the next best, and whether to ask."""

    colour: str
    confidence: float
    runner_up: str
    unsure: bool


def linear_from_srgb(srgb: npt.ArrayLike) -> FloatArray:
    """Linear light 0..1 from 8-bit sRGB 0..255, any shape (IEC 61966-2-1)."""
    value = np.asarray(srgb, dtype=np.float64) / 255.0
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def _features(srgb: FloatArray) -> FloatArray:
    linear = linear_from_srgb(srgb)
    log = np.log(linear + 0.01)
    brightness = log.mean(axis=1, keepdims=True)
    return np.hstack([log - brightness, 0.3 * brightness])


@dataclass(frozen=True, slots=True)
class ColourModel:
    """Reference points of each colour in a space where shading counts little and hue much."""

    names: tuple[str, ...]
    references: tuple[tuple[float, ...], ...]

    @classmethod
    def fit(cls, samples: Mapping[str, Iterable[Sequence[float]]]) -> ColourModel:
        """Fit from 8-bit sRGB samples (r, g, b) a colour name; one sample a colour is enough.

        Raises:
            ColourModelError: fewer than two colours, or a colour without a sample.
        """
        if len(samples) < 2:
            raise ColourModelError("A colour model needs samples of at least two colours.")
        references = []
        for name, rows in samples.items():
            array = np.asarray(list(rows), dtype=np.float64).reshape(-1, 3)
            if len(array) == 0:
                raise ColourModelError(f"The colour {name!r} has no sample.")
            references.append(tuple(float(v) for v in _features(array).mean(axis=0)))
        return cls(tuple(samples), tuple(references))

    def name_all(self, samples: Iterable[Sequence[float]]) -> tuple[ColourNaming, ...]:
        """Name each 8-bit sRGB sample (r, g, b) by itself; the others of the batch do not matter."""
        array = np.asarray(list(samples), dtype=np.float64).reshape(-1, 3)
        features = _features(array)
        gap = ((features[:, None, :] - np.asarray(self.references)[None]) ** 2).sum(axis=2) / (2 * 0.15**2)
        weight = np.exp(gap.min(axis=1, keepdims=True) - gap)
        weight /= weight.sum(axis=1, keepdims=True)
        order = np.argsort(-weight, axis=1)
        return tuple(
            ColourNaming(
                self.names[first], float(row[first]), self.names[second], bool(row[first] < 0.9)
            )
            for row, (first, second) in zip(weight, order[:, :2], strict=True)
        )

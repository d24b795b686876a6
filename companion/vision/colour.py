"""Naming colours from 8-bit sRGB samples: a model fitted from one or more samples a colour.

The names are whatever the caller uses, two or more; nothing here knows what "red" looks like. A sample is
held against each reference by asking how likely one surface is to give both. Between two looks at one surface

- the *shading* changes most: all channels grow or shrink by one factor,
- the light's *tint* changes along warm and cool: red against blue,
- gloss or stray light adds a little *haze*, the same in every channel, which tells most in dark channels,
- the camera rounds to whole levels and has noise, which tells most in dark channels and near white.

So the difference of two samples in log light has a covariance that is known up to those few sizes. Their
values below were measured on real scans of coloured stickers other than those they are tried on
(leave-one-cube-out, see the docs); the result hardly changes when any of them is a third larger or smaller.
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


@dataclass(frozen=True, slots=True)
class ColourSpread:
    """How much two samples of one surface differ.

    `shading`, `tint` and `other` are standard deviations in natural log light; `haze_frac` is a share of full
    white; `noise_levels` is one sample's error in 8-bit levels. `floor_frac` keeps the log of black finite.
    `shoulder` and `ceiling_frac` undo part of the compression with which cameras approach white: there a step
    of one level means more light than elsewhere. `tail` is the degrees of freedom of Student's t: real
    differences are now and then much larger than usual.
    """

    shading: float = 0.35
    tint: float = 0.10
    other: float = 0.09
    haze_frac: float = 0.003
    noise_levels: float = 1.5
    floor_frac: float = 0.001
    shoulder: float = 0.25
    ceiling_frac: float = 0.005
    tail: float = 4.0


# Below this probability of being right the caller should ask.
SURE = 0.915
_TINT = np.array([1.0, 0.0, -1.0])


def linear_from_srgb(srgb: npt.ArrayLike) -> FloatArray:
    """Linear light 0..1 from 8-bit sRGB 0..255, any shape (IEC 61966-2-1)."""
    value = np.asarray(srgb, dtype=np.float64) / 255.0
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


@dataclass(frozen=True, slots=True)
class _Looks:
    """Samples in log light, shape (…, 3), with what one level of noise and one unit of haze do to each
    channel.
    """

    log_light: FloatArray
    per_level: FloatArray
    per_haze: FloatArray

    @classmethod
    def of(cls, srgb: FloatArray, spread: ColourSpread) -> _Looks:
        value = np.clip(srgb, 0.0, 255.0) / 255.0
        light = linear_from_srgb(255.0 * value)
        slope = np.where(value <= 0.04045, 1 / 12.92, 2.4 / 1.055 * ((value + 0.055) / 1.055) ** 1.4)
        room = 1 + spread.ceiling_frac - value
        log_light = np.log(light + spread.floor_frac) - spread.shoulder * np.log(room)
        steep = slope / (light + spread.floor_frac) + spread.shoulder / room
        return cls(log_light, steep / 255.0, steep / slope)


def _unlikeness(first: _Looks, second: _Looks, spread: ColourSpread) -> FloatArray:
    """Negative log likelihood (up to a constant) that two looks, broadcast together, are of one surface."""
    gap = first.log_light - second.log_light
    own = spread.other**2 + spread.noise_levels**2 * (first.per_level**2 + second.per_level**2)
    haze = spread.haze_frac * np.sqrt(first.per_haze * second.per_haze)
    covariance = own[..., :, None] * np.eye(3) + haze[..., :, None] * haze[..., None, :]
    covariance += spread.shading**2 + spread.tint**2 * np.outer(_TINT, _TINT)
    solved = np.linalg.solve(covariance, gap[..., None])[..., 0]
    distance = (gap * solved).sum(axis=-1)
    log_volume = np.log(np.linalg.det(covariance))
    return np.asarray(0.5 * (spread.tail + 3) * np.log1p(distance / spread.tail) + 0.5 * log_volume)


def _checked(rows: Iterable[Sequence[float]], what: str) -> FloatArray:
    try:
        array = np.asarray([[float(value) for value in row] for row in rows], dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ColourModelError(f"{what} must be (r, g, b) numbers from 0 to 255.") from error
    if array.size == 0:
        return array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3 or not np.isfinite(array).all():
        raise ColourModelError(f"{what} must be (r, g, b) numbers from 0 to 255.")
    if array.min() < 0 or array.max() > 255:
        raise ColourModelError(f"{what} must be (r, g, b) numbers from 0 to 255.")
    return array


@dataclass(frozen=True, slots=True)
class ColourModel:
    """The samples of each colour, and how much two samples of one colour may differ.

    >>> model = ColourModel.fit({"rust": [(150, 60, 30)], "moss": [(70, 90, 40)]})
    >>> model.name_all([(75, 30, 15)])[0].colour
    'rust'
    """

    samples: tuple[tuple[str, tuple[tuple[float, float, float], ...]], ...]
    spread: ColourSpread = ColourSpread()

    @classmethod
    def fit(
        cls, samples: Mapping[str, Iterable[Sequence[float]]], spread: ColourSpread | None = None
    ) -> ColourModel:
        """Fit from 8-bit sRGB samples (r, g, b), 0 to 255, a colour name; one sample a colour is enough.

        Raises:
            ColourModelError: fewer than two colours, a colour without a sample, or a sample that is none.
        """
        if len(samples) < 2:
            raise ColourModelError("A colour model needs samples of at least two colours.")
        kept = []
        for name, rows in samples.items():
            array = _checked(rows, f"The samples of {name!r}")
            if len(array) == 0:
                raise ColourModelError(f"The colour {name!r} has no sample: give at least one.")
            kept.append((name, tuple((float(r), float(g), float(b)) for r, g, b in array)))
        return cls(tuple(kept), spread or ColourSpread())

    def name_all(self, samples: Iterable[Sequence[float]]) -> tuple[ColourNaming, ...]:
        """Name each 8-bit sRGB sample (r, g, b), 0 to 255, by itself; the others of the batch do not matter.

        A colour with several samples is as likely as they are on average.

        Raises:
            ColourModelError: a sample is not three numbers from 0 to 255.
        """
        seen = _Looks.of(_checked(samples, "Samples")[:, None, :], self.spread)
        scores = []
        for _, rows in self.samples:
            reference = _Looks.of(np.asarray(rows)[None, :, :], self.spread)
            scores.append(_log_mean_exp(-_unlikeness(seen, reference, self.spread)))
        return tuple(self._naming(row) for row in np.stack(scores, axis=1))

    def _naming(self, score: FloatArray) -> ColourNaming:
        chance = np.exp(score - score.max())
        chance /= chance.sum()
        second, first = (int(index) for index in np.argsort(chance, kind="stable")[-2:])
        confidence = float(chance[first])
        return ColourNaming(self.samples[first][0], confidence, self.samples[second][0], confidence < SURE)


def _log_mean_exp(values: FloatArray) -> FloatArray:
    top = values.max(axis=1)
    return np.asarray(top + np.log(np.exp(values - top[:, None]).mean(axis=1)))

"""Naming the top faces of dice: body, ink colour, how sure, and the runner-up.

The faces of one picture share its light, which the white bodies among them give, and tell each other of the
lamp that their gloss mirrors; else every face is judged by itself. Two witnesses are heard: the light of ink
and body (`face_light`) and, where the colours carry different symbols, their shape (`symbol`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from companion.vision.face_light import VEILS, Learned, LightSpread, Surfaces
from companion.vision.face_patch import FacePatches, Quad, measure_faces
from companion.vision.picture_light import light_chances, looks_white, picture_light
from companion.vision.symbol import SymbolWitness, symbol_from_rows, symbol_to_rows

Floats = npt.NDArray[np.float64]
BODIES = ("white", "black")
#: Below this probability of being right the reading asks. Where a veil may as well be ink the probabilities
#: are too sure of themselves: on 29 tables 13 dice were given 0.9 to 0.98 and 2 of them wrong, none of 755
#: above.
SURE = 0.98
#: What is wrong with a reference is wrong each time it is used. So the fewer units of noise a colour is from
#: another on this table, the more surely it must be told from it.
_NARROW_SIGMAS = (2.8, 3.1)
_SURE_IF_NARROW = (0.99, SURE)
#: From this difference in brightness on, in levels, the outline of a symbol is as sharp as the picture; one
#: without any is trusted this much.
_SHARP_LEVELS, _LEAST_TRUST = 50.0, 0.4
#: A witness this sure of another colour than the other witness makes a doubt, whoever is right.
_CONTRADICTS = 0.8
#: No number of a reference is larger; infinite ones and what is none are damage.
_LARGEST = 1e4
#: So much may a covariance be off that was rounded.
_ROUNDED = 1e-6
#: A full set, and every way in which its bodies may be white (0) or black (1), with how usual that is.
DICE, BLACK_DICE = 6, 2
_SETS = np.array(list(product((0, 1), repeat=DICE)), np.float64)
_OTHER_SET = 0.1
_SET_WEIGHT = np.where(_SETS.sum(axis=1) == BLACK_DICE, 1.0, _OTHER_SET)


@dataclass(frozen=True, slots=True)
class InkReference:
    """One colour as calibration saw it.

    `ratio` is its linear RGB light in units of the white body's; `spread` the covariance of what is known of
    it, as the six numbers rr rg rb gg gb bb; `symbol` its shape as rows of hexadecimal digits;
    `margin_sigmas` how far it is from the colour most like it on this table, in units of noise (infinite
    where not measured). `place` is where its face lay in the colours picture, in widths of a die; `by_veil`
    has for each of the `VEILS` that may have lain on it the log likelihood, ratio and spread, ten numbers
    (empty where not measured).
    """

    name: str
    ratio: tuple[float, float, float]
    spread: tuple[float, float, float, float, float, float]
    symbol: tuple[str, ...]
    margin_sigmas: float = math.inf
    place: tuple[float, float] = (0.0, 0.0)
    by_veil: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class FaceReferences:
    """What naming a face needs to know of this table.

    `light` is the linear RGB light 0..1 of a white body at calibration (above 1 where it met the top of the
    range); `black` the black bodies' in units of that; `corners_are_body` where on a face the body is seen.
    """

    inks: tuple[InkReference, ...]
    light: tuple[float, float, float]
    black: tuple[float, float, float]
    corners_are_body: bool

    def surfaces(self) -> Surfaces:
        """As arrays."""
        return Surfaces(
            bodies=np.array([(1.0, 1.0, 1.0), self.black]),
            inks=np.array([ink.ratio for ink in self.inks]),
            ink_spread=_matrices(np.array([ink.spread for ink in self.inks])),
            learned=self._learned() if all(ink.by_veil for ink in self.inks) else None,
        )

    def _learned(self) -> Learned:
        each = np.array([ink.by_veil for ink in self.inks])
        return Learned(
            place=np.array([ink.place for ink in self.inks]),
            likely=each[..., 0],
            inks=each[..., 1:4],
            spread=_matrices(each[..., 4:]),
        )

    def to_dict(self) -> dict[str, object]:
        """A form that JSON can hold."""
        return {
            "inks": [
                {
                    "name": ink.name,
                    "ratio": list(ink.ratio),
                    "spread": list(ink.spread),
                    "symbol": list(ink.symbol),
                    "margin_sigmas": None if math.isinf(ink.margin_sigmas) else ink.margin_sigmas,
                    "place": list(ink.place),
                    "by_veil": [list(row) for row in ink.by_veil],
                }
                for ink in self.inks
            ],
            "light": list(self.light),
            "black": list(self.black),
            "corners_are_body": self.corners_are_body,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> FaceReferences:
        """Read what `to_dict` gave.

        Raises:
            ValueError, KeyError, TypeError: the data has another form.
        """
        rows = data["inks"]
        if not isinstance(rows, list) or len(rows) < 2:
            raise ValueError("inks is no list of at least two colours")
        corners = data["corners_are_body"]
        if not isinstance(corners, bool):
            raise TypeError("corners_are_body is neither true nor false")
        inks = tuple(_ink(row) for row in rows)
        if len({bool(ink.by_veil) for ink in inks}) > 1:
            raise ValueError("by_veil is told of some inks only")
        return cls(
            inks,
            _triple(data["light"]),
            _triple(data["black"]),
            corners,
        )


def _ink(row: Mapping[str, object]) -> InkReference:
    a, b, c, d, e, f = _covariance(_numbers(row["spread"], 6))
    symbol = symbol_from_rows(row["symbol"])
    margin = math.inf if row["margin_sigmas"] is None else _numbers([row["margin_sigmas"]], 1)[0]
    rows = tuple(symbol_to_rows(symbol))
    x, y = _numbers(row["place"], 2)
    veils = row["by_veil"]
    if not isinstance(veils, list) or len(veils) not in (0, len(VEILS)):
        raise ValueError(f"by_veil has no {len(VEILS)} rows")
    by_veil = tuple(tuple(_numbers(numbers, 10)) for numbers in veils)
    for numbers in by_veil:
        _covariance(numbers[4:])
    return InkReference(
        str(row["name"]), _triple(row["ratio"]), (a, b, c, d, e, f), rows, margin, (x, y), by_veil
    )


def _covariance(numbers: Sequence[float]) -> Sequence[float]:
    """The six numbers, if they can be a covariance."""
    if np.linalg.eigvalsh(_matrices(np.array(numbers)))[0] < -_ROUNDED:
        raise ValueError("a spread is no covariance")
    return numbers


def _matrices(numbers: Floats) -> Floats:
    """Symmetric matrices (…, 3, 3) from their six numbers rr rg rb gg gb bb, (…, 6)."""
    return np.asarray(numbers[..., [0, 1, 2, 1, 3, 4, 2, 4, 5]].reshape(*numbers.shape[:-1], 3, 3))


def _triple(value: object) -> tuple[float, float, float]:
    a, b, c = _numbers(value, 3)
    return a, b, c


def _numbers(value: object, count: int) -> list[float]:
    if not isinstance(value, list) or len(value) != count:
        raise ValueError(f"{count} numbers expected")
    numbers = [float(number) for number in value]
    if not all(abs(number) <= _LARGEST for number in numbers):
        raise ValueError(f"numbers up to {_LARGEST:.0f} expected")
    return numbers


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

    def __init__(self, references: FaceReferences, spread: LightSpread | None = None) -> None:
        self._names = [ink.name for ink in references.inks]
        margins = [ink.margin_sigmas for ink in references.inks]
        self._sure = np.interp(margins, _NARROW_SIGMAS, _SURE_IF_NARROW)
        self._surfaces = references.surfaces()
        self._light = np.array(references.light)
        self._corners_are_body = references.corners_are_body
        self._spread = spread or LightSpread()
        self._symbols = SymbolWitness(
            np.array([symbol_from_rows(list(ink.symbol)) for ink in references.inks])
        )

    def read(
        self, frame_bgr: npt.NDArray[np.uint8], quads: Sequence[Quad], shapeless: Sequence[bool] = ()
    ) -> tuple[FaceNaming, ...]:
        """Name the faces with these corners, in their order.

        `frame_bgr` is uint8 (h, w, 3); corners are pixels of it in corner coordinates (the middle of the
        first pixel is 0.5, 0.5), clockwise or not, from any corner on. Of those that are `shapeless`, since
        part of the face is hidden, only the light is heard.
        """
        if not quads:
            return ()
        return self.judge(measure_faces(frame_bgr, quads, self._corners_are_body), shapeless)

    def judge(self, faces: FacePatches, shapeless: Sequence[bool] = ()) -> tuple[FaceNaming, ...]:
        """Name faces that are measured already; `shapeless` as for `read`."""
        chance, light_only, shape_only, strange = self._hear(faces, shapeless)
        colours, bodies = chance.sum(axis=1), chance.sum(axis=2)
        contradicted = (
            (light_only.max(axis=1) > _CONTRADICTS)
            & (shape_only.max(axis=1) > _CONTRADICTS)
            & (light_only.argmax(axis=1) != shape_only.argmax(axis=1))
        )
        order = np.argsort(colours, axis=1, kind="stable")
        # what is no number is no certainty
        unsure = ~(colours >= self._sure) | (contradicted | strange)[:, None]
        return tuple(
            FaceNaming(
                body=BODIES[which],
                colour=self._names[first],
                confidence=float(colours[face, first]),
                runner_up=self._names[second],
                body_confidence=float(bodies[face, which]),
                colour_unsure=bool(unsure[face, first]),
                body_unsure=not bodies[face, which] >= SURE,
            )
            for face, (first, second, which) in enumerate(
                zip(order[:, -1].tolist(), order[:, -2].tolist(), bodies.argmax(axis=1).tolist(), strict=True)
            )
        )

    def colour_chances(self, faces: FacePatches) -> Floats:
        """The probability of each colour of each measured face, (f, c), colours in the references' order."""
        return np.asarray(self._hear(faces)[0].sum(axis=1))

    def _hear(
        self, faces: FacePatches, shapeless: Sequence[bool] = ()
    ) -> tuple[Floats, Floats, Floats, npt.NDArray[np.bool_]]:
        """Of each face the probabilities of body and colour (f, 2, c), of colour by its light and by its
        shape alone (f, c), and whether it shows no symbol at all (f,).
        """
        light, blind = picture_light(faces, looks_white(faces, self._light), self._light)
        by_light = light_chances(faces, light, blind, self._surfaces, self._spread)
        by_shape, strange = self._symbols.hear(faces.ink_share)
        if any(shapeless):
            by_shape = np.where(np.array(shapeless)[:, None], 0.0, by_shape)
            strange = strange & ~np.array(shapeless)
        together = by_light + by_shape[:, None, :]
        return (
            settle_bodies(_joint(together)),
            _joint(by_light).sum(axis=1),
            _chances(by_shape * shape_trust(faces)[:, None]),
            strange,
        )


@lru_cache(maxsize=4)
def reader_for(references: FaceReferences) -> FaceReader:
    """The reader for these references; making one costs as much as a reading, so the last few are kept."""
    return FaceReader(references)


def shape_trust(faces: FacePatches) -> Floats:
    """How far the shape of each ink can be trusted to speak against its light, (f,), 0 to 1.

    Pictures carry colour at half the sharpness of brightness. An ink that is told from its body by colour
    alone, as blue on black, is blurred.
    """
    brightness = np.array([0.299, 0.587, 0.114])
    ink, body = (np.maximum(light, 0.0) ** (1 / 2.2) @ brightness for light in (faces.ink, faces.body))
    return np.asarray(np.clip(255 * abs(ink - body) / _SHARP_LEVELS, _LEAST_TRUST, 1.0))


def settle_bodies(chance: Floats) -> Floats:
    """Probabilities of body and colour (f, 2, c) once it is heard that a full set has four white dice and two
    black (rule 6.2).

    The set is one more witness, and may err: a die of another copy may have come in. So it settles what a
    face leaves open, and does not outvote a face that is sure.
    """
    if len(chance) != DICE:
        return chance
    black = chance[:, 1].sum(axis=1)
    likely = np.where(_SETS == 1, black, 1 - black).prod(axis=1) * _SET_WEIGHT
    is_black = (likely @ _SETS) / max(float(likely.sum()), 1e-300)
    body = np.stack([1 - is_black, is_black], axis=1)
    own = np.maximum(chance.sum(axis=2), 1e-300)
    return np.asarray(chance * (body / own)[:, :, None])


def _joint(scores: Floats) -> Floats:
    """Probabilities from log likelihoods over bodies and colours together, (f, 2, c)."""
    return _chances(scores.reshape(len(scores), -1)).reshape(scores.shape)


def _chances(scores: Floats) -> Floats:
    """Probabilities from log likelihoods, along the last axis."""
    weight = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=-1, keepdims=True))

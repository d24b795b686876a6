"""The symbol's shape as a second witness beside the colour, independent of the light.

A face is square, so its symbol can only lie in four ways; what is left is a small shift from the finder and a
symbol that looks larger or smaller where bright light bleeds over its edge. Each colour's symbol, seen once
at calibration, is tried in all those ways; the part of the face that differs from the best one is its
distance.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.face_patch import SHARE_PX

Floats = npt.NDArray[np.float64]

#: Side of a symbol's picture.
SYMBOL_PX = SHARE_PX
#: How much of the square symbols and other unlike shapes differ at least, and the distance at which it is
#: certain.
_ALIKE_FRAC, _UNLIKE_FRAC = 0.025, 0.045
_NOISE_FRAC = 0.008
_WEIGHT = 4.0
#: A face that differs in so much of its area from every symbol shows none of them.
_STRANGE_FRAC = 0.12
_EDGES = (0.4, 0.6)
_EDGE_WIDTH = 0.35
_SIZES = (0.85, 1.0, 1.15)
_SHIFTS_PX = (-1, 0, 1)
_AXIS = np.abs((np.arange(SYMBOL_PX) + 0.5) / SYMBOL_PX - 0.5)
_INSIDE = np.maximum(_AXIS[:, None], _AXIS[None, :]) < 0.385


def symbol_of(ink_share: npt.NDArray[np.float32], edge: float = 0.5) -> Floats:
    """Pictures of the symbols, (f, SYMBOL_PX, SYMBOL_PX) 0..1, from how inky each pixel is, (f, SYMBOL_PX,
    SYMBOL_PX) 0..1.

    `edge` is the share of ink at which the symbol's outline is drawn.
    """
    return np.asarray(np.clip((ink_share - edge) / _EDGE_WIDTH + 0.5, 0.0, 1.0), np.float64)


class SymbolWitness:
    """Tells how well a face's symbol fits each colour's."""

    def __init__(self, symbols: Floats) -> None:
        """Take the symbols of all colours, (c, SYMBOL_PX, SYMBOL_PX) 0..1."""
        self._count = len(symbols)
        # by pixel, so that a product with them runs along memory
        self._ways = np.ascontiguousarray(_all_ways(symbols).T)
        self._squared = (self._ways**2).sum(axis=0)
        between = self._distances(symbols)
        between[np.arange(self._count), np.arange(self._count)] = np.inf
        nearest = float(np.median(between.min(axis=1))) if self._count > 1 else 0.0
        #: 0 where the colours' symbols are alike and tell nothing, up to 1 where they differ clearly.
        self.weight = float(np.clip((nearest - _ALIKE_FRAC) / (_UNLIKE_FRAC - _ALIKE_FRAC), 0.0, 1.0))

    def hear(self, ink_share: npt.NDArray[np.float32]) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """What the shapes on the faces, (f, n, n) inkiness 0..1, say of the colours.

        First the log likelihood (up to a constant) of each colour, (f, c), 0 where shapes tell nothing; then
        whether a face shows none of the symbols, (f,): it is partly hidden, or no face.
        """
        if self.weight == 0.0:
            return np.zeros((len(ink_share), self._count)), np.zeros(len(ink_share), np.bool_)
        drawn = np.concatenate([symbol_of(ink_share, edge) for edge in _EDGES])
        distance = self._distances(drawn).reshape(len(_EDGES), len(ink_share), -1).min(axis=0)
        strange = distance.min(axis=1) > _STRANGE_FRAC
        return np.asarray(-_WEIGHT * self.weight * np.log(distance + _NOISE_FRAC)), strange

    def _distances(self, symbols: Floats) -> Floats:
        """The mean squared difference of each symbol to the best way of each colour's, (f, c)."""
        flat = symbols[:, _INSIDE].astype(np.float32)
        differ = self._squared - 2 * flat @ self._ways
        least = differ.reshape(len(symbols), self._count, -1).min(axis=2)
        squared = (flat**2).sum(axis=1)[:, None] + least
        return np.asarray(np.maximum(squared, 0.0) / flat.shape[1], np.float64)


def _all_ways(symbols: Floats) -> npt.NDArray[np.float32]:
    """Every symbol turned, shifted and sized in all ways, as rows of pixels inside, (c * ways, p)."""
    middle = (SYMBOL_PX - 1) / 2
    sized = []
    for size in _SIZES:
        matrix = np.array([[size, 0, middle * (1 - size)], [0, size, middle * (1 - size)]])
        sized.append([cv2.warpAffine(symbol, matrix, (SYMBOL_PX, SYMBOL_PX)) for symbol in symbols])
    upright = np.swapaxes(np.array(sized), 0, 1)
    ways = [
        np.roll(np.rot90(upright, turn, axes=(2, 3)), (down, right), axis=(2, 3))
        for turn in range(4)
        for down in _SHIFTS_PX
        for right in _SHIFTS_PX
    ]
    inside = np.stack(ways, axis=1)[..., _INSIDE]
    return np.asarray(inside.reshape(-1, inside.shape[-1]), np.float32)


def symbol_to_rows(symbol: Floats) -> list[str]:
    """A symbol as rows of hexadecimal digits, 0 body to f ink, which a person can look at in the profile."""
    return ["".join(f"{round(float(value) * 15):x}" for value in row) for row in symbol]


def symbol_from_rows(rows: object) -> Floats:
    """Read what `symbol_to_rows` gave. Raises ValueError where it has another form."""
    if (
        not isinstance(rows, list)
        or len(rows) != SYMBOL_PX
        or any(len(str(row)) != SYMBOL_PX for row in rows)
    ):
        raise ValueError("a symbol is not rows of digits")
    return np.array([[int(digit, 16) / 15 for digit in str(row)] for row in rows], np.float64)

"""The symbol's shape as a second witness beside the colour, independent of the light.

A face is square, so its symbol can only lie in four ways, give or take a few degrees that the finder is off.
Bright light bleeds over its edge, so it may look larger or smaller. Where it lies its own middle tells better
than the outline of the die, which bright light moves as well. Each colour's symbol, seen once at calibration,
is tried in all those ways; the part of the face that differs from the best one is its distance.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.face_patch import SHARE_PX

Floats = npt.NDArray[np.float64]

#: Side of a symbol's picture.
SYMBOL_PX = SHARE_PX
#: How much of the face unlike shapes differ in at least, and the distance at which it is certain: discs and
#: squares, seen twice, differ by up to 0.012, the stars and polygons of rendered tables by 0.023 and more.
_ALIKE_FRAC, _UNLIKE_FRAC = 0.013, 0.02
_NOISE_FRAC = 0.002
_WEIGHT = 4.0
#: A face that differs in so much of its area from every symbol shows none of them.
_STRANGE_FRAC = 0.08
_EDGES = (0.35, 0.5, 0.65)
_EDGE_WIDTH = 0.35
_SIZES = (0.9, 1.0, 1.12)
_TURNS_DEG = (-5.0, 0.0, 5.0)
_AXIS = (np.arange(SYMBOL_PX) + 0.5) / SYMBOL_PX - 0.5
#: Where ink may be a symbol's (beyond is the rim, dark or bright), how far its middle may be off the face's,
#: and what is compared around it.
_FLAT = (np.maximum(np.abs(_AXIS)[:, None], np.abs(_AXIS)[None, :]) < 0.40).astype(np.float64)
_MOST_OFF = 0.12
#: How many pixels one row or column is from another, by that one and the other.
_APART = np.arange(SYMBOL_PX)[None, :] - np.arange(SYMBOL_PX)[:, None]
_INSIDE = np.flatnonzero(np.hypot(_AXIS[:, None], _AXIS[None, :]) < 0.46)


def symbol_of(ink_share: npt.NDArray[np.float32], edge: float | npt.NDArray[np.float32] = 0.5) -> Floats:
    """Pictures of the symbols, (f, SYMBOL_PX, SYMBOL_PX) 0..1, from how inky each pixel is, (f, SYMBOL_PX,
    SYMBOL_PX) 0..1.

    `edge` is the share of ink at which the symbol's outline is drawn; of several, (e, 1, 1, 1), come as many
    pictures, (e, f, …).
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
        drawn = symbol_of(ink_share, np.array(_EDGES, np.float32)[:, None, None, None])
        distance = self._distances(drawn.reshape(-1, SYMBOL_PX, SYMBOL_PX))
        distance = distance.reshape(len(_EDGES), len(ink_share), -1).min(axis=0)
        strange = distance.min(axis=1) > _STRANGE_FRAC
        return np.asarray(-_WEIGHT * self.weight * np.log(distance + _NOISE_FRAC)), strange

    def _distances(self, symbols: Floats) -> Floats:
        """The mean squared difference of each symbol to the best way of each colour's, (f, c)."""
        flat = _middled(symbols).reshape(len(symbols), -1).take(_INSIDE, axis=1).astype(np.float32)
        differ = self._squared - 2 * flat @ self._ways
        least = differ.reshape(len(symbols), self._count, -1).min(axis=2)
        squared = (flat**2).sum(axis=1)[:, None] + least
        return np.asarray(np.maximum(squared, 0.0) / flat.shape[1], np.float64)


def _middled(symbols: Floats) -> Floats:
    """Symbols, (f, n, n), without the faces' rims, moved so that their ink has its middle in the middle."""
    inky = symbols * _FLAT
    total = np.maximum(inky.sum(axis=(1, 2)), 1e-6)
    off_x, off_y = inky.sum(axis=1) @ _AXIS / total, inky.sum(axis=2) @ _AXIS / total
    off_px = SYMBOL_PX * np.clip(np.stack([off_x, off_y]), -_MOST_OFF, _MOST_OFF)
    # in steps as fine as those in which OpenCV turns the colours' own, so that both are blurred alike
    off_px = np.rint(off_px * 32) / 32
    # from each pixel's row or column to those between which it comes to lie: (2, f, SYMBOL_PX, SYMBOL_PX)
    taken = np.maximum(1 - np.abs(_APART - off_px[:, :, None, None]), 0)
    return np.asarray(taken[1] @ inky @ taken[0].transpose(0, 2, 1), np.float64)


def _all_ways(symbols: Floats) -> npt.NDArray[np.float32]:
    """Every symbol turned and sized in all ways, as rows of pixels inside, (c * ways, p)."""
    middle = (SYMBOL_PX - 1) / 2
    upright = _middled(symbols)
    ways = [
        [
            cv2.warpAffine(
                symbol,
                cv2.getRotationMatrix2D((middle, middle), 90 * quarter + turn_deg, size),
                (SYMBOL_PX, SYMBOL_PX),
            )
            for quarter in range(4)
            for turn_deg in _TURNS_DEG
            for size in _SIZES
        ]
        for symbol in upright
    ]
    inside = np.array(ways).reshape(-1, SYMBOL_PX**2)[:, _INSIDE]
    return np.asarray(inside, np.float32)


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

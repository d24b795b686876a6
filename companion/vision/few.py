"""Medians and linear algebra of few numbers, where `numpy`'s own ways cost more than the work itself."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]


def median(values: Singles, axis: int = 0) -> Singles:
    """The median along an axis, of which there is one value at least."""
    order, count = np.sort(values, axis=axis), values.shape[axis]
    low, high = (order.take(rank, axis=axis) for rank in ((count - 1) // 2, count // 2))
    return np.asarray((low + high) / 2, np.float32)


def inverse(matrix: Floats) -> Floats:
    """The inverse of a square matrix.

    Raises:
        numpy.linalg.LinAlgError: it has none.
    """
    determinant, inverted = cv2.invert(matrix)
    if not determinant:
        raise np.linalg.LinAlgError("Singular matrix")
    return np.asarray(inverted, np.float64)


def solution(matrix: Floats, target: Floats) -> Floats:
    """The x, (n, m), of matrix @ x = target, (n, n) and (n, m).

    Raises:
        numpy.linalg.LinAlgError: there is none, or more than one.
    """
    solved, found = cv2.solve(matrix, target)
    if not solved:
        raise np.linalg.LinAlgError("Singular matrix")
    return np.asarray(found, np.float64)

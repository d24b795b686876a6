"""Medians and linear algebra of few numbers, where `numpy`'s own ways cost more than the work itself."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def median(values: npt.NDArray[np.float32] | Floats) -> float:
    """The median of all values, of which there is one at least."""
    order = np.sort(values, axis=None)
    return float(order[(order.size - 1) // 2] + order[order.size // 2]) / 2


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
    """The x, (n,), of matrix @ x = target, (n, n) and (n,).

    Raises:
        numpy.linalg.LinAlgError: there is none, or more than one.
    """
    solved, found = cv2.solve(matrix, target[:, None])
    if not solved:
        raise np.linalg.LinAlgError("Singular matrix")
    return np.asarray(found, np.float64)[:, 0]

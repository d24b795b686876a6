"""Does a die stand on another? Then their faces overlap, as those of dice side by side on the table cannot.

So much can be told where the lower one looks out enough to be found. Where it does not, a die is missing: the
upper one alone looks 4 % larger at an arm's length, which is less than edges are uncertain by.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

# In sides of a die: by up to 0.07 of one the faces of touching dice are found to overlap.
_OVERLAP = 0.1
_CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def stacked(spots: Values, die_mm: float) -> npt.NDArray[np.bool_]:
    """Which of the faces, (n, 3 or more: x, y mm, angle rad), overlap another: (n,)."""
    cos, sin = np.cos(spots[:, 2]), np.sin(spots[:, 2])
    axes = np.stack([np.column_stack([cos, sin]), np.column_stack([-sin, cos])], axis=1)
    corners = spots[:, None, :2] / die_mm + _CORNERS @ axes
    # from where to where each face, along the second axis, reaches along each face's sides: (n, n, 2)
    along = np.einsum("fcx,gax->gfca", corners, axes)
    low, high = along.min(axis=2), along.max(axis=2)
    each = np.arange(len(spots))
    own_low, own_high = low[each, each][:, None], high[each, each][:, None]
    shared = (np.minimum(high, own_high) - np.maximum(low, own_low)).min(axis=2)
    # squares overlap by the least that they do along any of their sides (separating axes)
    overlap = np.minimum(shared, shared.T) > _OVERLAP
    overlap[each, each] = False
    return np.asarray(overlap.any(axis=1), np.bool_)

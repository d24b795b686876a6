"""How much softer a frame is than the empty picture: out of focus, or shaken.

The patches that registration follows are compared with themselves blurred by several amounts; the amount that
looks most alike is the frame's blur. Comparing likeness, not energy, keeps noise and light out of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.frame_view import Bytes, Floats, Matrix
from companion.vision.geometry import apply

#: Blurs compared, standard deviation in pixels of the small view.
_SIGMAS_PX = (0.0, 0.5, 0.8, 1.1, 1.5, 2.0, 2.7, 3.6)
_RADIUS_PX = 9


@dataclass(frozen=True, slots=True, eq=False)
class BlurReference:
    """The followed patches of the empty view under each blur.

    ``grid_px`` (P·N, 2) pixel indices of the small view, ``bank`` (P, S, N) patches with mean 0 and length 1.
    """

    grid_px: Matrix
    bank: Floats


def prepare_blur(empty_view_bgr: Bytes, centres_px: Matrix) -> BlurReference:
    """What can be computed once for a profile; ``centres_px`` (P, 2) are pixel indices of the small view."""
    grey = np.asarray(cv2.cvtColor(empty_view_bgr, cv2.COLOR_BGR2GRAY), np.float32)
    offsets = np.arange(-_RADIUS_PX, _RADIUS_PX + 1, dtype=np.float64)
    patch = np.stack(np.meshgrid(offsets, offsets), axis=-1).reshape(-1, 2)
    grid = (centres_px[:, None, :] + patch[None]).reshape(-1, 2)
    shape = (len(centres_px), len(patch))
    bank = []
    for sigma_px in _SIGMAS_PX:
        blurred = np.asarray(cv2.GaussianBlur(grey, (0, 0), sigma_px) if sigma_px else grey, np.float32)
        bank.append(_normalised(_sampled(blurred, grid, shape)))
    return BlurReference(grid, np.asarray(np.stack(bank, axis=1), np.float32))


def added_blur_px(grey_view: Bytes, reference: BlurReference, to_view: Matrix) -> float:
    """Standard deviation of the blur that was added since calibration, in pixels of the small view.

    ``grey_view`` is the small view's brightness, (h, w); ``to_view`` takes pixel indices of the empty view to
    those of this one. 0 where the frame is as sharp or nothing can be compared; never more than the largest
    blur that is tried (3.6).
    """
    if not len(reference.grid_px):
        return 0.0
    grey = grey_view.astype(np.float32)
    shape = (len(reference.bank), reference.bank.shape[2])
    seen = _normalised(_sampled(grey, apply(to_view, reference.grid_px), shape))
    likeness = (reference.bank @ seen[:, :, None])[:, :, 0].T
    found = likeness.max(axis=0) > 0.5
    if not found.any():
        return 0.0
    curve = np.asarray(likeness[:, found].mean(axis=1), np.float64)
    best = int(curve.argmax())
    if 0 < best < len(curve) - 1:
        # The vertex of the parabola through the three best, each sigma being one step.
        before, at, after = curve[best - 1 : best + 2]
        step = 0.5 * (before - after) / min(before - 2 * at + after, -1e-9)
        place = best + float(np.clip(step, -0.5, 0.5))
    else:
        place = float(best)
    return float(np.interp(place, np.arange(len(_SIGMAS_PX)), _SIGMAS_PX))


def _sampled(picture: Floats, points: Matrix, shape: tuple[int, int]) -> Floats:
    """A picture's values at points (P·N, 2) in this shape (P, N); a row each, as OpenCV is slow otherwise."""
    if not len(points):
        return np.empty(shape, np.float32)
    columns, rows = np.ascontiguousarray(points.T, np.float32).reshape(2, *shape)
    values = cv2.remap(picture, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values, np.float32)


def _normalised(values: Floats) -> Floats:
    centred = values - values.sum(axis=1, keepdims=True) / np.float32(values.shape[1])
    length = np.sqrt(np.einsum("pn,pn->p", centred, centred)) + 1e-6
    return np.asarray(centred / length[:, None], np.float32)

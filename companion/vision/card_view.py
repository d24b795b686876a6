"""A holder or a card seen straight from above: millimetres, and pixels cut out of the frame."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.geometry import Quad, apply, mm_to_px

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

#: The size of a card in mm; a holder's zone is taken to be a card's place, and so to have this size.
CARD_MM = (63.0, 88.0)


def holder_to_px(zone_px: Quad) -> Matrix:
    """The homography from a holder's millimetres (x to NE, y to SW, from its NW corner) to the frame's
    pixels.
    """
    return mm_to_px(zone_px, CARD_MM)


def rectified(
    frame_bgr: Bytes,
    mm_to_frame: Matrix,
    size_mm: tuple[float, float],
    px_per_mm: float,
    margin_mm: float = 0.0,
) -> Bytes:
    """A rectangle of millimetres as the frame shows it, `margin_mm` wider on each side, uint8 BGR.

    A frame of twice the view's resolution or more is averaged first: sampling alone would pick single noisy
    pixels and alias fine print. Outside the frame the nearest pixel is repeated.
    """
    wide, high = (round((side + 2 * margin_mm) * px_per_mm) for side in size_mm)
    to_view = np.array([[1 / px_per_mm, 0, -margin_mm], [0, 1 / px_per_mm, -margin_mm], [0, 0, 1]])
    view_to_px = mm_to_frame @ to_view
    corners = apply(view_to_px, [(0, 0), (wide, 0), (wide, high), (0, high)])
    left, top = (max(0, math.floor(low) - 2) for low in corners.min(axis=0))
    right, bottom = (math.ceil(most) + 2 for most in corners.max(axis=0))
    left, top = min(left, frame_bgr.shape[1] - 1), min(top, frame_bgr.shape[0] - 1)
    part = frame_bgr[top : max(bottom, top + 1), left : max(right, left + 1)]
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], dtype=np.float64)
    ends = corners.tolist()
    around_px = sum(math.dist(one, other) for one, other in zip(ends, [*ends[1:], ends[0]], strict=True))
    finer = around_px / (2 * (wide + high))
    while finer >= 2 and min(part.shape[:2]) >= 2:
        even = part[: part.shape[0] // 2 * 2, : part.shape[1] // 2 * 2]
        part = np.asarray(cv2.resize(even, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        shift = np.diag([0.5, 0.5, 1.0]) @ shift
        finer /= 2
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    back = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    matrix = back @ shift @ view_to_px @ half
    return warped(part, matrix, (wide, high))


def warped(picture_bgr: Bytes, matrix: Matrix, size_px: tuple[int, int]) -> Bytes:
    """A picture sampled at `matrix` (3, 3) times each pixel of the result; outside the nearest is repeated.

    Four channels are sampled in half the time of three.
    """
    four = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2BGRA)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(four, matrix, size_px, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(view, cv2.COLOR_BGRA2BGR), np.uint8)

"""A holder in which no card's rim is seen: is it empty, or is something in the way?

A hand comes from outside, so it lies over the strip around the holder, which is held against the empty
table's picture; and it has folds, fingers, a sleeve, while the floor of an empty holder is plain.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.card_look import THUMB_SIZE
from companion.vision.card_view import CARD_MM, Bytes, Floats, Matrix, holder_to_px, rectified
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import Zones, apply

#: The strip around a holder's zone that is watched, in mm outside it, at half a pixel a mm.
_STRIP_MM = (5.0, 14.0)
_PX_PER_MM = 0.5
#: So near to another holder, or to the track and the reserve, other things come and go.
_CLEAR_MM = 5.0
#: Another thing is there where the light's logarithm differs so much in one channel, or between channels.
_OTHER_LIGHT_LOG, _OTHER_COLOUR_LOG = 0.9, 0.4
#: A finger covers at least so much of the strip.
_FINGER_MM2 = 60.0
#: A face with print has parts so much darker or lighter than its ground (logarithm of tone), a plain floor
#: has not.
_PRINT_LOG = 0.35
_CELL_BORDER = 2


def is_plain(thumb: Floats) -> bool:
    """Whether a face's thumbnail, (22, 16, 3), shows no print, only a plain surface in uneven light."""
    inner = thumb[_CELL_BORDER:-_CELL_BORDER, _CELL_BORDER:-_CELL_BORDER].mean(axis=2).ravel()
    rest = _plane_rest() @ inner
    return bool(rest.max() - rest.min() < _PRINT_LOG)


@lru_cache(maxsize=1)
def _plane_rest() -> Floats:
    """The matrix that takes from a thumbnail's inner cells the plane that fits them best."""
    height, width = (side - 2 * _CELL_BORDER for side in THUMB_SIZE[::-1])
    y, x = np.mgrid[0:height, 0:width]
    plane = np.stack([np.ones(height * width), x.ravel(), y.ravel()], axis=1)
    return np.asarray(np.eye(height * width) - plane @ np.linalg.pinv(plane), np.float32)


class HolderSurroundings:
    """What the strips around the holders looked like on the empty table."""

    def __init__(self, empty: EmptyView, zones: Zones) -> None:
        """Prepare from the profile's empty picture. Raises FrameError where that is damaged."""
        view = empty.unpack()
        scale = np.diag([view.shape[1] / zones.size_px[0], view.shape[0] / zones.size_px[1], 1.0])
        in_view = zones.moved(np.asarray(scale, np.float64))
        self._before = [_strip(view, quad) for quad in in_view.holders_px]
        self._masks = [_mask(zones, index) for index in range(len(zones.holders_px))]

    def covered(self, frame_bgr: Bytes, zones: Zones) -> tuple[bool, ...]:
        """For each holder whether something lies over its strip; `zones` are those of this frame."""
        gaps = [
            _strip(frame_bgr, quad) - before
            for quad, before in zip(zones.holders_px, self._before, strict=True)
        ]
        seen = [gap[mask] for gap, mask in zip(gaps, self._masks, strict=True)]
        light = np.median(np.concatenate(seen), axis=0) if any(len(one) for one in seen) else np.zeros(3)
        return tuple(_has_thing(gap - light, mask) for gap, mask in zip(gaps, self._masks, strict=True))


def _strip(frame_bgr: Bytes, quad: Sequence[tuple[float, float]]) -> Floats:
    """The holder and what is around it, as logarithms of light, (58, 46, 3)."""
    corners = (quad[0], quad[1], quad[2], quad[3])
    view = rectified(frame_bgr, holder_to_px(corners), CARD_MM, _PX_PER_MM, _STRIP_MM[1])
    # sRGB levels are nearly light to the power 1/2.2.
    return np.asarray(2.2 * np.log(view.astype(np.float32) + 4), np.float32)


def _mask(zones: Zones, index: int) -> npt.NDArray[np.bool_]:
    """Which pixels of the strip of holder `index` are watched."""
    from_px = np.asarray(np.linalg.inv(holder_to_px(zones.holders_px[index])), np.float64)
    wide = _STRIP_MM[1]
    size = tuple(round((side + 2 * wide) * _PX_PER_MM) for side in CARD_MM)
    mask = np.ones((size[1], size[0]), np.uint8)
    inner = round((wide - _STRIP_MM[0]) * _PX_PER_MM)
    mask[inner:-inner, inner:-inner] = 0
    others = [quad for place, quad in enumerate(zones.holders_px) if place != index]
    others += [quad for quad in (zones.track_px, zones.reserve_px, zones.tower_px) if quad is not None]
    busy = np.zeros_like(mask)
    for quad in others:
        _fill(busy, apply(from_px, quad))
    reach = 2 * round(_CLEAR_MM * _PX_PER_MM) + 1
    busy = np.asarray(cv2.dilate(busy, np.ones((reach, reach), np.uint8)), np.uint8)
    return np.asarray((mask == 1) & (busy == 0))


def _fill(mask: Bytes, corners_mm: Matrix) -> None:
    points = np.rint((corners_mm + _STRIP_MM[1]) * _PX_PER_MM * 16).astype(np.int32)
    cv2.fillPoly(mask, [points], 1, shift=4)


def _has_thing(gap: Floats, mask: npt.NDArray[np.bool_]) -> bool:
    light = np.abs(gap).max(axis=2) > _OTHER_LIGHT_LOG
    colour = gap.max(axis=2) - gap.min(axis=2) > _OTHER_COLOUR_LOG
    differs = ((light | colour) & mask).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(differs)
    largest = int(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0
    return largest / _PX_PER_MM**2 > _FINGER_MM2

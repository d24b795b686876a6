"""How the light on the table differs from calibration, and what stands out from the empty table beyond that.

All of it is told from the watched part of a view at half the small view's size: the track with its rim and
the reserve, without the cards. A lamp multiplies linear light, channel by channel, so what is seen is the
empty picture times one gain a channel wherever nothing lies; dice and hands are the rest, as a log ratio.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.frame_view import Bytes, Floats, Matrix
from companion.vision.geometry import Zones, apply, mm_to_px

#: How far around the track the rim and the table are watched, in mm.
WATCHED_RING_MM = 20.0
#: What lies this far outside of the track's floor is neither on it nor its wall, in mm.
WALL_MM = 11.0
#: Pixels from which the gain is told: the median of so many is known to a hundredth.
_SAMPLES = 1500
#: Added to linear light (0..1) before the logarithm: the noise floor of an 8-bit picture in the dark.
_FLOOR_LINEAR = 0.004
#: The least gain that is told: nothing at all is seen then.
_LEAST_GAIN = 1e-4
#: 8-bit values from here on say nothing about the amount of light.
_CLIPPED_AT = 250


def _linear_table() -> Floats:
    """Linear light 0..1 for each 8-bit sRGB value (IEC 61966-2-1)."""
    value = np.arange(256) / 255.0
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear, np.float32)


def half_view(view_bgr: Bytes) -> Bytes:
    """The small view at half its size, uint8 BGR."""
    size_px = (view_bgr.shape[1] // 2, view_bgr.shape[0] // 2)
    even = view_bgr[: 2 * size_px[1], : 2 * size_px[0]]
    return np.asarray(cv2.resize(even, size_px, interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class LightReference:
    """The empty table's light, and which part of it is watched; masks are (h, w) bool of the half view.

    ``half`` (h, w, 3) is the half view, uint8 BGR; ``linear`` its table from bytes to linear light.
    ``watched`` is track, rim and reserve; ``floor`` the track's floor alone; ``outside`` what is watched
    beyond the track's wall, without the reserve and its rim. ``counts`` (h, w, 3) is 1 where watched, else 0.
    ``samples`` are, for each channel, flat indices in ``half`` of watched pixels that are bright in it and
    not clipped, from which its gain is told, and ``sample_light`` their linear light. ``mm2_per_px`` is a
    pixel's area on the track.
    """

    half: Bytes
    linear: Floats
    watched: npt.NDArray[np.bool_]
    floor: npt.NDArray[np.bool_]
    outside: npt.NDArray[np.bool_]
    counts: Floats
    samples: tuple[npt.NDArray[np.intp], ...]
    sample_light: tuple[Floats, ...]
    mm2_per_px: float


@dataclass(frozen=True, slots=True, eq=False)
class LightChange:
    """What became of the light since calibration.

    ``gain_bgr`` is the factor a channel (linear light, 1 = as then), the median over the watched part;
    ``rest`` (h, w, 3) what remains of the log ratio after that, 0 where nothing is known or watched;
    ``clipped_floor_frac`` the share of the track's floor whose every channel is clipped.
    """

    gain_bgr: tuple[float, float, float]
    rest: Floats
    clipped_floor_frac: float


def prepare_light(empty_view_bgr: Bytes, zones_in_view: Zones) -> LightReference:
    """What can be computed once for a profile; the zones are in corner coordinates of the small view."""
    half = half_view(empty_view_bgr)
    linear = _linear_table()
    watched = np.zeros(half.shape[:2], np.uint8)
    floor = np.zeros(half.shape[:2], np.uint8)
    to_view = mm_to_px(zones_in_view.track_px, zones_in_view.track_mm)
    width_mm, height_mm = zones_in_view.track_mm
    fill_half(watched, _track_enlarged(to_view, zones_in_view.track_mm, WATCHED_RING_MM), 1)
    fill_half(floor, _track_enlarged(to_view, zones_in_view.track_mm, 0.0), 1)
    outside = watched.copy()
    fill_half(outside, _track_enlarged(to_view, zones_in_view.track_mm, WALL_MM), 0)
    if zones_in_view.reserve_px is not None:
        reserve = np.asarray(zones_in_view.reserve_px, np.float64)
        fill_half(watched, reserve, 1)
        fill_half(outside, reserve.mean(axis=0) + (reserve - reserve.mean(axis=0)) * 1.3, 0)
    for quad in zones_in_view.holders_px:
        fill_half(watched, np.asarray(quad, np.float64), 0)
        fill_half(outside, np.asarray(quad, np.float64), 0)
    if zones_in_view.tower_px is not None:
        fill_half(floor, np.asarray(zones_in_view.tower_px, np.float64), 0)
    corners = np.asarray(zones_in_view.track_px, np.float64)
    area_px = 0.5 * abs(float(_cross(corners[2] - corners[0], corners[3] - corners[1]))) / 4
    samples = tuple(3 * _bright_sample(half[..., channel], watched) + channel for channel in range(3))
    return LightReference(
        half=half,
        linear=linear,
        watched=watched > 0,
        floor=floor > 0,
        outside=outside > 0,
        counts=np.repeat((watched > 0).astype(np.float32)[..., None], 3, axis=2),
        samples=samples,
        sample_light=tuple(np.maximum(linear[half.ravel()[one]], _FLOOR_LINEAR) for one in samples),
        mm2_per_px=width_mm * height_mm / max(area_px, 1e-6),
    )


def compare_light(aligned_view_bgr: Bytes, reference: LightReference) -> LightChange:
    """Compare a small view, brought into the calibration's place, with the empty table."""
    half = half_view(aligned_view_bgr)
    gain = np.array([_gain(half, reference, channel) for channel in range(3)], np.float32)
    seen = np.log(reference.linear + _FLOOR_LINEAR)
    lit = np.minimum(reference.linear[:, None] * gain, 1)
    expected = np.log(lit + _FLOOR_LINEAR).astype(np.float32)
    rest = np.asarray(cv2.LUT(half, seen), np.float32)
    rest -= cv2.LUT(reference.half, expected.reshape(256, 1, 3))
    rest *= reference.counts
    clipped = np.asarray(cv2.inRange(half, (_CLIPPED_AT,) * 3, (255,) * 3))
    on_floor = int(np.count_nonzero(reference.floor))
    clipped_frac = np.count_nonzero(np.logical_and(clipped, reference.floor)) / on_floor if on_floor else 0.0
    blue, green, red = (float(one) for one in gain)
    return LightChange((blue, green, red), rest, clipped_frac)


def _gain(half: Bytes, reference: LightReference, channel: int) -> float:
    """The factor by which a channel's light changed: the median over bright pixels that are not clipped."""
    now = half.ravel()[reference.samples[channel]]
    then = reference.sample_light[channel]
    if not len(then):
        return 1.0
    unclipped = now < _CLIPPED_AT
    count = int(np.count_nonzero(unclipped))
    if len(now) > count >= len(now) / 10:
        now, then = now[unclipped], then[unclipped]
    ratio = reference.linear[now] / then
    middle = len(ratio) // 2
    ratio.partition((max(middle - 1, 0), middle))
    median = ratio[middle] if len(ratio) % 2 else (ratio[middle - 1] + ratio[middle]) / 2
    return max(float(median), _LEAST_GAIN)


def _bright_sample(channel: Bytes, watched: Bytes) -> npt.NDArray[np.intp]:
    """Flat indices of some of the brightest quarter of the watched pixels that are not clipped."""
    known = np.flatnonzero((watched.ravel() > 0) & (channel.ravel() < _CLIPPED_AT))
    if not len(known):
        known = np.flatnonzero(watched)
    values = channel.ravel()[known]
    bright = known[values >= np.percentile(values, 75)] if len(known) else known
    return np.asarray(bright[:: max(1, len(bright) // _SAMPLES)], np.intp)


def fill_half(mask: Bytes, quads: Matrix, value: int) -> None:
    """Fill quads, (4, 2) or (n, 4, 2) in corner coordinates of the small view, into a mask of the half
    view's size.
    """
    for corners in np.rint(quads / 2 - 0.5).astype(np.int32).reshape(-1, 4, 2):
        cv2.fillConvexPoly(mask, corners, value)


def _track_enlarged(to_view: Matrix, track_mm: tuple[float, float], by_mm: float) -> Matrix:
    """The track's corners (4, 2) in the small view, moved outwards."""
    right, bottom = track_mm[0] + by_mm, track_mm[1] + by_mm
    return apply(to_view, [(-by_mm, -by_mm), (right, -by_mm), (right, bottom), (-by_mm, bottom)])


def _cross(first: Matrix, second: Matrix) -> float:
    return float(first[0] * second[1] - first[1] * second[0])

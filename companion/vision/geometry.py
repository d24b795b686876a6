"""Where things lie: the zones of a picture, the camera's pose above them, and top-down views in millimetres.

Pixel coordinates run from the picture's top-left *corner* (the middle of the first pixel is 0.5, 0.5), so
that they scale with the resolution. A zone's own millimetres run from its NW corner: x towards NE, y towards
SW, heights upwards from its floor.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Points = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]

# A camera whose lens is not known: Raspberry Pi cameras see 54 to 66 degrees across the long side.
FOCAL_PRIOR_FRAC = 0.83
FOCAL_PRIOR_SPREAD = 0.12
# Relative error of the sides of a hand-marked or detected quad (one or two pixels in some hundreds).
CORNER_NOISE_FRAC = 0.005
#: How alike a key must be to one that is not there to be taken for it (difflib's ratio): one letter in six.
_MISSPELT = 0.8
_KEYS = ("size", "track", "track_mm", "reserve", "reserve_mm", "die_mm", "holders", "tower")

#: From pixel indices (the middle of the first pixel is 0, 0) to corner coordinates (0.5, 0.5), and back.
INDEX_TO_CORNER: Matrix = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]], np.float64)
CORNER_TO_INDEX: Matrix = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]], np.float64)


class ZonesError(ValueError):
    """The zones cannot be used; the message says which one and what to do."""


@dataclass(frozen=True, slots=True)
class Zones:
    """Corners NW NE SE SW in picture pixels, true sizes in millimetres (`zones.json`)."""

    size_px: tuple[int, int]
    track_px: Quad
    track_mm: tuple[float, float]
    reserve_px: Quad | None = None
    reserve_mm: tuple[float, float] | None = None
    die_mm: float = 16.0
    holders_px: tuple[Quad, ...] = ()
    tower_px: Quad | None = None

    @classmethod
    def from_json(cls, text: str) -> Zones:
        """Parse a `zones.json`, which a person may have written. Raises ZonesError with one sentence."""
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise ZonesError(f"The zones are not JSON (line {error.lineno}): write them again.") from None
        zones = cls.from_dict(data)
        unknown = [key for key in data if key not in _KEYS]
        for key in _KEYS:
            for meant in get_close_matches(key, unknown, 1, _MISSPELT) if key not in data else ():
                raise ZonesError(f'"{meant}" is not known: is it meant to be "{key}"?')
        return zones

    @classmethod
    def from_dict(cls, data: object) -> Zones:
        """Read the zones from parsed JSON. Raises ZonesError with one sentence."""
        if not isinstance(data, Mapping):
            raise ZonesError('The zones are not a JSON object: expected {"size": …, "track": …, …}.')
        size = _pair(data, "size")
        zones = cls(
            size_px=(round(size[0]), round(size[1])),
            track_px=_quad(data.get("track"), "track"),
            track_mm=_pair(data, "track_mm"),
            reserve_px=_quad(data["reserve"], "reserve") if data.get("reserve") is not None else None,
            reserve_mm=_pair(data, "reserve_mm") if data.get("reserve") is not None else None,
            die_mm=_number(data.get("die_mm", 16.0), "die_mm"),
            holders_px=_holders(data.get("holders")),
            tower_px=_quad(data["tower"], "tower") if data.get("tower") is not None else None,
        )
        zones.check()
        return zones

    def check(self) -> None:
        """Raise ZonesError where a size is not positive or a zone cannot be looked at from above."""
        sizes = [("size", *self.size_px), ("track_mm", *self.track_mm), ("die_mm", self.die_mm, self.die_mm)]
        if self.reserve_mm is not None:
            sizes.append(("reserve_mm", *self.reserve_mm))
        for name, width, height in sizes:
            if not (width > 0 and height > 0):
                raise ZonesError(f'"{name}" must be positive: give the true size.')
        if min(self.track_mm) < 2 * self.die_mm:
            raise ZonesError(
                '"track_mm" is smaller than two dice: give the track\'s inner size in millimetres.'
            )
        named = [("track", self.track_px), ("reserve", self.reserve_px), ("tower", self.tower_px)]
        named += [(f"holders[{index}]", quad) for index, quad in enumerate(self.holders_px)]
        for name, quad in named:
            if quad is not None and not _is_seen_from_above(quad):
                raise ZonesError(
                    f'The corners of "{name}" do not go round clockwise: give them as NW, NE, SE, SW in the '
                    "table's own sense."
                )

    def to_dict(self) -> dict[str, Any]:
        """The shape of `zones.json`."""
        data: dict[str, Any] = {
            "size": list(self.size_px),
            "track": _listed(self.track_px),
            "track_mm": list(self.track_mm),
        }
        if self.reserve_px is not None and self.reserve_mm is not None:
            data["reserve"] = _listed(self.reserve_px)
            data["reserve_mm"] = list(self.reserve_mm)
        data["die_mm"] = self.die_mm
        if self.holders_px:
            data["holders"] = [_listed(quad) for quad in self.holders_px]
        if self.tower_px is not None:
            data["tower"] = _listed(self.tower_px)
        return data

    def at_size(self, width_px: int, height_px: int) -> Zones:
        """The same zones in a picture of another resolution. Raises ZonesError where the shape differs."""
        if (width_px, height_px) == self.size_px:
            return self
        across, down = width_px / self.size_px[0], height_px / self.size_px[1]
        if abs(across / down - 1) > 0.01:
            raise ZonesError(
                f"The picture is {width_px}x{height_px}, the zones are for "
                f"{self.size_px[0]}x{self.size_px[1]}: "
                "use pictures of the same shape, or calibrate again."
            )
        return self.moved(np.diag([across, down, 1.0]), (width_px, height_px))

    def moved(self, matrix: Matrix, size_px: tuple[int, int] | None = None) -> Zones:
        """The same zones after the picture's pixels moved by a 3x3 homography."""

        def move(quad: Quad) -> Quad:
            return as_quad(apply(matrix, quad))

        return Zones(
            size_px=self.size_px if size_px is None else size_px,
            track_px=move(self.track_px),
            track_mm=self.track_mm,
            reserve_px=None if self.reserve_px is None else move(self.reserve_px),
            reserve_mm=self.reserve_mm,
            die_mm=self.die_mm,
            holders_px=tuple(move(quad) for quad in self.holders_px),
            tower_px=None if self.tower_px is None else move(self.tower_px),
        )


def _number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ZonesError(f'"{name}" must be a number.')
    return float(value)


def _pair(data: Mapping[str, Any], name: str) -> tuple[float, float]:
    value = data.get(name)
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
        raise ZonesError(f'The zones lack "{name}", two numbers: width and height.')
    return _number(value[0], name), _number(value[1], name)


def _quad(value: object, name: str) -> Quad:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 4:
        raise ZonesError(f'"{name}" must have four corners [x, y]: NW, NE, SE, SW.')
    corners: list[Point] = []
    for corner in value:
        if not isinstance(corner, Sequence) or isinstance(corner, str) or len(corner) != 2:
            raise ZonesError(f'A corner of "{name}" is not two numbers [x, y].')
        corners.append((_number(corner[0], name), _number(corner[1], name)))
    return corners[0], corners[1], corners[2], corners[3]


def _holders(value: object) -> tuple[Quad, ...]:
    if value is None:
        return ()
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 3:
        raise ZonesError('"holders" must list three zones, left to right.')
    return tuple(_quad(quad, f"holders[{index}]") for index, quad in enumerate(value))


def _listed(quad: Quad) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in quad]


def _is_seen_from_above(quad: Quad) -> bool:
    """Convex and clockwise on the screen, where y grows downwards."""
    crosses = []
    for index in range(4):
        (ax, ay), (bx, by), (cx, cy) = quad[index], quad[(index + 1) % 4], quad[(index + 2) % 4]
        crosses.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return min(crosses) > 0


def as_quad(points: Points | Sequence[Sequence[float]]) -> Quad:
    """Four points, shape (4, 2), as a plain value."""
    corners = [(float(point[0]), float(point[1])) for point in points]
    return corners[0], corners[1], corners[2], corners[3]


def apply(matrix: Matrix, points: Points | Sequence[Sequence[float]]) -> Points:
    """Map points, shape (n, 2), by a 3x3 homography."""
    source = np.asarray(points, dtype=np.float64).reshape(-1, 1, 2)
    if not len(source):
        return np.empty((0, 2), np.float64)
    # ten times as fast as the same written out, for many points
    return np.asarray(cv2.perspectiveTransform(source, matrix), np.float64)[:, 0]


def mm_to_px(quad_px: Quad, size_mm: tuple[float, float]) -> Matrix:
    """The homography from a zone's floor millimetres to picture pixels."""
    width, height = size_mm
    rectangle = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    return np.asarray(
        cv2.getPerspectiveTransform(rectangle, np.array(quad_px, dtype=np.float32)), dtype=np.float64
    )


def focal_px(zones: Zones) -> float:
    """The focal length in pixels: what the track's known shape tells, with common cameras as the prior.

    The two axes of the track are at right angles and have one scale; both give the focal length when the
    camera is tilted (Zhang, "A flexible new technique for camera calibration", section 3.1). From straight
    above they tell nothing, and the prior decides; an error of a tenth then moves a top face by some tenths
    of a millimetre.
    """
    matrix = mm_to_px(zones.track_px, zones.track_mm)
    width, height = zones.size_px
    centred = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]]) @ matrix
    prior = FOCAL_PRIOR_FRAC * max(width, height)
    log_ratio = np.linspace(-0.6, 0.6, 241)
    focal = prior * np.exp(log_ratio)
    first = centred[:, 0][:, None] / np.stack([focal, focal, np.ones_like(focal)])
    second = centred[:, 1][:, None] / np.stack([focal, focal, np.ones_like(focal)])
    length_first, length_second = np.linalg.norm(first, axis=0), np.linalg.norm(second, axis=0)
    skew = (first * second).sum(axis=0) / (length_first * length_second)
    stretch = np.log(length_first / length_second)
    cost = (skew**2 + stretch**2) / CORNER_NOISE_FRAC**2 + (log_ratio / FOCAL_PRIOR_SPREAD) ** 2
    return float(focal[int(np.argmin(cost))])


@dataclass(frozen=True, slots=True)
class Floor:
    """One zone's floor as the camera sees it: maps its millimetres at any height to picture pixels."""

    zone: str
    size_mm: tuple[float, float]
    floor_to_px: Matrix
    up: npt.NDArray[np.float64]

    def plane_to_px(self, height_mm: float) -> Matrix:
        """Millimetres in the plane `height_mm` above the floor → picture pixels."""
        matrix = self.floor_to_px.copy()
        matrix[:, 2] += height_mm * self.up
        return matrix

    def moved(self, matrix: Matrix) -> Floor:
        """The floor in a picture whose pixels a 3x3 homography takes this one's to.

        Heights go along with it, which is as good as exact for a camera that moved by a few millimetres.
        """
        return Floor(self.zone, self.size_mm, matrix @ self.floor_to_px, matrix @ self.up)

    def lift(self, height_mm: float) -> tuple[Matrix, Matrix]:
        """The plane's map to pixels and its inverse."""
        matrix = self.plane_to_px(height_mm)
        return matrix, np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def floor_of(
    zone: str, quad_px: Quad, size_mm: tuple[float, float], size_px: tuple[int, int], focal: float
) -> Floor:
    """The floor of one zone in a picture of `size_px` taken with `focal` (pixels)."""
    matrix = mm_to_px(quad_px, size_mm)
    camera = np.array([[focal, 0, size_px[0] / 2], [0, focal, size_px[1] / 2], [0, 0, 1]])
    directions = np.linalg.solve(camera, matrix)
    scale = math.sqrt(float(np.linalg.norm(directions[:, 0]) * np.linalg.norm(directions[:, 1])))
    # x (to NE) cross y (to SW) points into the table when seen from above.
    down = np.cross(directions[:, 0], directions[:, 1]) / scale
    return Floor(zone, size_mm, matrix, np.asarray(-(camera @ down), dtype=np.float64))


def floors(zones: Zones, focal: float) -> tuple[Floor, ...]:
    """The floors dice can lie on: the track, and the reserve where there is one."""
    result = [floor_of("track", zones.track_px, zones.track_mm, zones.size_px, focal)]
    if zones.reserve_px is not None and zones.reserve_mm is not None:
        result.append(floor_of("reserve", zones.reserve_px, zones.reserve_mm, zones.size_px, focal))
    return tuple(result)


@dataclass(frozen=True, slots=True)
class View:
    """A top-down picture of one zone in the plane of the dice's top faces.

    `image` is (h, w, 3) uint8 BGR; `to_mm` maps view pixels to the zone's millimetres, `to_px` to the frame's
    pixels (both in corner coordinates).
    """

    floor: Floor
    image: Image
    px_per_mm: float
    margin_mm: float
    to_px: Matrix

    def view_to_mm(self, points: Points) -> Points:
        """View pixels (corner coordinates), shape (n, 2) → the zone's millimetres."""
        return np.asarray(points / self.px_per_mm - self.margin_mm, dtype=np.float64)

    def mm_to_view(self, points: Points) -> Points:
        """The zone's millimetres, shape (n, 2) → view pixels (corner coordinates)."""
        return np.asarray((points + self.margin_mm) * self.px_per_mm, dtype=np.float64)


def view_to_px(floor: Floor, height_mm: float, px_per_mm: float, margin_mm: float) -> Matrix:
    """From a view's pixels to the frame's, both in corner coordinates (3x3)."""
    to_mm = np.array([[1 / px_per_mm, 0, -margin_mm], [0, 1 / px_per_mm, -margin_mm], [0, 0, 1]])
    return np.asarray(floor.plane_to_px(height_mm) @ to_mm, np.float64)


def view_size(floor: Floor, px_per_mm: float, margin_mm: float) -> tuple[int, int]:
    """Width and height of a view in pixels."""
    width, height = floor.size_mm
    return round((width + 2 * margin_mm) * px_per_mm), round((height + 2 * margin_mm) * px_per_mm)

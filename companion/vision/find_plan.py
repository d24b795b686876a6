"""Where the zones of a table lie on one sheet, and the empty table seen from above: prepared once.

Every zone has a window on the sheet, in the plane of the dice's top faces; millimetres on the sheet run from
its own corner. A camera that has moved a little takes the planes of the dice's tops with it as it does their
floors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.find_hidden import Flags, tower_outline
from companion.vision.find_scene import Bytes, planes_of
from companion.vision.geometry import (
    CORNER_TO_INDEX,
    INDEX_TO_CORNER,
    Floor,
    Matrix,
    Points,
    Quad,
    apply,
    view_size,
    view_to_px,
)

# A sheet's smoothing, standard deviation in fractions of a die.
SMOOTH_FRAC = 0.55 / 16
# Between windows each repeats its last row so often, for samples that reach over the edge; even.
_GAP_PX = 12
# How far around a place an edge of the tower may be seen, at half size.
_AROUND = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Where one zone lies on the sheet."""

    floor: Floor
    """As in a picture of the zones' size."""
    to_px: Matrix
    """From the window's pixels to those of the zones' picture (3x3, corner coordinates)."""
    top_px: int
    height_px: int
    margin_mm: float
    corner_mm: npt.NDArray[np.float64]
    """Where the zone's NW corner lies on the sheet, (2,)."""
    base_shift: npt.NDArray[np.float64]
    """2x3: affine map from a top's middle (the zone's mm) to where its base appears, minus that."""

    @property
    def rows(self) -> slice:
        """The window's rows on the sheet."""
        return slice(self.top_px, self.top_px + self.height_px)

    @property
    def half_rows(self) -> slice:
        """Its rows on the sheet at half size."""
        return slice(self.top_px // 2, (self.top_px + self.height_px) // 2)


@dataclass(frozen=True, slots=True, eq=False)
class Tower:
    """A tower on the track, as it is on the sheet."""

    behind: Flags
    """(h, w): where it may hide something."""
    least: tuple[Bytes, ...]
    """By channel the least that the empty table shows around each place, at half size."""
    most: tuple[Bytes, ...]
    """And the most."""
    foot_mm: Points
    """The corners of its footprint, sheet mm, (4, 2)."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The windows of a table, and the empty table on the sheet."""

    windows: tuple[Window, ...]
    size_px: tuple[int, int]
    px_per_mm: float
    die_mm: float
    corners_px: Points
    """By window the corners of a part as large as the zone, in the zones' picture, (windows, 4, 2)."""
    tops_mm: Points
    """Where on the sheet each window but the first begins, between the gap's halves, (windows - 1,)."""
    row_limits: npt.NDArray[np.float32]
    """By window its first and last row, (windows, 2)."""
    smooth: Bytes
    """The empty table, smoothed, as `seen_from_above` gives it, (h, w, 4)."""
    half_planes: tuple[Bytes, ...]
    """The same at half size, (h / 2, w / 2) each, B, G and R."""
    tower: Tower | None
    """What stands in the way, where there is a tower on the track."""
    slopes: npt.NDArray[np.float64]
    """By window, (3, 2, windows): affine map from a top's middle (sheet mm) to where its base appears, minus
    that: per mm across, per mm down, and at the sheet's corner.
    """

    @classmethod
    def prepare(
        cls,
        on_floors: Sequence[Floor],
        margins_mm: Mapping[str, float],
        px_per_die: int,
        die_mm: float,
        empty_bgr: Bytes,
        to_empty: Matrix,
        tower_px: Quad | None = None,
    ) -> Plan:
        """Lay out the zones; `to_empty` takes the pixels of the zones' picture to those of `empty_bgr`.

        `tower_px` is the footprint of a tower that stands on the first of the floors.
        """
        px_per_mm = px_per_die / die_mm
        sizes = [view_size(floor, px_per_mm, margins_mm[floor.zone]) for floor in on_floors]
        width = _even(max(size[0] for size in sizes))
        windows: list[Window] = []
        top = 0
        for floor, size in zip(on_floors, sizes, strict=True):
            margin_mm = margins_mm[floor.zone]
            windows.append(
                Window(
                    floor=floor,
                    to_px=view_to_px(floor, die_mm, px_per_mm, margin_mm),
                    top_px=top,
                    height_px=_even(size[1]),
                    margin_mm=margin_mm,
                    corner_mm=np.array([margin_mm, top / px_per_mm + margin_mm]),
                    base_shift=base_shift(floor, die_mm),
                )
            )
            top += _even(size[1]) + _GAP_PX
        size_px = (width, top - _GAP_PX)
        seen = seen_from_above(empty_bgr, windows, size_px, to_empty)
        smooth = smoothed(seen, px_per_die)
        half = tuple(planes_of(halved(smooth)))
        corners_px = []
        for window in windows:
            across, down = window.floor.size_mm[0] * px_per_mm, window.floor.size_mm[1] * px_per_mm
            corners_px.append(apply(window.to_px, ((0, 0), (across, 0), (across, down), (0, down))))
        tower = None
        if tower_px is not None:
            tower = Tower(
                behind=_behind(windows[0], tower_px, px_per_mm, die_mm, planes_of(smooth)),
                least=tuple(np.asarray(cv2.erode(plane, _AROUND), np.uint8) for plane in half),
                most=tuple(np.asarray(cv2.dilate(plane, _AROUND), np.uint8) for plane in half),
                foot_mm=apply(windows[0].floor.lift(0.0)[1], tower_px) + windows[0].corner_mm,
            )
        slopes = np.stack([window.base_shift for window in windows])
        slopes[..., 2] -= [window.base_shift[:, :2] @ window.corner_mm for window in windows]
        tops_mm = np.array([(window.top_px - _GAP_PX / 2) / px_per_mm for window in windows[1:]])
        return cls(
            windows=tuple(windows),
            size_px=size_px,
            px_per_mm=px_per_mm,
            die_mm=die_mm,
            corners_px=np.array(corners_px),
            tops_mm=tops_mm,
            row_limits=np.array([(one.rows.start, one.rows.stop - 1) for one in windows], np.float32),
            smooth=smooth,
            half_planes=half,
            tower=tower,
            slopes=np.ascontiguousarray(slopes.T),
        )

    def frame_px_per_px(self, to_frame: Matrix) -> float:
        """How many of a frame's pixels there are to a pixel of the sheet, along either axis, where fewest."""
        seen = apply(to_frame, self.corners_px.reshape(-1, 2)).reshape(-1, 4, 2)
        way = seen - seen[:, [1, 2, 3, 0]]
        lengths = np.hypot(way[..., 0], way[..., 1]).reshape(-1, 2, 2)
        sizes = np.array([window.floor.size_mm for window in self.windows]) * self.px_per_mm
        return float((lengths / sizes[:, None]).min())

    def window_of(self, places: Points) -> npt.NDArray[np.intp]:
        """In which window each place on the sheet lies, (n, 2 or more) mm → (n,)."""
        return np.searchsorted(self.tops_mm, places[:, 1])


def base_shift(floor: Floor, die_mm: float) -> npt.NDArray[np.float64]:
    """Where a die's base appears relative to its top, as an affine function of the place (2x3, mm)."""
    _, to_top = floor.lift(die_mm)
    on_floor = floor.plane_to_px(0.0)
    width, height = floor.size_mm
    places = np.array([[0, 0], [width, 0], [width, height], [0, height], [width / 2, height / 2]], np.float64)
    shift = apply(to_top, apply(on_floor, places)) - places
    # The least squares plane through the four corners and the middle.
    across = (shift[1] + shift[2] - shift[0] - shift[3]) / (2 * width)
    down = (shift[2] + shift[3] - shift[0] - shift[1]) / (2 * height)
    middle = shift.mean(axis=0) - across * width / 2 - down * height / 2
    return np.column_stack([across, down, middle])


def _behind(
    window: Window, tower_px: Quad, px_per_mm: float, die_mm: float, planes: Sequence[Bytes]
) -> Flags:
    """Where on the sheet, by the empty table's channels (h, w), the tower hides something."""
    mask = np.zeros_like(planes[0])
    empty = [plane[window.rows] for plane in planes]
    corner_mm = np.full(2, window.margin_mm)
    outline = tower_outline(window.floor, tower_px, die_mm, empty, px_per_mm, corner_mm)
    outline_px = np.rint((outline + corner_mm) * px_per_mm - 0.5)
    cv2.fillConvexPoly(mask[window.rows], np.clip(outline_px, -9999, 9999).astype(np.int32), 1)
    return mask > 0


def _even(number: int) -> int:
    return number + number % 2


def seen_from_above(
    picture_bgr: Bytes, windows: Sequence[Window], size_px: tuple[int, int], to_picture: Matrix
) -> Bytes:
    """The sheet of a picture, black beyond it; `to_picture` takes pixels of the zones' picture to its own.

    Gives (h, w, 4): BGR and a channel without a meaning, since pixels of four bytes are looked up more than
    twice as fast as those of three.
    """
    sheet = np.empty((size_px[1], size_px[0], 4), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for window in windows:
        size = (size_px[0], window.height_px)
        to_px = to_picture @ window.to_px
        corners = apply(to_px, ((0, 0), (size[0], 0), size, (0, size[1])))
        part, corner = _part_around(picture_bgr, corners)
        to_px = np.array([[1, 0, -corner[0]], [0, 1, -corner[1]], [0, 0, 1]]) @ to_px
        matrix = CORNER_TO_INDEX @ to_px @ INDEX_TO_CORNER
        own = cv2.cvtColor(part, cv2.COLOR_BGR2BGRA)
        cv2.warpPerspective(own, matrix, size, dst=sheet[window.rows], flags=flags)
        if window.top_px:
            middle = window.top_px - _GAP_PX // 2
            sheet[middle - _GAP_PX // 2 : middle] = sheet[window.top_px - _GAP_PX - 1]
            sheet[middle : window.top_px] = sheet[window.top_px]
    return sheet


def _part_around(picture: Bytes, points: Points) -> tuple[Bytes, tuple[int, int]]:
    """The part of a picture, at least a pixel, around points (n, 2), and its corner (x, y)."""
    x, y, width, height = cv2.boundingRect(points.astype(np.float32))
    left = min(max(x - 2, 0), picture.shape[1] - 1)
    top = min(max(y - 2, 0), picture.shape[0] - 1)
    right, bottom = max(x + width + 3, left + 1), max(y + height + 3, top + 1)
    return picture[top:bottom, left:right], (left, top)


def smoothed(image: Bytes, px_per_die: float) -> Bytes:
    """A sheet, (h, w, 4) uint8, without its finest grain."""
    return np.asarray(cv2.GaussianBlur(image, (5, 5), SMOOTH_FRAC * px_per_die), np.uint8)


def halved(image: Bytes) -> Bytes:
    """A sheet at half its size, each pixel the mean of four."""
    size = (image.shape[1] // 2, image.shape[0] // 2)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)

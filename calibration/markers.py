"""Printed corner markers: the sheet to print, and the zones they tell.

Four stickers, ArUco 4×4_50 numbers 0 to 3, 20 mm wide with a white rim, lie flat on the table beside the
track's outer corners NW, NE, SE, SW: outside its short walls, each sticker's outer edge flush with the long
wall's outside. What is printed on a sticker is square, so that each one seen gives four known points of the
table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.refusal import CalibrationRefused
from companion.vision.geometry import Quad, Zones, as_quad

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Rectangle = tuple[float, float, float, float]

CORNERS = ("NW", "NE", "SE", "SW")
MARKER_MM = 20.0
RIM_MM = 10.0 / 3.0
_LEAST_SEEN = 3
#: A homography that misses a printed corner by more than this (a tenth of a marker) is no flat table.
_WORST_MISS_MM = 2.0
_SHEET_DPI = 300


@dataclass(frozen=True, slots=True)
class MarkerLayout:
    """What lies where, in millimetres of the track: x from its inner NW corner to NE, y to SW.

    `wall_mm` is the thickness of the track's walls and `gap_mm` what is left between the short wall and a
    sticker. `reserve_mm` and `holders_mm` are rectangles (x, y, width, height); y is negative north of the
    track.
    """

    track_mm: tuple[float, float] = (220.0, 150.0)
    wall_mm: float = 6.0
    gap_mm: float = 1.0
    reserve_mm: Rectangle | None = None
    holders_mm: tuple[Rectangle, ...] = ()
    die_mm: float = 16.0

    def marker_corners_mm(self, marker: int) -> Floats:
        """The printed square's corners on the table, (4, 2), from its own upper left on, as the sheet is
        oriented.

        All stickers are laid the same way up: the sheet's top to the north.
        """
        width, height = self.track_mm
        out = MARKER_MM / 2 + RIM_MM
        east, south = marker in (1, 2), marker in (2, 3)
        x = width + self.wall_mm + self.gap_mm + out if east else -self.wall_mm - self.gap_mm - out
        y = height + self.wall_mm - out if south else -self.wall_mm + out
        half = MARKER_MM / 2
        return np.array(
            [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
        )


def zones_from_markers(picture_bgr: Image, layout: MarkerLayout) -> Zones:
    """The zones of a picture, uint8 BGR (h, w, 3), from the markers seen in it.

    Raises:
        CalibrationRefused: fewer than three of the four are seen, or they do not lie as the layout says.
    """
    seen = find_markers(picture_bgr)
    missing = [CORNERS[marker] for marker in range(4) if marker not in seen]
    if len(seen) < _LEAST_SEEN:
        raise CalibrationRefused(
            "markers_not_seen",
            f"The markers at {', '.join(missing)} are not seen: uncover them, see that no glare lies on "
            f"them, or mark "
            "the corners by hand.",
        )
    table = np.concatenate([layout.marker_corners_mm(marker) for marker in seen])
    pixels = np.concatenate(list(seen.values()))
    matrix, _ = cv2.findHomography(table, pixels)
    to_px = np.asarray(matrix, np.float64)
    if to_px.shape != (3, 3) or _miss_mm(to_px, table, pixels) > _WORST_MISS_MM:
        raise CalibrationRefused(
            "markers_misplaced",
            "The markers do not lie as the track's size says: check the track's inner size, lay each "
            "sticker flat beside its corner with its top to the north, or mark the corners by hand.",
        )
    width, height = layout.track_mm
    zones = Zones(
        size_px=(picture_bgr.shape[1], picture_bgr.shape[0]),
        track_px=_rectangle_px(to_px, (0.0, 0.0, width, height)),
        track_mm=layout.track_mm,
        reserve_px=None if layout.reserve_mm is None else _rectangle_px(to_px, layout.reserve_mm),
        reserve_mm=None if layout.reserve_mm is None else layout.reserve_mm[2:],
        die_mm=layout.die_mm,
        holders_px=tuple(_rectangle_px(to_px, holder) for holder in layout.holders_mm),
    )
    zones.check()
    return zones


def find_markers(picture_bgr: Image) -> dict[int, Floats]:
    """The corners (4, 2) of each of our markers seen, by number, in corner coordinates of the picture.

    Raises:
        CalibrationRefused: this OpenCV cannot find markers.
    """
    grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    corners, numbers = _detect(_aruco(), grey)
    seen: dict[int, Floats] = {}
    if numbers is not None:
        for quad, number in zip(corners, np.asarray(numbers).ravel(), strict=True):
            if int(number) in range(4):
                seen[int(number)] = np.asarray(quad, np.float64).reshape(4, 2) + 0.5
    return dict(sorted(seen.items()))


def marker_sheet() -> Image:
    """The sheet to print, A4 at 300 dots per inch, uint8 grey: the four stickers to cut out, and a ruler."""
    aruco = _aruco()
    dot_mm = 25.4 / _SHEET_DPI
    sheet = np.full((round(297 / dot_mm), round(210 / dot_mm)), 255, np.uint8)
    side, rim = round(MARKER_MM / dot_mm), round(RIM_MM / dot_mm)
    for marker, name in enumerate(CORNERS):
        left = round((25 + 90 * (marker % 2)) / dot_mm)
        top = round((30 + 60 * (marker // 2)) / dot_mm)
        sheet[top : top + side, left : left + side] = _drawn(aruco, marker, side)
        outer = (left - rim, top - rim), (left + side + rim, top + side + rim)
        cv2.rectangle(sheet, *outer, 170, 1)
        text = f"{marker}  {name}"
        cv2.putText(sheet, text, (left, outer[1][1] + 60), cv2.FONT_HERSHEY_SIMPLEX, 1.4, 0, 3)
    ruler_left, ruler_top = round(25 / dot_mm), round(170 / dot_mm)
    for centimetre in range(11):
        x = round(ruler_left + centimetre * 10 / dot_mm)
        cv2.line(sheet, (x, ruler_top), (x, ruler_top + 60), 0, 3)
    cv2.line(sheet, (ruler_left, ruler_top), (round(ruler_left + 100 / dot_mm), ruler_top), 0, 3)
    lines = (
        "Print at 100 %: this ruler is 10 cm long. Cut along the thin lines.",
        "Lay each sticker flat beside its corner, outside the short wall, this way up,",
        "its outer edge flush with the outside of the long wall.",
    )
    for row, text in enumerate(lines):
        y = round((190 + 9 * row) / dot_mm)
        cv2.putText(sheet, text, (ruler_left, y), cv2.FONT_HERSHEY_SIMPLEX, 1.3, 0, 3)
    return sheet


def _aruco() -> Any:
    """OpenCV's marker module: part of OpenCV since 4.7, before that of its contrib modules."""
    module = getattr(cv2, "aruco", None)
    if module is None:
        raise CalibrationRefused(
            "markers_unknown",
            "This OpenCV cannot find printed markers: mark the corners by hand, or install OpenCV 4.7 or "
            "newer.",
        )
    return module


def _detect(aruco: Any, grey: Image) -> tuple[Any, Any]:
    dictionary = _dictionary(aruco)
    if hasattr(aruco, "ArucoDetector"):
        parameters = aruco.DetectorParameters()
        parameters.cornerRefinementMethod = aruco.CORNER_REFINE_SUBPIX
        corners, numbers, _ = aruco.ArucoDetector(dictionary, parameters).detectMarkers(grey)
    else:
        parameters = aruco.DetectorParameters_create()
        # Before 4.7 a sticker's edge this near to the marker's was taken for it, and the marker dropped.
        parameters.minMarkerDistanceRate = 0.02
        parameters.cornerRefinementMethod = aruco.CORNER_REFINE_SUBPIX
        corners, numbers, _ = aruco.detectMarkers(grey, dictionary, parameters=parameters)
    return corners, numbers


def _dictionary(aruco: Any) -> Any:
    get = getattr(aruco, "getPredefinedDictionary", None) or aruco.Dictionary_get
    return get(aruco.DICT_4X4_50)


def _drawn(aruco: Any, marker: int, side: int) -> Image:
    draw = getattr(aruco, "generateImageMarker", None) or aruco.drawMarker
    return np.asarray(draw(_dictionary(aruco), marker, side), np.uint8)


def _rectangle_px(to_px: Floats, rectangle: Rectangle) -> Quad:
    x, y, width, height = rectangle
    corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    return as_quad(_mapped(to_px, corners))


def _miss_mm(to_px: Floats, table: Floats, pixels: Floats) -> float:
    """The farthest that a seen corner, brought back to the table, lies from where it should."""
    back = _mapped(np.asarray(np.linalg.inv(to_px), np.float64), pixels)
    return float(np.linalg.norm(back - table, axis=1).max())


def _mapped(matrix: Floats, points: Floats) -> Floats:
    full = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(full[:, :2] / full[:, 2:])

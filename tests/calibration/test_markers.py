"""Printed markers: the sheet can be read back, and markers on a table tell where its zones lie."""

import cv2
import numpy as np
import pytest

from calibration import CalibrationRefused, MarkerLayout, marker_sheet, zones_from_markers
from calibration.markers import MARKER_MM, find_markers

LAYOUT = MarkerLayout(reserve_mm=(0, 162, 220, 42), holders_mm=((0, -120, 63, 88),) * 3)
PX_PER_MM = 3.0


def table(markers: tuple[int, ...] = (0, 1, 2, 3), misplaced: int | None = None) -> np.ndarray:
    """A table from straight above, 3 px a millimetre, its track's NW corner at (200, 450)."""
    picture = np.full((1100, 1100, 3), 90, np.uint8)
    sheet = marker_sheet()
    side = round(MARKER_MM * 300 / 25.4)
    for marker in markers:
        corners = LAYOUT.marker_corners_mm(marker) * PX_PER_MM + (200, 450)
        if marker == misplaced:
            corners = corners + 40
        left, top = (
            round((25 + 90 * (marker % 2)) * 300 / 25.4),
            round((30 + 60 * (marker // 2)) * 300 / 25.4),
        )
        rim = round(2.5 * 300 / 25.4)
        cut = sheet[top - rim : top + side + rim, left - rim : left + side + rim]
        size = round(cut.shape[0] * MARKER_MM / side * PX_PER_MM)
        small = cv2.resize(cut, (size, size), interpolation=cv2.INTER_AREA)
        x, y = np.round(corners.mean(axis=0) - size / 2).astype(int)
        picture[y : y + size, x : x + size] = small[..., None]
    return picture


def tilted(picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The picture as a camera that stands aside and turned sees it, and the map that did it."""
    before = np.array([[0, 0], [1100, 0], [1100, 1100], [0, 1100]], np.float32)
    after = np.array([[900, 60], [1010, 900], [90, 1000], [150, 120]], np.float32)
    matrix = cv2.getPerspectiveTransform(before, after)
    return cv2.warpPerspective(picture, matrix, (1100, 1100), borderValue=(90, 90, 90)), matrix


def test_sheet_is_a4_and_shows_all_four() -> None:
    sheet = marker_sheet()
    assert sheet.shape == (3508, 2480)
    found = find_markers(np.repeat(sheet[..., None], 3, axis=2))
    assert set(found) == {0, 1, 2, 3}
    for corners in found.values():
        assert np.linalg.norm(corners[1] - corners[0]) * 25.4 / 300 == pytest.approx(MARKER_MM, abs=0.1)


@pytest.mark.parametrize("missing", [None, 0, 1, 2, 3])
def test_zones_from_four_or_three_markers(missing: int | None) -> None:
    zones = zones_from_markers(table(tuple(k for k in range(4) if k != missing)), LAYOUT)
    expected = np.array([[200, 450], [860, 450], [860, 900], [200, 900]])
    assert np.abs(np.array(zones.track_px) - expected).max() < 3
    assert zones.track_mm == (220.0, 150.0)
    assert zones.reserve_px is not None
    assert zones.reserve_px[0] == pytest.approx((200, 450 + 162 * 3), abs=5)
    assert len(zones.holders_px) == 3


def test_zones_in_perspective_keep_the_tables_own_sense() -> None:
    picture, matrix = tilted(table())
    zones = zones_from_markers(picture, LAYOUT)
    expected = cv2.perspectiveTransform(
        np.array([[[200, 450], [860, 450], [860, 900], [200, 900]]], np.float64), matrix
    )
    assert np.abs(np.array(zones.track_px) - expected[0]).max() < 4


def test_too_few_markers_are_named() -> None:
    with pytest.raises(CalibrationRefused, match="SE, SW") as refused:
        zones_from_markers(table((0, 1)), LAYOUT)
    assert refused.value.code == "markers_not_seen"


def test_a_misplaced_marker_is_refused() -> None:
    with pytest.raises(CalibrationRefused, match="as the track's size says") as refused:
        zones_from_markers(table(misplaced=2), LAYOUT)
    assert refused.value.code == "markers_misplaced"

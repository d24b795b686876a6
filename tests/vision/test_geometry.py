"""Zones, pose and top-down views."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.vision.geometry import (
    Matrix,
    Quad,
    Zones,
    ZonesError,
    apply,
    as_quad,
    floors,
    focal_px,
    mm_to_px,
)

TRACK_MM, RESERVE_MM, SIZE_PX = (220.0, 150.0), (220.0, 42.0), (1024, 768)


def camera(tilt_deg: float, focal: float = 850.0, distance_mm: float = 420.0) -> Matrix:
    """A 3x4 projection of a camera that looks at the track's middle, tilted about its x axis; z is up."""
    tilt = math.radians(tilt_deg)
    down = np.array([[1, 0, 0], [0, 1, 0], [0, 0, -1]], np.float64)
    turn = np.array(
        [[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]], np.float64
    )
    rotation = turn @ down
    middle = np.array([TRACK_MM[0] / 2, TRACK_MM[1] / 2, 0.0])
    shift = np.array([0, 0, distance_mm]) - rotation @ middle
    inner = np.array([[focal, 0, SIZE_PX[0] / 2], [0, focal, SIZE_PX[1] / 2], [0, 0, 1]])
    return np.asarray(inner @ np.hstack([rotation, shift[:, None]]), np.float64)


def project(matrix: Matrix, points: list[tuple[float, float, float]]) -> Quad:
    """Where points (mm) appear (px)."""
    seen = np.hstack([np.array(points), np.ones((len(points), 1))]) @ matrix.T
    return as_quad(seen[:, :2] / seen[:, 2:])


def zones_under(matrix: Matrix) -> Zones:
    """The zones as that camera sees them."""
    width, height = TRACK_MM
    track = [(0.0, 0.0, 0.0), (width, 0.0, 0.0), (width, height, 0.0), (0.0, height, 0.0)]
    reserve = [(x, y + (162.0 if y == 0 else 54.0), -3.0) for x, y, _ in track]
    return Zones(SIZE_PX, project(matrix, track), TRACK_MM, project(matrix, reserve), RESERVE_MM)


@pytest.mark.parametrize("tilt_deg", [0.0, 4.0, 12.0, 22.0])
def test_top_faces_are_squares_of_a_die_in_their_plane(tilt_deg: float) -> None:
    matrix = camera(tilt_deg)
    zones = zones_under(matrix)
    for floor, (left, top, base) in zip(
        floors(zones, focal_px(zones)), [(20.0, 30.0, 0.0), (180.0, 175.0, -3.0)], strict=True
    ):
        height = base + 16
        face = project(
            matrix,
            [
                (left, top, height),
                (left + 16, top, height),
                (left + 16, top + 16, height),
                (left, top + 16, height),
            ],
        )
        seen_mm = apply(floor.lift(16.0)[1], face)
        sides = np.linalg.norm(seen_mm - np.roll(seen_mm, 1, axis=0), axis=1)
        assert np.abs(sides - 16).max() < 0.15
        origin_y = 0.0 if floor.zone == "track" else 162.0
        assert np.abs(seen_mm[0] - (left, top - origin_y)).max() < 0.6


def test_a_tilted_camera_tells_its_focal_length() -> None:
    assert focal_px(zones_under(camera(20.0, focal=950.0))) == pytest.approx(950.0, rel=0.02)


def plain() -> dict[str, Any]:
    return {
        "size": [1024, 768],
        "track": [[100, 100], [540, 100], [540, 400], [100, 400]],
        "track_mm": [220, 150],
        "reserve": [[100, 420], [540, 420], [540, 504], [100, 504]],
        "reserve_mm": [220, 42],
        "die_mm": 16,
        "tower": [[100, 200], [140, 200], [140, 260], [100, 260]],
    }


def test_zones_come_back_as_they_were_written() -> None:
    zones = Zones.from_dict(plain())
    assert Zones.from_dict(json.loads(json.dumps(zones.to_dict()))) == zones


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"track": None}, "track"),
        ({"track": [[100, 100], [540, 100], [540, 400]]}, "four corners"),
        ({"track": [[100, 100], [100, 400], [540, 400], [540, 100]]}, "clockwise"),
        ({"track_mm": [220, -150]}, "track_mm"),
        ({"track_mm": [2.2, 1.5]}, "millimetres"),
        ({"reserve_mm": None}, "reserve_mm"),
        ({"die_mm": "big"}, "die_mm"),
        ({"die_mm": float("nan")}, "die_mm"),
        ({"holders": [1]}, "holders"),
        ({"size": [0, 768]}, "size"),
    ],
)
def test_zones_that_cannot_be_used_are_told_by_name(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ZonesError, match=told):
        Zones.from_dict(plain() | change)


def test_text_that_is_no_zones_is_told() -> None:
    with pytest.raises(ZonesError, match="not JSON"):
        Zones.from_json("{")
    with pytest.raises(ZonesError, match="object"):
        Zones.from_json("[1]")


def test_another_resolution_is_followed_and_another_shape_refused() -> None:
    zones = Zones.from_dict(plain())
    assert zones.at_size(2048, 1536).track_px[2] == (1080.0, 800.0)
    with pytest.raises(ZonesError, match="calibrate again"):
        zones.at_size(1024, 1024)


def test_true_top_faces_of_the_shared_tables_are_squares(shared_data: Path) -> None:
    for folder in sorted((shared_data / "tables").glob("table*")):
        zones = Zones.from_json((folder / "zones.json").read_text())
        by_zone = {floor.zone: floor.lift(16.0)[1] for floor in floors(zones, focal_px(zones))}
        for picture in json.loads((folder / "truth.json").read_text())["pictures"]:
            for die in picture["dice"]:
                if not die["cocked"]:
                    corners = apply(by_zone[die["zone"]], die["top"])
                    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
                    assert np.abs(sides - 16).max() < 0.2, (folder.name, picture["file"])


def test_a_homography_is_its_corners() -> None:
    zones = Zones.from_dict(plain())
    assert np.allclose(apply(mm_to_px(zones.track_px, zones.track_mm), [[220, 150]]), [[540, 400]])

"""Finding the dice: a frame and the empty table → the top face of every die."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.frame_view import EmptyView
from companion.vision.geometry import Floor, Image, Quad, View, Zones, apply, as_quad, floors, take_view

PX_PER_MM = 2.0
TRACK_MARGIN_MM = 4.0
RESERVE_MARGIN_MM = 8.0


@dataclass(frozen=True, slots=True)
class Found:
    """One die: its top face in picture pixels and in its zone's millimetres, and what is odd about it."""

    zone: str
    top_px: Quad
    centre_px: tuple[float, float]
    centre_mm: tuple[float, float]
    angle_deg: float
    score: float
    problems: tuple[str, ...] = ()


def find_dice(frame_bgr: Image, zones: Zones, focal: float, empty: EmptyView) -> tuple[Found, ...]:
    """All dice in the track and the reserve. `focal` belongs to pictures of the zones' size.

    Raises:
        ZonesError: the frame's shape is not that of the zones.
    """
    height, width = frame_bgr.shape[:2]
    scaled = zones.at_size(width, height)
    found: list[Found] = []
    for floor in floors(scaled, focal * width / zones.size_px[0]):
        found += _find_on(frame_bgr, floor, empty, zones.die_mm)
    return tuple(found)


def _find_on(frame_bgr: Image, floor: Floor, empty: EmptyView, die_mm: float) -> list[Found]:
    margin = TRACK_MARGIN_MM if floor.zone == "track" else RESERVE_MARGIN_MM
    view = take_view(frame_bgr, floor, die_mm, PX_PER_MM, margin)
    difference = cv2.absdiff(view.image, empty_view(view, empty, frame_bgr.shape)).max(axis=2)
    changed = cv2.GaussianBlur(difference, (0, 0), 1.5)
    floor_noise = float(np.median(changed))
    mask = (changed > max(18.0, 4 * floor_noise)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    result = []
    for contour in contours:
        if cv2.contourArea(contour) < 0.3 * (die_mm * PX_PER_MM) ** 2:
            continue
        (x, y), _, angle = cv2.minAreaRect(contour)
        corners = cv2.boxPoints(((x, y), (die_mm * PX_PER_MM,) * 2, angle))
        centre = view.view_to_mm(np.array([[x, y]]))[0]
        top = as_quad(apply(view.to_px, corners))
        middle = apply(view.to_px, [[x, y]])[0]
        result.append(
            Found(
                floor.zone,
                top,
                (float(middle[0]), float(middle[1])),
                (float(centre[0]), float(centre[1])),
                float(angle),
                1.0,
            )
        )
    return result


def empty_view(view: View, empty: EmptyView, frame_shape: tuple[int, ...]) -> Image:
    """The empty table in the same view, from the small picture that the profile keeps."""
    small = empty.unpack()
    shrink = np.diag([small.shape[1] / frame_shape[1], small.shape[0] / frame_shape[0], 1.0])
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    matrix = np.linalg.inv(half) @ shrink @ view.to_px @ half
    size = (view.image.shape[1], view.image.shape[0])
    return np.asarray(
        cv2.warpPerspective(small, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP), dtype=np.uint8
    )

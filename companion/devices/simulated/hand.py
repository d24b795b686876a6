"""A hand that reaches over the track from the south: rounded limbs at one height, and their shadow."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.devices.simulated.inks import linear_bgr
from companion.devices.simulated.light import Lamp, Patch
from companion.devices.simulated.pose import Pose

Floats = npt.NDArray[np.float32]
Vectors = npt.NDArray[np.float64]

HAND_HIGH_MM = 48.0
_SKIN = 0xC98F6E
_SLEEVE = 0x39506E
_LIMBS = (
    ((168, 330), (150, 178), 27),
    ((150, 178), (140, 138), 29),
    ((140, 138), (122, 128), 24),
    ((118, 126), (92, 86), 8.5),
    ((130, 116), (114, 68), 9),
    ((144, 112), (136, 62), 9),
    ((156, 118), (158, 74), 8.5),
    ((164, 150), (186, 118), 9.5),
)
"""From (x, y), to (x, y), radius in mm; the first is the forearm in its sleeve."""


def hand_shadow(patch: Patch, lamp: Lamp) -> Floats:
    """The lamp's part hidden by the hand on a patch of the table's plane, 0 to 1, shape (h, w)."""
    width, height = patch.size_px
    layer = np.zeros((height, width), np.uint8)
    lamp_mm = lamp.centre_mm()
    grow = lamp_mm[2] / (lamp_mm[2] - HAND_HIGH_MM)
    for start, end, radius in _LIMBS:
        ends = lamp_mm[:2] + (np.array([start, end]) - lamp_mm[:2]) * grow
        _draw_limb(layer, (ends - patch.corner_mm[:2]) * patch.px_per_mm, radius * grow * patch.px_per_mm)
    soft_mm = lamp.radius_mm * HAND_HIGH_MM / (lamp_mm[2] - HAND_HIGH_MM)
    return cv2.GaussianBlur(layer, (0, 0), soft_mm * patch.px_per_mm).astype(np.float32) / np.float32(255)


def with_hand(light: Floats, pose: Pose, lamp: Lamp) -> Floats:
    """The picture's linear light (h, w, 3), B G R, with the hand over it."""
    result = light
    for paint, limbs in ((_SLEEVE, _LIMBS[:1]), (_SKIN, _LIMBS[1:])):
        mask = np.zeros(light.shape[:2], np.uint8)
        for start, end, radius in limbs:
            ends = pose.project(np.array([[*start, HAND_HIGH_MM], [*end, HAND_HIGH_MM]], dtype=np.float64))
            _draw_limb(mask, ends, radius * pose.focal_px / (pose.z_mm - HAND_HIGH_MM))
        result = _shaded(result, mask, paint, lamp)
    return result


def _draw_limb(layer: npt.NDArray[np.uint8], ends_px: Vectors, radius_px: float) -> None:
    """A capsule: every place within the radius of the line between both ends."""
    (ax, ay), (bx, by) = ends_px
    length = max(float(np.hypot(bx - ax, by - ay)), 1e-6)
    side = np.array([-(by - ay), bx - ax]) / length * radius_px
    body = np.array([ends_px[0] + side, ends_px[1] + side, ends_px[1] - side, ends_px[0] - side])
    cv2.fillConvexPoly(layer, np.round(body * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    for x, y in ends_px:
        centre = (round(float(x) * 16), round(float(y) * 16))
        cv2.circle(layer, centre, round(radius_px * 16), 255, -1, cv2.LINE_AA, 4)


def _shaded(light: Floats, mask: npt.NDArray[np.uint8], paint: int, lamp: Lamp) -> Floats:
    """Round the flat shape by its distance from the edge and light it."""
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 5)
    bulge = cv2.GaussianBlur(np.sqrt(depth), (0, 0), 2.0)
    slope_x = cv2.Sobel(bulge, cv2.CV_32F, 1, 0, scale=0.6)
    slope_y = cv2.Sobel(bulge, cv2.CV_32F, 0, 1, scale=0.6)
    towards = lamp.centre_mm() - np.array([140.0, 130.0, HAND_HIGH_MM])
    towards = towards / np.linalg.norm(towards)
    facing = (towards[2] - slope_x * towards[0] - slope_y * towards[1]) / np.sqrt(1 + slope_x**2 + slope_y**2)
    lit = lamp.room_bgr() + lamp.direct_bgr() * np.maximum(facing, 0).astype(np.float32)[..., None]
    cover = (mask.astype(np.float32) / 255)[..., None]
    return np.asarray(light * (1 - cover) + linear_bgr(paint) * lit * cover, dtype=np.float32)

"""Changes to pictures with known truth, each as a camera or a lamp could make it.

A change of resolution or a turned camera would have been there at calibration already, so it applies to the
calibration pictures, the zones and the truth alike. Light, noise, blur, a nudged camera and compression come
later: they change the throws alone, and a nudge moves the truth with the picture. Amounts are told beside
each; what is random is drawn from the name of the picture, so that a run can be repeated.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.evaluation.truth import TruePicture
from companion.vision.geometry import Zones, apply, as_quad

Picture = npt.NDArray[np.uint8]
Matrix = npt.NDArray[np.float64]
Random = np.random.Generator

#: What a nudge may be: shift of the picture in mm on the track, turn in degrees, zoom as a fraction.
NUDGE_MM, NUDGE_DEG, NUDGE_ZOOM = 3.0, 1.0, 0.01


@dataclass(frozen=True, slots=True)
class Change:
    """One change. ``also_calibration`` tells whether the camera was like that from the start.

    ``change`` takes a picture, a source of chance and pixels per mm on the track; it gives the new picture
    and the 3×3 matrix by which its pixels moved (corner coordinates), None where they stayed.
    """

    name: str
    told: str
    also_calibration: bool
    change: Callable[[Picture, Random, float], tuple[Picture, Matrix | None]]

    def apply_to(self, picture: Picture, name: str, px_per_mm: float) -> tuple[Picture, Matrix | None]:
        """The changed picture; chance depends on this change's and the picture's name alone."""
        seed = zlib.crc32(f"{self.name}/{name}".encode())
        return self.change(picture, np.random.default_rng(seed), px_per_mm)


def moved_truth(picture: TruePicture, matrix: Matrix | None, size_px: tuple[int, int]) -> TruePicture:
    """The truth of a picture whose pixels moved; a die that now reaches over the edge is cut."""
    if matrix is None:
        return picture
    dice = []
    for die in picture.dice:
        corners = apply(matrix, np.array(die.top_px))
        inside = (corners >= 0).all() and (corners <= np.array(size_px)).all()
        centre = apply(matrix, np.array([die.centre_px]))[0]
        dice.append(
            replace(
                die,
                centre_px=(float(centre[0]), float(centre[1])),
                top_px=as_quad(corners),
                cut=die.cut or not bool(inside),
            )
        )
    return replace(picture, dice=tuple(dice))


def moved_zones(zones: Zones, matrix: Matrix | None, size_px: tuple[int, int]) -> Zones:
    """The zones of a picture whose pixels moved."""
    return zones if matrix is None else zones.moved(matrix, size_px)


def track_px_per_mm(zones: Zones) -> float:
    """Mean scale of the track's sides."""
    corners = zones.track_px
    around_px = sum(math.dist(corners[k], corners[(k + 1) % 4]) for k in range(4))
    return around_px / (2 * sum(zones.track_mm))


def _to_linear(picture: Picture) -> npt.NDArray[np.float32]:
    value = np.arange(256) / 255.0
    table = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.asarray(table.astype(np.float32)[picture], np.float32)


def _from_linear(linear: npt.NDArray[np.float32]) -> Picture:
    clipped = np.clip(linear, 0, 1)
    value = np.where(clipped <= 0.0031308, clipped * 12.92, 1.055 * clipped ** (1 / 2.4) - 0.055)
    return np.asarray(value * 255 + 0.5, np.uint8)


def _light(gain_bgr: tuple[float, float, float]) -> Callable[..., tuple[Picture, None]]:
    def change(picture: Picture, _: Random, __: float) -> tuple[Picture, None]:
        return _from_linear(_to_linear(picture) * np.array(gain_bgr, np.float32)), None

    return change


def _noise(sigma: float) -> Callable[..., tuple[Picture, None]]:
    def change(picture: Picture, random: Random, _: float) -> tuple[Picture, None]:
        noise = random.standard_normal(picture.shape, np.float32) * np.float32(sigma)
        return np.clip(picture + noise + 0.5, 0, 255).astype(np.uint8), None

    return change


def _blur(sigma_mm: float) -> Callable[..., tuple[Picture, None]]:
    def change(picture: Picture, _: Random, px_per_mm: float) -> tuple[Picture, None]:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_mm * px_per_mm), np.uint8), None

    return change


def _jpeg(quality: int) -> Callable[..., tuple[Picture, None]]:
    def change(picture: Picture, _: Random, __: float) -> tuple[Picture, None]:
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), None

    return change


def _nudge(picture: Picture, random: Random, px_per_mm: float) -> tuple[Picture, Matrix]:
    height_px, width_px = picture.shape[:2]
    angle = math.radians(random.uniform(-NUDGE_DEG, NUDGE_DEG))
    zoom = 1 + random.uniform(-NUDGE_ZOOM, NUDGE_ZOOM)
    direction = random.uniform(0, 2 * math.pi)
    length_px = random.uniform(0, NUDGE_MM) * px_per_mm
    turn = zoom * np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    centre = np.array([width_px / 2, height_px / 2])
    matrix = np.eye(3)
    matrix[:2, :2] = turn
    matrix[:2, 2] = centre - turn @ centre + length_px * np.array([math.cos(direction), math.sin(direction)])
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    by_index = np.linalg.inv(half) @ matrix @ half
    warped = cv2.warpPerspective(
        picture, by_index, (width_px, height_px), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(warped, np.uint8), matrix


def _resolution(width_px: int) -> Callable[..., tuple[Picture, Matrix]]:
    def change(picture: Picture, _: Random, __: float) -> tuple[Picture, Matrix]:
        old_height_px, old_width_px = picture.shape[:2]
        height_px = round(old_height_px * width_px / old_width_px)
        how = cv2.INTER_AREA if width_px < old_width_px else cv2.INTER_CUBIC
        changed = cv2.resize(picture, (width_px, height_px), interpolation=how)
        matrix = np.diag([width_px / old_width_px, height_px / old_height_px, 1.0])
        return np.asarray(changed, np.uint8), matrix

    return change


def _turn(quarters: int) -> Callable[..., tuple[Picture, Matrix]]:
    """Quarter turns anticlockwise."""

    def change(picture: Picture, _: Random, __: float) -> tuple[Picture, Matrix]:
        matrix = np.eye(3)
        width_px = picture.shape[1]
        height_px = picture.shape[0]
        for _quarter in range(quarters):
            matrix = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, width_px], [0.0, 0.0, 1.0]]) @ matrix
            width_px, height_px = height_px, width_px
        return np.ascontiguousarray(np.rot90(picture, quarters)), matrix

    return change


CHANGES: tuple[Change, ...] = (
    Change("exposure-0.6", "0.6 times the light", False, _light((0.6, 0.6, 0.6))),
    Change("exposure-1.4", "1.4 times the light, clipped", False, _light((1.4, 1.4, 1.4))),
    Change("warmer", "warmer lamp: red 1.2, blue 0.75 times", False, _light((0.75, 1.0, 1.2))),
    Change("colder", "colder lamp: red 0.8, blue 1.3 times", False, _light((1.3, 1.0, 0.8))),
    Change("noise-3", "noise of 3 grey levels", False, _noise(3)),
    Change("noise-6", "noise of 6 grey levels", False, _noise(6)),
    Change("blur-0.4", "blur of 0.4 mm standard deviation", False, _blur(0.4)),
    Change("blur-0.8", "blur of 0.8 mm standard deviation", False, _blur(0.8)),
    Change("nudge-a", "camera nudged: up to 3 mm, 1 degree, 1 % zoom", False, _nudge),
    Change("nudge-b", "camera nudged likewise, drawn again", False, _nudge),
    Change("jpeg-70", "JPEG quality 70", False, _jpeg(70)),
    Change("jpeg-40", "JPEG quality 40", False, _jpeg(40)),
    Change("width-640", "640 pixels wide, calibration too", True, _resolution(640)),
    Change("width-820", "820 pixels wide, calibration too", True, _resolution(820)),
    Change("width-1640", "1640 pixels wide, calibration too", True, _resolution(1640)),
    Change("width-3280", "3280 pixels wide, calibration too", True, _resolution(3280)),
    Change("turn-90", "camera turned by a quarter, calibration too", True, _turn(1)),
    Change("turn-180", "camera turned by a half, calibration too", True, _turn(2)),
    Change("turn-270", "camera turned by three quarters, calibration too", True, _turn(3)),
)

"""Finding the dice: a frame and the empty table → the top face of every die, and what is odd about it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.find_evidence import CHANGED, measure
from companion.vision.find_lean import LEANS_FROM, lean_odds
from companion.vision.find_scene import Reference, Scene, make_scene
from companion.vision.find_score import score
from companion.vision.find_search import CLOSE_LOOK, QUICK_LOOK, Look, best_apart, search
from companion.vision.find_seeds import GLANCE_PX, Places
from companion.vision.find_shown import is_shown
from companion.vision.frame_view import EmptyView, view_to_frame
from companion.vision.geometry import (
    Floor,
    Image,
    Matrix,
    Quad,
    View,
    Zones,
    apply,
    as_quad,
    floors,
    take_view,
    view_size,
    view_to_px,
)

# A view's pixels to a die: twice those of a first glance.
PX_PER_DIE = 2 * GLANCE_PX
# How far outside its zone a die's middle may lie, and how much more the view shows.
SLACK_MM = {"track": -4.0, "reserve": 4.0}
MARGIN_MM = {"track": 4.0, "reserve": 8.0}
# The empty table may be used as it was prepared while it lies so near to where it belongs (its own pixels,
# about one a millimetre).
SAME_PLACE_PX = 0.15
# Two squares of one size that do not overlap have their middles at least a side apart.
APART_FRAC = 0.9
# Log odds from which a supposed face counts, from which one that leans counts when dice are missing,
# from which
# it counts without a doubt, and what a seventh must reach: there are six dice, so another needs more
# evidence.
FAINT_SCORE = 1.0
LEANING_SCORE = -3.0
SURE_SCORE = 2.5
# How much of a face must differ from the empty table (mean change in units of noise, each at most 1.5):
# of any, and of one that leans.
LEAST_CHANGED, LEANING_CHANGED = 0.4, 0.9
SEVENTH_SCORE = 5.5
DICE = 6
# What must speak for a leaning die where dice were laid by hand.
LAID_LEANS_FROM = 6.0


@dataclass(frozen=True, slots=True)
class Found:
    """One die: its top face in picture pixels and in its zone's millimetres, and what is odd about it.

    `score` is the log odds of a top face against anything else; above 0 it counts.
    """

    zone: str
    top_px: Quad
    centre_px: tuple[float, float]
    centre_mm: tuple[float, float]
    angle_deg: float
    score: float
    problems: tuple[str, ...] = ()


class Finder:
    """Finds dice in the pictures of one table; what does not depend on the picture is prepared once."""

    def __init__(
        self, zones: Zones, focal_px: float, empty: EmptyView, leans_from: float = LEANS_FROM
    ) -> None:
        """`focal_px` belongs to pictures of the zones' size; from the log odds `leans_from` on a die leans.

        Raises:
            FrameError: the empty view cannot be decoded.
        """
        self._zones = zones
        self._focal_px = focal_px
        self._leans_from = leans_from
        self._px_per_mm = PX_PER_DIE / zones.die_mm
        self._empty = empty.unpack()
        view_px = (self._empty.shape[1], self._empty.shape[0])
        to_zones = _INDEX_TO_CORNER @ view_to_frame(view_px, zones.size_px) @ _CORNER_TO_INDEX
        self.to_empty: Matrix = np.asarray(np.linalg.inv(to_zones), np.float64)
        self._ready: dict[str, tuple[Matrix, Reference]] = {}
        for floor in floors(zones, focal_px):
            matrix = self.to_empty @ view_to_px(floor, zones.die_mm, self._px_per_mm, MARGIN_MM[floor.zone])
            self._ready[floor.zone] = matrix, self._reference(floor, matrix)

    def find(self, frame_bgr: Image, to_frame: Matrix | None = None) -> tuple[Found, ...]:
        """All dice in the track and the reserve.

        `to_frame` takes pixels of the zones' picture to the frame's, where the camera has moved a little;
        without it only the resolution may differ.

        Raises:
            ZonesError: the frame's shape is not that of the zones.
        """
        height, width = frame_bgr.shape[:2]
        if to_frame is None:
            zones = self._zones.at_size(width, height)
            to_frame = np.diag([width / self._zones.size_px[0], height / self._zones.size_px[1], 1.0])
        else:
            zones = self._zones.moved(to_frame, (width, height))
        to_empty = self.to_empty @ np.linalg.inv(to_frame)
        on_floors = floors(zones, self._focal_px * width / self._zones.size_px[0])
        scenes = [self.scene(frame_bgr, floor, to_empty) for floor in on_floors]
        spots = [self._spots(scene, QUICK_LOOK, None) for scene in scenes]
        if sum(int((spot[:, 3] > SURE_SCORE).sum()) for spot in spots) < DICE:
            spots = [self._spots(scene, CLOSE_LOOK, spot) for scene, spot in zip(scenes, spots, strict=True)]
        found = [
            die
            for scene, spot in zip(scenes, spots, strict=True)
            for die in self._judged(scene, spot, frame_bgr)
        ]
        found.sort(key=lambda die: -die.score)
        return tuple(die for rank, die in enumerate(found) if rank < DICE or die.score > SEVENTH_SCORE)

    def scene(self, frame_bgr: Image, floor: Floor, to_empty: Matrix) -> Scene:
        """One zone's view, with the empty table beside it, made ready."""
        view = take_view(frame_bgr, floor, self._zones.die_mm, self._px_per_mm, MARGIN_MM[floor.zone])
        matrix = to_empty @ view.to_px
        ready, reference = self._ready[floor.zone]
        height, width = view.image.shape[:2]
        corners = ((0, 0), (width, 0), (width, height), (0, height))
        if np.abs(apply(ready, corners) - apply(matrix, corners)).max() > SAME_PLACE_PX:
            reference = self._reference(floor, matrix)
        return make_scene(view, reference, self._zones.die_mm)

    def _reference(self, floor: Floor, to_empty: Matrix) -> Reference:
        """The empty table in a zone's view; `to_empty` takes the view's pixels to the empty picture's."""
        size_px = view_size(floor, self._px_per_mm, MARGIN_MM[floor.zone])
        matrix = _CORNER_TO_INDEX @ to_empty @ _INDEX_TO_CORNER
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        view = cv2.warpPerspective(self._empty, matrix, size_px, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return Reference.of(np.asarray(view, np.uint8), PX_PER_DIE)

    def _spots(self, scene: Scene, look: Look, taken: Places | None) -> Places:
        """Where faces lie: rows of x, y (mm), angle (rad) and score; of those `taken` the sure stay."""
        apart_mm = APART_FRAC * self._zones.die_mm
        places, scores = search(scene, score, SLACK_MM[scene.view.floor.zone], look)
        if len(places) == 0:
            return np.empty((0, 4)) if taken is None else taken
        changed = measure(scene, places)[:, CHANGED]
        free = (scores > FAINT_SCORE) & (changed > LEAST_CHANGED)
        if taken is not None:
            taken = taken[taken[:, 3] > SURE_SCORE]
            free |= (scores > LEANING_SCORE) & (changed > LEANING_CHANGED)
            for spot in taken:
                free &= np.hypot(places[:, 0] - spot[0], places[:, 1] - spot[1]) > apart_mm
        # what is usual is told by those taken as well
        known = places[:0] if taken is None else taken[:, :3]
        free[free] = is_shown(scene, np.vstack([known, places[free]]))[len(known) :]
        places, scores = places[free], scores[free]
        kept = best_apart(places, scores, apart_mm)
        spots = np.column_stack([places[kept], scores[kept]])
        return spots if taken is None else np.vstack([taken, spots])

    def _judged(self, scene: Scene, spots: Places, frame_bgr: Image) -> list[Found]:
        """The dice at these spots; a faint one only where it leans."""
        found = []
        for index, spot in enumerate(spots):
            place, value = spot[:3], float(spot[3])
            leans = lean_odds(scene, place, value, np.delete(spots, index, axis=0)) > self._leans_from
            if leans or value > FAINT_SCORE:
                found.append(_found(scene.view, place, value, self._zones.die_mm, frame_bgr.shape, leans))
        return found


def find_dice(frame_bgr: Image, zones: Zones, focal_px: float, empty: EmptyView) -> tuple[Found, ...]:
    """All dice in one picture of a table where they were laid by hand, as for calibration.

    There a die hardly ever leans, so more must speak for it. `Finder` is for thrown dice.

    Raises:
        ZonesError: the frame's shape is not that of the zones.
        FrameError: the empty view cannot be decoded.
    """
    return Finder(zones, focal_px, empty, LAID_LEANS_FROM).find(frame_bgr)


_INDEX_TO_CORNER = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]], np.float64)
_CORNER_TO_INDEX = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]], np.float64)


def _found(
    view: View, place: Places, value: float, die_mm: float, shape: tuple[int, ...], leans: bool
) -> Found:
    x, y, angle = (float(number) for number in place)
    cos, sin = np.cos(angle) * die_mm / 2, np.sin(angle) * die_mm / 2
    corners = [
        (-cos + sin, -sin - cos),
        (cos + sin, sin - cos),
        (cos - sin, sin + cos),
        (-cos - sin, -sin + cos),
    ]
    around = np.add([*corners, (0.0, 0.0)], (x, y))
    points = apply(view.to_px, view.mm_to_view(around))
    outside = bool((points[:4] < 0).any() or (points[:4] > (shape[1], shape[0])).any())
    return Found(
        zone=view.floor.zone,
        top_px=as_quad(points[:4]),
        centre_px=(float(points[4, 0]), float(points[4, 1])),
        centre_mm=(x, y),
        angle_deg=float(np.degrees(angle)) % 90,
        score=value,
        problems=("leaning_die",) * leans + ("cut_die",) * outside,
    )

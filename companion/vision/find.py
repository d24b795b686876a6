"""Finding the dice: a frame and the empty table → the top face of every die, and what is odd about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from companion.vision.find_hidden import (
    HIDDEN_STEPS,
    Flags,
    hidden_parts,
    may_lean_on,
    middle_hidden,
    middle_unseen,
)
from companion.vision.find_lean import lean_odds
from companion.vision.find_plan import Plan
from companion.vision.find_scene import Scene
from companion.vision.find_score import score
from companion.vision.find_search import CLOSE_LOOK, QUICK_LOOK, Weighed, search
from companion.vision.find_seeds import GLANCE_PX, Places, allowed, edge_map, near_places
from companion.vision.find_sheet import Sheet, make_sheet
from companion.vision.find_shown import is_shown
from companion.vision.find_stacked import stacked
from companion.vision.find_tilt import leaning_dice
from companion.vision.frame_view import EmptyView, halvings, view_to_frame
from companion.vision.geometry import (
    Image,
    Matrix,
    Quad,
    View,
    Zones,
    apply,
    as_quad,
    floors,
)

# A view's pixels to a die: twice those of a first glance.
PX_PER_DIE = 2 * GLANCE_PX
# How far outside its zone a die's middle may lie, and how much more the view shows.
SLACK_MM = {"track": -4.0, "reserve": 4.0}
MARGIN_MM = {"track": 4.0, "reserve": 8.0}
# Two squares of one size that do not overlap have their middles at least a side apart.
APART_FRAC = 0.9
# Log odds from which a supposed face counts, from which one that leans counts when dice are missing, and from
# which it counts without a doubt. There are six dice: a seventh needs more evidence.
FAINT_SCORE = 1.0
LEANING_SCORE = -3.0
SURE_SCORE = 2.5
SEVENTH_SCORE = 5.5
# How much of a face must differ from the empty table (mean change in units of noise, each at most 1.5):
# of any, and of one that leans.
LEAST_CHANGED, LEANING_CHANGED = 0.4, 0.9
DICE = 6
# From this share on a face is partly hidden: half of the row along an edge.
LEAST_HIDDEN = 0.03
# Up to this share of its middle may be unseen: of dice that the tower hides in part none is, of what is but
# the tower's paint three quarters and more.
MOST_UNSEEN = 0.25


def _nothing_hidden() -> Flags:
    return np.zeros(HIDDEN_STEPS**2, np.bool_)


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
    hidden: Flags = field(default_factory=_nothing_hidden, compare=False, repr=False)
    """What the tower hides of the face, as `companion.vision.find_hidden.hidden_parts` tells it."""


class Finder:
    """Finds thrown dice in pictures of one table; what does not depend on the picture is prepared once."""

    faint = FAINT_SCORE
    """Log odds from which a supposed face counts."""
    may_lean = True
    """Whether dice may lean: fainter ones are supposed as well then, and count if they do."""

    def __init__(self, zones: Zones, focal_px: float, empty: EmptyView) -> None:
        """`focal_px` belongs to pictures of the zones' size.

        Raises:
            FrameError: the empty view cannot be decoded.
        """
        self._zones = zones
        self._focal_px = focal_px
        empty_bgr = empty.unpack()
        view_px = (empty_bgr.shape[1], empty_bgr.shape[0])
        to_empty = np.asarray(np.linalg.inv(view_to_frame(view_px, zones.size_px)), np.float64)
        self.plan = Plan.prepare(
            floors(zones, focal_px),
            MARGIN_MM,
            PX_PER_DIE,
            zones.die_mm,
            empty_bgr,
            to_empty,
            zones.tower_px,
        )
        self.allowed = allowed(self.plan, SLACK_MM)

    def find(
        self, frame_bgr: Image, to_frame: Matrix | None = None, levels: Sequence[Image] = ()
    ) -> tuple[Found, ...]:
        """All dice in the track and the reserve.

        `to_frame` takes pixels of the zones' picture to the frame's, where the camera has moved a little;
        without it only the resolution may differ. `levels` are the frame's `halvings`, where they are known.

        Raises:
            ZonesError: the frame's shape is not that of the zones.
        """
        sheet = self.sheet(frame_bgr, to_frame, levels)
        scenes = sheet.scenes()
        found = self._judged(sheet, scenes, self.spots(sheet, scenes), frame_bgr)
        found.sort(key=lambda die: -die.score)
        return tuple(die for rank, die in enumerate(found) if rank < DICE or die.score > SEVENTH_SCORE)

    def spots(self, sheet: Sheet, scenes: Sequence[Scene]) -> list[Places]:
        """Where faces may lie in each zone of a sheet: x, y (the zone's mm), angle (rad) and score."""
        edges = edge_map(sheet.half)
        seen = search(sheet, score, self.allowed, QUICK_LOOK, edges=edges)
        spots = self._spots(scenes, seen, None)
        sure = self._sure(spots)
        if len(sure) < DICE:
            apart_mm = APART_FRAC * self._zones.die_mm
            elsewhere = self.allowed & ~near_places(self.plan, self.allowed.shape, sure, apart_mm)
            unsure = seen.away_from(sure, apart_mm)
            seen = search(sheet, score, elsewhere, CLOSE_LOOK, unsure, edges)
            spots = self._spots(scenes, seen, spots)
        return spots

    def sheet(self, frame_bgr: Image, to_frame: Matrix | None = None, levels: Sequence[Image] = ()) -> Sheet:
        """The zones of one picture, as for `find`, made ready."""
        if to_frame is None:
            height, width = frame_bgr.shape[:2]
            self._zones.at_size(width, height)
            to_frame = np.diag([width / self._zones.size_px[0], height / self._zones.size_px[1], 1.0])
        return make_sheet(levels or halvings(frame_bgr), self.plan, to_frame)

    def _sure(self, spots: Sequence[Places]) -> Places:
        """Those of each zone's spots that count without a doubt, on the sheet: x, y (mm), (n, 2)."""
        return np.vstack(
            [
                spot[spot[:, 3] > SURE_SCORE, :2] + window.corner_mm
                for spot, window in zip(spots, self.plan.windows, strict=True)
            ]
        )

    def _spots(self, scenes: Sequence[Scene], found: Weighed, taken: Sequence[Places] | None) -> list[Places]:
        """Where faces lie in each zone: x, y (mm), angle (rad) and score; of those taken the sure stay."""
        zone = self.plan.window_of(found.places)
        spots = []
        for index, (scene, window) in enumerate(zip(scenes, self.plan.windows, strict=True)):
            here = found[zone == index]
            here = Weighed(here.places - (*window.corner_mm, 0), here.scores, here.changed)
            spots.append(self._kept(scene, here, None if taken is None else taken[index]))
        return spots

    def _kept(self, scene: Scene, found: Weighed, taken: Places | None) -> Places:
        """Those of a zone's suppositions that count, beside those taken: as `_spots`, best first."""
        apart_mm = APART_FRAC * self._zones.die_mm
        free = (found.scores > self.faint) & (found.changed > LEAST_CHANGED)
        sure = np.empty((0, 4))
        if taken is not None:
            sure = taken[taken[:, 3] > SURE_SCORE]
            free |= (found.scores > LEANING_SCORE) & (found.changed > LEANING_CHANGED)
            for spot in sure:
                free &= np.hypot(*(found.places[:, :2] - spot[:2]).T) > apart_mm
        if self.plan.tower is not None and free.any():
            # the tower's own paint is as it was, and no die
            free[free] = self.may_be_read(hidden_parts(scene, found.places[free]))
        # what is usual is told by those taken as well
        free[free] = is_shown(scene, np.vstack([sure[:, :3], found.places[free]]))[len(sure) :]
        kept = found[free].apart(apart_mm)
        return np.vstack([sure, np.column_stack([kept.places, kept.scores])])

    def on_sheet(self, spots: Sequence[Places]) -> Places:
        """Each zone's spots, one zone after the other, in the sheet's millimetres."""
        return np.vstack(
            [
                np.add(spot, (*window.corner_mm, 0, 0))
                for spot, window in zip(spots, self.plan.windows, strict=True)
            ]
        )

    def may_be_read(self, hidden: Flags) -> Flags:
        """Of which faces enough is seen, (n,), by what the tower hides of them, (n, `HIDDEN_STEPS` ** 2)."""
        return np.asarray(middle_unseen(hidden) <= MOST_UNSEEN)

    def _judged(
        self, sheet: Sheet, scenes: Sequence[Scene], spots: Sequence[Places], frame_bgr: Image
    ) -> list[Found]:
        """The dice at each scene's spots, judged all at once; a faint one only where it leans."""
        on_sheet = self.on_sheet(spots)
        if len(on_sheet) == 0:
            return []
        leaning = np.zeros(len(on_sheet), np.bool_)
        if self.may_lean:
            leaning = leaning_dice(sheet, on_sheet, lean_odds(sheet, on_sheet))
        hidden = np.zeros((len(on_sheet), HIDDEN_STEPS**2), np.bool_)
        if self.plan.tower is not None:
            hidden = hidden_parts(sheet, on_sheet)
            leaning &= middle_hidden(hidden) <= MOST_UNSEEN
            # which of its sides is raised is what the tower hides
            beside = may_lean_on(self.plan.tower.foot_mm, on_sheet[:, :2], self._zones.die_mm)
            leaning |= beside & (hidden.mean(axis=1) >= LEAST_HIDDEN)
        counts = leaning | (on_sheet[:, 3] > self.faint) | (not self.may_lean)
        sure = on_sheet[:, 3] > SURE_SCORE
        on_another = np.zeros(len(on_sheet), np.bool_)
        on_another[sure] = stacked(on_sheet[sure], self._zones.die_mm)
        problems = [
            ("leaning_die",) * is_cocked + ("stacked_die",) * stands
            for is_cocked, stands in zip(leaning.tolist(), on_another.tolist(), strict=True)
        ]
        dice = [
            _found(scene.view, own, self._zones.die_mm, frame_bgr.shape)
            for scene, own in zip(scenes, spots, strict=True)
            if len(own)
        ]
        return [
            replace(die, problems=own + die.problems, hidden=parts)
            for die, own, parts, there in zip(chain(*dice), problems, hidden, counts, strict=True)
            if there
        ]


def _found(view: View, spots: Places, die_mm: float, shape: tuple[int, ...]) -> list[Found]:
    """The dice at a zone's spots, in their order."""
    cos, sin = (part * die_mm / 2 for part in (np.cos(spots[:, 2]), np.sin(spots[:, 2])))
    nothing = np.zeros(len(spots))
    # four corners and the middle
    across = np.stack([sin - cos, cos + sin, cos - sin, -cos - sin, nothing], axis=1)
    down = np.stack([-sin - cos, sin - cos, sin + cos, cos - sin, nothing], axis=1)
    around = np.stack([across, down], axis=2) + spots[:, None, :2]
    points = apply(view.to_px, view.mm_to_view(around.reshape(-1, 2))).reshape(-1, 5, 2)
    beyond = (points < 0) | (points > (shape[1], shape[0]))
    outside = np.asarray(beyond[:, :4].reshape(-1, 8).any(axis=1), np.bool_)
    return [
        Found(
            zone=view.floor.zone,
            top_px=as_quad(corners),
            centre_px=(middle[0], middle[1]),
            centre_mm=(x, y),
            angle_deg=math.degrees(angle) % 90,
            score=score,
            problems=("cut_die",) * cut,
        )
        for (*corners, middle), (x, y, angle, score), cut in zip(
            points.tolist(), spots.tolist(), outside.tolist(), strict=True
        )
    ]

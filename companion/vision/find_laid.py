"""Finding six dice that a person laid out, as for calibration: flat, and clear of each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.find import DICE, LEAST_HIDDEN, SEVENTH_SCORE, SURE_SCORE, Finder, Found
from companion.vision.find_evidence import CHANGE_LIMIT
from companion.vision.find_hidden import Flags
from companion.vision.find_scene import Scene
from companion.vision.find_score import score
from companion.vision.find_search import CLOSE_LOOK, improve, weigh
from companion.vision.find_seeds import GLANCE_PX, GRID_PX, Places, guesses, near_places
from companion.vision.find_sheet import Sheet
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import Image, Zones

#: What must speak for a face: that there are six, of which bodies and colours, tells as well.
LAID_SCORE = -1.0
#: Middles of dice that are clear of each other are farther apart (in sides; they would touch at one). What is
#: nearer to a surer die is more likely a side of that one, or its shadow.
CLEAR_FRAC = 1.15
#: So much of a face is changed under a die (mean change in units of noise, at most 1.5): nine tenths. Of a
#: shadow and of what a die throws on the floor less is. Such a face counts from `find.LEANING_SCORE` on.
VEILED_CHANGED = 1.35
#: Pixels of a glance that lie on a face however it is turned.
_WINDOW_PX = round(GLANCE_PX / math.sqrt(2)) | 1


def find_dice(frame_bgr: Image, zones: Zones, focal_px: float, empty: EmptyView) -> tuple[Found, ...]:
    """All dice in one picture of a table where they were laid by hand. `Finder` is for thrown ones.

    Raises:
        ZonesError: the frame's shape is not that of the zones.
        FrameError: the empty view cannot be decoded.
    """
    return LaidFinder(zones, focal_px, empty).find(frame_bgr)


class LaidFinder(Finder):
    """Finds dice that were laid by hand in the pictures of one table."""

    faint = LAID_SCORE
    # In the gloom, gloss along the edges of a black die looks as if it leaned, and a person who laid it flat
    # could not help it.
    may_lean = False

    def may_be_read(self, hidden: Flags) -> Flags:
        """As `Finder.may_be_read`, of dice to learn from: what is hidden in part is laid elsewhere."""
        return np.asarray(hidden.mean(axis=1) < LEAST_HIDDEN)

    def spots(self, sheet: Sheet, scenes: Sequence[Scene]) -> list[Places]:
        """Where faces lie in each zone of a sheet: x, y (the zone's mm), angle (rad) and score."""
        faces = self._clear([spot[spot[:, 3] > LAID_SCORE] for spot in super().spots(sheet, scenes)])
        missing = DICE - sum(map(len, faces))
        return faces if missing <= 0 else self._and_veiled(sheet, scenes, faces, missing)

    def _clear(self, faces: Sequence[Places]) -> list[Places]:
        """Those that are clear of all surer ones, or so sure by themselves that they may touch."""
        lying = self.on_sheet(faces)
        stays = np.zeros(len(lying), np.bool_)
        for one in np.argsort(-lying[:, 3], kind="stable"):
            gap_mm = np.hypot(*(lying[stays, :2] - lying[one, :2]).T)
            stays[one] = lying[one, 3] > SEVENTH_SCORE or bool((gap_mm >= self._clear_mm).all())
        parts = np.split(stays, np.cumsum([len(each) for each in faces])[:-1])
        return [each[part] for each, part in zip(faces, parts, strict=True)]

    def _and_veiled(
        self, sheet: Sheet, scenes: Sequence[Scene], faces: list[Places], missing: int
    ) -> list[Places]:
        """These, and as many of the `missing` ones as glare all but hides: it veils their ink, but they hide
        the floor as any die does.
        """
        lying = self.on_sheet(faces)
        elsewhere = _all_changed(sheet) & self.allowed
        elsewhere &= ~near_places(self.plan, self.allowed.shape, lying, self._clear_mm)
        near = guesses(sheet, elsewhere, CLOSE_LOOK.changed_from)
        if near is None:
            return faces
        # Glare hides from a first glance which place is best: there are few, and all are looked at closely.
        every = weigh(sheet, score, near.places(np.arange(near.odds.size)))
        seen = improve(sheet, score, every, CLOSE_LOOK).away_from(lying, self._clear_mm)
        sure = [int((each[:, 3] > SURE_SCORE).sum()) for each in faces]
        found = self._spots(scenes, seen[seen.changed > VEILED_CHANGED], faces)
        veiled = [each[count:] for each, count in zip(found, sure, strict=True)]
        least = np.sort(np.concatenate([each[:, 3] for each in veiled]))[-missing:].min(initial=np.inf)
        return [
            np.vstack([face, each[each[:, 3] >= least]]) for face, each in zip(faces, veiled, strict=True)
        ]

    @property
    def _clear_mm(self) -> float:
        return CLEAR_FRAC * self.plan.die_mm


def _all_changed(sheet: Sheet) -> Flags:
    """Grid points, as of `find_seeds.allowed`, around which as much has changed as where a die lies."""
    changed = np.minimum(cv2.extractChannel(sheet.half, 3), CHANGE_LIMIT)
    mean = cv2.blur(changed, (_WINDOW_PX, _WINDOW_PX))
    return np.asarray(mean[GRID_PX // 2 :: GRID_PX, GRID_PX // 2 :: GRID_PX] > VEILED_CHANGED)

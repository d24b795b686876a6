"""Calibration as typed steps that drive the browser and the command line alike.

A `Setup` is a value: each step takes what a person gives and returns the next Setup, or refuses and leaves
the old one as it was. `Setup.next_step` says what is wanted now, so that a page or a command only has to ask
for it:

    zones (given, or from markers) → the empty table → six dice, six colours → (names confirmed) → profile
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.colours import Lesson, learn_faces
from calibration.markers import MarkerLayout, zones_from_markers
from calibration.palette import Palette
from calibration.refusal import CalibrationRefused
from companion.vision.face import DICE
from companion.vision.face_patch import Quad
from companion.vision.find import LEAST_HIDDEN, SEVENTH_SCORE
from companion.vision.find_laid import find_dice
from companion.vision.frame import FrameModel, look_at_frame
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import Zones, focal_px
from companion.vision.profile import Profile

Image = npt.NDArray[np.uint8]
_DARKEST_LEVEL, _BRIGHTEST_LEVEL = 10, 250


class Step(Enum):
    """What a calibration wants next; `value` is a stable code."""

    ZONES = "zones"
    EMPTY = "empty"
    COLOURS = "colours"
    DONE = "done"

    @property
    def advice(self) -> str:
        """One sentence for the person who does it."""
        return _ADVICE[self]


_ADVICE = {
    Step.ZONES: (
        "Show where the track, the reserve and the holders lie: four corners each, from the north-west on, "
        "or let the printed markers tell."
    ),
    Step.EMPTY: "Take everything off the track and the reserve and take a picture.",
    Step.COLOURS: (
        "Put all six dice on the track, each with another colour up, clear of the walls, of the tower and of "
        "each other, and take a picture."
    ),
    Step.DONE: "Look whether each die is named rightly, correct what is not, and keep the profile.",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What the camera was locked to, and when: told by the caller, since nothing here has a camera or a
    clock.
    """

    made_at: str = ""
    controls: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """How far a calibration has come."""

    palette: Palette = field(default_factory=Palette.of)
    zones: Zones | None = None
    empty: EmptyView | None = None
    empty_bgr: Image | None = None
    colours_bgr: Image | None = None
    top_faces_px: tuple[Quad, ...] = ()
    lesson: Lesson | None = None

    @property
    def next_step(self) -> Step:
        """What is wanted now."""
        if self.zones is None:
            return Step.ZONES
        if self.empty is None:
            return Step.EMPTY
        return Step.COLOURS if self.lesson is None else Step.DONE

    def with_zones(self, zones: Zones) -> Setup:
        """Take the zones as given; what came after them is asked for again."""
        return Setup(palette=self.palette, zones=zones)

    def with_markers(self, picture_bgr: Image, layout: MarkerLayout) -> Setup:
        """Take the zones from the printed markers in a picture; zones that are given win over them.

        Raises:
            CalibrationRefused: too few markers are seen.
        """
        return self if self.zones is not None else self.with_zones(zones_from_markers(picture_bgr, layout))

    def with_empty(self, empty_bgr: Image) -> Setup:
        """Take the picture of the empty table, uint8 BGR (h, w, 3).

        Raises:
            CalibrationRefused: the step comes too early, or the picture is black or white all over.
            ZonesError: the picture has another shape than the zones say.
        """
        zones = self._wanted_zones()
        zones.at_size(empty_bgr.shape[1], empty_bgr.shape[0])
        _check_exposure(empty_bgr)
        view = EmptyView.from_picture(empty_bgr)
        return replace(self, empty=view, empty_bgr=empty_bgr, colours_bgr=None, top_faces_px=(), lesson=None)

    def with_colours(self, colours_bgr: Image) -> Setup:
        """Take the picture of the six dice, uint8 BGR (h, w, 3), find them, name them and learn their
        colours.

        Raises:
            CalibrationRefused: with a code and a sentence that says what to do.
            ZonesError: the picture has another shape than the zones say.
        """
        return self.with_dice(colours_bgr).learned()

    def with_dice(self, colours_bgr: Image) -> Setup:
        """Take the picture of the six dice as `with_colours` does, but only find them, however many; what
        they are called is told by `learned`, or by people with `with_names`.

        Raises:
            CalibrationRefused: with a code and a sentence that says what to do.
            ZonesError: the picture has another shape than the zones say.
        """
        zones, empty = self._wanted_zones(), self.empty
        if empty is None:
            raise _too_early(Step.EMPTY)
        _check_exposure(colours_bgr)
        _check_place(colours_bgr, zones, empty)
        found = find_dice(colours_bgr, zones, focal_px(zones), empty)
        for die in found:
            for problem in die.problems:
                if problem in _ODD_DICE:
                    x, y = die.centre_px
                    raise CalibrationRefused(problem, f"The die at {x:.0f}, {y:.0f} {_ODD_DICE[problem]}")
        faces = tuple(die.top_px for die in found)
        self._check_empty(colours_bgr, zones, len(faces))
        return replace(self, colours_bgr=colours_bgr, top_faces_px=faces, lesson=None)

    def learned(self) -> Setup:
        """Name the dice that were found, and learn their colours.

        Raises:
            CalibrationRefused: with a code and a sentence that says what to do.
        """
        if self.colours_bgr is None:
            raise _too_early(Step.COLOURS)
        return replace(self, lesson=learn_faces(self.colours_bgr, self.top_faces_px, self.palette))

    def _check_empty(self, colours_bgr: Image, zones: Zones, found: int) -> None:
        """Refuse when dice lie in the picture of the empty table: against the other one they show."""
        if self.empty_bgr is None:
            return
        seen = find_dice(self.empty_bgr, zones, focal_px(zones), EmptyView.from_picture(colours_bgr))
        # Shadows of the six dice lack there, too: only what would count as a seventh die is one, and nothing
        # that the tower hides in part.
        there = [die for die in seen if die.score > SEVENTH_SCORE and die.hidden.mean() < LEAST_HIDDEN]
        if found < DICE and len(seen) == DICE:
            raise CalibrationRefused(
                "pictures_swapped",
                "The six dice lie in the picture of the empty table and not in the one of the colours: give "
                "the two the other way round, or take both again, the empty table first.",
            )
        if there:
            x, y = there[0].centre_px
            raise CalibrationRefused(
                "table_not_empty",
                f"A die lies in the picture of the empty table, at {x:.0f}, {y:.0f}: clear track and "
                "reserve, take that picture again, and then the one of the colours.",
            )

    def with_names(self, names: Sequence[str]) -> Setup:
        """Take the colours' names as a person says them, in the order of `top_faces_px`, and learn anew.

        Raises:
            CalibrationRefused: a name is missing or given twice, or the step comes too early.
        """
        if self.colours_bgr is None:
            raise _too_early(Step.COLOURS)
        lesson = learn_faces(self.colours_bgr, self.top_faces_px, self.palette, names)
        return replace(self, lesson=lesson)

    def profile(self, settings: Settings | None = None) -> Profile:
        """The profile, once all steps are done.

        Raises:
            CalibrationRefused: a step is missing.
        """
        if self.zones is None or self.empty is None or self.lesson is None:
            raise _too_early(self.next_step)
        told = settings or Settings()
        return Profile(
            self.zones,
            focal_px(self.zones),
            self.lesson.references,
            self.empty,
            told.made_at,
            told.controls,
        )

    def _wanted_zones(self) -> Zones:
        if self.zones is None:
            raise _too_early(Step.ZONES)
        return self.zones


_ODD_DICE = {
    "cut_die": "is cut by the picture's edge: move it inwards, or the camera back, and take the picture "
    "again.",
    "leaning_die": "leans: lay it flat, clear of the walls, and take the picture again.",
    "stacked_die": "lies on another one: lay them side by side and take the picture again.",
}


def _too_early(missing: Step) -> CalibrationRefused:
    return CalibrationRefused("wrong_step", f"A step comes first: {missing.advice}")


def _check_exposure(picture_bgr: Image) -> None:
    """Refuse a picture that is black or white all over; every eighth pixel tells."""
    level = float(np.median(picture_bgr[::8, ::8]))
    if level < _DARKEST_LEVEL and float(np.quantile(picture_bgr[::8, ::8], 0.95)) < 3 * _DARKEST_LEVEL:
        raise CalibrationRefused(
            "too_dark",
            "The picture is nearly black: take the cap off the lens, light the table, or lengthen the "
            "exposure, and take it again.",
        )
    if level > _BRIGHTEST_LEVEL:
        raise CalibrationRefused(
            "light_clips",
            "The picture is white all over: shorten the exposure or dim the light, and take it again.",
        )


def _check_place(colours_bgr: Image, zones: Zones, empty: EmptyView) -> None:
    """Refuse pictures of two tables, or of one from two places: no die would be where the zones say."""
    zones.at_size(colours_bgr.shape[1], colours_bgr.shape[0])
    model = FrameModel.prepare(empty, zones)
    if not model.anchors.are_enough:
        raise CalibrationRefused(
            "too_little_around",
            "Too little is seen around the track to tell whether the camera moves: move it back, see that "
            "the track's corners are marked on the track, and take both pictures again.",
        )
    if look_at_frame(colours_bgr, model).registration.moved:
        raise CalibrationRefused(
            "camera_moved",
            "The two pictures do not show one table from one place: fix the camera where it is, leave all "
            "that lies beside the track, such as markers, and take both again, the empty table first.",
        )


def calibrate(
    zones: Zones, empty_bgr: Image, colours_bgr: Image, settings: Settings | None = None
) -> Profile:
    """All steps at once: pictures of the empty track and of six dice showing six colours → a profile.

    Raises:
        CalibrationRefused: with a code and a sentence that says what to do.
        ZonesError: the pictures have another shape than the zones say.
    """
    return Setup().with_zones(zones).with_empty(empty_bgr).with_colours(colours_bgr).profile(settings)

"""Reading a picture: the one way from a frame and a profile to a Reading."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.vision.face import FaceNaming, FaceReferences, reader_for
from companion.vision.find import LEAST_HIDDEN, SURE_SCORE, Finder, Found
from companion.vision.find_hidden import uncovered
from companion.vision.frame import FrameModel, check_frame, look_at_frame
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import Zones
from companion.vision.profile import Profile
from companion.vision.reading import PROBLEMS, DieSeen, Reading

WHITE_DICE = 4
BLACK_DICE = 2


class PictureReader:
    """Reads the pictures of one table; all that does not depend on the picture is prepared once."""

    def __init__(self, zones: Zones, focal_px: float, empty: EmptyView, faces: FaceReferences) -> None:
        """Some tens of milliseconds of work; the arguments are a profile's fields.

        Raises:
            FrameError: the empty view cannot be decoded.
        """
        self._model = FrameModel.prepare(empty, zones)
        self._finder = Finder(zones, focal_px, empty)
        self._faces = reader_for(faces)
        self._zones = zones
        self._white_rgb = faces.light

    def read(self, frame_bgr: npt.NDArray[np.uint8]) -> Reading:
        """Read the dice in a frame, shape (h, w, 3), uint8 BGR, of any resolution with the profile's shape.

        Raises:
            ZonesError: the frame has another shape than the pictures the profile was made from.
            FrameError: the frame is no 8-bit BGR picture.
        """
        self._zones.at_size(frame_bgr.shape[1], frame_bgr.shape[0])
        look = look_at_frame(frame_bgr, self._model)
        found = self._finder.find(frame_bgr, look.registration.as_array(), look.levels)
        whole = uncovered(frame_bgr, [(die.top_px, die.hidden) for die in found])
        shapeless = [int(np.count_nonzero(die.hidden)) >= LEAST_HIDDEN * die.hidden.size for die in found]
        names = self._faces.read(whole, [die.top_px for die in found], shapeless)
        dice = tuple(_seen(die, name) for die, name in zip(found, names, strict=True))
        problems = {problem for die in dice for problem in die.problems} | set_problems(dice)
        problems |= set(check_frame(look, self._model, [die.top_px for die in found], self._white_rgb))
        ordered = tuple(problem for problem in PROBLEMS if problem in problems)
        return Reading(dice, ordered, not ordered)


def read_picture(frame_bgr: npt.NDArray[np.uint8], profile: Profile) -> Reading:
    """Read the dice in a frame, as `PictureReader.read`; the last few profiles are kept ready.

    Raises:
        ZonesError: the frame has another shape than the pictures the profile was made from.
        FrameError: the frame is no 8-bit BGR picture.
    """
    return _reader_for(profile.zones, profile.focal_px, profile.empty, profile.faces).read(frame_bgr)


@lru_cache(maxsize=4)
def _reader_for(zones: Zones, focal_px: float, empty: EmptyView, faces: FaceReferences) -> PictureReader:
    return PictureReader(zones, focal_px, empty, faces)


def _seen(die: Found, name: FaceNaming) -> DieSeen:
    """A die as found and as named; one that may be none (a faint `score`) makes its colour a doubt."""
    problems = die.problems
    if name.colour_unsure or die.score < SURE_SCORE:
        problems += ("colour_unsure",)
    if name.body_unsure:
        problems += ("body_unsure",)
    return DieSeen(
        name.body, name.colour, die.zone, die.centre_px, die.top_px, name.confidence, name.runner_up, problems
    )


def set_problems(dice: Sequence[DieSeen]) -> set[str]:
    """What is wrong with the dice as a set: there are always four white and two black (rule 6.2)."""
    if len(dice) < WHITE_DICE + BLACK_DICE:
        return {"too_few_dice"}
    if len(dice) > WHITE_DICE + BLACK_DICE:
        return {"too_many_dice"}
    black = sum(die.body == "black" for die in dice)
    return set() if black == BLACK_DICE else {"wrong_bodies"}

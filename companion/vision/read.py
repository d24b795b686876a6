"""Reading a picture: the one way from a frame and a profile to a Reading."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.vision.face import FaceNaming, FaceReader
from companion.vision.find import Found, find_dice
from companion.vision.profile import Profile
from companion.vision.reading import PROBLEMS, DieSeen, Reading

WHITE_DICE = 4
BLACK_DICE = 2


def read_picture(frame_bgr: npt.NDArray[np.uint8], profile: Profile) -> Reading:
    """Read the dice in a frame, shape (h, w, 3), uint8 BGR, of any resolution with the profile's shape.

    Raises:
        ZonesError: the frame has another shape than the pictures the profile was made from.
    """
    found = find_dice(frame_bgr, profile.zones, profile.focal_px, profile.empty)
    names = FaceReader(profile.faces).read(frame_bgr, [die.top_px for die in found])
    dice = tuple(_seen(die, name) for die, name in zip(found, names, strict=True))
    problems = [problem for die in found for problem in die.problems] + dice_problems(names)
    ordered = tuple(problem for problem in PROBLEMS if problem in problems)
    return Reading(dice, ordered, not ordered)


def _seen(die: Found, name: FaceNaming) -> DieSeen:
    return DieSeen(name.body, name.colour, die.zone, die.centre_px, die.top_px, name.confidence, name.runner_up)


def dice_problems(names: Sequence[FaceNaming]) -> list[str]:
    """What is wrong with the dice as a set: there are always four white and two black (rule 6.2)."""
    problems = []
    if len(names) < WHITE_DICE + BLACK_DICE:
        problems.append("too_few_dice")
    elif len(names) > WHITE_DICE + BLACK_DICE:
        problems.append("too_many_dice")
    elif sum(name.body == "black" for name in names) != BLACK_DICE:
        problems.append("wrong_bodies")
    if any(name.colour_unsure for name in names):
        problems.append("colour_unsure")
    if any(name.body_unsure for name in names):
        problems.append("body_unsure")
    return problems

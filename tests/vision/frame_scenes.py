"""Pictures of a simulated table for the whole-frame checks, drawn once for all tests of a run."""

from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from companion.devices.simulated.mischief import Mischief, conditions_of
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.renderer import Conditions, render
from companion.devices.simulated.scene import Scene, fresh_dice
from companion.vision.frame import FrameModel
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import Zones

Frame = npt.NDArray[np.uint8]

POSE = Pose(width_px=820, height_px=615)
WHITE = (0.6, 0.6, 0.6)
"""About the white bodies' linear light in these pictures."""


def zones() -> Zones:
    """Where things lie in these pictures."""
    return POSE.zones()


def draw(scene: Scene, conditions: Conditions | None = None, noise: int = 1) -> Frame:
    """A picture of a scene; another ``noise`` draws the chip's noise anew."""
    return render(scene, conditions or Conditions(pose=POSE), np.random.default_rng(noise))


@cache
def empty() -> Frame:
    """The empty table."""
    return draw(Scene())


@cache
def model() -> FrameModel:
    """What the checks compute once for this table."""
    return FrameModel.prepare(EmptyView.from_picture(empty()), zones())


def dice_scene(turn_rad: float = 0.0) -> Scene:
    """Six dice apart; the first one turned by an angle."""
    scene = Scene(fresh_dice())
    return scene.with_die(0, replace(scene.dice[0], yaw_rad=turn_rad))


@cache
def dice_picture(mischief: Mischief | None = None) -> Frame:
    """Six dice, perhaps with a lamp, camera or hand that is not as it was."""
    return draw(dice_scene(), conditions_of(mischief or Mischief(), POSE), noise=2)


def top_faces(scene: Scene) -> list[list[tuple[float, float]]]:
    """The top faces of the scene's upright dice in the picture's pixels."""
    quads = []
    for die in scene.visible_dice():
        corners = np.column_stack([die.footprint_mm(), np.full(4, 2 * die.box().centre_mm[2])])
        quads.append([(float(x), float(y)) for x, y in POSE.project(corners)])
    return quads

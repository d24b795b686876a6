"""Pictures of a simulated table for the finder, and where its dice lie on the sheet."""

from functools import cache

import numpy as np
import numpy.typing as npt

from companion.devices.simulated.pose import Pose
from companion.devices.simulated.renderer import Conditions, render
from companion.devices.simulated.scene import Scene
from companion.vision.find import Finder
from companion.vision.find_sheet import Sheet
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import apply, focal_px

Frame = npt.NDArray[np.uint8]
Places = npt.NDArray[np.float64]

POSE = Pose(width_px=1024, height_px=768)


def draw(scene: Scene, pose: Pose = POSE, noise: int = 1) -> Frame:
    """A picture of a scene; another ``noise`` draws the chip's noise anew."""
    return render(scene, Conditions(pose=pose), np.random.default_rng(noise))


@cache
def finder() -> Finder:
    """The finder of the table."""
    zones = POSE.zones()
    return Finder(zones, focal_px(zones), EmptyView.from_picture(draw(Scene())))


def sheet_of(scene: Scene, noise: int = 2) -> Sheet:
    """What the finder sees of a scene."""
    return finder().sheet(draw(scene, noise=noise))


def true_places(scene: Scene) -> Places:
    """Where the upright dice of a scene lie on the sheet: x, y (mm) and angle (rad), (n, 3)."""
    plan = finder().plan
    places = []
    for die in scene.visible_dice():
        corners = POSE.project(np.column_stack([die.footprint_mm(), np.full(4, 2 * die.box().centre_mm[2])]))
        on_sheet = []
        for window in plan.windows:
            mm = apply(window.floor.lift(plan.die_mm)[1], corners)
            width, height = window.floor.size_mm
            if (mm.mean(axis=0) > -8).all() and (mm.mean(axis=0) < (width + 8, height + 8)).all():
                on_sheet.append(mm + window.corner_mm)
        (corner,) = on_sheet
        side = corner[1] - corner[0]
        places.append(np.append(corner.mean(axis=0), np.arctan2(side[1], side[0])))
    return np.array(places).reshape(-1, 3)


def off_by(found: npt.NDArray[np.float64], true: npt.NDArray[np.float64]) -> tuple[float, float]:
    """How far apart two places are: mm, and degrees modulo a quarter turn."""
    turn = (found[2] - true[2] + np.pi / 4) % (np.pi / 2) - np.pi / 4
    return float(np.hypot(*(found[:2] - true[:2]))), float(abs(np.degrees(turn)))

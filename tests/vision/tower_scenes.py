"""The simulated table with a tower on the track: a uniform block painted over whatever it hides."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.devices.simulated import layout
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.renderer import Conditions, render
from companion.devices.simulated.scene import Scene, SceneDie, fresh_dice
from companion.vision.find_hidden import behind_tower
from companion.vision.geometry import Floor, Zones, apply, as_quad, floors, focal_px

Frame = npt.NDArray[np.uint8]

POSE = Pose(width_px=1024, height_px=768)
_NOISE = 1.5


@dataclass(frozen=True)
class Tower:
    """A block: its footprint in the track (west, north, east, south, mm), its paint (BGR) and its height."""

    foot_mm: tuple[float, float, float, float] = (0.0, 20.0, 34.0, 64.0)
    paint: tuple[int, int, int] = (150, 160, 170)
    high_mm: float = 60.0

    def zones(self) -> Zones:
        """The table's zones with the tower's footprint among them."""
        zones = POSE.zones()
        west, north, east, south = self.foot_mm
        corners = [(west, north), (east, north), (east, south), (west, south)]
        return replace(zones, tower_px=as_quad(apply(_track(zones).plane_to_px(0.0), corners)))

    def outline_mm(self) -> npt.NDArray[np.float64]:
        """What it hides, (k, 2) mm of the track in the plane of the dice's tops."""
        zones = self.zones()
        assert zones.tower_px is not None
        return behind_tower(_track(zones), zones.tower_px, zones.die_mm, self.high_mm)

    def beside(self, die: SceneDie, lean_rad: float) -> SceneDie:
        """The die on the tower's west side: flush when level, else cocked with its east edge on the wall."""
        west, north, _, south = self.foot_mm
        reach = layout.DIE_MM / 2 * (math.cos(lean_rad) + math.sin(lean_rad)) + 0.2
        return replace(
            die,
            x_mm=west - reach,
            y_mm=(north + south) / 2,
            yaw_rad=0.0,
            lean_rad=lean_rad,
            lean_to_rad=math.pi,
        )

    def draw(self, dice: Sequence[SceneDie] = (), seed: int = 1) -> Frame:
        """A picture of the dice, the tower painted before them; another seed draws its noise anew."""
        rng = np.random.default_rng(seed)
        picture = render(Scene(tuple(dice)), Conditions(pose=POSE), rng)
        zones = self.zones()
        outline = apply(_track(zones).plane_to_px(zones.die_mm), self.outline_mm())
        mask = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.rint(outline).astype(np.int32), 1)
        paint = np.asarray(self.paint) + rng.normal(0, _NOISE, picture.shape)
        picture[mask > 0] = np.clip(np.rint(paint), 0, 255).astype(np.uint8)[mask > 0]
        return picture


def clear_dice() -> tuple[SceneDie, ...]:
    """Six dice of six colours in the south of the track, clear of the towers here."""
    return tuple(
        replace(die, x_mm=60.0 + 45.0 * (index % 3), y_mm=92.0 + 36.0 * (index // 3))
        for index, die in enumerate(fresh_dice())
    )


def _track(zones: Zones) -> Floor:
    return floors(zones, focal_px(zones))[0]

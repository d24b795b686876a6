"""What can go wrong at a real table, as switches: lamp, camera, hand, a cocked die, a die in the tower."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.devices.simulated.light import Lamp
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.renderer import Conditions, dimmed


class LampState(StrEnum):
    """What the lamp does; calibration was made under NORMAL."""

    NORMAL = "normal"
    DIM = "dim"
    OFF = "off"
    BRIGHT = "bright"
    WARM = "warm"
    COLD = "cold"


class CameraState(StrEnum):
    """What happened to the camera."""

    STILL = "still"
    NUDGED = "nudged"
    """Moved by a millimetre or two, which reading should put right."""
    BUMPED = "bumped"
    """Moved so far that it must be said."""
    UNPLUGGED = "unplugged"


@dataclass(frozen=True, slots=True)
class Mischief:
    """Everything that is not as it was at calibration."""

    lamp: LampState = LampState.NORMAL
    camera: CameraState = CameraState.STILL
    hand: bool = False


_LAMPS = {
    LampState.NORMAL: (1.0, None),
    LampState.DIM: (0.5, None),
    LampState.OFF: (0.0, None),
    LampState.BRIGHT: (1.7, None),
    LampState.WARM: (0.95, (1.12, 0.86, 0.58)),
    LampState.COLD: (0.95, (0.84, 0.95, 1.12)),
}


def conditions_of(mischief: Mischief, pose: Pose) -> Conditions:
    """What the picture is taken under; `pose` is the camera's place at calibration."""
    brightness, tint = _LAMPS[mischief.lamp]
    lamp = dimmed(Lamp(), brightness, tint)
    moved = {
        CameraState.NUDGED: pose.bumped(1.2, -0.8, math.radians(0.25)),
        CameraState.BUMPED: pose.bumped(26.0, -17.0, math.radians(4.0)),
    }.get(mischief.camera, pose)
    return replace(Conditions(pose=moved, lamp=lamp), hand=mischief.hand)

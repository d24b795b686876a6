"""What the demo's page draws over the picture: dice, LEDs and how they blink, what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from companion.devices.led_cycles import CYCLES
from companion.devices.simulated import layout
from companion.devices.simulated.dealer import Dealer
from companion.devices.simulated.leds import SimulatedLeds
from companion.devices.simulated.mischief import conditions_of
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.scene import Place, SceneDie
from companion.devices.simulated.table import SimulatedTable
from companion.table.gestures import HOLD_S, LONG_HOLD_S

_TOWER_TOP = np.array([[-41.0, 75.0, 95.0]])


def demo_view(scene: SimulatedTable, leds: SimulatedLeds, dealer: Dealer, now_s: float) -> dict[str, Any]:
    """Return the page's state as JSON values; places are in pixels of the picture of this `version`."""
    moment = scene.moment()
    pose = conditions_of(moment.mischief, scene.pose).pose
    return {
        "version": moment.version,
        "picture": f"/demo/picture/{moment.version}.jpg",
        "size": [pose.width_px, pose.height_px],
        "unread": scene.unread,
        "colours": list(scene.colours),
        "dice": [_die(index, die, pose) for index, die in enumerate(moment.scene.dice)],
        "leds": _leds(leds, pose, now_s),
        "button": {"hold_ms": round(HOLD_S * 1000), "long_hold_ms": round(LONG_HOLD_S * 1000)},
        "mischief": {
            "lamp": str(moment.mischief.lamp),
            "camera": str(moment.mischief.camera),
            "hand": moment.mischief.hand,
        },
        "names_cards": dealer.names_cards,
    }


def _die(index: int, die: SceneDie, pose: Pose) -> dict[str, Any]:
    box = die.box()
    if die.place is Place.TOWER:
        top, centre = None, pose.project(_TOWER_TOP)
    else:
        corners = box.corners_mm()
        # The four corners of the face whose own axis looks up most.
        up = int(np.abs(box.rotation[2]).argmax())
        outward = box.rotation[:, up] * np.sign(box.rotation[2, up])
        upper = corners[(corners - box.centre_mm) @ outward > 0]
        centre = pose.project(upper.mean(axis=0, keepdims=True))
        top = _points(pose.project(_around(upper)))
    return {
        "index": index,
        "body": str(die.body),
        "colour": die.colour,
        "zone": str(die.place),
        "leans": die.lean_rad != 0.0,
        "centre": _points(centre)[0],
        "top": top,
    }


def _around(corners: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Put four corners in order round their middle."""
    middle = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    return np.asarray(corners[np.argsort(angles)], dtype=np.float64)


def _leds(leds: SimulatedLeds, pose: Pose, now_s: float) -> list[dict[str, Any]]:
    shown = leds.shown()
    places = pose.project(np.array([layout.led_mm(holder) for holder in range(len(shown.patterns))]))
    return [
        {
            "pattern": str(pattern),
            "age_ms": max(0, round((now_s - since_s) * 1000)),
            "steps": [list(step) for step in CYCLES[pattern].steps],
            "repeats": CYCLES[pattern].repeats,
            "place": place,
        }
        for pattern, since_s, place in zip(shown.patterns, shown.since_s, _points(places), strict=True)
    ]


def _points(points: npt.NDArray[np.float64]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]

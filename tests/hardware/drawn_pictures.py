"""Pictures for the cameras of the hardware trials, drawn by the simulated table, with what lies in them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.devices.simulated.handling import lean_on_wall, throw
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.renderer import Conditions, render
from companion.devices.simulated.scene import Scene, fresh_dice

THROWS = 24
"""So many different throws, played one after the other, again and again."""

FOUR_REDS = ("red", "red", "red", "red", "blue", "green")
"""Four white dice, then two black ones that differ."""
BLACKS_ALIKE = ("red", "red", "red", "blue", "green", "green")
"""Three reds, and both black dice alike: one die may be changed (rule 5.1)."""


def draw(folder: Path) -> None:
    """Draw them all, with the zones for calibration and what lies in each; the same ones every time."""
    folder.mkdir(parents=True)
    pose, rng = Pose(), np.random.default_rng(5)
    conditions = Conditions(pose=pose)

    truth: dict[str, list[tuple[str, str]]] = {}

    def keep(name: str, scene: Scene) -> None:
        truth[name] = [(str(die.body), die.colour) for die in scene.dice]
        if not cv2.imwrite(
            str(folder / f"{name}.jpg"), render(scene, conditions, rng), [cv2.IMWRITE_JPEG_QUALITY, 92]
        ):
            raise OSError(f"{folder}: {name}.jpg cannot be written")

    (folder / "zones.json").write_text(json.dumps(pose.zones().to_dict()), encoding="utf-8")
    keep("empty", Scene())
    keep("colours", Scene(fresh_dice()))
    keep("four_reds", _thrown(rng, FOUR_REDS))
    keep("blacks_alike", _thrown(rng, BLACKS_ALIKE))
    keep("leaning", lean_on_wall(_thrown(rng, FOUR_REDS), 1, rng))
    for number in range(THROWS):
        # Three reds each time, so that there is always something to take.
        others = rng.choice(["orange", "yellow", "green", "blue", "purple"], 3)
        keep(f"throw{number:02}", _thrown(rng, ("red", "red", "red", *(str(one) for one in others))))
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")


def _thrown(rng: np.random.Generator, colours: tuple[str, ...]) -> Scene:
    """Throw six dice, and have these colours up."""
    scene = throw(Scene(fresh_dice()), range(6), rng, touch_share=0.0)
    dice = [replace(die, colour=colour) for die, colour in zip(scene.dice, colours, strict=True)]
    return replace(scene, dice=tuple(dice))

"""Calibration as typed steps that drive the browser and the command line alike: zones, empty, colours → profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.colours import learn_faces
from companion.vision.face_patch import Quad
from companion.vision.find import find_dice
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import Zones, focal_px
from companion.vision.profile import Profile

Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class EmptyTable:
    """After the second step: where things lie, and what the table looks like without dice."""

    zones: Zones
    focal_px: float
    empty: EmptyView

    def find_faces(self, colours_bgr: Image) -> tuple[Quad, ...]:
        """The top faces in the picture of the six colours, as corners in its pixels."""
        found = find_dice(colours_bgr, self.zones, self.focal_px, self.empty)
        return tuple(die.top_px for die in found)


def look_at_empty(zones: Zones, empty_bgr: Image) -> EmptyTable:
    """Take in the empty table, uint8 BGR (h, w, 3)."""
    return EmptyTable(zones, focal_px(zones), EmptyView.from_picture(empty_bgr))


@dataclass(frozen=True, slots=True)
class Settings:
    """What the camera was locked to, and when: told by the caller, since nothing here has a camera or a clock."""

    made_at: str = ""
    controls: Mapping[str, Any] = field(default_factory=dict)


def calibrate(
    zones: Zones, empty_bgr: Image, colours_bgr: Image, settings: Settings | None = None
) -> Profile:
    """All steps at once: pictures of the empty track and of six dice showing six colours → a profile.

    Raises:
        CalibrationRefused: with a code and a sentence that says what to do.
        ZonesError: the pictures have another shape than the zones say.
    """
    told = settings or Settings()
    table = look_at_empty(zones, empty_bgr)
    faces = learn_faces(colours_bgr, table.find_faces(colours_bgr))
    return Profile(zones, table.focal_px, faces, table.empty, told.made_at, told.controls)

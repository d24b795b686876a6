"""The profile of a table: everything that reading needs, made once by calibration, kept as one JSON text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.vision.face import FaceReferences
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import Zones

VERSION = 2


class ProfileError(ValueError):
    """The text is no profile that can be used; the message is one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One table under one camera.

    `focal_px` belongs to pictures of the zones' size; `controls` are the camera settings that were
    locked when
    it was made (exposure, gain, colour gains; empty where unknown); `made_at` is an ISO 8601 time.
    """

    zones: Zones
    focal_px: float
    faces: FaceReferences
    empty: EmptyView
    made_at: str = ""
    controls: Mapping[str, Any] = field(default_factory=dict)
    version: int = VERSION

    @classmethod
    def from_json(cls, text: str) -> Profile:
        """Read what `to_json` wrote.

        Raises:
            ProfileError: not JSON, another version, or something is missing or damaged.
        """
        again = "calibrate again to make a new one."
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise ProfileError(f"The profile is not JSON (line {error.lineno}): {again}") from None
        except (ValueError, RecursionError):  # a number of thousands of digits, lists in lists without end
            raise ProfileError(f"The profile is not JSON that can be read: {again}") from None
        if not isinstance(data, dict) or "version" not in data:
            raise ProfileError(f"The profile has no version, so it is none of ours: {again}")
        if data["version"] != VERSION:
            raise ProfileError(
                f"The profile has version {data['version']!r}, this program reads version {VERSION}: {again}"
            )
        try:
            controls = data["controls"]
            if not isinstance(controls, dict):
                raise TypeError("controls")
            return cls(
                zones=Zones.from_dict(data["zones"]),
                focal_px=float(data["focal_px"]),
                faces=FaceReferences.from_dict(data["faces"]),
                empty=EmptyView.from_json_value(data["empty"]),
                made_at=str(data["made_at"]),
                controls=controls,
            )
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ProfileError(f"The profile is damaged ({error}): {again}") from error

    def to_json(self) -> str:
        """One JSON text, a few tens of kilobytes."""
        data = {
            "version": self.version,
            "made_at": self.made_at,
            "zones": self.zones.to_dict(),
            "focal_px": round(self.focal_px, 2),
            "controls": dict(self.controls),
            "faces": self.faces.to_dict(),
            "empty": self.empty.to_json_value(),
        }
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"

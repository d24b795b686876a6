"""A reader whose profile can be exchanged while the table plays on."""

from __future__ import annotations

from companion.table.ports import Frame
from companion.vision.profile import Profile
from companion.vision.read import read_picture
from companion.vision.reading import Reading


class ProfileReader:
    """Reads pictures with the profile that was given last."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def use(self, profile: Profile) -> None:
        """Read with this profile from the next picture on."""
        self.profile = profile

    def __call__(self, frame: Frame) -> Reading:
        """Read a picture, uint8 BGR (h, w, 3)."""
        return read_picture(frame, self.profile)

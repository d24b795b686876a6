"""A camera that runs: what picamera2, USB cameras and stand-ins give, to be called by one thread only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.devices.lock import Lock
from companion.table.ports import Camera, Frame


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A frame (h, w, 3), uint8 BGR, and what the camera tells of how just this one was taken."""

    frame: Frame
    metadata: Mapping[str, Any] = field(default_factory=dict)


class CameraTrouble(Exception):
    """What is known to be wrong with a camera: a stable code, and a sentence that says what to do."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class StreamingCamera(Protocol):
    """A camera that sends frames between `open` and `close`; any of these calls may fail or never return."""

    def open(self, lock: Lock) -> None:
        """Have the camera send frames, locked so; with an empty lock it measures the light by itself."""

    def small(self) -> Frame:
        """Return the next frame, perhaps small, with the whole view (h, w, 3), uint8 BGR."""

    def still(self) -> Shot:
        """Return a whole frame, taken now."""

    def close(self) -> None:
        """Let the device go; may be called when `open` failed, and again."""


class SteadyCamera:
    """A stand-in that streams what a `Camera` captures, so many frames a second."""

    def __init__(self, camera: Camera, pause: Callable[[], None]) -> None:
        """`pause` waits from one frame to the next."""
        self._camera = camera
        self._pause = pause

    def open(self, lock: Lock) -> None:
        """Nothing to open, and nothing to lock."""

    def small(self) -> Frame:
        """Return the next frame, in full size."""
        self._pause()
        return self._camera.capture()

    def still(self) -> Shot:
        """Return a frame taken now."""
        self._pause()
        return Shot(self._camera.capture())

    def close(self) -> None:
        """Let the camera go."""
        self._camera.close()

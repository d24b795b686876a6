"""A picamera2 with its names and errors, and with what people reported: late controls, drift, stalls."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.table.ports import Frame
from tests.devices.mock_pins import StandingClock

LOCKED = {"ExposureTime": 12000, "AnalogueGain": 2.0, "ColourGains": (1.8, 1.5), "LensPosition": 2.0}
AUTOMATIC = {"ExposureTime": 15000, "AnalogueGain": 3.1, "ColourGains": (2.1, 1.3), "LensPosition": 2.0}
OFFERED = dict.fromkeys((*LOCKED, "AfMode", "FrameDurationLimits", "AeEnable"), (0, 100, None))
FRAME_S = 1 / 30


def grey(_values: Mapping[str, Any]) -> Frame:
    """Return a small frame whose three channels tell B, G and R apart."""
    return np.full((48, 64, 3), (10, 20, 30), np.uint8)


def no_colours() -> str:
    """A colour space, as configurations name it."""
    return "sYCC"


@dataclass
class Behaviour:
    """What this camera does wrong; by default nothing."""

    opening_errors: list[Exception] = field(default_factory=list)
    """Raised one after the other by opening."""
    late_frames: int = 0
    """So many frames are still taken with the automatic values."""
    automatic: Mapping[str, Any] = field(default_factory=lambda: AUTOMATIC)
    ignores: tuple[str, ...] = ()
    """Controls that are accepted, and have no effect."""
    hangs: threading.Event | None = None
    """A capture waits for this."""
    unplugged_after: int | None = None
    """So many frames come, then none."""
    one_stream: bool = False
    sensor_px: tuple[int, int] = (128, 96)
    formats: Mapping[str, str] = field(default_factory=dict)
    """What libcamera makes of the formats asked for."""
    draw: Callable[[Mapping[str, Any]], Frame] = grey
    """The frame (BGR) for the values it is taken with."""
    offered: Mapping[str, Any] = field(default_factory=lambda: OFFERED)


class FakePicamera2:
    """One camera; its clock goes on by one frame with each that it gives."""

    def __init__(self, behaviour: Behaviour, clock: StandingClock | None = None) -> None:
        self.behaviour = behaviour
        self.clock = clock or StandingClock()
        self.configuration: dict[str, Any] = {}
        self.frames = 0
        self.opened = 0
        self.closed = 0
        self.released = 0
        self.running = False

    def numbered(self, _number: int) -> FakePicamera2:
        """Open it, as `Picamera2(number)` does."""
        self.opened += 1
        if self.behaviour.opening_errors:
            raise self.behaviour.opening_errors.pop(0)
        self.frames = 0
        return self

    @property
    def sensor_resolution(self) -> tuple[int, int]:
        return self.behaviour.sensor_px

    @property
    def camera_controls(self) -> Mapping[str, Any]:
        return self.behaviour.offered

    def create_video_configuration(self, **streams: Any) -> dict[str, Any]:
        return streams

    def configure(self, configuration: dict[str, Any]) -> None:
        if self.behaviour.one_stream and "lores" in configuration:
            raise RuntimeError("Invalid requested configuration")
        for name in configuration["controls"]:
            if name not in self.behaviour.offered:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.configuration = {name: value for name, value in configuration.items() if value is not None}
        for stream in ("main", "lores"):
            if stream in self.configuration:
                asked = self.configuration[stream]
                form = self.behaviour.formats.get(asked["format"], asked["format"])
                self.configuration[stream] = {**asked, "format": form}

    def camera_configuration(self) -> dict[str, Any]:
        return self.configuration

    def start(self) -> None:
        self.running = True

    def stop(self) -> None:
        self.running = False

    def close(self) -> None:
        self.closed += 1

    def capture_request(self, wait: float | None = None) -> FakeRequest:
        assert self.running
        assert wait
        if self.behaviour.hangs is not None:
            self.behaviour.hangs.wait()
        if self.behaviour.unplugged_after is not None and self.frames >= self.behaviour.unplugged_after:
            raise RuntimeError("Camera frontend has timed out: No such device")
        self.frames += 1
        self.clock.time_s += FRAME_S
        values = dict(self.behaviour.automatic)
        if self.frames > self.behaviour.late_frames:
            wanted = self.configuration["controls"]
            values |= {
                name: wanted[name] for name in LOCKED if name in wanted and name not in self.behaviour.ignores
            }
        return FakeRequest(self, values)


class FakeRequest:
    """One completed frame."""

    def __init__(self, camera: FakePicamera2, values: Mapping[str, Any]) -> None:
        self._camera = camera
        self._values = values

    def make_array(self, stream: str) -> Any:
        form = self._camera.configuration[stream]["format"]
        frame = self._camera.behaviour.draw(self._values)
        if form == "RGB888":  # as libcamera names it: B, G, R in memory
            return frame
        if form == "BGR888":
            return frame[:, :, ::-1]
        if form == "XBGR8888":
            return np.dstack([frame[:, :, ::-1], np.full(frame.shape[:2], 255, np.uint8)])
        width, height = self._camera.configuration[stream]["size"]
        level = int(frame.mean())
        return np.vstack(
            [np.full((height, width), level, np.uint8), np.full((height // 2, width), 128, np.uint8)]
        )

    def get_metadata(self) -> Mapping[str, Any]:
        return {**self._values, "SensorTimestamp": 1}

    def release(self) -> None:
        self._camera.released += 1

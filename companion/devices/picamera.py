"""The Pi's own camera through picamera2: it runs; small frames tell stillness, a whole one is read."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from companion.devices.lock import PICAMERA_NAMES, WORDS, Lock
from companion.devices.pixels import BGR, FORMATS, frame_of
from companion.devices.streaming import CameraTrouble, Shot
from companion.table.ports import Frame

LOG = logging.getLogger(__name__)
SMALL_WIDTH_PX = 640
"""A multiple of 64, so that rows of the small stream have no padding, on every Pi."""

FIRST_WIDTH_PX = 1536
"""Width of the pictures where nobody says another."""

FRAME_US = 33_333
LONGEST_AUTOMATIC_US = 66_666
WAIT_S = 2.0
"""Newer picamera2 gives up so long after; an older one takes it for "wait", and the supervisor gives up."""

AF_MANUAL, AF_CONTINUOUS = 0, 2
"""libcamera's AfModeManual, without which a lens position is not taken, and AfModeContinuous: unlike the
rpicam programs, picamera2 leaves a lens where its tuning file says until it is asked to focus."""


def picture_px(sensor_px: tuple[int, int]) -> tuple[int, int]:
    """Return the size of pictures that show all that a sensor of this size sees."""
    width, height = sensor_px
    wide_px = min(FIRST_WIDTH_PX, width)
    return wide_px, round(wide_px * height / width / 16) * 16


def mode_px(sensor_px: tuple[int, int], size_px: tuple[int, int]) -> tuple[int, int]:
    """Return the mode in which a sensor of this size must run for pictures of `size_px`.

    As a rule there is one of half its size that sees all there is. Unasked, libcamera takes the mode that is
    nearest to the picture's size: a Camera Module 3 then sees two thirds of it (rpicam-apps #511, #630).
    """
    half = (sensor_px[0] // 2, sensor_px[1] // 2)
    return half if half[0] >= size_px[0] and half[1] >= size_px[1] else sensor_px


def jpeg_colours() -> Any:
    """Return libcamera's colour space whose YCbCr is that of JPEG, as `companion.devices.pixels` expects."""
    from libcamera import ColorSpace

    return ColorSpace.Sycc()


def system_camera(number: int) -> Any:
    """Open a camera of the system's picamera2, which no environment of ours can install."""
    from picamera2 import Picamera2

    return Picamera2(number)


class PicameraDevice:
    """One camera of a Pi; what it raises is told by `companion.devices.camera_advice`."""

    def __init__(
        self,
        number: int,
        size_px: tuple[int, int] | None,
        camera_of: Callable[[int], Any] = system_camera,
        colours: Callable[[], Any] = jpeg_colours,
    ) -> None:
        """`size_px` is (width, height); None: as it fits the sensor."""
        self._number = number
        self._size_px = size_px
        self._camera_of = camera_of
        self._colours = colours
        self._camera: Any = None
        self._small_stream = "lores"

    def open(self, lock: Lock) -> None:
        """Configure and start it; the lock is part of the configuration, so that the first frame has it.

        Without a lock it chooses exposure and colours, and focuses, by itself.

        Raises:
            CameraTrouble: it is another camera than the profile's.
            RuntimeError, IndexError: as picamera2 has it for a camera that is absent, busy or broken.
        """
        self._camera = self._camera_of(self._number)
        controls = _controls(lock, self._camera.camera_controls)
        try:
            self._configure(controls, with_small=True)
        except RuntimeError as error:
            # Some pipelines have one stream only: then stillness is told from whole frames.
            LOG.info("no small stream beside the whole one (%s)", error)
            self._configure(controls, with_small=False)
        self._camera.start()

    def small(self) -> Frame:
        """Return the next small frame."""
        return self._taken(self._small_stream).frame

    def still(self) -> Shot:
        """Return the next whole frame with its own metadata."""
        return self._taken("main")

    def close(self) -> None:
        """Stop it and let it go."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        try:
            camera.stop()
        finally:
            camera.close()

    def _configure(self, controls: dict[str, Any], *, with_small: bool) -> None:
        sensor_px = self._camera.sensor_resolution
        size_px = self._size_px or picture_px(sensor_px)
        width, height = size_px
        streams: dict[str, Any] = {
            "main": {"size": size_px, "format": BGR},
            "raw": {"size": mode_px(sensor_px, size_px)},
        }
        if with_small:
            small_px = (SMALL_WIDTH_PX, round(SMALL_WIDTH_PX * height / width / 2) * 2)
            # YUV420 is what every Pi's small stream can do.
            streams["lores"] = {"size": small_px, "format": "YUV420"}
        camera = self._camera
        wanted = camera.create_video_configuration(
            **streams, controls=controls, buffer_count=4, colour_space=self._colours()
        )
        camera.configure(wanted)
        self._small_stream = "lores" if with_small else "main"
        adjusted = camera.camera_configuration()
        for stream in ("main", self._small_stream):
            if adjusted[stream]["format"] not in FORMATS:
                raise CameraTrouble(
                    "camera_format",
                    f"This camera gives {adjusted[stream]['format']}, which is not known: use another one.",
                )

    def _taken(self, stream: str) -> Shot:
        request = self._camera.capture_request(wait=WAIT_S)
        try:
            pixels = request.make_array(stream)
            metadata = dict(request.get_metadata())
        finally:
            request.release()
        form = self._camera.camera_configuration()[stream]
        return Shot(frame_of(pixels, form["format"], tuple(form["size"])), metadata)


def _controls(lock: Lock, offered: Any) -> dict[str, Any]:
    """Return the lock as libcamera wants it; without AeEnable, which would freeze what is there now."""
    controls: dict[str, Any] = {}
    for name in PICAMERA_NAMES:
        value = lock.get(name)
        if value is None:
            continue
        if name not in offered:
            raise CameraTrouble(
                "camera_other",
                f"This camera has no {WORDS[name]} to set, but the profile's camera had: plug that one in, "
                "or calibrate again.",
            )
        controls[name] = value if len(value) > 1 else value[0]
    if "ExposureTime" in controls:
        controls["ExposureTime"] = round(controls["ExposureTime"])
    if "AfMode" in offered:
        controls["AfMode"] = AF_MANUAL if "LensPosition" in controls else AF_CONTINUOUS
    longest_us = max(FRAME_US, controls.get("ExposureTime", LONGEST_AUTOMATIC_US) + 1000)
    if "FrameDurationLimits" in offered:
        controls["FrameDurationLimits"] = (FRAME_US, longest_us)
    return controls

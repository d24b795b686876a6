"""A USB camera through OpenCV: fresh frames, the lock as its driver's properties, its loss in words."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.devices.lock import WORDS, Lock
from companion.devices.pixels import BGR, frame_of
from companion.devices.streaming import CameraTrouble, Shot
from companion.table.ports import Frame

PROPERTIES = {
    "exposure": cv2.CAP_PROP_EXPOSURE,
    "gain": cv2.CAP_PROP_GAIN,
    "wb_temperature": cv2.CAP_PROP_WB_TEMPERATURE,
    "focus": cv2.CAP_PROP_FOCUS,
}
AUTOMATIC = {
    "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, 1.0, 3.0),  # V4L2_EXPOSURE_MANUAL, …_APERTURE_PRIORITY
    "wb_temperature": (cv2.CAP_PROP_AUTO_WB, 0.0, 1.0),
    "focus": (cv2.CAP_PROP_AUTOFOCUS, 0.0, 1.0),
}
"""What must be turned off before a property can be set, with the values that turn it off and on."""

STALE_FRAMES = 5
STALE_S = 0.008
"""A frame that comes faster than this was waiting in a buffer, from before it was asked for."""


class UsbCamera:
    """A V4L2 camera; `/dev/videoN` with N the number."""

    def __init__(
        self,
        number: int,
        size_px: tuple[int, int],
        opened: Callable[[int], Any] = lambda number: cv2.VideoCapture(number, cv2.CAP_V4L2),
        node: Callable[[int], Path] = lambda number: Path(f"/dev/video{number}"),
    ) -> None:
        """`size_px` is (width, height)."""
        self._number = number
        self._size_px = size_px
        self._opened = opened
        self._node = node
        self._capture: Any = None

    def open(self, lock: Lock) -> None:
        """Open and lock it; what is not locked is automatic, whatever was set before.

        Raises:
            CameraTrouble: it is absent, busy, not allowed, or has other properties than the profile's camera.
        """
        node = self._node(self._number)
        if not node.exists():
            raise CameraTrouble(
                "camera_absent",
                f"There is no {node}: plug the USB camera in, or set its number. It is tried again.",
            )
        if not os.access(node, os.R_OK | os.W_OK):
            raise CameraTrouble(
                "camera_not_allowed",
                f"This user may not use {node}: `sudo usermod -aG video USER`, then log in anew.",
            )
        self._capture = self._opened(self._number)
        if not self._capture.isOpened():
            raise CameraTrouble(
                "camera_busy",
                f"{node} cannot be opened: stop the program that uses it, or set another number. It is tried "
                "again by itself.",
            )
        width, height = self._size_px
        # Compressed, since USB 2 carries few large frames otherwise.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._set_lock(lock)
        self._skip_stale()

    def small(self) -> Frame:
        """Return the next frame, in full size: a USB camera has one stream."""
        is_there, pixels = self._capture.read()
        if not is_there or pixels is None:
            raise CameraTrouble(
                "camera_gone",
                "The USB camera stopped answering: check its cable. It is tried again by itself.",
            )
        if pixels.ndim == 2:
            pixels = cv2.cvtColor(np.asarray(pixels, np.uint8), cv2.COLOR_GRAY2BGR)
        return frame_of(pixels, BGR, (pixels.shape[1], pixels.shape[0]))

    def still(self) -> Shot:
        """Return a frame taken after this call, with the properties that the driver tells."""
        self._skip_stale()
        frame = self.small()
        told = {name: self._capture.get(place) for name, place in PROPERTIES.items()}
        # OpenCV gives -1 for what a camera has not: a webcam without a lens to move cannot be locked in that.
        return Shot(frame, {name: value for name, value in told.items() if value >= 0})

    def close(self) -> None:
        """Let it go."""
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()

    def _set_lock(self, lock: Lock) -> None:
        for name, place in PROPERTIES.items():
            value = lock.get(name)
            if name in AUTOMATIC:
                # A driver keeps what was set last; a camera without this automatic refuses it, which is well.
                automatic, off, on = AUTOMATIC[name]
                self._capture.set(automatic, on if value is None else off)
            if value is None:
                continue
            # What a driver refuses to set may be so all the same; each frame proves it.
            if not self._capture.set(place, value[0]) and self._capture.get(place) != value[0]:
                raise CameraTrouble(
                    "camera_other",
                    f"This camera's {WORDS.get(name, name)} cannot be set, but the profile's camera had one: "
                    "plug that one in, or calibrate again.",
                )

    def _skip_stale(self) -> None:
        for _ in range(STALE_FRAMES):
            began_s = time.monotonic()
            if not self._capture.grab() or time.monotonic() - began_s >= STALE_S:
                return

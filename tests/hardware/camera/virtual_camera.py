"""The real picamera2 on libcamera's virtual camera, which gives the pictures in a folder as NV12 frames.

What is bent here, and nothing else: picamera2 asks each camera for its raw modes, which the virtual one has
not; and frames lie in ordinary shared memory, since most kernels elsewhere have none to share with a camera.
"""

from __future__ import annotations

import mmap
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FRAMES = Path("/opt/frames")
"""Where libcamera's virtual camera takes its pictures from: 0.jpg, 1.jpg, …, one after the other."""


def serve(pictures: Sequence[Path]) -> None:
    """Have the camera give these pictures, again and again, from when it is next opened."""
    for old in FRAMES.iterdir():
        old.unlink()
    for number, picture in enumerate(pictures):
        shutil.copy(picture, FRAMES / f"{number}.jpg")


def virtual_camera(number: int) -> Any:
    """Open a camera of picamera2 as `companion.devices.picamera.system_camera` does."""
    from picamera2 import Picamera2, picamera2

    # It makes a new one of these when it is closed, too.
    picamera2.DmaAllocator = _shared_memory()

    class Virtual(Picamera2):  # type: ignore[misc]
        def _get_raw_modes(self) -> list[dict[str, Any]]:
            return [{"format": "NV12", "size": (1280, 960)}]

    return Virtual(number)


def _shared_memory() -> Any:
    """Return the class that gives picamera2 its buffers: one piece of memory a frame, luma, then chroma."""
    import libcamera
    from picamera2.allocators.allocator import Allocator, Sync

    class Access(Sync):  # type: ignore[misc]
        """A frame's memory while it is read: nothing is to be waited for."""

        def __init__(self, allocator: Any, buffer: Any, _write: bool) -> None:
            self._memory = allocator.memory[buffer]

        def __enter__(self) -> mmap.mmap:
            return self.get_buffer()

        def __exit__(self, *_: object) -> None:
            pass

        def get_buffer(self) -> mmap.mmap:
            found: mmap.mmap = self._memory
            return found

    class SharedMemory(Allocator):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.sync = Access
            self.memory: dict[Any, mmap.mmap] = {}
            self._unlucky: list[Any] = []
            self._of_stream: dict[Any, list[Any]] = {}

        def allocate(self, libcamera_config: Any, _use_case: Any) -> None:
            for stream in libcamera_config:
                self._of_stream[stream.stream] = [self._frame(stream) for _ in range(stream.buffer_count)]

        def buffers(self, stream: Any) -> list[Any]:
            return self._of_stream[stream]

        def _frame(self, stream: Any) -> Any:
            luma = stream.stride * stream.size.height
            file = os.memfd_create("frame")
            os.ftruncate(file, stream.frame_size)
            planes = []
            for offset, length in ((0, luma), (luma, stream.frame_size - luma)):
                plane = libcamera.FrameBuffer.Plane()
                plane.fd, plane.offset, plane.length = file, offset, length
                planes.append(plane)
            buffer = libcamera.FrameBuffer(planes)
            # libcamera 0.4's virtual camera never says how a frame went, so that what a new buffer happens to
            # hold says it for good; picamera2 drops frames that did not go well.
            while buffer.metadata.status != libcamera.FrameMetadata.Status.Success:
                self._unlucky.append(buffer)
                buffer = libcamera.FrameBuffer(planes)
            self.memory[buffer] = mmap.mmap(file, stream.frame_size)
            return buffer

    return SharedMemory

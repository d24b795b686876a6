"""Watching: a worker takes and reads one picture at a time; a slow camera never holds up the table."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

from companion.table.decide import Inner, ReadingArrived, ReadingFailed
from companion.table.ports import Camera, CameraFault, Frame, Reader
from companion.table.state import Picture
from companion.vision.geometry import ZonesError

LOG = logging.getLogger(__name__)


class Watching:
    """Camera and reader behind one thread; every `look` is answered by one report, however late."""

    stalled_sentence = "the camera is still busy with the last picture; check its cable, or type the throw"

    def __init__(self, camera: Camera | None, reader: Reader | None, report: Callable[[Inner], None]) -> None:
        self._camera = camera
        self._reader = reader
        self._report = report
        self._jobs: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="table-watching", daemon=True)
        self._looking: int | None = None
        self._frame: tuple[str, Frame] | None = None

    def start(self) -> None:
        """Begin to work; without a camera there is nothing to do."""
        if self._camera is not None and self._reader is not None:
            self._thread.start()

    def close(self, timeout_s: float) -> None:
        """Stop, and let the camera go; a camera that is stuck is left behind with its daemon thread."""
        self._jobs.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        if self._camera is not None:
            self._camera.close()

    def look(self, token: int) -> bool:
        """Take and read a picture for the press `token`; False where the last one is not done yet."""
        if self._looking is not None:
            return False
        self._looking = token
        self._jobs.put(token)
        return True

    def done(self, token: int) -> None:
        """Take note that the report for `token` has come."""
        if token == self._looking:
            self._looking = None

    def frame(self, picture: Picture | None) -> tuple[str, Frame] | None:
        """Return the frame of this picture, if it is the last one read."""
        found = self._frame
        return found if found is not None and picture is not None and found[0] == picture.picture_id else None

    def _work(self) -> None:
        while (token := self._jobs.get()) is not None:
            self._report(self._looked(token))

    def _looked(self, token: int) -> Inner:
        assert self._camera is not None
        assert self._reader is not None
        try:
            frame = self._camera.capture()
            reading = self._reader(frame)
        except CameraFault as fault:
            return ReadingFailed(token, fault.code, fault.sentence)
        except ZonesError as error:
            return ReadingFailed(token, "wrong_picture", str(error))
        except Exception as defect:  # told to people and logged: play must be able to go on by phone
            LOG.exception("reading the picture of press %s failed", token)
            return ReadingFailed(token, "reading_failed", f"The picture could not be read ({defect}).")
        picture_id = str(token)
        self._frame = (picture_id, frame)
        return ReadingArrived(token, reading, Picture(picture_id, (frame.shape[1], frame.shape[0])))

"""The picture of the last reading as JPEG, encoded once however many phones ask."""

import threading

import cv2

from companion.table.conductor import Table

JPEG_QUALITY = 82


class PictureStore:
    """Gives the frame that the last reading was made from, under the reading's picture id."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._lock = threading.Lock()
        self._encoded: tuple[str, bytes] | None = None

    def jpeg(self, picture_id: str) -> bytes | None:
        """Return the JPEG of picture `picture_id`, or None where the table no longer holds it."""
        held = self._table.picture()
        if held is None or held[0] != picture_id:
            return None
        with self._lock:
            if self._encoded is None or self._encoded[0] != picture_id:
                done, data = cv2.imencode(".jpg", held[1], [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
                if not done:
                    return None
                self._encoded = (picture_id, data.tobytes())
            return self._encoded[1]

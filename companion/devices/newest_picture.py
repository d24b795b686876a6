"""A folder as the camera of a table with a button: each press reads the newest picture in it."""

from __future__ import annotations

from pathlib import Path

from companion.devices.folder import ENDINGS, natural_order, whole_picture
from companion.table.ports import CameraFault, Frame


class NewestPicture:
    """The camera whose picture is the file that was written last in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def capture(self) -> Frame:
        """Return the newest picture; of several of one time, the one with the last name.

        Raises:
            CameraFault: there is no folder, no picture in it, or the newest is not whole.
        """
        try:
            files = [
                (path.stat().st_mtime_ns, natural_order(path), path)
                for path in self._folder.iterdir()
                if path.suffix.lower() in ENDINGS and not path.name.startswith(".")
            ]
            newest = max(files, default=None)
            content = b"" if newest is None else newest[2].read_bytes()
        except OSError as error:
            raise CameraFault(
                "camera_absent",
                f"{self._folder}: pictures cannot be read ({error.strerror}); check the folder.",
            ) from error
        if newest is None:
            raise CameraFault(
                "no_picture", f"{self._folder}: no picture has come yet; take one, or type the throw."
            )
        frame = whole_picture(content)
        if frame is None:
            raise CameraFault(
                "no_picture", f"{newest[2]}: this is no whole JPEG or PNG picture; press again when it is."
            )
        return frame

    def close(self) -> None:
        """Nothing to let go."""

"""A folder as camera: each new picture in it is a press; files still being written are waited for."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from companion.table.ports import CameraFault, Frame

STILL_S = 0.3
"""A file whose size and time stay the same so long is taken to be written, if it is a whole picture."""
PATIENCE_S = 15.0
"""A file that is no whole picture so long after its last change is given up."""
LONGEST_S = 4 * PATIENCE_S
"""A file that is still changing so long after it was first seen is given up."""
ENDINGS = frozenset({".jpg", ".jpeg", ".png"})


Result = TypeVar("Result")


class FolderFault(Exception):
    """The folder can not be read; the sentence says what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Arrived:
    """A new picture, whole."""

    path: Path
    frame: Frame


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that did not become a picture; it is passed over until it changes."""

    path: Path
    sentence: str


@dataclass(frozen=True, slots=True)
class _Form:
    """How a file looks from outside."""

    size: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class _Watched:
    """A file that is not handled yet: how it looks, since when, and since when it is known."""

    form: _Form
    since_s: float
    first_s: float


@dataclass(frozen=True, slots=True)
class _Handled:
    """A file that was handled: how it looked, and what was in it (None where that was not looked at)."""

    form: _Form
    digest: bytes | None


class _Old:
    """A file that was touched, but holds the picture that was handled."""


class PictureFolder:
    """Finds the new pictures in a folder, in the order of their names; look again and again."""

    def __init__(self, folder: Path, *, with_present: bool = False) -> None:
        """Begin; pictures already there are old ones, unless `with_present`.

        Raises:
            FolderFault: there is no such folder, or it can not be read.
        """
        self.folder = folder
        self._watched: dict[Path, _Watched] = {}
        self._handled: dict[Path, _Handled] = {}
        for path, form in self._files():
            if not with_present:
                self._handled[path] = _Handled(form, None)

    def look(self, now_s: float) -> Iterator[Arrived | Unreadable]:
        """Yield what is ready by `now_s`; a picture waits for those with earlier names that came with it.

        Raises:
            FolderFault: the folder can not be read now.
        """
        files = dict(self._files())
        for gone in set(self._watched) - set(files):
            del self._watched[gone]
        for path, form in files.items():
            self._note(path, form, now_s)
        for path in sorted(self._watched, key=natural_order):
            found = self._ready(path, now_s)
            if found is None:
                return
            if not isinstance(found, _Old):
                yield found

    @property
    def waits(self) -> bool:
        """Whether files are there that are not handled yet."""
        return bool(self._watched)

    def _files(self) -> Iterator[tuple[Path, _Form]]:
        try:
            paths = [path for path in self.folder.iterdir() if _may_be_picture(path)]
        except OSError as error:
            raise FolderFault(
                f"{self.folder}: the folder cannot be read ({error.strerror}); check that it is there."
            ) from error
        for path in sorted(paths, key=natural_order):
            try:
                status = path.stat()
            except OSError:  # gone again, or a link to nowhere: no picture now
                continue
            yield path, _Form(status.st_size, status.st_mtime_ns)

    def _note(self, path: Path, form: _Form, now_s: float) -> None:
        handled, watched = self._handled.get(path), self._watched.get(path)
        if handled is not None and handled.form == form:
            self._watched.pop(path, None)
        elif watched is None:
            self._watched[path] = _Watched(form, now_s, now_s)
        elif watched.form != form:
            self._watched[path] = _Watched(form, now_s, watched.first_s)

    def _ready(self, path: Path, now_s: float) -> Arrived | Unreadable | _Old | None:
        """Return what has become of a file, or None while it must be waited for."""
        watched = self._watched[path]
        if now_s - watched.since_s < STILL_S:
            return self._given_up(path, watched, "it keeps changing", now_s - watched.first_s >= LONGEST_S)
        try:
            content = path.read_bytes()
        except OSError as error:
            return self._given_up(path, watched, f"{error.strerror}", now_s - watched.since_s >= PATIENCE_S)
        digest = hashlib.sha256(content).digest()
        handled = self._handled.get(path)
        if handled is not None and handled.digest == digest:
            return self._done(path, watched, digest, _Old())
        frame = whole_picture(content)
        if frame is None:
            why = "it is empty" if not content else "it is no whole JPEG or PNG picture"
            return self._given_up(path, watched, why, now_s - watched.since_s >= PATIENCE_S)
        return self._done(path, watched, digest, Arrived(path, frame))

    def _given_up(self, path: Path, watched: _Watched, why: str, is_time: bool) -> Unreadable | None:
        if not is_time:
            return None
        sentence = f"{path}: not read, since {why}; copy it again if it should count."
        return self._done(path, watched, None, Unreadable(path, sentence))

    def _done(self, path: Path, watched: _Watched, digest: bytes | None, result: Result) -> Result:
        self._handled[path] = _Handled(watched.form, digest)
        del self._watched[path]
        return result


class FolderCamera:
    """The camera whose picture is the last one that arrived in the folder."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frame: Frame | None = None

    def put(self, frame: Frame) -> None:
        """Have this picture taken from now on."""
        with self._lock:
            self._frame = frame

    def capture(self) -> Frame:
        """Return the last picture that arrived.

        Raises:
            CameraFault: none has arrived yet.
        """
        with self._lock:
            if self._frame is None:
                raise CameraFault(
                    "no_picture", "No picture has come into the folder yet; take one, or type the throw."
                )
            return self._frame

    def close(self) -> None:
        """Forget the picture."""
        with self._lock:
            self._frame = None


def whole_picture(content: bytes) -> Frame | None:
    """Return the picture in a file's content, uint8 BGR (h, w, 3); None where it is none, or cut short."""
    # OpenCV fills up a JPEG that is cut short with grey, so the end is looked for first.
    is_jpeg = content.startswith(b"\xff\xd8") and b"\xff\xd9" in content[-64:]
    is_png = content.startswith(b"\x89PNG\r\n\x1a\n") and b"IEND\xaeB`\x82" in content[-64:]
    if not (is_jpeg or is_png):
        return None
    try:
        frame = cv2.imdecode(np.frombuffer(content, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if frame is None else np.asarray(frame, dtype=np.uint8)


def natural_order(path: Path) -> list[tuple[int, int | str]]:
    """Return a key that sorts `throw9.jpg` before `throw10.jpg`."""
    parts = re.split(r"(\d+)", path.name)
    return [(0, int(part)) if part.isdigit() else (1, part.casefold()) for part in parts]


def _may_be_picture(path: Path) -> bool:
    return path.suffix.lower() in ENDINGS and not path.name.startswith(".") and not path.is_dir()

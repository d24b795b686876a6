"""Files of the seeing commands: pictures, zones and profiles, each fault told in one sentence."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.cli.faults import Fault
from companion.vision.geometry import Zones, ZonesError
from companion.vision.profile import Profile, ProfileError

PICTURE_ENDINGS = (".jpg", ".jpeg", ".png")


def load_picture(path: Path) -> npt.NDArray[np.uint8]:
    """The picture as (h, w, 3) uint8 BGR. Raises Fault where it is missing or no picture."""
    data = np.frombuffer(_bytes(path, "picture"), dtype=np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if picture is None:
        raise Fault(f"{path}: this is no picture that can be read; give a JPEG or PNG file.")
    return np.asarray(picture, dtype=np.uint8)


def save_picture(path: Path, picture: npt.NDArray[np.uint8]) -> None:
    """Write a JPEG or PNG, by the name's ending. Raises Fault where that fails."""
    if path.suffix.lower() not in PICTURE_ENDINGS:
        raise Fault(f"{path}: give the picture's name one of the endings {', '.join(PICTURE_ENDINGS)}.")
    done, data = cv2.imencode(path.suffix, picture)
    if not done:
        raise Fault(f"{path}: the picture cannot be written in this form; use .jpg or .png.")
    save_bytes(path, data.tobytes())


def save_bytes(path: Path, data: bytes) -> None:
    """Write a file, in a folder that may be new. Raises Fault where that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise Fault(f"{path}: cannot be written ({error.strerror}); choose another place.") from error


def save_text(path: Path, text: str) -> None:
    """Write a UTF-8 text. Raises Fault where that fails."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Fault(f"{path}: cannot be written ({error.strerror}); choose another place.") from error


def load_zones(path: Path) -> Zones:
    """The zones of a `zones.json`. Raises Fault."""
    try:
        return Zones.from_json(_text(path, "zones file"))
    except ZonesError as error:
        raise Fault(f"{path}: {error}") from error


def load_profile(path: Path) -> Profile:
    """The profile in a file. Raises Fault."""
    try:
        return Profile.from_json(_text(path, "profile"))
    except ProfileError as error:
        raise Fault(f"{path}: {error}") from error


def _bytes(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise Fault(f"{path}: there is no such {what}; check the name.") from None
    except OSError as error:
        raise Fault(f"{path}: the {what} cannot be read ({error.strerror}).") from error


def _text(path: Path, what: str) -> str:
    try:
        return _bytes(path, what).decode("utf-8")
    except UnicodeDecodeError:
        raise Fault(f"{path}: the {what} is not UTF-8 text; is it another file?") from None

"""The marked copies of `companion read --annotate`: they know each other, and replace nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.cli.pictures import save_bytes

SIGNATURE = b"marked by companion read --annotate"
"""A comment in each copy, by which it is known again."""

_SEGMENT = b"\xff\xfe" + (len(SIGNATURE) + 2).to_bytes(2, "big") + SIGNATURE
_LOOKED_AT_BYTES = 256


def save_marked(path: Path, folder: Path, drawn: npt.NDArray[np.uint8]) -> None:
    """Write the marked copy of the picture `path`. Raises Fault where that fails."""
    data = cv2.imencode(".jpg", drawn)[1].tobytes()
    # Behind the header, whose length in bytes its third and fourth tell, as the format has it.
    end = 4 + int.from_bytes(data[4:6], "big")
    save_bytes(_copy_of(path, folder), data[:end] + _SEGMENT + data[end:])


def not_to_mark(pictures: Sequence[Path], folder: Path) -> str | None:
    """Tell why marked copies in `folder` would replace a picture or each other; None where all is well."""
    originals = {path.resolve() for path in pictures}
    copies: dict[Path, Path] = {}
    for path in pictures:
        copy = _copy_of(path, folder).resolve()
        # Also beside a PNG, whose copy is a JPEG: another original may have that name.
        if copy in originals or path.parent.resolve() == folder.resolve():
            return f"{path} lies there, and marked copies must not replace pictures; name another folder."
        first = copies.setdefault(copy, path)
        if first.resolve() != path.resolve():
            return (
                f"{first} and {path} would both be marked as {_copy_of(path, folder).name}; rename one of "
                "them, or read them one after the other into different folders."
            )
        if _is_of_others(copy):
            return (
                f"{_copy_of(path, folder)} is there already and is no marked copy, and would be replaced; "
                "name another folder, or move that file away."
            )
    return None


def _copy_of(path: Path, folder: Path) -> Path:
    return folder / f"{path.stem}.jpg"


def _is_of_others(path: Path) -> bool:
    """Whether there is anything under this name that is no marked copy."""
    try:
        with path.open("rb") as file:
            return SIGNATURE not in file.read(_LOOKED_AT_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True

"""A folder as the camera of a table with a button: the newest picture counts, and what is none is told."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.devices.newest_picture import NewestPicture
from companion.table.ports import CameraFault


def write(path: Path, level: int, at_s: int) -> None:
    cv2.imwrite(str(path), np.full((24, 32, 3), level, np.uint8))
    os.utime(path, (at_s, at_s))


def test_newest_counts_and_of_one_time_the_last_name(tmp_path: Path) -> None:
    write(tmp_path / "a9.png", 9, 2000)
    write(tmp_path / "a10.png", 10, 2000)
    write(tmp_path / "z.png", 77, 1000)
    (tmp_path / "notes.txt").touch()
    (tmp_path / ".half.png").touch()
    camera = NewestPicture(tmp_path)
    assert camera.capture()[0, 0, 0] == 10
    write(tmp_path / "a1.png", 1, 3000)
    assert camera.capture()[0, 0, 0] == 1
    camera.close()


def test_missing_folder_empty_folder_and_half_a_picture_are_told(tmp_path: Path) -> None:
    with pytest.raises(CameraFault, match="check the folder") as caught:
        NewestPicture(tmp_path / "gone").capture()
    assert caught.value.code == "camera_absent"
    with pytest.raises(CameraFault, match="no picture has come yet"):
        NewestPicture(tmp_path).capture()
    write(tmp_path / "half.png", 5, 1000)
    whole = (tmp_path / "half.png").read_bytes()
    (tmp_path / "half.png").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CameraFault, match="no whole JPEG or PNG"):
        NewestPicture(tmp_path).capture()

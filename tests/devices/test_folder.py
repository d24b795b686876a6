"""A folder as camera: only whole pictures count, each once, in order; time is given."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.devices.folder import (
    LONGEST_S,
    PATIENCE_S,
    STILL_S,
    Arrived,
    FolderCamera,
    FolderFault,
    PictureFolder,
    Unreadable,
    natural_order,
    whole_picture,
)
from companion.table.ports import CameraFault, Frame


def a_picture(shade: int, ending: str = ".jpg") -> bytes:
    frame = np.full((60, 80, 3), shade, dtype=np.uint8)
    cv2.circle(frame, (40, 30), 20, (0, 0, 255), -1)
    done, data = cv2.imencode(ending, frame)
    assert done
    return data.tobytes()


class Looking:
    """Looks into a folder as time goes by."""

    def __init__(self, place: Path, *, with_present: bool = False) -> None:
        self.place = place
        self.pictures = PictureFolder(place, with_present=with_present)
        self.now_s = 0.0

    def put(self, name: str, content: bytes) -> None:
        (self.place / name).write_bytes(content)

    def looks(self, after_s: float = 2 * STILL_S) -> list[str]:
        """Look now and again after a while, and return the names of what came."""
        found = list(self.pictures.look(self.now_s))
        self.now_s += after_s
        found += self.pictures.look(self.now_s)
        return [f"{'' if isinstance(one, Arrived) else 'not '}{one.path.name}" for one in found]


@pytest.fixture
def looking(tmp_path: Path) -> Looking:
    return Looking(tmp_path)


def test_a_new_picture_arrives_once(looking: Looking) -> None:
    looking.put("a.jpg", a_picture(90))
    assert looking.looks() == ["a.jpg"]
    assert looking.looks() == []
    assert not looking.pictures.waits


@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_the_frame_is_the_pictures(looking: Looking, ending: str) -> None:
    looking.put(f"a{ending}", a_picture(90, ending))
    list(looking.pictures.look(0.0))
    (arrived,) = looking.pictures.look(1.0)
    assert isinstance(arrived, Arrived)
    assert arrived.frame.shape == (60, 80, 3)
    assert abs(int(arrived.frame[2, 2, 0]) - 90) <= 2


def test_it_waits_until_the_file_is_still(looking: Looking) -> None:
    looking.put("a.jpg", a_picture(90))
    assert list(looking.pictures.look(0.0)) == []
    assert list(looking.pictures.look(STILL_S / 2)) == []
    assert looking.pictures.waits
    assert len(list(looking.pictures.look(STILL_S))) == 1


def test_a_file_that_grows_is_waited_for(looking: Looking) -> None:
    whole = a_picture(90)
    for end in range(100, len(whole), 150):
        looking.put("a.jpg", whole[:end])
        assert looking.looks(STILL_S * 0.9) == []
    looking.put("a.jpg", whole)
    assert looking.looks() == ["a.jpg"]


def test_a_copy_that_pauses_is_not_taken_for_a_picture(looking: Looking) -> None:
    whole = a_picture(90)
    looking.put("a.jpg", whole[: len(whole) * 3 // 4])
    assert looking.looks(PATIENCE_S * 0.9) == []
    looking.put("a.jpg", whole)
    assert looking.looks() == ["a.jpg"]


@pytest.mark.parametrize("content", [b"", b"no picture", a_picture(9)[:-40]], ids=["empty", "text", "cut"])
def test_what_never_becomes_a_picture_is_told_and_passed_over(looking: Looking, content: bytes) -> None:
    looking.put("a.jpg", content)
    looking.put("b.jpg", a_picture(90))
    assert looking.looks() == []
    assert looking.looks(PATIENCE_S) == ["not a.jpg", "b.jpg"]
    assert looking.looks(PATIENCE_S) == []
    looking.put("a.jpg", a_picture(50))
    assert looking.looks() == ["a.jpg"]


def test_the_sentence_names_the_file_and_what_to_do(looking: Looking) -> None:
    looking.put("a.jpg", b"")
    list(looking.pictures.look(0.0))
    (told,) = looking.pictures.look(PATIENCE_S)
    assert isinstance(told, Unreadable)
    assert str(looking.place / "a.jpg") in told.sentence
    assert "copy it again" in told.sentence


def test_a_file_that_never_stops_changing_is_given_up(looking: Looking) -> None:
    found: list[str] = []
    for second in range(int(LONGEST_S * 5) + 10):
        looking.put("a.jpg", b"x" * (second + 1))
        found += looking.looks(0.2)
    assert found == ["not a.jpg"]


def test_pictures_that_are_there_at_the_start_are_old(tmp_path: Path) -> None:
    for name in ("throw10.jpg", "throw9.jpg"):
        (tmp_path / name).write_bytes(a_picture(len(name)))
    assert Looking(tmp_path).looks() == []
    assert Looking(tmp_path, with_present=True).looks() == ["throw9.jpg", "throw10.jpg"]


def test_pictures_that_come_together_come_in_the_order_of_their_names(looking: Looking) -> None:
    for name in ("b2.jpg", "b10.jpg", "A1.jpg"):
        looking.put(name, a_picture(len(name)))
    assert looking.looks() == ["A1.jpg", "b2.jpg", "b10.jpg"]


def test_a_camera_that_writes_the_same_name_again_gives_a_new_picture(looking: Looking) -> None:
    looking.put("latest.jpg", a_picture(90))
    assert looking.looks() == ["latest.jpg"]
    looking.put("latest.jpg", a_picture(140))
    assert looking.looks() == ["latest.jpg"]


def test_a_file_that_was_only_touched_is_no_new_picture(looking: Looking) -> None:
    looking.put("a.jpg", a_picture(90))
    assert looking.looks() == ["a.jpg"]
    os.utime(looking.place / "a.jpg", ns=(5, 5))
    assert looking.looks() == []
    assert not looking.pictures.waits


def test_other_files_are_not_looked_at(looking: Looking) -> None:
    for name in (".hidden.jpg", "a.jpg.part", "notes.txt"):
        looking.put(name, a_picture(90))
    (looking.place / "folder.jpg").mkdir()
    (looking.place / "nowhere.jpg").symlink_to(looking.place / "gone.jpg")
    assert looking.looks(PATIENCE_S) == []


def test_a_file_that_goes_again_is_forgotten(looking: Looking) -> None:
    looking.put("a.jpg", a_picture(90))
    list(looking.pictures.look(0.0))
    (looking.place / "a.jpg").unlink()
    assert list(looking.pictures.look(1.0)) == []
    assert not looking.pictures.waits


def test_a_folder_that_goes_is_told_and_may_come_back(tmp_path: Path) -> None:
    with pytest.raises(FolderFault, match="check that it is there"):
        PictureFolder(tmp_path / "nowhere")
    place = tmp_path / "pictures"
    place.mkdir()
    looking = Looking(place)
    place.rmdir()
    with pytest.raises(FolderFault, match="cannot be read"):
        looking.looks()
    place.mkdir()
    looking.put("a.jpg", a_picture(90))
    assert looking.looks() == ["a.jpg"]


def test_every_cut_of_a_picture_is_seen_to_be_cut() -> None:
    for ending in (".jpg", ".png"):
        whole = a_picture(90, ending)
        assert whole_picture(whole) is not None
        assert [end for end in range(len(whole) - 2) if whole_picture(whole[:end]) is not None] == []


def test_numbers_in_names_count_as_numbers() -> None:
    names = ["throw10.jpg", "throw2.jpg", "Throw1.jpg", "1.jpg", "a.jpg"]
    assert sorted(names, key=lambda name: natural_order(Path(name))) == [
        "1.jpg",
        "a.jpg",
        "Throw1.jpg",
        "throw2.jpg",
        "throw10.jpg",
    ]


def test_the_folders_camera_gives_the_last_picture() -> None:
    camera = FolderCamera()
    with pytest.raises(CameraFault, match="No picture has come"):
        camera.capture()
    frame: Frame = np.zeros((2, 2, 3), dtype=np.uint8)
    camera.put(frame)
    assert camera.capture() is frame
    camera.close()
    camera.close()

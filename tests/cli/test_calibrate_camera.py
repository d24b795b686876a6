"""`companion calibrate --camera`: what it asks for, what it locks, and what it says where it can not."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from calibration import CalibrationRefused, MarkerLayout, Setup
from companion.cli import calibrate_camera
from companion.cli.calibrate_camera import (
    COLOURS,
    COLOURS_AGAIN,
    EMPTY,
    EMPTY_AGAIN,
    NAMED,
    UNNAMED,
    calibrated,
    opened_camera,
)
from companion.cli.faults import Fault
from companion.cli.main import main
from companion.devices.clock import MonotonicClock
from companion.devices.lock import PICAMERA_NAMES, Lock
from companion.devices.picamera import PicameraDevice
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.table import SimulatedTable
from companion.devices.supervised import Deadlines, SupervisedCamera
from companion.game.dice import Body, Die
from companion.settings.values import CameraSettings, Settings
from companion.table.ports import Frame
from companion.vision.geometry import Zones
from companion.vision.profile import Profile
from companion.vision.read import read_picture
from tests.devices.fake_picamera2 import AUTOMATIC, Behaviour, FakePicamera2, no_colours

POSE = Pose(width_px=820, height_px=615)
PATIENT = Deadlines(call_s=60.0, open_s=60.0, lock_s=60.0)
"""A drawn picture may be long in coming on a busy machine."""


Deed = Callable[[SimulatedTable], None]


def nothing(_table: SimulatedTable) -> None:
    """What a person does who forgets."""


def twice_red(table: SimulatedTable) -> None:
    """Lay six dice, of which two show red."""
    colours = ("red", "red", *table.colours[2:])
    table.lay_out([Die(Body.WHITE if n < 4 else Body.BLACK, colour) for n, colour in enumerate(colours)])


class Person:
    """Does at a drawn table what is asked, and takes note of what is said; at first may do other deeds."""

    def __init__(self, *answers: str, first: tuple[Deed, ...] = (), says: tuple[str, ...] = ()) -> None:
        self.table = SimulatedTable(4, POSE)
        self.answers = list(answers)
        self.first = list(first)
        self.says = list(says)
        self.asked: list[str] = []
        self.heard: list[str] = []

    def ask(self, question: str) -> str:
        self.asked.append(question)
        assert len(self.asked) < 20, "a dead end"
        if question in (NAMED, UNNAMED):
            return self.answers.pop(0) if self.answers else ""
        if self.first:
            self.first.pop(0)(self.table)
        elif question in (EMPTY, EMPTY_AGAIN):
            self.table.take_dice_away()
        else:
            self.table.lay_six_colours()
        return self.says.pop(0) if self.says else ""

    def calibrates(self, behaviour: Behaviour | None = None, **more: Any) -> Profile:
        fake = FakePicamera2(behaviour or Behaviour())
        fake.behaviour.draw = self._drawn
        device = PicameraDevice(0, (POSE.width_px, POSE.height_px), fake.numbered, no_colours)
        camera = SupervisedCamera(device, MonotonicClock(), deadlines=PATIENT)
        camera.start()
        try:
            zones, ask = more.pop("zones", POSE.zones()), more.pop("ask", self.ask)
            return calibrated(camera, "picamera", zones, ask, self.heard.append, **more)
        finally:
            camera.close()

    def _drawn(self, _values: Mapping[str, Any]) -> Frame:
        return self.table.look()


def test_it_asks_for_each_thing_in_turn_and_the_profile_reads() -> None:
    person = Person()
    profile = person.calibrates()
    assert person.asked == [EMPTY, COLOURS, NAMED]
    assert Lock.of(profile.controls) == Lock.of({name: AUTOMATIC[name] for name in PICAMERA_NAMES})
    assert "The camera is locked from now on: exposure 15000, gain 3.1" in person.heard[0]
    person.table.throw(everything=True)
    lying = sorted((str(die.body), die.colour) for die in person.table.moment().scene.dice)
    assert sorted((die.body, die.colour) for die in read_picture(person.table.look(), profile).dice) == lying


def test_what_does_not_do_is_said_and_asked_for_again() -> None:
    person = Person(first=(SimulatedTable.take_dice_away, nothing))
    person.calibrates()
    assert person.asked == [EMPTY, COLOURS, COLOURS_AGAIN, NAMED]
    assert any("six" in sentence for sentence in person.heard)


def test_what_concerns_the_empty_table_begins_with_that_anew() -> None:
    person = Person(first=(SimulatedTable.lay_six_colours, SimulatedTable.take_dice_away))
    person.calibrates()
    assert person.asked == [EMPTY, COLOURS, EMPTY, COLOURS, NAMED]
    assert any("take both again" in sentence for sentence in person.heard)


@pytest.mark.parametrize(
    "code", ["table_not_empty", "camera_moved", "too_little_around", "light_clips", "too_dark", "blurred"]
)
def test_advice_to_take_both_pictures_again_can_be_followed(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned, refusals = Setup.learned, [CalibrationRefused(code, "Take both pictures again.")]

    def refuses_once(setup: Setup) -> Setup:
        if refusals:
            raise refusals.pop()
        return learned(setup)

    monkeypatch.setattr(Setup, "learned", refuses_once)
    person = Person()
    person.calibrates()
    assert person.asked == [EMPTY, COLOURS, EMPTY, COLOURS, NAMED]


def test_who_moved_the_camera_meanwhile_can_begin_with_the_empty_table_anew() -> None:
    person = Person(first=(SimulatedTable.take_dice_away, nothing, nothing), says=("", "", "both"))
    person.calibrates()
    assert person.asked == [EMPTY, COLOURS, COLOURS_AGAIN, EMPTY, COLOURS, NAMED]


def test_a_colour_that_is_shown_twice_is_laid_anew() -> None:
    """The names are unclear then, and no name would put it right."""
    person = Person(first=(SimulatedTable.take_dice_away, twice_red))
    person.calibrates()
    assert person.asked == [EMPTY, COLOURS, UNNAMED, COLOURS_AGAIN, NAMED]
    assert any("two dice seem to show" in sentence.lower() for sentence in person.heard)
    assert sum("which colour?" in sentence for sentence in person.heard) == 6


@pytest.mark.parametrize("code", ["colours_too_close", "wrong_bodies"])
def test_names_that_do_not_do_leave_the_picture_to_be_taken_again(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(_setup: Setup, _names: object) -> Setup:
        raise CalibrationRefused(code, "Take the picture again.")

    monkeypatch.setattr(Setup, "with_names", refuses)
    person = Person("red, orange, yellow, green, blue, purple")
    person.calibrates()
    assert person.asked == [EMPTY, COLOURS, NAMED, UNNAMED, COLOURS_AGAIN, NAMED]


def test_who_sees_that_the_dice_lie_wrongly_takes_another_picture() -> None:
    person = Person("again")
    person.calibrates()
    assert person.asked == [EMPTY, COLOURS, NAMED, COLOURS_AGAIN, NAMED]


def test_names_are_put_right_by_a_person_who_may_mistype_them() -> None:
    first = Person()
    named = first.calibrates()
    order = [line.rpartition(": ")[2] for line in first.heard if line.startswith("  die")]
    person = Person("red, red", ", ".join(order))
    assert person.calibrates().faces.inks == named.faces.inks
    assert any("colour" in sentence for sentence in person.heard)


def test_names_may_be_given_from_the_start() -> None:
    first = Person()
    first.calibrates()
    order = [line.rpartition(": ")[2] for line in first.heard if line.startswith("  die")]
    person = Person()
    person.calibrates(names=order)
    assert NAMED not in person.asked


@pytest.mark.parametrize("code", ["channels_swapped", "colours_too_close", "wrong_bodies", "light_clips"])
def test_names_that_are_given_need_no_guess(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Person()
    named = first.calibrates()
    order = [line.rpartition(": ")[2] for line in first.heard if line.startswith("  die")]

    def refuses(_setup: Setup) -> Setup:
        raise CalibrationRefused(code, "A guess does not do.")

    monkeypatch.setattr(Setup, "learned", refuses)
    person = Person()
    assert person.calibrates(names=order).faces.inks == named.faces.inks
    assert person.asked == [EMPTY, COLOURS]


def test_zones_for_pictures_of_another_size_are_told_before_anything_is_asked() -> None:
    person = Person()
    other = replace(POSE.zones(), size_px=(640, 480))
    with pytest.raises(Fault, match="640x480, and this camera gives 820x615"):
        person.calibrates(zones=other)
    assert person.asked == []


def test_nobody_at_the_terminal_is_told() -> None:
    def nobody(_question: str) -> str:
        raise EOFError

    with pytest.raises(Fault, match="run this at a terminal"):
        Person().calibrates(ask=nobody)


def test_without_zones_the_markers_tell_the_track() -> None:
    person = Person()

    def gives_up(question: str) -> str:
        if question == EMPTY_AGAIN:
            raise EOFError
        return person.ask(question)

    with pytest.raises(Fault):
        person.calibrates(zones=None, ask=gives_up)
    assert MarkerLayout().track_mm == (220, 150)
    assert "marker" in person.heard[0]
    assert "--zones zones.json" in person.heard[1]


@pytest.mark.parametrize("kind", ["none", "simulated"])
def test_settings_without_a_camera_are_told(kind: str) -> None:
    settings = Settings(camera=CameraSettings(kind=kind))
    with pytest.raises(Fault, match=f'kind is "{kind}"'), opened_camera(settings, None):
        raise AssertionError


def test_a_running_companion_is_not_robbed_of_its_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate_camera, "ask_running", lambda *_: [])
    with pytest.raises(Fault, match="/setup, or stop it first"), opened_camera(Settings(), None):
        raise AssertionError


def test_camera_that_is_absent_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = tmp_path / "companion.toml"
    settings.write_text('[camera]\nkind = "usb"\nnumber = 63\n[page]\nport = 1\n', encoding="utf-8")
    out = tmp_path / "profile.json"
    assert main(["calibrate", "--camera", "--settings", str(settings), "--out", str(out)]) == 3
    assert capsys.readouterr().err.startswith("companion: There is no /dev/video63: plug the USB camera in")
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "give --empty, --colours and --out, or --camera"),
        (["--empty", "e.jpg", "--out", "p.json"], "give --colours, or --camera"),
        (["--camera", "--empty", "e.jpg"], "leave out --empty and --colours"),
        (
            ["--empty", "e.jpg", "--colours", "c.jpg", "--out", "p.json", "--settings", "s.toml"],
            "give --camera as well",
        ),
    ],
    ids=["nothing", "one picture", "both ways", "settings alone"],
)
def test_what_does_not_go_together_is_refused(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", *words]) == 2
    assert told in capsys.readouterr().err


class AtHome:
    """Settings with a folder as camera, whose newest picture counts, and a person at the terminal."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.person = Person()
        self.pictures, self.profile = folder / "pictures", folder / "new" / "table.json"
        self.pictures.mkdir()
        self.person.table.take_dice_away()
        self._take()
        zones, settings = folder / "zones.json", folder / "companion.toml"
        zones.write_text(_json(POSE.zones()), encoding="utf-8")
        settings.write_text(
            f'[camera]\nkind = "folder"\nfolder = "{self.pictures}"\n[page]\nport = 1\n[table]\n'
            f'data = "{folder / "games" / "companion.db"}"\nprofile = "{self.profile}"\n',
            encoding="utf-8",
        )
        self.words = ["calibrate", "--camera", "--settings", str(settings), "--zones", str(zones)]
        monkeypatch.setattr("builtins.input", self._answer)

    def _answer(self, question: str) -> str:
        self.person.ask(question)
        self._take()
        return ""

    def _take(self) -> None:
        path = self.pictures / f"{len(self.person.asked)}.png"
        cv2.imwrite(str(path), self.person.table.look())


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AtHome:
    return AtHome(tmp_path, monkeypatch)


def test_it_is_written_where_the_table_reads_it(at_home: AtHome, capsys: pytest.CaptureFixture[str]) -> None:
    """In a folder that nobody has made before, too."""
    assert main(at_home.words) == 0
    assert Profile.from_json(at_home.profile.read_text("utf-8")).controls == {}
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(str(at_home.profile))
    assert last.endswith("once it is started: sudo systemctl start companion")


def test_who_wrote_it_elsewhere_is_told_how_the_table_comes_to_read_it(
    at_home: AtHome, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "elsewhere.json"
    assert main([*at_home.words, "--out", str(out)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert f'[table] profile = "{out}"' in last
    assert "systemctl" not in last


def test_a_place_that_takes_no_profile_is_told_before_anything_is_asked(
    at_home: AtHome, capsys: pytest.CaptureFixture[str]
) -> None:
    at_home.profile.parent.write_text("a file where the folder would be", encoding="utf-8")
    assert main(at_home.words) == 3
    assert "the profile cannot be written" in capsys.readouterr().err
    assert at_home.person.asked == []


@pytest.mark.parametrize("is_folder", [False, True])
def test_another_file_in_the_usual_place_is_not_written_over(
    is_folder: bool, at_home: AtHome, capsys: pytest.CaptureFixture[str]
) -> None:
    at_home.profile.parent.mkdir()
    if is_folder:
        at_home.profile.mkdir()
    else:
        at_home.profile.write_text("a letter", encoding="utf-8")
    assert main(at_home.words) == 3
    assert "move it away, or name another file with --out" in capsys.readouterr().err
    assert at_home.person.asked == []


def test_who_may_not_look_there_is_told_who_may_write(
    at_home: AtHome, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shut(path: Path, *_more: Any, **_how: Any) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    for look in ("is_dir", "mkdir"):
        monkeypatch.setattr(Path, look, shut)
    assert main(at_home.words) == 3
    said = capsys.readouterr().err
    assert "cannot be written (Permission denied)" in said
    assert "sudo -u companion companion calibrate --camera" in said
    assert at_home.person.asked == []


def _json(zones: Zones) -> str:
    return json.dumps(zones.to_dict())

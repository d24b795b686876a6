"""`companion calibrate --camera`: what it asks for, what it locks, and what it says where it can not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from calibration import MarkerLayout
from companion.cli import calibrate_camera
from companion.cli.calibrate_camera import AGAIN, COLOURS, EMPTY, NAMED, calibrated, opened_camera
from companion.cli.faults import Fault
from companion.cli.main import main
from companion.devices.clock import MonotonicClock
from companion.devices.lock import PICAMERA_NAMES, Lock
from companion.devices.picamera import PicameraDevice
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.table import SimulatedTable
from companion.devices.supervised import SupervisedCamera
from companion.settings.values import CameraSettings, Settings
from companion.table.ports import Frame
from companion.vision.geometry import Zones
from companion.vision.profile import Profile
from companion.vision.read import read_picture
from tests.devices.fake_picamera2 import AUTOMATIC, Behaviour, FakePicamera2, no_colours

POSE = Pose(width_px=820, height_px=615)


class Person:
    """Does at a drawn table what is asked, and takes note of what is said; may forget the dice once."""

    def __init__(self, *answers: str, forgets_the_dice: bool = False) -> None:
        self.table = SimulatedTable(4, POSE)
        self.answers = list(answers)
        self.forgets_the_dice = forgets_the_dice
        self.asked: list[str] = []
        self.heard: list[str] = []

    def ask(self, question: str) -> str:
        self.asked.append(question)
        if question == NAMED:
            return self.answers.pop(0) if self.answers else ""
        if question == EMPTY:
            self.table.take_dice_away()
        elif self.forgets_the_dice:
            self.forgets_the_dice = False
        else:
            self.table.lay_six_colours()
        return ""

    def calibrates(self, behaviour: Behaviour | None = None, **more: Any) -> Profile:
        fake = FakePicamera2(behaviour or Behaviour())
        fake.behaviour.draw = self._drawn
        device = PicameraDevice(0, (POSE.width_px, POSE.height_px), fake.numbered, no_colours)
        camera = SupervisedCamera(device, MonotonicClock())
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
    person = Person(forgets_the_dice=True)
    person.calibrates()
    assert person.asked == [EMPTY, COLOURS, AGAIN, NAMED]
    assert any("six" in sentence for sentence in person.heard)


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
        if question == AGAIN:
            raise EOFError
        return person.ask(question)

    with pytest.raises(Fault):
        person.calibrates(zones=None, ask=gives_up)
    assert MarkerLayout().track_mm == (220, 150)
    assert "marker" in person.heard[0]


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


def test_it_is_written_where_the_table_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a folder as camera, whose newest picture counts."""
    person = Person()
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    person.table.take_dice_away()
    cv2.imwrite(str(pictures / "empty.png"), person.table.look())
    zones = tmp_path / "zones.json"
    zones.write_text(_json(POSE.zones()), encoding="utf-8")
    settings = tmp_path / "companion.toml"
    settings.write_text(
        f'[camera]\nkind = "folder"\nfolder = "{pictures}"\n[page]\nport = 1\n[table]\n'
        f'data = "{tmp_path / "games" / "companion.db"}"\nprofile = "{tmp_path / "table.json"}"\n',
        encoding="utf-8",
    )

    def answer(question: str) -> str:
        person.ask(question)
        cv2.imwrite(str(pictures / f"{len(person.asked)}.png"), person.table.look())
        return ""

    monkeypatch.setattr("builtins.input", answer)
    assert main(["calibrate", "--camera", "--settings", str(settings), "--zones", str(zones)]) == 0
    assert Profile.from_json((tmp_path / "table.json").read_text("utf-8")).controls == {}


def _json(zones: Zones) -> str:
    return json.dumps(zones.to_dict())

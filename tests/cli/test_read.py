"""`companion calibrate` and `companion read` as a script calls them."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration import CalibrationRefused, Setup
from companion.cli.main import main
from companion.cli.pictures import load_picture, save_picture
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.renderer import Conditions, render
from companion.devices.simulated.scene import Scene, fresh_dice
from companion.vision.geometry import Zones, ZonesError
from companion.vision.profile import Profile


@pytest.fixture(scope="module")
def profile(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    table, out = shared_data / "tables" / "table00", tmp_path_factory.mktemp("read") / "profile.json"
    pictures = [f"--{name}={table / name}.jpg" for name in ("empty", "colours")]
    assert main(["calibrate", "--zones", str(table / "zones.json"), *pictures, "--out", str(out)]) == 0
    return out


def test_each_picture_is_one_line_and_a_missing_one_is_told(
    shared_data: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = shared_data / "tables" / "table00" / "throw2.jpg"
    words = [
        "read",
        "--profile",
        str(profile),
        "--json",
        "--annotate",
        str(tmp_path),
        "nowhere.jpg",
        str(good),
    ]
    assert main(words) == 3
    told = capsys.readouterr()
    assert "nowhere.jpg" in told.err
    assert "no such picture" in told.err
    (line,) = told.out.splitlines()
    reading = json.loads(line)
    assert set(reading) == {"picture", "dice", "problems", "trusted"}
    assert len(reading["dice"]) == 6
    assert reading["trusted"] is True
    assert set(reading["dice"][0]) == {"body", "colour", "zone", "centre_px", "confidence", "runner_up"}
    assert (tmp_path / "throw2.jpg").stat().st_size > 10_000


def test_a_person_reads_the_verdict_first(
    shared_data: Path, profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = shared_data / "tables" / "table00" / "throw4.jpg"
    assert main(["read", "--profile", str(profile), str(picture)]) == 0
    verdict = capsys.readouterr().out.splitlines()[0]
    assert re.fullmatch(r".*throw4.jpg: NOT trusted: [a-z]+ [a-z ,]+", verdict), "in words, not in codes"


def test_a_picture_of_another_table_is_told_without_saying_how_sure_its_dice_are(
    shared_data: Path, profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, other = (shared_data / "tables" / name / "throw1.jpg" for name in ("table00", "table02"))
    assert main(["read", "--profile", str(profile), str(own), str(other)]) == 0
    told_own, told_other = re.split(f"^{other}: ", capsys.readouterr().out, flags=re.MULTILINE)
    assert told_own.count("%") == 6
    verdict, why, *dice = told_other.splitlines()
    assert verdict.startswith("NOT trusted: ")
    assert "camera moved" in verdict
    assert "so rely on none of its dice: put the camera back" in why
    assert len(dice) == 6
    assert "%" not in told_other


def test_calibration_of_an_empty_track_is_refused(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = shared_data / "tables" / "table00"
    empty = str(table / "empty.jpg")
    words = ["calibrate", "--zones", str(table / "zones.json"), "--empty", empty, "--colours", empty]
    assert main([*words, "--out", str(tmp_path / "p.json")]) == 3
    assert "dice" in capsys.readouterr().err
    assert not (tmp_path / "p.json").exists()


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with zones.json and pictures: of no dice, of six colours, of a die left behind."""
    folder, pose, rng = tmp_path_factory.mktemp("drawn"), Pose(), np.random.default_rng(5)
    scenes = {"empty": (), "colours": fresh_dice(), "left": (replace(fresh_dice()[0], x_mm=20.0, y_mm=76.0),)}
    for name, dice in scenes.items():
        save_picture(folder / f"{name}.png", render(Scene(dice), Conditions(pose=pose), rng))
    (folder / "zones.json").write_text(json.dumps(pose.zones().to_dict()), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("empty", "colours", "at_fault"),
    [
        ("left.png", "colours.png", "{0}/left.png: A die lies in the picture of the empty table"),
        ("colours.png", "empty.png", "{0}/colours.png and {0}/empty.png: The six dice lie in the picture"),
        ("empty.png", "empty.png", "{0}/empty.png: The colours picture shows 0 dice"),
    ],
    ids=["a-die-left-behind", "exchanged", "no-dice"],
)
def test_the_picture_that_is_at_fault_is_named(
    drawn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], empty: str, colours: str, at_fault: str
) -> None:
    words = [f"--zones={drawn / 'zones.json'}", f"--empty={drawn / empty}", f"--colours={drawn / colours}"]
    assert main(["calibrate", *words, "--out", str(tmp_path / "p.json")]) == 3
    assert capsys.readouterr().err.startswith(f"companion: {at_fault.format(drawn)}")


def test_zones_of_other_pictures_are_thought_of(
    drawn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zones = json.loads((drawn / "zones.json").read_text("utf-8"))
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**zones, "die_mm": 2.5 * zones["die_mm"]}), encoding="utf-8")
    words = [f"--zones={other}", f"--empty={drawn / 'empty.png'}", f"--colours={drawn / 'colours.png'}"]
    assert main(["calibrate", *words, "--out", str(tmp_path / "p.json")]) == 3
    told = capsys.readouterr().err
    assert "dice where 6 are needed" in told
    assert f"see that {other} belongs to these pictures" in told


def test_two_colours_that_are_only_just_told_apart_are_named(
    drawn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [
        "calibrate",
        *(f"--zones={drawn / 'zones.json'}", f"--empty={drawn / 'empty.png'}"),
        *(f"--colours={drawn / 'colours.png'}", "--out", str(tmp_path / "p.json")),
    ]
    warning = "orange and red look much alike in this light"
    assert main(words) == 0
    assert warning not in capsys.readouterr().out
    learned = Setup.learned

    def narrowly(setup: Setup) -> Setup:
        done = learned(setup)
        assert done.lesson is not None
        other = {"red": "orange", "orange": "red"}
        margins = tuple(
            replace(one, nearest=other[one.colour], sigmas=2.0) if one.colour in other else one
            for one in done.lesson.margins
        )
        return replace(done, lesson=replace(done.lesson, margins=margins))

    monkeypatch.setattr(Setup, "learned", narrowly)
    assert main(words) == 0
    assert capsys.readouterr().out.count(warning) == 1


def test_names_that_are_given_need_no_guess_and_are_in_the_order_that_is_told(
    drawn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [
        "calibrate",
        *(f"--zones={drawn / 'zones.json'}", f"--empty={drawn / 'empty.png'}"),
        *(f"--colours={drawn / 'colours.png'}", "--out", str(tmp_path / "p.json")),
    ]
    assert main(words) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  die ")]
    dice, names = zip(*(line.rsplit(": ", 1) for line in told), strict=True)
    guessed = Profile.from_json((tmp_path / "p.json").read_text("utf-8"))

    def refuses(_setup: Setup) -> Setup:
        raise CalibrationRefused("names_unclear", "Name the colours yourself.")

    monkeypatch.setattr(Setup, "learned", refuses)
    assert main(words) == 3
    said = capsys.readouterr().err
    assert said.startswith("".join(f"{die}: which colour?\n" for die in dice))
    assert "give --names in the order of the dice above" in said

    assert main([*words, "--names", ",".join(names)]) == 0
    named = Profile.from_json((tmp_path / "p.json").read_text("utf-8"))
    assert named.faces.inks == guessed.faces.inks


@pytest.mark.parametrize(
    ("zones", "told"),
    [
        ("colours.png", "the zones file is not UTF-8 text; is it another file?"),
        ("nowhere.json", "there is no such zones file; check the name."),
    ],
)
def test_zones_that_are_none_are_told(
    drawn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], zones: str, told: str
) -> None:
    words = [
        f"--zones={drawn / zones}",
        f"--empty={drawn / 'empty.png'}",
        f"--colours={drawn / 'colours.png'}",
    ]
    assert main(["calibrate", *words, "--out", str(tmp_path / "p.json")]) == 3
    assert capsys.readouterr().err == f"companion: {drawn / zones}: {told}\n"


def test_a_zone_whose_name_is_misspelt_is_told(drawn: Path) -> None:
    zones = json.loads((drawn / "zones.json").read_text("utf-8"))
    zones["reserv"] = zones.pop("reserve")
    with pytest.raises(ZonesError, match=r'"reserv" is not known: is it meant to be "reserve"\?'):
        Zones.from_json(json.dumps(zones))
    # What is written beside the zones is nobody's mistake, and a size of what is not there neither.
    without = {key: value for key, value in zones.items() if key != "reserv"}
    assert Zones.from_json(json.dumps(without)).reserve_px is None
    full = Zones.from_json(json.dumps({**zones, "reserve": zones["reserv"], "room": 7}))
    assert full.reserve_px is not None


@pytest.mark.parametrize("names", ["red,red", "red,orange,yellow,green,blue,pink", ""])
def test_names_that_are_not_the_six_are_refused_before_any_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], names: str
) -> None:
    words = ["calibrate", "--empty", "x.jpg", "--colours", "y.jpg", "--out", str(tmp_path / "p.json")]
    assert main([*words, "--names", names]) == 2
    assert "give each of red, orange, yellow, green, blue, purple once" in capsys.readouterr().err


def test_a_profile_of_another_version_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "old.json"
    old.write_text('{"version": 99}', encoding="utf-8")
    assert main(["read", "--profile", str(old), "x.jpg"]) == 3
    assert "version 99" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("out", "says"),
    [("empty.jpg", "one of the files to calibrate from"), ("notes.txt", "no profile is there")],
    ids=["an-input", "another-file"],
)
def test_a_profile_is_written_over_nothing_else(
    out: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / out
    there.write_bytes(b"kept")
    words = ["calibrate", "--empty", str(tmp_path / "empty.jpg"), "--colours", str(tmp_path / "colours.jpg")]
    assert main([*words, "--out", str(there)]) == 2
    assert says in capsys.readouterr().err
    assert there.read_bytes() == b"kept"


def test_marked_copies_never_replace_the_pictures(
    shared_data: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "throw2.jpg"
    picture.write_bytes((shared_data / "tables" / "table00" / "throw2.jpg").read_bytes())
    before = picture.read_bytes()
    (tmp_path / "other").mkdir()
    for folder in (tmp_path, tmp_path / "other" / ".."):
        assert main(["read", "--profile", str(profile), "--annotate", str(folder), str(picture)]) == 2
        told = capsys.readouterr()
        assert told.out == "", "refused before anything is read"
        assert told.err == (
            f"companion read: --annotate {folder}: {picture} lies there, and marked copies must not replace "
            "pictures; name another folder.\n"
        )
    assert picture.read_bytes() == before


def test_a_picture_that_a_link_leads_to_is_not_replaced_either(
    profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "throw.jpg").write_bytes(b"the original")
    (tmp_path / "throw.jpg").symlink_to(tmp_path / "kept" / "throw.jpg")
    words = ["--annotate", str(tmp_path / "kept"), str(tmp_path / "throw.jpg")]
    assert main(["read", "--profile", str(profile), *words]) == 2
    assert "lies there" in capsys.readouterr().err


def test_marked_copies_replace_earlier_ones_and_no_other_file(
    shared_data: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, picture = tmp_path / "kept", shared_data / "tables" / "table00" / "throw2.jpg"
    words = ["read", "--profile", str(profile), "--annotate", str(folder), str(picture)]
    assert main(words) == 0
    copy = (folder / "throw2.jpg").read_bytes()
    assert main(words) == 0, "a copy that it made may be made again"
    assert (folder / "throw2.jpg").read_bytes() == copy
    assert load_picture(folder / "throw2.jpg").shape == load_picture(picture).shape
    capsys.readouterr()
    original = picture.with_name("throw3.jpg").read_bytes()
    (folder / "throw2.jpg").write_bytes(original)
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.out == "", "refused before anything is read"
    assert told.err == (
        f"companion read: --annotate {folder}: {folder / 'throw2.jpg'} is there already and is no marked "
        "copy, and would be replaced; name another folder, or move that file away.\n"
    )
    assert (folder / "throw2.jpg").read_bytes() == original


@pytest.mark.parametrize("second", ["throw.jpg", "throw.png"])
def test_two_pictures_whose_marked_copies_would_have_one_name_are_named(
    profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], second: str
) -> None:
    one, two = tmp_path / "a" / "throw.jpg", tmp_path / "b" / second
    words = ["--annotate", str(tmp_path / "marked"), str(one), str(two)]
    assert main(["read", "--profile", str(profile), *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert f"{one} and {two} would both be marked as throw.jpg; rename one of them" in told.err
    assert not (tmp_path / "marked").exists()


def test_without_markers_the_command_line_names_its_own_way(
    drawn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [f"--empty={drawn / 'empty.png'}", f"--colours={drawn / 'colours.png'}"]
    assert main(["calibrate", *words, "--out", str(tmp_path / "p.json")]) == 3
    told = capsys.readouterr().err
    assert "The markers at" in told
    assert "by hand means with --zones zones.json" in told


def test_the_help_of_markers_tells_the_name_it_writes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["markers", "--help"]) == 0
    assert "(default: markers.png)" in capsys.readouterr().out

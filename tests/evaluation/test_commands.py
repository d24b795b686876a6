"""`companion evaluate` and `companion bench` as a person calls them."""

import io
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import companion.bench
from companion.bench import Figure, available_benches, load_bench
from companion.cli.main import main
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.renderer import Conditions, render
from companion.devices.simulated.scene import Scene, fresh_dice
from companion.game.dice import DEFAULT_COLOURS

POSE = Pose(width_px=820, height_px=615)
KEYS = {"figures", "by_light", "by_kind", "by_table", "confusion", "refused_because", "misses", "games"}


def no_space(*_: object) -> Path:
    """What writing does on a full disk."""
    raise OSError(28, "No space left on device")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the evaluation wants it, drawn: two calibration pictures and one throw."""
    folder = tmp_path_factory.mktemp("tables") / "table00"
    folder.mkdir()
    conditions = Conditions(pose=POSE)
    colours = (*DEFAULT_COLOURS[3:], *DEFAULT_COLOURS[:3])
    scenes = {"empty": Scene(), "colours": Scene(fresh_dice()), "throw1": Scene(fresh_dice(colours))}
    pictures = []
    for number, (name, scene) in enumerate(scenes.items()):
        frame = render(scene, conditions, np.random.default_rng(number))
        assert cv2.imwrite(str(folder / f"{name}.jpg"), frame, [cv2.IMWRITE_JPEG_QUALITY, 95])
        kind = "throw" if name == "throw1" else name
        dice = [die_truth(die) for die in scene.visible_dice()]
        pictures.append({"file": f"{name}.jpg", "kind": kind, "dice": dice})
    (folder / "truth.json").write_text(json.dumps({"light": "lamp", "pictures": pictures}), encoding="utf-8")
    (folder / "zones.json").write_text(json.dumps(POSE.zones().to_dict()), encoding="utf-8")
    return folder


def die_truth(die: Any) -> dict[str, Any]:
    corners = np.column_stack([die.footprint_mm(), np.full(4, 2 * die.box().centre_mm[2])])
    top = POSE.project(corners)
    return {
        "body": str(die.body),
        "colour": die.colour,
        "zone": "track",
        "centre": top.mean(axis=0).tolist(),
        "top": top.tolist(),
        "cocked": False,
        "cut": False,
    }


def test_a_table_is_evaluated(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(table.parent), "--json", "--report", str(tmp_path / "report")]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert set(summary) >= KEYS
    assert summary["figures"]["pictures"] == 1
    assert summary["figures"]["dice"] == 6
    assert summary["figures"]["dice_right"] == 6
    assert summary["figures"]["trusted"] == 1
    assert summary["figures"]["trusted_but_wrong"] == 0
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "How well the dice were read" in page
    assert "http" not in page


def test_it_is_told_for_people_too(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(table)]) == 0
    told = capsys.readouterr().out
    assert "1 pictures, 6 dice" in told
    assert "trusted but wrong" in told


def test_a_miss_is_drawn_and_linked(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "wrong"
    shutil.copytree(table, folder)
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    truth["pictures"][2]["dice"][0]["zone"] = "reserve"
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    assert main(["evaluate", str(folder), "--json", "--report", str(tmp_path / "report")]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["figures"]["trusted_but_wrong"] == 1
    assert "trusted but wrong" in summary["misses"][0]["what"]
    assert (tmp_path / "report" / "wrong-throw1.jpg").stat().st_size > 1000
    assert "wrong-throw1.jpg" in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")


def test_a_table_that_can_not_be_calibrated_is_told_once(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "table01"
    shutil.copytree(table, folder)
    (folder / "colours.jpg").write_bytes((table / "empty.jpg").read_bytes())
    assert main(["evaluate", str(folder), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["figures"]["dice_right"] == 0
    assert summary["figures"]["good_refused"] == 1
    assert len(summary["misses"]) == 1
    assert "calibration refused" in summary["misses"][0]["what"]


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (lambda folder: folder / "nowhere", "no such folder"),
        (lambda folder: folder, "truth.json"),
    ],
)
def test_what_can_not_be_evaluated_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], prepare: Any, said: str
) -> None:
    assert main(["evaluate", str(prepare(tmp_path))]) == 3
    assert said in capsys.readouterr().err


def test_a_missing_picture_is_told(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("truth.json", "zones.json"):
        (tmp_path / name).write_bytes((table / name).read_bytes())
    assert main(["evaluate", str(tmp_path)]) == 3
    assert "empty.jpg" in capsys.readouterr().err


def test_a_refused_table_leaves_no_empty_report_and_one_that_was_there_alone(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, own = tmp_path / "table01", tmp_path / "own"
    folder.mkdir()
    own.mkdir()
    for name in ("truth.json", "zones.json"):
        (folder / name).write_bytes((table / name).read_bytes())
    for report in (tmp_path / "new" / "report", own):
        assert main(["evaluate", str(folder), "--report", str(report)]) == 3
    assert "empty.jpg" in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == [own, folder]


def test_a_report_that_failed_is_told_also_where_a_picture_is_missing(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "table01"
    shutil.copytree(table, folder)
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    truth["pictures"][2]["dice"][0]["zone"] = "reserve"  # a miss, which cannot be kept
    truth["pictures"].append({"file": "absent.jpg", "kind": "throw", "dice": []})
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    monkeypatch.setattr("companion.cli.evaluate.save_miss", no_space)
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert main(["evaluate", str(folder), "--report", str(tmp_path / "report")]) == 3
    told = terminal.getvalue().rsplit("\r", 1)[-1]
    assert told.startswith(f"companion: {folder / 'absent.jpg'}: this picture is missing or can not be read.")
    assert f"{tmp_path / 'report'}: the report can not be written (No space left on device)" in told


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    """A folder with the scan of one cube of three colours."""
    paints = {"red": (180, 20, 30), "green": (20, 140, 60), "white": (220, 220, 215)}
    stickers = [
        {"rgb": [value + step for value in rgb], "colour": name}
        for name, rgb in paints.items()
        for step in range(4)
    ]
    value = {"cubes": [{"stickers": stickers}]}
    (tmp_path / "rubik_rgb_labelled.json").write_text(json.dumps(value), encoding="utf-8")
    return tmp_path


def test_scans_of_cubes_are_evaluated(scans: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(scans), "--json"]) == 0
    told = capsys.readouterr()
    assert told.err == "", "a script is not told how far it is"
    cubes = json.loads(told.out)["cubes"]
    assert cubes["named"] == cubes["draws"] * 9
    assert cubes["right_frac"] == 1.0
    assert cubes["nearest_ciede2000_right_frac"] == 1.0


class Terminal(io.StringIO):
    """Standard error, where a person looks on."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("with_tqdm", "told"), [(True, "1/1"), (False, "1 × cube …")], ids=["bar", "no-bar"])
def test_a_person_sees_how_far_it_is(
    with_tqdm: bool,
    told: str,
    scans: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    if not with_tqdm:
        monkeypatch.setattr("companion.cli.progress.find_spec", lambda _: None)
    assert main(["evaluate", str(scans), "--json"]) == 0
    assert told in terminal.getvalue()
    assert "cube" in terminal.getvalue()
    assert json.loads(capsys.readouterr().out)["cubes"]["cubes"] == 1


def test_benches_are_those_that_are_there() -> None:
    assert "vision" in available_benches()
    for name in available_benches():
        bench = load_bench(name)
        assert bench.NAME
        assert bench.HELP


class Drawn:
    """A bench that measures nothing."""

    NAME = "drawn"
    HELP = "two figures"

    def run(self) -> Sequence[Figure]:
        return [Figure("kept", 1.0, "×", 2.0), Figure("broken", 3.0, "×", 2.0), Figure("free", 9.0, "ms")]


def test_figures_are_told_with_their_limits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.cli.bench.load_bench", lambda _: Drawn())
    assert main(["bench", "vision"]) == 0
    told = capsys.readouterr().out
    assert "within the limit of 2" in told
    assert "OVER the limit of 2" in told
    assert main(["bench", "vision", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert [figure["within"] for figure in figures] == [True, False, True]


def test_an_unknown_bench_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "nothing"]) == 2
    assert "vision" in capsys.readouterr().err
    assert companion.bench.MODULES


def test_a_report_that_can_not_be_written_is_told_before_the_evaluation(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cli.evaluate.evaluate_all", lambda *_: pytest.fail("it was evaluated"))
    text = tmp_path / "text.jpg"
    text.write_text("dear", encoding="utf-8")
    assert main(["evaluate", str(table), "--report", str(text)]) == 3
    assert f"{text}: this is a file; give --report a folder" in capsys.readouterr().err
    assert main(["evaluate", str(table), "--report", str(text / "below")]) == 3
    assert "give --report a folder that you may write to" in capsys.readouterr().err
    assert text.read_text(encoding="utf-8") == "dear"


@pytest.mark.parametrize("failing", ["save_miss", "write_page"])
def test_a_report_that_fails_all_the_same_costs_no_figures(
    table: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    failing: str,
) -> None:
    folder = tmp_path / "wrong"
    shutil.copytree(table, folder)
    (folder / "colours.jpg").write_bytes((table / "empty.jpg").read_bytes())  # all are misses then
    monkeypatch.setattr(f"companion.cli.evaluate.{failing}", no_space)
    assert main(["evaluate", str(folder), "--json", "--report", str(tmp_path / "report")]) == 3
    told = capsys.readouterr()
    assert set(json.loads(told.out)) == KEYS
    assert "the report can not be written (No space left on device)" in told.err

"""Tables written out under a change: pictures, zones and truth fit together, and keep their table's name."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.evaluation.changed_tables import main, write_changed
from companion.evaluation.finder_fit import Examples, Training, fit
from companion.evaluation.perturb import CHANGES, Change
from companion.evaluation.sheets import true_sheets
from companion.evaluation.truth import TrueTable, load_table


def change(name: str) -> Change:
    return next(one for one in CHANGES if one.name == name)


def written(folder: Path, out: Path, name: str) -> TrueTable:
    write_changed(folder, out / f"{folder.name}+{name}", change(name))
    return load_table(out / f"{folder.name}+{name}")


def picture(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.asarray(cv2.imread(str(path)), np.uint8)


def test_at_another_width_everything_moves_together(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "tables" / "table08"
    given, small = load_table(folder), written(folder, tmp_path, "width-640")
    assert small.zones.size_px == (640, 480)
    assert picture(small.empty).shape == (480, 640, 3)
    for before, after in zip(given.pictures, small.pictures, strict=True):
        assert picture(after.path).shape == (480, 640, 3)
        for one, other in zip(before.dice, after.dice, strict=True):
            assert other.centre_px == pytest.approx(np.array(one.centre_px) * 0.625, abs=0.1)
            assert (other.body, other.colour, other.zone) == (one.body, one.colour, one.zone)


def test_noise_came_after_calibration(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "tables" / "table08"
    given, noisy = load_table(folder), written(folder, tmp_path, "noise-6")
    assert np.array_equal(picture(given.empty), picture(noisy.empty))
    assert np.array_equal(picture(given.colours), picture(noisy.colours))
    apart = picture(given.pictures[0].path).astype(int) - picture(noisy.pictures[0].path)
    assert 4 < apart.std() < 8
    assert noisy.zones == given.zones


def test_a_table_and_its_changes_are_one_where_tables_are_left_out(shared_data: Path, tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    (given / "table08").symlink_to(shared_data / "tables" / "table08")
    assert main([str(given), str(tmp_path / "out"), "--changes", "2"]) == 0
    folders = sorted((tmp_path / "out").iterdir())
    assert len(folders) == 2
    assert all(folder.name.startswith("table08+") for folder in folders)
    first = [next(iter(true_sheets([folder]))) for folder in (given / "table08", *folders)]
    assert {true.table for true in first} == {"table08"}
    for folder in folders:
        assert json.loads((folder / "truth.json").read_text())["pictures"]


def test_a_fit_tells_apart_what_can_be_told_apart() -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(0, 1, (600, 4))
    # inside a ring: no straight line tells these apart
    is_die = (np.hypot(rows[:, 0], rows[:, 1]) < 1).astype(float)
    examples = Examples(rows, is_die, np.full(len(rows), "one"))
    odds = fit(examples, Training(steps=800, batch=300)).score(rows)
    assert ((odds > 0) == (is_die > 0)).mean() > 0.93

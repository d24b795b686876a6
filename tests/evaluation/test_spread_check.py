"""The check of naming's spreads: each value by itself, and no table judged by what it chose."""

from dataclasses import fields
from pathlib import Path

import pytest

from companion.evaluation.spread_check import Score, faces_of, left_out, main, others, score
from companion.evaluation.truth import load_table
from companion.vision.face_light import LightSpread


def test_each_change_is_of_one_value() -> None:
    usual, changed = LightSpread(), others()
    assert changed.pop("as it is") == usual
    assert len(changed) == 2 * len(fields(LightSpread))
    for name, spread in changed.items():
        differing = [f.name for f in fields(LightSpread) if getattr(spread, f.name) != getattr(usual, f.name)]
        assert differing == [name.split()[0]]


def test_a_table_is_judged_by_what_suits_the_others() -> None:
    as_it_is = [Score(10, 9, 0, 1, surprise) for surprise in (1.0, 1.0, 1.0)]
    # better by far on the first table, and worse on the others: only those are named by it, if any
    tempting = [Score(10, 10, 0, 0, 0.0), Score(10, 2, 5, 0, 1.6), Score(10, 2, 5, 0, 1.6)]
    assert left_out({"as it is": as_it_is, "tempting": tempting}) == Score(30, 9 + 2 + 2, 5 + 5, 1, 4.2)


def test_a_spread_far_from_the_truth_is_seen(shared_data: Path) -> None:
    pictures = list(faces_of(load_table(shared_data / "tables" / "table13")))
    usual = score(pictures, LightSpread())
    assert usual.dice >= 30
    assert usual.right == usual.dice
    assert usual.wrong_sure == 0
    blurred = score(pictures, LightSpread(together=2.0, channel=1.0, tint=2.0, floor=0.5))
    assert blurred.surprise > usual.surprise + 1.0
    assert blurred.unsure > usual.unsure + 5


def test_the_command_prints_a_line_for_each_change_and_the_tables_left_out(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table00").symlink_to(shared_data / "tables" / "table00")
    assert main([str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(others()) + 1
    assert lines[-1].startswith("each table left out")

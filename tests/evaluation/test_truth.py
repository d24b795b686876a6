"""Folders with truth: what is read from them, and what is said where they are broken."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.evaluation.truth import TruthError, find_tables, is_deck, load_table

ZONES = {
    "size": [400, 320],
    "track": [[50, 40], [350, 40], [350, 240], [50, 240]],
    "track_mm": [150, 100],
    "die_mm": 16,
}
DIE = {
    "body": "white",
    "colour": "red",
    "zone": "track",
    "centre": [100, 100],
    "top": [[90, 90], [110, 90], [110, 110], [90, 110]],
    "cocked": False,
    "cut": True,
}


def table_at(folder: Path, **changes: Any) -> Path:
    folder.mkdir(parents=True)
    truth: dict[str, Any] = {
        "light": "lamp",
        "pictures": [
            {"file": "empty.jpg", "kind": "empty", "dice": []},
            {"file": "throw1.jpg", "kind": "throw", "dice": [DIE]},
        ],
    }
    truth.update(changes)
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    (folder / "zones.json").write_text(json.dumps(ZONES), encoding="utf-8")
    return folder


def test_a_table_is_read(tmp_path: Path) -> None:
    table = load_table(table_at(tmp_path / "table00"))
    assert (table.name, table.light) == ("table00", "lamp")
    assert [picture.path.name for picture in table.pictures] == ["throw1.jpg"]
    die = table.pictures[0].dice[0]
    assert (die.body, die.centre_px, die.cut, die.leaning) == ("white", (100.0, 100.0), True, False)
    assert table.colours.name == "colours.jpg"
    assert table.throws == ()


def test_zones_may_stand_in_the_truth(tmp_path: Path) -> None:
    folder = table_at(tmp_path / "t", **ZONES)
    (folder / "zones.json").unlink()
    assert load_table(folder).zones.track_mm == (150.0, 100.0)


def test_a_record_gives_the_throws(tmp_path: Path) -> None:
    folder = table_at(tmp_path / "g")
    dice = [{"body": "white", "colour": "red", "kept": index == 0} for index in range(4)]
    dice += [{"body": "black", "colour": "blue", "kept": False}] * 2
    lines = [
        {"type": "start", "players": ["Ana", "Ben"], "first": 0},
        {"type": "throw", "dice": dice},
    ]
    (folder / "record.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    throws = load_table(folder).throws
    assert len(throws) == 1
    assert throws[0][0] == ("white", "red", True)


def test_tables_are_found_in_folders_of_folders(tmp_path: Path) -> None:
    names = ["tables/table01", "tables/table00", "games/game1"]
    for name in names:
        table_at(tmp_path / name)
    assert find_tables(tmp_path) == tuple(tmp_path / name for name in sorted(names))
    assert find_tables(tmp_path / "tables" / "table00") == (tmp_path / "tables" / "table00",)


def test_a_deck_is_told_from_a_table(tmp_path: Path) -> None:
    assert is_deck(table_at(tmp_path / "deck", deck=[]))
    assert not is_deck(table_at(tmp_path / "table"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no JSON"),
        ("[]", "expected a JSON object"),
        ('{"light": "lamp"}', "missing or ill-formed"),
        ('{"pictures": []}', "names no pictures"),
        ('{"pictures": [{"file": "a.jpg", "kind": "throw", "dice": [{}]}]}', "missing or ill-formed"),
    ],
)
def test_a_broken_truth_is_told(tmp_path: Path, text: str, said: str) -> None:
    folder = table_at(tmp_path / "t")
    (folder / "truth.json").write_text(text, encoding="utf-8")
    with pytest.raises(TruthError, match=said):
        load_table(folder)


def test_broken_zones_are_told_with_their_file(tmp_path: Path) -> None:
    folder = table_at(tmp_path / "t")
    (folder / "zones.json").write_text("{}", encoding="utf-8")
    with pytest.raises(TruthError, match=r"zones\.json"):
        load_table(folder)


def test_no_folder_and_no_truth_are_told(tmp_path: Path) -> None:
    with pytest.raises(TruthError, match="no such folder"):
        find_tables(tmp_path / "nowhere")
    with pytest.raises(TruthError, match=r"truth\.json"):
        find_tables(tmp_path)

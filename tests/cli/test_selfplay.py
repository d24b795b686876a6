"""`companion selfplay`: summary, plots, records, and what it says when it can not."""

import json
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.game.replay import replay
from companion.game.state import Stage
from companion.selfplay.game import LawBroken


def test_summary_plots_and_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plots, records = tmp_path / "deep" / "plots", tmp_path / "records"
    words = ["selfplay", "2", "--players", "2", "--jobs", "1", "--json"]
    assert main([*words, "--plots", str(plots), "--records", str(records)]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["games"] == 2
    assert sorted(path.name for path in plots.iterdir()) == [
        "first_player.png",
        "lengths.png",
        "rules.png",
        "scores.png",
    ]
    for path in plots.iterdir():
        assert path.read_bytes().startswith(b"\x89PNG")
        assert str(path) in printed.err
    names = sorted(path.name for path in records.iterdir())
    assert names == ["game-000001.jsonl", "game-000002.jsonl"]
    for name in names:
        *_, last = replay((records / name).read_bytes().splitlines())
        assert last.state.stage is Stage.OVER


def test_in_words_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selfplay", "1", "--robots", "greedy, planning", "--players", "2", "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1 game with ")
    assert "no move was refused" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "N"),
        (["0"], "from 1 up"),
        (["many"], "from 1 up"),
        (["1", "--players", "7"], "invalid choice"),
        (["1", "--robots", "greedy,clever"], "no robot 'clever'"),
        (["1", "--robots", ""], "no robot ''"),
        (["1", "--jobs", "0"], "from 1 up"),
        (["1", "--seed", "x"], "--seed"),
    ],
)
def test_a_wrong_command_line_is_refused(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["selfplay", *words]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--plots", "--records"])
def test_a_folder_that_can_not_be_made(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    assert main(["selfplay", "1", option, str(file)]) == 3
    assert f"{file} can not be made" in capsys.readouterr().err


def test_a_missing_library_is_told_before_playing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("companion.cli.selfplay.find_spec", lambda _: None)
    monkeypatch.setattr("companion.cli.selfplay.play_series", None)
    assert main(["selfplay", "1", "--plots", "p"]) == 3
    err = capsys.readouterr().err
    assert "'matplotlib'" in err
    assert "[lab]" in err


def test_without_the_bar_robots_play_as_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.cli.progress.find_spec", lambda _: None)
    assert main(["selfplay", "1", "--robots", "greedy"]) == 0
    assert "1 game" in capsys.readouterr().out


def test_a_broken_law_is_told_with_the_way_to_see_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def break_it(*_: object) -> None:
        raise LawBroken("a card vanished")

    monkeypatch.setattr("companion.selfplay.series.play_game", break_it)
    assert main(["selfplay", "3", "--jobs", "1", "--seed", "5"]) == 3
    err = capsys.readouterr().err
    assert "game 1 broke a law of the game: a card vanished" in err
    assert "`companion selfplay 1` with --seed 5" in err

"""`companion replay`: what it prints, where it stops, its exit statuses; with the real process, too."""

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.game.events import Event
from companion.game.record import print_line
from tests.game.table_talk import PASS, card, end_early, opening, reveal, steal, take, throw

Replay = Callable[..., tuple[int, list[str], str]]

OPEN = opening("3", "4", "6")
TURN = [*OPEN, throw("rrro yb"), take(0)]


def lines_of(events: list[Event]) -> str:
    return "".join(print_line(event) + "\n" for event in events)


@pytest.fixture
def replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Replay:
    """Return a function that replays a record: its text or events in, status, output lines and errors out."""

    def run(record: str | bytes | list[Event], *options: str) -> tuple[int, list[str], str]:
        if isinstance(record, list):
            record = lines_of(record)
        file = tmp_path / "record.jsonl"
        file.write_bytes(record.encode() if isinstance(record, str) else record)
        status = main(["replay", str(file), *options])
        printed = capsys.readouterr()
        return status, printed.out.splitlines(), printed.err

    return run


def test_one_object_a_line(replay: Replay) -> None:
    status, out, err = replay(TURN, "--json")
    assert (status, err) == (0, "")
    assert len(out) == len(TURN)
    assert out[4] == (
        '{"over":false,"to_play":0,"cards":[0,0],"points":[0,0],"winners":null,"lights":["yes",null,null]}'
    )
    assert json.loads(out[5]) == {
        "over": False,
        "to_play": 1,
        "cards": [1, 0],
        "points": [1, 0],
        "winners": None,
        "lights": [None, None, None],
    }


def test_a_refused_event_stops_with_status_2(replay: Replay) -> None:
    status, out, err = replay([*TURN, take(1), reveal(0, "3")], "--json")
    assert status == 2
    assert len(out) == len(TURN)
    assert err.startswith("line 7: wrong_stage: ")
    assert err.count("\n") == 1


def test_a_bad_line_stops_with_status_3(replay: Replay) -> None:
    status, out, err = replay(lines_of(TURN) + '{"type":"reveal","holder":3,"card":null}\n', "--json")
    assert status == 3
    assert len(out) == len(TURN)
    assert err.startswith('line 7: bad_line: "holder" ')
    assert err.count("\n") == 1


def test_a_truncated_record_says_where(replay: Replay) -> None:
    whole = lines_of(TURN)
    status, out, err = replay(whole[:-20], "--json")
    assert status == 3
    assert len(out) == len(TURN) - 1
    assert err.startswith("line 6: bad_line: not valid JSON")


def test_bytes_that_are_no_text(replay: Replay) -> None:
    status, out, err = replay(lines_of(OPEN).encode() + b"\xff\xfe\n", "--json")
    assert (status, len(out)) == (3, 4)
    assert err.startswith("line 5: bad_line: not UTF-8")


def test_windows_line_ends_and_mark_are_no_fault(replay: Replay) -> None:
    record = b"\xef\xbb\xbf" + lines_of(TURN).encode().replace(b"\n", b"\r\n")
    assert replay(record, "--json")[0] == 0


def test_an_empty_record(replay: Replay) -> None:
    assert replay("", "--json") == (0, [], "")
    for record in ("", "\n\n"):
        status, (sentence,), err = replay(record)
        assert (status, err) == (0, "")
        assert re.fullmatch(
            r"The record .*record\.jsonl is empty: there is nothing to replay. .*\.", sentence
        )


def test_a_record_that_stops_before_its_game_is_not_called_empty(replay: Replay) -> None:
    status, out, err = replay("no event\n")
    assert (status, out) == (3, ["No game has started in this record."])
    assert err.startswith("line 1: bad_line: ")


def test_what_a_name_holds_does_not_break_the_line(replay: Replay) -> None:
    record = '{"type":"start","players":["A\\nB\\u2028C","D"],"first":0,"piles":[3,3,3]}\n'
    theft: list[Event] = [
        reveal(0, "1"),
        reveal(1, "1", 1, "theft"),
        reveal(2, "1"),
        throw("royg bp"),
        take(0),
    ]
    theft += [reveal(0, "1"), throw("royg bp"), take(1), steal(0, card("5"))]
    status, out, err = replay(record + lines_of(theft))
    assert status == 2
    assert err == "line 10: no_such_card: A B C has no such card\n"
    assert out[-2].startswith("A B C ")


@pytest.mark.parametrize(
    ("events", "headline"),
    [
        (OPEN, "Ana is to play: first throw of the turn."),
        ([*OPEN, throw("royg bp")], "Ana is to play, after throw 1 of 3."),
        ([*OPEN, *[throw("royg bp")] * 3], "Ben is to play: first throw of the turn; some dice may be kept."),
        (
            [
                *opening(card("3"), card("3", 2, "super_exchange"), "3"),
                throw("rrro yb"),
                take(0),
                reveal(0, "3"),
                throw("rrro yb"),
                take(1),
            ],
            "Ben is to play: the super exchange comes first.",
        ),
        (
            [
                *opening("3", "3", "3", piles=(1, 1, 1)),
                throw("rrro yb"),
                take(0),
                throw("rrro yb"),
                take(1),
                throw("rrro yb"),
                take(2),
            ],
            "The game is over (all cards are won): Ana wins with 2 points.",
        ),
        (
            opening(piles=(0, 0, 0)),
            "The game is over (all cards are won): Ana and Ben share the win with 0 points.",
        ),
    ],
)
def test_people_are_told_the_standings(replay: Replay, events: list[Event], headline: str) -> None:
    status, out, err = replay(events)
    assert (status, err) == (0, "")
    assert out[0] == headline
    assert out[2].split() == ["player", "cards", "points"]
    assert [row.split()[0] for row in out[3:]] == ["Ana", "Ben"]


def test_people_are_told_what_came_before_a_stop(replay: Replay) -> None:
    status, out, err = replay([*TURN, PASS, end_early(0)])
    assert status == 2
    assert out[0] == "Ben is to play: first throw of the turn."
    assert out[3].split() == ["Ana", "1", "1"]
    assert err.startswith("line 7: wrong_stage: ")


def test_a_record_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (tmp_path / "none.jsonl", tmp_path):
        assert main(["replay", str(name)]) == 3
        printed = capsys.readouterr()
        assert printed.out == ""
        assert str(name) in printed.err
        assert printed.err.count("\n") == 1


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines_of(TURN).encode())))
    assert main(["replay", "-", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(TURN)


def test_the_real_process() -> None:
    """Ten thousand lines through standard input, then one that is refused."""
    events = [*OPEN, *[throw("royg bp")] * 9_996, take(0)]
    done = subprocess.run(
        [sys.executable, "-m", "companion", "replay", "-", "--json"],
        input=lines_of(events).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout.count(b"\n") == 10_000
    assert done.stderr.startswith(b"line 10001: ")
    assert done.stderr.count(b"\n") == 1

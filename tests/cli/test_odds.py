"""`companion odds`: what it answers and how it refuses; the solver itself is tested with the coach."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from companion.cli.main import main

Ask = Callable[..., tuple[int, str, str]]
Json = dict[str, Any]

FOUR: Json = {"groups": [[4, None]], "points": 2, "action": None}
FIVE_RED: Json = {"groups": [[5, "red"]], "points": 3, "action": "replay"}


def dice(whites: str, blacks: str, kept: str = "......") -> list[Json]:
    names = {name[0]: name for name in ("red", "orange", "yellow", "green", "blue", "purple")}
    return [
        {"body": "white" if i < 4 else "black", "colour": names[letter], "kept": kept[i] == "k"}
        for i, letter in enumerate(whites + blacks)
    ]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Return a function that asks for the odds of an object or text: status, output, errors."""

    def run(position: object, *options: str) -> tuple[int, str, str]:
        text = position if isinstance(position, bytes) else json.dumps(position).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        status = main(["odds", *options])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def test_the_answer_has_the_documented_keys(ask: Ask) -> None:
    position = {"cards": [FOUR, None, FIVE_RED], "lost": [], "dice": dice("rrry", "gg"), "throw": 3}
    status, out, err = ask(position, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {
        "chance": [1.0, 0.0, 0.0],
        "any": 1.0,
        "points": 2.0,
        "keep": None,
        "change": {"die": 3, "colour": "red"},
        "take": 0,
    }


def test_before_the_first_throw(ask: Ask) -> None:
    status, out, _ = ask({"cards": [FOUR, None, None], "lost": [], "dice": None, "throw": 0}, "--json")
    answer = json.loads(out)
    assert status == 0
    assert answer["chance"] == [pytest.approx(0.5990, abs=5e-5), 0.0, 0.0]
    assert answer["points"] == pytest.approx(2 * answer["any"])
    assert (answer["keep"], answer["take"], answer["change"]) == ([], None, None)


@pytest.mark.parametrize("cards", [[None, None, None], [FOUR, FOUR, None]])
def test_with_nothing_to_win(ask: Ask, cards: list[Json | None]) -> None:
    """No cards, or all of them lost: nothing can be won, whatever lies there."""
    for more in ({"dice": None, "throw": 0}, {"dice": dice("rrrr", "rr"), "throw": 3}):
        status, out, _ = ask({"cards": cards, "lost": [0, 1, 2], **more}, "--json")
        answer = json.loads(out)
        assert status == 0
        assert answer["chance"] == [0.0, 0.0, 0.0]
        assert (answer["any"], answer["points"], answer["take"], answer["change"]) == (0.0, 0.0, None, None)
        assert answer["keep"] == ([] if more["throw"] == 0 else None)


def test_a_card_without_points_is_still_a_card(ask: Ask) -> None:
    worthless = {**FOUR, "points": 0}
    _, out, _ = ask({"cards": [worthless, None, None], "dice": dice("rrrr", "gb"), "throw": 2}, "--json")
    answer = json.loads(out)
    assert (answer["chance"][0], answer["points"], answer["take"]) == (1.0, 0.0, 0)


def test_the_same_card_in_two_holders_has_the_same_odds(ask: Ask) -> None:
    for more in ({"dice": None, "throw": 0}, {"dice": dice("rryg", "bp"), "throw": 1}):
        alone = json.loads(ask({"cards": [FOUR, None, None], **more}, "--json")[1])
        twice = json.loads(ask({"cards": [FOUR, None, FOUR], **more}, "--json")[1])
        assert twice["chance"] == [pytest.approx(alone["any"]), 0.0, pytest.approx(alone["any"])]
        assert twice["any"] == pytest.approx(alone["any"])
        assert twice["points"] == pytest.approx(alone["points"])


def test_inherited_dice_give_no_card_and_no_change_before_a_throw(ask: Ask) -> None:
    lying = dice("rrrr", "rr")
    status, out, _ = ask(
        {"cards": [FIVE_RED, None, None], "lost": [], "dice": lying, "throw": 0, "inherited": True}, "--json"
    )
    answer = json.loads(out)
    assert status == 0
    assert (answer["take"], answer["change"]) == (None, None)
    assert len(answer["keep"]) == 5
    assert answer["chance"][0] == pytest.approx(1.0)


def test_other_colours(ask: Ask) -> None:
    names = ["sun", "moon", "star", "leaf", "drop", "crown"]
    card = {"groups": [[4, "drop"]], "points": 2, "action": None}
    status, out, _ = ask({"cards": [card, None, None], "dice": None, "throw": 0, "colours": names}, "--json")
    assert status == 0
    assert json.loads(out)["chance"][0] == pytest.approx(0.2832, abs=5e-5)
    status, _, err = ask({"cards": [FIVE_RED, None, None], "colours": names})
    assert status == 3
    assert "unknown colour" in err


def test_in_words(ask: Ask) -> None:
    _, out, _ = ask({"cards": [FOUR, None, FIVE_RED], "lost": [2], "dice": dice("rrry", "gg"), "throw": 2})
    assert "holder 0: 100.00%  4 alike (2 points)" in out
    assert "holder 1: no card" in out
    assert "lost this turn" in out
    assert "turn the white yellow die to red, then take the card of holder 0" in out
    _, out, _ = ask({"cards": [FOUR, None, None], "dice": dice("rryb", "gp"), "throw": 2})
    assert "keep white red, white red and throw the rest" in out
    _, out, _ = ask({"cards": [FOUR, None, None], "dice": dice("rryb", "gp"), "throw": 3})
    assert "the turn is over" in out


START: Json = {"cards": [None, None, None], "lost": [], "dice": None, "throw": 0}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"dice": dice("rrrr", "rr")}, "dice lie there after a throw"),
        ({"throw": 2}, "dice lie there after a throw"),
        ({"inherited": True}, "inherited"),
        ({"inherited": True, "throw": 1, "dice": dice("rrrr", "rr")}, "inherited"),
        ({"throw": 1, "dice": dice("rrrr", "rr")[:5]}, "four white and two black"),
        ({"throw": 1, "dice": [*dice("rrrr", "r"), dice("rrrr", "r")[0]]}, "four white and two black"),
    ],
)
def test_what_no_turn_comes_to_is_refused(ask: Ask, changes: Json, says: str) -> None:
    status, out, err = ask({**START, **changes}, "--json")
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"cards": None}, '"cards"'),
        ({"cards": [None, None]}, '"cards"'),
        ({"cards": [None, None, 3]}, "a card must be a JSON object"),
        ({"cards": [None, None, {**FOUR, "more": 1}]}, "exactly the keys"),
        ({"cards": [None, None, {**FOUR, "points": -1}]}, '"points"'),
        ({"cards": [None, None, {**FOUR, "points": 10**400}]}, '"points"'),
        ({"throw": 4}, '"throw"'),
        ({"throw": "1"}, '"throw"'),
        ({"throw": True}, '"throw"'),
        ({"lost": [3]}, '"lost"'),
        ({"lost": [True]}, '"lost"'),
        ({"lost": 0}, '"lost"'),
        ({"dice": "rrrr"}, '"dice"'),
        ({"dice": [1, 2, 3, 4, 5, 6]}, "a die must be a JSON object"),
        ({"throw": 1, "dice": [{"body": "white", "colour": "pink", "kept": False}] * 6}, "unknown colour"),
        ({"inherited": 1}, '"inherited"'),
        ({"colours": ["a", "b", "c", "d", "e", "f", "f"]}, '"colours"'),
        ({"colours": [1, 2, 3, 4, 5, 6]}, '"colours"'),
    ],
)
def test_what_is_no_position_is_a_fault(ask: Ask, changes: Json, says: str) -> None:
    status, out, err = ask({**START, **changes}, "--json")
    assert (status, out) == (3, "")
    assert says in err
    assert "companion odds --help" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b"9" * 5000])
def test_what_is_no_object_is_a_fault(ask: Ask, text: bytes) -> None:
    status, out, err = ask(text, "--json")
    assert (status, out) == (3, "")
    assert err.startswith("companion: ")
    assert err.count("\n") == 1


def test_a_byte_order_mark_is_passed_over(ask: Ask) -> None:
    assert ask(b"\xef\xbb\xbf" + json.dumps(START).encode())[0] == 0


def test_as_a_process() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "odds", "--json"],
        input=json.dumps(START).encode(),
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)["points"] == 0.0

"""Record lines: what is read as an event, what is no line of a record, and that printing gives it back."""

import json
from random import Random
from typing import Any

import pytest

from companion.bench.random_game import random_course
from companion.game.events import Start, Take
from companion.game.record import (
    BadLine,
    Terms,
    card_from_json,
    card_to_json,
    event_from_json,
    event_to_json,
    parse_line,
    print_line,
    read_events,
)
from tests.game.wild import random_start

Json = dict[str, Any]

CARD: Json = {"groups": [[3, None], [2, "red"]], "points": 2, "action": None}
DIE: Json = {"body": "white", "colour": "red", "kept": False}
GOOD: dict[str, Json] = {
    "start": {"type": "start", "players": ["Ana", "Ben"], "first": 0},
    "reveal": {"type": "reveal", "holder": 1, "card": CARD},
    "throw": {"type": "throw", "dice": [DIE] * 6},
    "take": {"type": "take", "holder": 1, "change": {"die": 4, "colour": "blue"}},
    "steal": {"type": "steal", "victim": 1, "card": CARD},
    "exchange": {"type": "exchange", "other": 1, "received": CARD, "given": CARD},
    "pass": {"type": "pass"},
    "end_early": {"type": "end_early", "player": 0},
}
TERMS = Terms(seats=2)

MISSING = object()
"""Stands for a field that is left out."""

EMPTY: list[object] = []
NOTHING: Json = {}

NO_WHOLE_NUMBER: tuple[object, ...] = (None, "1", 1.0, True, EMPTY, {}, -1)

BAD_FIELDS: list[tuple[str, str, tuple[object, ...]]] = [
    ("start", "players", (None, "Ana", ["Ana"], ["A"] * 7, ["Ana", 2], ["Ana", None], {}, ["Ana", "\ud800"])),
    ("start", "first", (*NO_WHOLE_NUMBER, 2)),
    (
        "start",
        "piles",
        (None, 15, [15, 15], [15] * 4, [15, 15, -1], [15, 15, 1.5], [1, 1, True], [1, 1, 10**10]),
    ),
    (
        "start",
        "colours",
        (None, "red", list("abcde"), list("abcdefg"), list("abcdea"), [*"abcde", ""], [*"abcde", 6]),
    ),
    ("reveal", "holder", (*NO_WHOLE_NUMBER, 3)),
    ("throw", "dice", (None, 6, {}, "six", [DIE, 1], [DIE, None])),
    ("take", "holder", (*NO_WHOLE_NUMBER, 3)),
    ("take", "change", (0, [], "none", {}, True)),
    ("steal", "victim", (*NO_WHOLE_NUMBER, 2)),
    ("exchange", "other", (*NO_WHOLE_NUMBER, 2)),
    ("end_early", "player", (*NO_WHOLE_NUMBER, 2)),
]

MAY_BE_LEFT_OUT = {("start", "piles"), ("start", "colours")}

BAD_CARDS: list[object] = [
    *(None, 3, EMPTY, "card", {}),
    *({key: value for key, value in CARD.items() if key != left_out} for left_out in CARD),
    {**CARD, "name": "my card"},
    *(
        {**CARD, "groups": groups}
        for groups in (None, 3, NOTHING, EMPTY, [3], [[3]], [[3, None, 1]], [["3", None]])
    ),
    *(
        {**CARD, "groups": groups}
        for groups in ([[3, 5]], [[3, "pink"]], [[3, ""]], [[3.0, None]], [[True, None]])
    ),
    *(
        {**CARD, "groups": groups}
        for groups in ([[0, None]], [[-1, None]], [[7, None]], [[4, None], [3, None]])
    ),
    *({**CARD, "points": points} for points in (None, "2", 2.0, True, -1, 10**10, EMPTY)),
    *({**CARD, "action": action} for action in (0, "", "steal", "Replay", EMPTY, False)),
]

BAD_DICE: list[object] = [
    *({key: value for key, value in DIE.items() if key != left_out} for left_out in DIE),
    *({**DIE, "body": body} for body in (None, "grey", "White", 1, EMPTY)),
    *({**DIE, "colour": colour} for colour in (None, "pink", "Red", 1, EMPTY, "")),
    *({**DIE, "kept": kept} for kept in (None, 0, 1, "false", EMPTY)),
]

BAD_CHANGES: list[object] = [
    *({"die": die, "colour": "red"} for die in (*NO_WHOLE_NUMBER, 6)),
    *({"die": 0, "colour": colour} for colour in (None, "pink", 0, EMPTY)),
    {"die": 0},
    {"colour": "red"},
]


def with_field(kind: str, field: str, value: object) -> Json:
    line = {**GOOD[kind], field: value}
    if value is MISSING:
        del line[field]
    return line


def all_bad() -> list[Json]:
    """Return every line of the tables above, and every field left out."""
    lines: list[Json] = []
    for kind, field, values in BAD_FIELDS:
        lines += [with_field(kind, field, value) for value in values]
    for kind, line in GOOD.items():
        lines += [with_field(kind, field, MISSING) for field in line if (kind, field) not in MAY_BE_LEFT_OUT]
    for kind, field in (
        ("reveal", "card"),
        ("steal", "card"),
        ("exchange", "received"),
        ("exchange", "given"),
    ):
        lines += [with_field(kind, field, bad) for bad in BAD_CARDS]
    lines += [with_field("throw", "dice", [DIE, bad]) for bad in BAD_DICE]
    lines += [with_field("take", "change", bad) for bad in BAD_CHANGES]
    lines += [{"type": kind} for kind in (None, 1, "", "Start", "undo", EMPTY, NOTHING, True)]
    return lines


@pytest.mark.parametrize("line", all_bad(), ids=json.dumps)
def test_a_bad_field_is_a_bad_line(line: Json) -> None:
    with pytest.raises(BadLine) as bad:
        event_from_json(line, TERMS)
    assert bad.value.sentence
    assert "\n" not in bad.value.sentence


@pytest.mark.parametrize(
    "text",
    [
        *("{", "", "[]", "3", '"start"', "null", "true", "start", "{'type': 'pass'}", '{"type": "pass"} x'),
        '{"type": "pass", "note": NaN}',
        '{"type": "pass", "note": -Infinity}',
        '{"type": "end_early", "player": 1e400}',
        '{"type": "end_early", "player": ' + "9" * 5000 + "}",
        '{"type": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"type": ' + "[" * 300 + "]" * 300 + "}",
        '{"type": "' + "x" * 100_000 + '"}',
        '{"type": "reveal", "holder": 0, "card": ' + '{"groups":' * 2000 + "1" + "}" * 2001,
    ],
    ids=lambda text: text[:30],
)
def test_bad_text_is_a_bad_line(text: str) -> None:
    with pytest.raises(BadLine) as bad:
        parse_line(text, TERMS)
    assert len(bad.value.sentence) < 200


@pytest.mark.parametrize("line", GOOD.values(), ids=GOOD)
def test_a_good_line_is_read_and_given_back(line: Json) -> None:
    assert event_to_json(event_from_json(line, TERMS)) == line


@pytest.mark.parametrize(
    "extra",
    [{"piles": [1, 0, 45]}, {"colours": ["a", "b", "c", "d", "e", "f"]}, {"players": ["", "Ana"]}],
    ids=json.dumps,
)
def test_a_start_is_given_back_with_what_is_unusual(extra: Json) -> None:
    line = {**GOOD["start"], **extra}
    assert event_to_json(event_from_json(line, Terms())) == line


def test_further_fields_of_an_event_are_no_fault() -> None:
    """A record may carry notes of other programs; only a card has exactly its keys."""
    assert event_from_json({**GOOD["take"], "change": None, "at": "20:15"}, TERMS) == Take(1)


def test_a_card_is_given_back_as_it_came() -> None:
    line = {"points": 2, "groups": [[2, "red"], [3, None]], "action": "super_exchange"}
    assert card_to_json(card_from_json(line, Terms().colours)) == line


@pytest.mark.parametrize("seed", range(20))
def test_print_then_parse_is_the_same_course(seed: int) -> None:
    rng = Random(seed)
    start = random_start(rng)
    if seed % 2:
        start = Start(start.players, start.first, (2, 0, 3), ("à", "ß", "c d", '"', "\\", "\n"))
    events = list(random_course(rng, start))
    lines = [print_line(event) for event in events]
    assert not any("\n" in line for line in lines)
    assert [event for _, event in read_events(lines)] == events
    assert [print_line(event) for _, event in read_events(lines)] == lines
    as_bytes = [line.encode() + b"\r\n" for line in lines]
    assert [event for _, event in read_events(as_bytes)] == events


def test_the_start_says_which_seats_and_colours_there_are() -> None:
    lines = [
        '{"type": "start", "players": ["A", "B", "C"], "first": 2,'
        ' "colours": ["a", "b", "c", "d", "e", "f"]}',
        '{"type": "end_early", "player": 2}',
        '{"type": "take", "holder": 0, "change": {"die": 0, "colour": "f"}}',
        '{"type": "take", "holder": 0, "change": {"die": 0, "colour": "red"}}',
    ]
    with pytest.raises(BadLine) as bad:
        list(read_events(lines))
    assert bad.value.line == 4
    assert "red" in bad.value.sentence
    assert [number for number, _ in read_events(lines[:3])] == [1, 2, 3]


def test_empty_lines_are_passed_over_but_counted() -> None:
    lines = ["", print_line(event_from_json(GOOD["start"], TERMS)), "  \n", '{"type": "pass"}', "\n"]
    assert [number for number, _ in read_events(lines)] == [2, 4]


def test_a_byte_order_mark_is_no_fault_at_the_start_only() -> None:
    first = b"\xef\xbb\xbf" + json.dumps(GOOD["start"]).encode()
    assert len(list(read_events([first]))) == 1
    with pytest.raises(BadLine) as bad:
        list(read_events([first, first]))
    assert bad.value.line == 2


def test_bytes_that_are_no_utf8_are_a_bad_line() -> None:
    latin = json.dumps({**GOOD["start"], "players": ["André", "Ben"]}, ensure_ascii=False).encode("latin-1")
    with pytest.raises(BadLine) as bad:
        list(read_events([latin]))
    assert bad.value.line == 1
    assert "UTF-8" in bad.value.sentence


def test_of_a_key_given_twice_the_last_counts() -> None:
    assert parse_line('{"type": "take", "holder": 0, "holder": 2, "change": null}', TERMS) == Take(2)

"""Intents from a phone's JSON: all kinds, and a sentence for whatever is none."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game.cards import Card, Group
from companion.game.dice import Body, Change, Die
from companion.game.record import Terms
from companion.table import intents
from companion.table.intents import IntentError, parse_intent

TERMS = Terms(seats=3)
CARD = {"groups": [[3, None]], "points": 1, "action": None}
THREE = Card((Group(3),), 1)
SIX_DICE = [{"body": "white", "colour": "red", "kept": False}] * 6
DICE = (Die(Body.WHITE, "red"),) * 6


@pytest.mark.parametrize(
    ("data", "intent"),
    [
        (
            {"type": "start_game", "players": [" Ana ", "Ben"], "first": 1, "hidden": True},
            intents.StartGame(("Ana", "Ben"), 1, True),
        ),
        ({"type": "start_game", "players": ["Ana", "Ben"], "first": None}, intents.StartGame(("Ana", "Ben"))),
        ({"type": "press"}, intents.Press()),
        ({"type": "hold"}, intents.Hold()),
        ({"type": "long_hold"}, intents.LongHold()),
        ({"type": "name_card", "holder": 2, "card": CARD}, intents.NameCard(2, THREE)),
        ({"type": "take", "holder": 0, "change": None}, intents.Take(0)),
        ({"type": "take", "holder": 0}, intents.Take(0)),
        (
            {"type": "take", "holder": 0, "change": {"die": 5, "colour": "blue"}},
            intents.Take(0, Change(5, "blue")),
        ),
        ({"type": "pass"}, intents.Pass()),
        ({"type": "draw", "other": 2}, intents.Draw(2)),
        ({"type": "steal", "victim": 1, "card": CARD}, intents.Steal(1, THREE)),
        (
            {"type": "exchange", "other": 1, "received": CARD, "given": CARD},
            intents.Exchange(1, THREE, THREE),
        ),
        ({"type": "end_early", "player": 0}, intents.EndEarly(0)),
        ({"type": "undo"}, intents.Undo()),
        ({"type": "redo"}, intents.Redo()),
        ({"type": "enter_throw", "dice": SIX_DICE}, intents.EnterThrow(DICE)),
        ({"type": "correct_throw", "dice": SIX_DICE}, intents.CorrectThrow(DICE)),
        ({"type": "correct_event", "index": 4, "dice": SIX_DICE}, intents.CorrectEvent(4, DICE)),
        ({"type": "dismiss_reading"}, intents.DismissReading()),
        ({"type": "abandon_game"}, intents.AbandonGame()),
    ],
)
def test_each_kind_is_parsed(data: dict[str, Any], intent: intents.Intent) -> None:
    assert parse_intent(data, TERMS) == intent


START = {"type": "start_game", "players": ["Ana", "Ben"], "first": 0, "hidden": False}


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "press",
        {},
        {"type": "dance"},
        {"type": ["press"]},
        {**START, "players": "Ana"},
        {**START, "players": ["Ana"]},
        {**START, "players": ["a", "b", "c", "d", "e", "f", "g"]},
        {**START, "players": ["Ana", 4]},
        {**START, "players": ["Ana", " "]},
        {**START, "players": ["Ana", "\u0000\u200b"]},
        {**START, "players": ["Ana", "aNA"]},
        {**START, "players": ["Ana", "B" * 41]},
        {**START, "first": 2},
        {**START, "first": True},
        {**START, "hidden": 1},
        {"type": "name_card", "holder": 3, "card": CARD},
        {"type": "name_card", "holder": 0},
        {"type": "name_card", "holder": 0, "card": {**CARD, "colour": 1}},
        {"type": "name_card", "holder": 0, "card": {**CARD, "groups": [[7, None]]}},
        {"type": "name_card", "holder": 0, "card": {**CARD, "groups": [[3, "pink"]]}},
        {"type": "take", "holder": -1},
        {"type": "take", "holder": 0, "change": {"die": 6, "colour": "red"}},
        {"type": "take", "holder": 0, "change": {"die": 0, "colour": ["red"]}},
        {"type": "draw", "other": 3},
        {"type": "steal", "victim": 0.5, "card": CARD},
        {"type": "enter_throw", "dice": SIX_DICE[:5]},
        {"type": "enter_throw", "dice": "six"},
        {"type": "enter_throw", "dice": [*SIX_DICE[:5], {"body": "grey", "colour": "red", "kept": False}]},
        {"type": "correct_event", "index": -1, "dice": SIX_DICE},
    ],
)
def test_what_is_no_intent_is_refused_with_a_sentence(data: object) -> None:
    with pytest.raises(IntentError) as told:
        parse_intent(data, TERMS)
    assert len(told.value.sentence) > 10


def test_names_are_one_clean_line() -> None:
    started = parse_intent({**START, "players": ["  Ana\tMaria\n", "B\u202een"]}, TERMS)
    assert isinstance(started, intents.StartGame)
    assert started.players == ("Ana Maria", "B en")


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)
KINDS = [
    "start_game",
    "name_card",
    "take",
    "draw",
    "steal",
    "exchange",
    "end_early",
    "enter_throw",
    "correct_throw",
    "correct_event",
]
FIELDS = [
    "players",
    "first",
    "hidden",
    "holder",
    "card",
    "change",
    "other",
    "victim",
    "received",
    "dice",
    "index",
]


@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(FIELDS), ANY_JSON))
def test_whatever_comes_is_an_intent_or_a_sentence(kind: str, fields: dict[str, Any]) -> None:
    with suppress(IntentError):  # any other exception fails the test
        parse_intent({"type": kind, **fields}, TERMS)

"""Decks: reading and writing them, and that the default deck's values are what their odds say."""

import json
import math
import re
from typing import Any

import pytest

from companion.game.cards import SHAPES, Action, Card
from companion.game.deck import Deck, DeckError, deck_from_text, deck_to_text, default_deck
from companion.game.dice import DEFAULT_COLOURS
from tests.conftest import ROOT
from tests.game.table_talk import card
from tests.game.turn_chance import chance_of_a_turn

Json = dict[str, Any]

KNOWN_CHANCES = {
    "3": 0.9205,
    "3 2": 0.8085,
    "4": 0.5990,
    "2 2 2": 0.4742,
    "4 2": 0.3219,
    "3 3": 0.2719,
    "5": 0.2326,
    "6": 0.0460,
}


def points_for(chance: float) -> int:
    """Return the points for a chance by docs/deck.md: 1 from 70 % up, one more a halving, 6 at most."""
    return min(6, max(1, 1 + math.ceil(math.log2(0.70 / chance))))


def combinations() -> list[Card]:
    """Return the deck's combinations, each once: which colours are named changes nothing in the odds."""
    seen: dict[tuple[tuple[int, int | None], ...], Card] = {}
    for each in default_deck().kinds:
        names: dict[str, int] = {}
        pattern = tuple(
            (group.size, None if group.colour is None else names.setdefault(group.colour, len(names)))
            for group in each.groups
        )
        seen.setdefault(pattern, each)
    return list(seen.values())


def words_of(each: Card) -> str:
    """Return the combination as docs/deck.md writes it: sizes, with letters for named colours."""
    letters: dict[str, str] = {}
    return " + ".join(
        str(group.size)
        + ("" if group.colour is None else " " + letters.setdefault(group.colour, "ABC"[len(letters)]))
        for group in each.groups
    )


@pytest.mark.parametrize(("groups", "chance"), KNOWN_CHANCES.items())
def test_the_solver_finds_the_known_chances(groups: str, chance: float) -> None:
    assert chance_of_a_turn(card(groups)) == pytest.approx(chance, abs=5e-5)


def test_there_are_forty_five_cards() -> None:
    assert len(default_deck().cards) == 45


def test_all_eight_shapes_come_free_and_named() -> None:
    cards = default_deck().cards
    free = {each.shape for each in cards if not any(group.colour for group in each.groups)}
    named = {each.shape for each in cards if all(group.colour for group in each.groups)}
    mixed = {each for each in cards if len({group.colour is None for group in each.groups}) == 2}
    assert free == named == set(SHAPES.values())
    assert len(mixed) >= 5


def test_the_known_values() -> None:
    """Rule 1.3: four of a kind in any colour is worth 2, five of a kind in any colour 3."""
    values = {each.shape: each.points for each in default_deck().cards if words_of(each) in ("4", "5")}
    assert values == {"four of a kind": 2, "small colour": 3}


def test_some_cards_have_actions_and_most_have_none() -> None:
    actions = [each.action for each in default_deck().cards]
    assert set(actions) == {None, *Action}
    assert 10 <= sum(action is not None for action in actions) <= 20


def test_no_colour_is_favoured() -> None:
    cards = default_deck().cards
    dice = {
        colour: sum(group.size for each in cards for group in each.groups if group.colour == colour)
        for colour in DEFAULT_COLOURS
    }
    assert max(dice.values()) <= 1.4 * min(dice.values())


@pytest.mark.parametrize("each", default_deck().kinds, ids=lambda each: f"{words_of(each)} {each.action}")
def test_a_card_is_worth_what_its_chance_says(each: Card) -> None:
    assert each.points == points_for(chance_of_a_turn(each))


def test_easier_is_never_worth_more() -> None:
    by_chance = sorted(combinations(), key=chance_of_a_turn, reverse=True)
    points = [each.points for each in by_chance]
    assert points == sorted(points)
    assert set(points) == {1, 2, 3, 4, 5, 6}


def test_the_docs_tell_each_combination_with_its_chance_and_value() -> None:
    text = (ROOT / "docs" / "deck.md").read_text("utf-8")
    rows = re.findall(
        r"^\| `([^`]+)` \|[^|]*\| ([\d.]+) % \| (\d) \| (\d+) \| ([\d.]+) \|$", text, flags=re.MULTILINE
    )
    cards = default_deck().cards
    expected = {
        words_of(each): (
            f"{100 * chance_of_a_turn(each):.1f}",
            str(each.points),
            str(sum(words_of(other) == words_of(each) for other in cards)),
            f"{each.points * chance_of_a_turn(each):.2f}",
        )
        for each in combinations()
    }
    assert {row[0]: tuple(row[1:]) for row in rows} == expected
    assert len(rows) == len(expected)


def test_a_deck_is_read_as_it_was_written() -> None:
    deck = default_deck()
    text = deck_to_text(deck)
    assert deck_from_text(text) == deck
    assert deck_to_text(deck_from_text(text)) == text


def test_a_deck_in_other_colours() -> None:
    names = ("sun", "moon", "star", "leaf", "drop", "crown")
    deck = default_deck().in_colours(names)
    assert deck.cards[0] == default_deck().cards[0]
    assert {group.colour for each in deck.cards for group in each.groups} == {None, *names}
    assert deck.in_colours(DEFAULT_COLOURS) == default_deck()
    assert deck_from_text(deck_to_text(deck)) == deck
    for wrong in (names[:5], (*names[:5], "sun")):
        with pytest.raises(DeckError, match="6 different colours"):
            deck.in_colours(wrong)


def test_an_owner_adds_cards() -> None:
    deck = Deck(()).with_card(card("3 2r")).with_card(card("4")).with_card(card("2r 3"))
    assert deck.kinds == (card("3 2r"), card("4"))
    assert deck.count(card("2r 3")) == 2


GOOD: Json = {"version": 1, "cards": [{"groups": [[3, None]], "points": 1, "action": None}]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("9" * 5000, "not valid JSON"),
        ("[]", "must be a JSON object"),
        ("{}", '"version" is missing'),
        (json.dumps({**GOOD, "version": 2}), "version 2"),
        (json.dumps({**GOOD, "version": True}), "version true"),
        (json.dumps({"version": 1}), '"cards" is missing'),
        (json.dumps({**GOOD, "cards": {}}), "must be a list of cards"),
        (json.dumps({**GOOD, "cards": [*GOOD["cards"], 3]}), "card 2 of the deck"),
        (json.dumps({**GOOD, "cards": [{"groups": [[3, "pink"]], "points": 1, "action": None}]}), "pink"),
        (json.dumps({**GOOD, "colours": ["red"]}), "six different names"),
        (json.dumps({**GOOD, "colours": ["red"] * 6}), "six different names"),
        (json.dumps({**GOOD, "colours": "colour"}), "six different names"),
    ],
    ids=lambda text: text[:40],
)
def test_what_is_no_deck_is_told(text: str, says: str) -> None:
    assert deck_from_text(json.dumps(GOOD)).cards == (card("3"),)
    with pytest.raises(DeckError, match=re.escape(says)):
        deck_from_text(text)

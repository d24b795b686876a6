"""Decks under evaluation: what is scored right, what is a lie, and the evaluation deck's own figures."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.evaluation.decks import (
    HolderScore,
    deck_figures,
    evaluate_deck,
    load_deck,
    told_decks,
    told_miss,
)
from companion.evaluation.perturb import CHANGES
from companion.evaluation.truth import TruthError
from companion.game.cards import Card, Group
from companion.vision.card_reader import HolderReading, HolderState

RED3, BLUE3 = Card((Group(3, "red"),), 2), Card((Group(3, "blue"),), 2)


def score(true: Card | None, met: bool, state: HolderState, card: Card | None = None) -> HolderScore:
    guess = BLUE3 if state is HolderState.NEW else None
    return HolderScore("p", 0, true, met, HolderReading(state, card, 0.95, None, guess, None), "")


@pytest.mark.parametrize(
    ("one", "right", "lie"),
    [
        (score(RED3, False, HolderState.NEW), True, False),
        (score(RED3, False, HolderState.KNOWN, BLUE3), False, True),
        (score(RED3, True, HolderState.KNOWN, RED3), True, False),
        (score(RED3, True, HolderState.KNOWN, BLUE3), False, True),
        (score(RED3, True, HolderState.UNSURE, RED3), False, False),
        (score(RED3, True, HolderState.NEW), False, False),
        (score(None, False, HolderState.EMPTY), True, False),
        (score(None, False, HolderState.KNOWN, RED3), False, True),
    ],
)
def test_only_a_sure_wrong_card_is_a_lie(one: HolderScore, right: bool, lie: bool) -> None:
    assert (one.is_right, one.is_lie) == (right, lie)


def test_figures_count_what_they_say() -> None:
    scores: Sequence[HolderScore] = [
        score(BLUE3, False, HolderState.NEW),
        score(RED3, False, HolderState.NEW),
        score(RED3, True, HolderState.KNOWN, RED3),
        score(RED3, True, HolderState.KNOWN, BLUE3),
        score(RED3, True, HolderState.UNSURE, BLUE3),
        score(None, False, HolderState.EMPTY),
    ]
    figures = deck_figures(scores)
    assert (figures["first_met"], figures["called_new"], figures["guess_right"]) == (2, 2, 1)
    assert (figures["met_again"], figures["recognised"], figures["known_but_wrong"]) == (3, 1, 1)
    assert figures["again_otherwise"]["unsure"] == 1
    told = told_decks({"deck": {**figures, "misses": [told_miss(scores[3])]}})
    assert "3 red, 2 read as known 3 blue, 2 (95%)" in told


def test_the_evaluation_deck_is_recognised_without_a_lie(shared_data: Path) -> None:
    scores = list(evaluate_deck(load_deck(shared_data / "decks" / "deck200")))
    figures = deck_figures(scores)
    assert figures["first_met"] == figures["called_new"] == 45
    assert figures["guess_right"] >= 0.8 * 45
    assert figures["met_again"] == 45
    assert figures["recognised"] >= 0.97 * 45
    assert figures["known_but_wrong"] == 0


@pytest.mark.parametrize("name", ["warmer", "nudge-a", "width-640"])
def test_under_changes_there_is_no_lie_either(shared_data: Path, name: str) -> None:
    change = next(one for one in CHANGES if one.name == name)
    scores = list(evaluate_deck(load_deck(shared_data / "decks" / "deck200"), change))
    figures = deck_figures(scores)
    assert figures["known_but_wrong"] == 0
    assert figures["recognised"] >= 0.9 * figures["met_again"]


@pytest.mark.parametrize(
    ("truth", "told"),
    [
        ({"deck": [], "pictures": []}, "no pictures of cards"),
        ({"deck": [], "pictures": [{"file": "a.jpg", "cards": [0, 1, 2]}]}, "ill-formed"),
        ({"deck": [{"groups": []}], "pictures": []}, "ill-formed"),
        ({"pictures": [{"file": "a.jpg", "cards": [None, None, None]}]}, "ill-formed"),
    ],
)
def test_a_damaged_truth_is_told(tmp_path: Path, truth: object, told: str) -> None:
    zones = {"size": [100, 100], "track": [[1, 1], [90, 1], [90, 90], [1, 90]], "track_mm": [220, 150]}
    (tmp_path / "zones.json").write_text(json.dumps(zones), encoding="utf-8")
    (tmp_path / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    with pytest.raises(TruthError, match=told):
        load_deck(tmp_path)

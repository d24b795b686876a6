"""The rules and the reference play the same random games, allowed and refused events alike."""

from collections import Counter
from random import Random

import pytest

from companion.bench.random_game import next_event
from companion.game.decide import apply
from companion.game.events import Event, Start
from companion.game.record import card_to_json, event_to_json
from companion.game.refusal import Code, Refused
from companion.game.replay import standings_json
from companion.game.state import State
from tests.game.reference import Json, No, Reference
from tests.game.wild import random_start, small_start, wild_event

GAMES_OF_ONE_KIND = 60


def both_play(state: State | None, reference: Reference, event: Event) -> tuple[State | None, str | None]:
    """Play the event in both games, check that they agree, and return the state and the refusal's code."""
    line = event_to_json(event)
    expected: str | None = None
    try:
        reference.play(line)
    except No as no:
        expected = no.code
    code: str | None = None
    try:
        state = apply(state, event)
    except Refused as refused:
        code = str(refused.code)
    assert code == expected, line
    if state is not None:
        assert standings_json(state) == reference.shown(), line
        assert hands_of(state) == hands_in(reference), line
    return state, code


def hands_of(state: State) -> list[list[Json]]:
    return [[ordered(card_to_json(card)) for card in hand] for hand in state.hands]


def hands_in(reference: Reference) -> list[list[Json]]:
    return [[ordered(card) for card in hand] for hand in reference.cards]


def ordered(card: Json) -> Json:
    return {**card, "groups": sorted(card["groups"], key=str)}


def played(rng: Random, start: Start, wildness: float) -> tuple[Counter[str | None], State]:
    """Play a game to its end in both; `wildness` is the share of events taken at random."""
    reference = Reference()
    codes: Counter[str | None] = Counter()
    state, _ = both_play(None, reference, start)
    assert state is not None
    while (event := next_event(rng, state)) is not None:
        if rng.random() < wildness:
            event = wild_event(rng, state)
        state, code = both_play(state, reference, event)
        assert state is not None
        codes[code] += 1
    return codes, state


@pytest.mark.parametrize("seed", range(GAMES_OF_ONE_KIND))
def test_a_legal_game_is_the_same(seed: int) -> None:
    rng = Random(seed)
    codes, _ = played(rng, random_start(rng, 2 + seed % 5), wildness=0)
    assert set(codes) == {None}


def test_careless_games_are_the_same_and_meet_every_refusal() -> None:
    codes: Counter[str | None] = Counter()
    for seed in range(GAMES_OF_ONE_KIND):
        rng = Random(1000 + seed)
        start = small_start(rng) if seed % 2 else random_start(rng, 2 + seed % 5)
        codes_here, state = played(rng, start, wildness=0.5)
        codes += codes_here
        for _ in range(5):
            with pytest.raises(Refused) as refused:
                apply(state, wild_event(rng, state))
            codes[str(refused.value.code)] += 1
    assert set(codes) == {None, *map(str, Code)}


def test_nothing_but_a_start_begins_a_game() -> None:
    rng = Random(5)
    playing = apply(None, random_start(rng, 3))
    for _ in range(100):
        event = wild_event(rng, playing)
        if not isinstance(event, Start):
            assert both_play(None, Reference(), event) == (None, "wrong_stage")

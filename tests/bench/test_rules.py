"""The bench of the rules: its records are what they say, and it gives its figures."""

from random import Random

import pytest

from companion.bench import rules
from companion.bench.random_game import next_event, random_course, random_start
from companion.game.decide import apply
from companion.game.events import Take, Throw
from companion.game.record import print_line
from companion.game.replay import replay
from companion.game.state import Stage


@pytest.mark.parametrize("seed", range(3))
def test_the_endless_game_is_legal_and_as_long_as_asked(seed: int) -> None:
    events = list(rules.endless_game(Random(seed), 3000))
    steps = list(replay(map(print_line, events)))
    assert [step.event for step in steps] == events
    assert len(events) == 3000
    assert steps[-1].state.stage is not Stage.OVER
    assert sum(isinstance(event, Throw) for event in events) > 2500
    assert not any(isinstance(event, Take) for event in events)


@pytest.mark.parametrize("seed", range(5))
def test_a_random_course_goes_to_the_end_and_no_further(seed: int) -> None:
    rng = Random(seed)
    state = None
    for event in random_course(rng, random_start(rng)):
        state = apply(state, event)
    assert state is not None
    assert state.stage is Stage.OVER
    assert next_event(rng, state) is None


def test_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "SHORT", 100)
    monkeypatch.setattr(rules, "LONG", 200)
    monkeypatch.setattr(rules, "ROUNDS", 1)
    figures = rules.run()
    assert min(figure.value for figure in figures) > 0
    assert [figure.limit for figure in figures] == [None, None, None, rules.GROWTH_LIMIT]

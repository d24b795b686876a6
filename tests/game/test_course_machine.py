"""Any legal course keeps the laws: replay = live, print then parse = identity, earlier ones stay the same."""

from collections import Counter
from random import Random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.bench.random_game import next_event
from companion.game.cards import Card
from companion.game.course import Course
from companion.game.decide import apply
from companion.game.events import Event, Reveal, Start, Take
from companion.game.judge import Standing, lights, may_end_early, may_pass, standing, takeable_holders
from companion.game.record import print_line, read_events
from companion.game.refusal import Refused
from companion.game.state import Stage, State
from tests.game.wild import random_start, small_start, wild_event

CHANCE = st.randoms(use_true_random=False)


def replayed(events: tuple[Event, ...]) -> State | None:
    state: State | None = None
    for event in events:
        state = apply(state, event)
    return state


def taken_cards(events: tuple[Event, ...]) -> Counter[Card]:
    """Return all cards ever won from a holder, found from the events alone."""
    visible: dict[int, Card] = {}
    taken: Counter[Card] = Counter()
    for event in events:
        if isinstance(event, Reveal):
            visible[event.holder] = event.card
        elif isinstance(event, Take):
            taken[visible.pop(event.holder)] += 1
    return taken


class AnyCourse(RuleBasedStateMachine):
    """One game, played, taken back and corrected by chance."""

    def __init__(self) -> None:
        super().__init__()
        self.course = Course()

    @property
    def state(self) -> State:
        assert self.course.state is not None
        return self.course.state

    def started(self) -> bool:
        return self.course.length > 0

    def going_on(self) -> bool:
        return self.started() and self.state.stage is not Stage.OVER

    @initialize(rng=CHANCE, small=st.booleans())
    def begin(self, rng: Random, small: bool) -> None:
        self.course = self.course.do(small_start(rng) if small else random_start(rng))

    @precondition(going_on)
    @rule(rng=CHANCE, steps=st.integers(1, 12))
    def play_on(self, rng: Random, steps: int) -> None:
        for _ in range(steps):
            event = next_event(rng, self.state)
            if event is None:
                break
            self.course = self.course.do(event)

    @precondition(started)
    @rule(rng=CHANCE)
    def try_anything(self, rng: Random) -> None:
        before = self.course
        try:
            self.course = before.do(wild_event(rng, self.state))
        except Refused:
            assert self.course is before

    @precondition(lambda self: self.course.length > 1)
    @rule(back=st.integers(1, 5))
    def go_back(self, back: int) -> None:
        events = self.course.events()
        nodes = list(self.course.nodes())
        self.course = Course(nodes[min(back, len(nodes) - 1)])
        assert self.course.events() == events[: self.course.length]

    @precondition(lambda self: self.course.length > 1)
    @rule(rng=CHANCE, where=st.integers(1, 1000))
    def correct(self, rng: Random, where: int) -> None:
        index = 1 + where % (self.course.length - 1)
        events = self.course.events()
        before = replayed(events[:index])
        assert before is not None
        event = rng.choice((next_event(rng, before), wild_event(rng, before))) or wild_event(rng, before)
        try:
            corrected, left_out = self.course.corrected(index, event)
        except Refused:
            assert self.course.events() == events
            return
        assert corrected.events() == (
            *events[:index],
            event,
            *events[index + 1 : len(events) - len(left_out)],
        )
        assert self.course.events() == events
        self.course = corrected

    @invariant()
    def replay_is_live(self) -> None:
        assert replayed(self.course.events()) == self.course.state

    @invariant()
    def print_then_parse_is_identity(self) -> None:
        lines = [print_line(event) for event in self.course.events()]
        assert tuple(event for _, event in read_events(lines)) == self.course.events()

    @invariant()
    def cards_are_conserved(self) -> None:
        if not self.started():
            return
        events = self.course.events()
        start = events[0]
        assert isinstance(start, Start)
        held = Counter(card for hand in self.state.hands for card in hand)
        assert held == taken_cards(events)
        assert held.total() + sum(self.state.piles) == sum(start.piles)
        assert sum(self.state.points) == sum(card.points * count for card, count in held.items())

    @invariant()
    def what_is_said_of_a_state_agrees(self) -> None:
        if not self.started():
            return
        state = self.state
        over = state.stage is Stage.OVER
        assert (state.to_play is None) is over is (state.winners is not None) is (state.ending is not None)
        assert over or state.to_play in range(len(state.players))
        if state.stage is not Stage.DECIDE:
            assert set(lights(state)) == {None}
            assert not may_pass(state)
            assert not state.change_open
        if state.stage is Stage.DECIDE and state.throw_number == 3:
            assert takeable_holders(state)
        enders = [seat for seat in range(len(state.players)) if may_end_early(state, seat)]
        assert enders in ([], [state.may_end_seat])
        for holder in range(3):
            empty = state.piles[holder] == 0
            assert (standing(state, holder) is Standing.EMPTY) is empty
            assert state.visible[holder] is None or not empty


TestAnyCourse: Any = AnyCourse.TestCase
TestAnyCourse.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def test_chance_reaches_the_rare() -> None:
    """The player by chance used above changes dice, passes, steals, exchanges and ends games in all ways."""
    seen: Counter[str] = Counter()
    for seed in range(60):
        rng = Random(seed)
        state = apply(None, small_start(rng) if seed % 3 == 0 else random_start(rng))
        while (event := next_event(rng, state)) is not None:
            if isinstance(event, Take) and event.change is not None:
                seen["change"] += 1
            seen[type(event).__name__] += 1
            state = apply(state, event)
        seen[str(state.ending)] += 1
    needed = {
        "change",
        "Pass",
        "Steal",
        "Exchange",
        "EndEarly",
        "Ending.CARDS",
        "Ending.PILES",
        "Ending.CHOICE",
    }
    assert needed <= set(seen)

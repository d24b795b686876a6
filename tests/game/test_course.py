"""A course: doing, going back and correcting, with the state always the replay of its events."""

from random import Random

import pytest

from companion.bench.random_game import random_course
from companion.game.course import Course
from companion.game.decide import apply
from companion.game.events import Event
from companion.game.refusal import Refused
from companion.game.state import State
from tests.game.table_talk import card, opening, reveal, start, steal, take, throw
from tests.game.wild import random_start

OPEN = opening("3", "4", "6")


def course_of(*events: Event) -> Course:
    course = Course()
    for event in events:
        course = course.do(event)
    return course


def replayed(events: tuple[Event, ...]) -> State | None:
    state: State | None = None
    for event in events:
        state = apply(state, event)
    return state


def test_an_empty_course() -> None:
    course = Course()
    assert (course.state, course.length, course.events()) == (None, 0, ())


def test_a_refused_event_leaves_the_course() -> None:
    course = course_of(*OPEN)
    with pytest.raises(Refused):
        course.do(take(0))
    assert course.events() == tuple(OPEN)


@pytest.mark.parametrize("seed", range(10))
def test_each_node_is_the_head_of_an_earlier_course(seed: int) -> None:
    rng = Random(seed)
    events = list(random_course(rng, random_start(rng)))
    course = course_of(*events)
    for node in course.nodes():
        earlier = Course(node)
        assert list(earlier.events()) == events[: node.length]
        assert earlier.state == replayed(earlier.events())
    assert list(course.events()) == events
    assert course.state is not None
    assert course.state.to_play is None


def test_what_is_done_after_an_earlier_node_leaves_the_other_way_as_it_is() -> None:
    before = course_of(*OPEN)
    one, other = before.do(throw("rrro yb")), before.do(throw("royg bp"))
    assert one.events() == (*OPEN, throw("rrro yb"))
    assert other.events() == (*OPEN, throw("royg bp"))
    assert one.head is not None
    assert other.head is not None
    assert one.head.before is other.head.before is before.head


def test_a_corrected_throw_derives_what_follows_anew() -> None:
    """Rule 6.3."""
    course = course_of(*OPEN, throw("rrrr yb"), take(1), reveal(1, "5"), throw("royg bp"))
    corrected, left_out = course.corrected(4, throw("rrrr yy"))
    assert left_out == ()
    assert corrected.events() == (*OPEN, throw("rrrr yy"), take(1), reveal(1, "5"), throw("royg bp"))
    assert corrected.state == replayed(corrected.events())


def test_what_no_longer_fits_a_correction_is_left_out_from_there_on() -> None:
    course = course_of(*OPEN, throw("rrrr yb"), take(1), reveal(1, "5"), throw("royg bp"))
    corrected, left_out = course.corrected(4, throw("rrro yb"))
    assert corrected.events() == (*OPEN, throw("rrro yb"))
    assert left_out == (take(1), reveal(1, "5"), throw("royg bp"))


def test_a_correction_leaves_the_course_before_as_it_is() -> None:
    course = course_of(*OPEN, throw("rrrr yb"), take(1), reveal(1, "5"))
    events, state = course.events(), course.state
    course.corrected(4, throw("rrro yb"))
    assert (course.events(), course.state) == (events, state)


def test_a_correction_that_does_not_fit_is_refused() -> None:
    course = course_of(*OPEN, throw("rrrr yb"), take(1))
    with pytest.raises(Refused):
        course.corrected(5, take(2))
    for index in (-1, 6):
        with pytest.raises(IndexError, match="of 6"):
            course.corrected(index, take(0))


def test_a_correction_of_the_start_renames_players() -> None:
    course = course_of(*OPEN, throw("rrrr yb"), take(1))
    renamed, left_out = course.corrected(0, start(2, 1))
    assert left_out == ()
    assert renamed.state is not None
    assert renamed.state.hands == ((), (card("4"),))


def test_fewer_players_leave_out_what_named_the_missing_seat() -> None:
    events = opening(card("3"), card("3", 1, "theft"), "6", players=3)
    events += [throw("rrro yb"), take(0), reveal(0, "3"), throw("rrro yb"), take(1), steal(0, card("3"))]
    fewer, left_out = course_of(*events).corrected(0, start(2, 1))
    assert fewer.state == replayed(fewer.events())
    assert left_out == (steal(0, card("3")),)


def test_long_courses_are_compared_shown_and_dropped() -> None:
    """A chain of many thousand events must not be descended by Python's own recursion."""
    course = course_of(*opening("6", "6", "6"))
    for _ in range(20_000):
        course = course.do(reveal(0, "6"))
    other = course.do(reveal(0, "5"))
    assert course != other
    assert course == course
    assert len(repr(course)) < 10_000
    assert len(course.events()) == 20_004
    del course, other

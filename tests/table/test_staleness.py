"""A phone that acts on what has changed is answered with the present; what does not matter may change."""

import pytest

from companion.table import intents
from companion.table.decide import HealthChanged
from companion.table.state import Health, HealthState
from tests.table.at_the_table import FOUR, SIX, THREE, AtTheTable, dice

MADE = "wr wr wr wr bb by"
NEXT = dice("wr* wr* wr* wr* bg bg")


def table_with_throw() -> AtTheTable:
    table = AtTheTable()
    table.start()
    table.throws(MADE)
    return table


@pytest.mark.parametrize(
    "intent",
    [
        intents.Take(0),
        intents.Undo(),
        intents.EnterThrow(NEXT),
        intents.CorrectThrow(NEXT),
        intents.Hold(),
        intents.Press(),
        intents.LongHold(),
        intents.AbandonGame(),
    ],
    ids=lambda intent: type(intent).__name__,
)
def test_after_another_took_a_card_it_is_stale(intent: intents.Intent) -> None:
    table = table_with_throw()
    seen = table.shown.revision
    table.does(intents.Take(1))
    events = table.events
    assert table.ask(intent, seen) == "stale"
    assert table.events == events


def test_what_does_not_matter_may_change() -> None:
    table = table_with_throw()
    seen = table.shown.revision
    table.ask(intents.Hold())
    table.ask(HealthChanged("camera", Health(HealthState.FAULT, "away")))
    table.presses()
    assert table.shown.revision > seen
    assert table.ask(intents.Take(0), seen) is None


def test_hold_depends_on_where_the_marker_stood() -> None:
    table = table_with_throw()
    table.ask(intents.Hold())
    seen = table.shown.revision
    table.presses()
    assert table.ask(intents.Hold(), seen) == "stale"


def test_two_phones_may_name_two_cards_at_once_but_not_one() -> None:
    table = AtTheTable()
    table.start(cards=())
    seen = table.shown.revision
    assert table.ask(intents.NameCard(0, THREE), seen) is None
    assert table.ask(intents.NameCard(1, FOUR), seen) is None
    assert table.ask(intents.NameCard(1, SIX), seen) == "stale"


def test_taking_depends_on_that_holders_card_alone() -> None:
    table = table_with_throw()
    seen = table.shown.revision
    table.does(intents.NameCard(2, FOUR))
    assert table.ask(intents.Take(0), seen) is None
    table = table_with_throw()
    seen = table.shown.revision
    table.does(intents.NameCard(0, FOUR))
    assert table.ask(intents.Take(0), seen) == "stale"


def test_a_revision_from_the_future_is_stale() -> None:
    table = table_with_throw()
    assert table.ask(intents.Take(0), table.shown.revision + 1) == "stale"


def test_without_a_revision_nothing_is_stale() -> None:
    table = table_with_throw()
    assert table.ask(intents.Take(0), None) is None

"""The button and the LEDs: what press, hold and very long hold do at each moment."""

import pytest

from companion.game.cards import Action
from companion.table import intents
from companion.table.button import MARKER_LAPSES_S, READING_DEADLINE_S
from companion.table.phase import Phase
from companion.table.state import Setup
from tests.table.at_the_table import FOUR, SIX, THREE, AtTheTable, dice, free, named, not_now, reading

MADE = "wr wr wr wg bb by"
FOUR_MADE = "wr wr wr wr bb by"
CHANGE = "wr wr wg wb by by"
NOTHING = "wr wg wb wy bo bp"


def test_a_press_is_acknowledged_before_anything_is_read() -> None:
    table = AtTheTable()
    table.start()
    assert table.presses() is None
    assert (table.shown.phase, table.leds) == (Phase.READING, "RRR")
    table.reads(reading(MADE))
    assert (table.shown.phase, table.leds) == (Phase.DECIDE, "S--")


def test_a_second_press_does_not_queue_a_second_reading() -> None:
    table = AtTheTable()
    table.start()
    table.presses()
    revision = table.shown.revision
    assert table.presses() == "already_reading"
    assert table.shown.revision == revision


def test_hold_takes_the_only_lit_card_which_flashes_and_goes_dark_when_named() -> None:
    table = AtTheTable()
    table.start()
    table.throws(MADE)
    assert table.ask(intents.Hold()) is None
    assert table.events[-1] == {"type": "take", "holder": 0, "change": None}
    assert (table.leds, table.said) == ("T--", ["card_taken", "turn_began"])
    table.does(intents.NameCard(0, FOUR))
    assert table.leds == "---"


def test_hold_takes_a_card_that_needs_the_change_by_any_useful_one() -> None:
    table = AtTheTable()
    table.start()
    table.throws(CHANGE)
    assert table.leds == "~--"
    assert table.ask(intents.Hold()) is None
    assert table.events[-1]["change"]["colour"] in ("red", "yellow")


def test_with_several_lit_presses_move_a_marker_and_hold_confirms() -> None:
    table = AtTheTable()
    table.start()
    table.throws(FOUR_MADE)
    assert table.leds == "SS-"
    assert table.ask(intents.Hold()) is None
    assert (table.leds, table.shown.marker) == ("FS-", 0)
    table.presses()
    assert (table.leds, table.shown.marker) == ("SF-", 1)
    table.presses()
    assert table.shown.marker == 0
    table.presses()
    assert table.ask(intents.Hold()) is None
    assert table.events[-1]["holder"] == 1


def test_the_marker_lapses_and_a_press_is_a_throw_again() -> None:
    table = AtTheTable()
    table.start()
    table.throws(FOUR_MADE)
    table.ask(intents.Hold())
    table.waits(MARKER_LAPSES_S - 1)
    assert table.leds == "FS-"
    table.waits(1)
    assert (table.shown.marker, table.leds) == (None, "SS-")
    table.presses()
    assert table.shown.phase == Phase.READING


def test_the_marker_goes_when_the_game_moves_on() -> None:
    table = AtTheTable()
    table.start()
    table.throws(FOUR_MADE)
    table.ask(intents.Hold())
    table.throws("wr* wr* wr* wr* bg bg")
    assert table.shown.marker is None


def test_at_throw_3_a_press_starts_the_marker_since_it_can_be_no_throw() -> None:
    table = AtTheTable()
    table.start()
    for text in (NOTHING, NOTHING, FOUR_MADE):
        table.throws(text)
    assert table.presses() is None
    assert table.shown.marker == 0


def test_at_throw_3_a_pass_is_one_of_the_choices() -> None:
    table = AtTheTable()
    table.start()
    for text in (NOTHING, NOTHING, CHANGE):
        table.throws(text)
    assert table.leds == "~--"
    assert table.shown.game is not None
    assert table.shown.game.may_pass
    table.ask(intents.Hold())
    assert table.leds == "F--"
    table.presses()
    assert (table.shown.marker, table.leds) == ("pass", "FFF")
    table.ask(intents.Hold())
    assert table.events[-1] == {"type": "pass"}


def lobby(table: AtTheTable) -> None:
    del table


def over(table: AtTheTable) -> None:
    table.start(cards=(free(2), free(2), SIX))
    for turn in range(19):
        table.throws("wr wr wg wb bo bp")
        table.does(intents.Take(turn % 2))
        if table.shown.phase != Phase.OVER:
            table.does(intents.NameCard(turn % 2, free(2)))
    assert table.shown.phase == Phase.OVER


def owed(table: AtTheTable) -> None:
    table.start(cards=(THREE, free(2, action=Action.THEFT), SIX))
    table.throws(MADE)
    table.does(intents.Take(0))
    table.does(intents.NameCard(0, THREE))
    table.throws(MADE)
    table.does(intents.Take(1))
    assert table.leds == "LTL"


def throw_3(table: AtTheTable) -> None:
    table.start()
    for text in (NOTHING, NOTHING, MADE):
        table.throws(text)


@pytest.mark.parametrize(
    ("brought", "code"),
    [(lobby, "no_game"), (over, "game_over"), (owed, "wrong_stage"), (throw_3, "no_throw_left")],
)
def test_a_press_where_no_throw_can_come_tells_why_harmlessly(brought: object, code: str) -> None:
    table = AtTheTable()
    assert callable(brought)
    brought(table)
    events = table.events
    assert table.presses() == code
    assert not_now(table)["code"] == code
    assert not_now(table)["sentence"]
    revision = table.shown.revision
    assert table.presses() == code
    assert table.shown.revision == revision, "telling it twice says nothing new"
    assert table.events == events


def test_without_a_camera_a_press_says_to_type_the_throw() -> None:
    table = AtTheTable(Setup(has_camera=False))
    table.start()
    assert table.presses() == "no_camera"


def test_hold_draws_for_a_theft_that_can_only_concern_one_player() -> None:
    table = AtTheTable()
    owed(table)
    assert table.ask(intents.Hold()) is None
    assert table.events[-1]["type"] == "steal"


def test_hold_where_nothing_is_lit_tells_so() -> None:
    table = AtTheTable()
    table.start()
    table.throws(NOTHING)
    assert table.ask(intents.Hold()) == "nothing_to_take"


def test_hold_never_accepts_a_doubt() -> None:
    table = AtTheTable()
    table.start()
    table.presses_and_reads(MADE, problems=["colour_unsure"])
    assert table.leds == "LLL"
    assert table.ask(intents.Hold()) == "look_at_phone"
    assert table.ask(intents.Hold()) == "look_at_phone"
    assert table.shown.phase == Phase.DOUBT


def test_a_very_long_hold_undoes_also_the_end_of_the_game() -> None:
    table = AtTheTable()
    over(table)
    taken = len(table.events)
    assert table.ask(intents.LongHold()) is None
    assert (len(table.events), table.shown.phase) == (taken - 1, Phase.DECIDE)
    table.does(intents.Redo())
    assert table.shown.phase == Phase.OVER


def test_a_very_long_hold_takes_back_a_press_first() -> None:
    table = AtTheTable()
    table.start()
    table.throws(NOTHING)
    events = table.events
    table.presses()
    assert table.shown.undo is not None
    assert table.shown.undo.label() == {"key": "press"}
    table.ask(intents.LongHold())
    assert (table.shown.phase, table.events) == (Phase.DECIDE, events)


def test_a_camera_that_gives_nothing_is_given_up_and_told() -> None:
    table = AtTheTable()
    table.start()
    table.presses()
    table.waits(READING_DEADLINE_S)
    reading_shown = table.shown.reading
    assert reading_shown is not None
    assert (reading_shown.why, table.leds) == ("camera_stalled", "LLL")
    assert table.shown.health["camera"].state == "fault"
    table.throws(MADE)
    assert table.shown.phase == Phase.DECIDE
    table.presses_and_reads(NOTHING)
    assert table.shown.health["camera"].state == "ok"


def test_waiting_for_a_card_shows_at_its_holder() -> None:
    table = AtTheTable()
    table.start(cards=(THREE,))
    table.throws(MADE)
    assert (table.shown.phase, table.leds) == (Phase.CARD_NEEDED, "-LL")
    table.does(intents.NameCard(2, named("red", "red")))
    assert table.leds == "-L-"
    assert table.shown.held == dice(MADE)

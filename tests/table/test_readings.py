"""From a reading to a throw: what is trusted and lawful counts; all else waits, with a way out."""

from dataclasses import replace

import pytest

from companion.table import intents
from companion.table.advice import PROBLEM_ADVICE, WHY_SENTENCES
from companion.table.decide import ReadingArrived
from companion.table.phase import Phase
from companion.table.state import Doubt, Mend, Pending, Picture, Setup
from companion.vision.reading import PROBLEMS
from tests.table.at_the_table import FOUR, SIX, THREE, AtTheTable, dice, named, reading

FIRST = "wr wr wg wb bb by"


def waiting(table: AtTheTable) -> Doubt:
    found = table.shown.reading
    assert found is not None
    return found


def test_a_trusted_reading_becomes_the_throw() -> None:
    table = AtTheTable()
    table.start()
    table.presses_and_reads(FIRST)
    assert table.shown.phase == Phase.DECIDE
    assert table.shown.game is not None
    assert table.shown.game.dice == dice(FIRST)
    assert table.said == ["throw_made"]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_reading_that_is_not_trusted_waits_and_says_what_to_do(problem: str) -> None:
    table = AtTheTable()
    table.start()
    events = table.events
    table.presses_and_reads(FIRST, problems=[problem])
    assert (table.shown.phase, table.leds, table.events) == (Phase.DOUBT, "LLL", events)
    assert waiting(table).why == "untrusted"
    assert PROBLEM_ADVICE[problem] in waiting(table).sentence
    table.throws(FIRST)
    assert table.shown.phase == Phase.DECIDE
    assert table.shown.reading is None


def test_every_problem_and_every_reason_has_its_sentence() -> None:
    assert set(PROBLEM_ADVICE) == set(PROBLEMS)
    assert all(sentence.endswith((".", "?")) for sentence in WHY_SENTENCES.values())


def test_not_trusted_without_a_problem_still_waits() -> None:
    table = AtTheTable()
    table.start()
    table.presses()
    table.reads(replace(reading(FIRST), trusted=False))
    assert table.shown.phase == Phase.DOUBT


def test_dice_in_the_reserve_are_kept() -> None:
    table = AtTheTable()
    table.start()
    table.presses_and_reads(FIRST)
    table.presses_and_reads("wr* wr* wo wo bp by")
    assert table.shown.game is not None
    assert table.shown.game.dice == dice("wr* wr* wo wo bp by")
    assert table.shown.game.throw_number == 2


def test_a_press_while_it_waits_reads_anew() -> None:
    table = AtTheTable()
    table.start()
    table.presses_and_reads(FIRST, problems=["hand_in_view"])
    table.presses_and_reads(FIRST)
    assert table.shown.phase == Phase.DECIDE


def test_a_doubt_can_be_dismissed() -> None:
    table = AtTheTable()
    table.start()
    table.presses_and_reads(FIRST, problems=["hand_in_view"])
    table.does(intents.DismissReading())
    assert table.shown.phase == Phase.THROW
    assert table.ask(intents.DismissReading()) == "nothing_waits"


def test_dice_in_the_reserve_at_a_first_throw_wait_with_all_thrown_offered() -> None:
    table = AtTheTable()
    table.start()
    table.presses_and_reads("wr* wr wg wb bb by")
    assert waiting(table).why == "all_dice_needed"
    table.does(intents.EnterThrow(waiting(table).mends[0].dice))
    assert table.shown.game is not None
    assert table.shown.game.dice == dice(FIRST)


def test_all_six_in_the_reserve_is_no_throw() -> None:
    table = AtTheTable()
    table.start()
    table.throws(FIRST)
    table.presses_and_reads("wr* wr* wg* wb* bb* by*")
    assert waiting(table).why == "nothing_thrown"


def test_a_trusted_reading_of_wrong_bodies_waits() -> None:
    table = AtTheTable()
    table.start()
    table.presses_and_reads("wr wr wg bb bb by")
    assert waiting(table).why == "wrong_dice"


def test_colours_of_another_set_wait() -> None:
    table = AtTheTable(Setup(colours=("red", "pink", "yellow", "green", "blue", "purple")))
    table.start()
    table.presses_and_reads("wr wo wg wb bb by")
    assert waiting(table).why == "other_colours"


class TestNothingMoved:
    def test_the_same_dice_in_the_same_places_are_no_throw(self) -> None:
        table = AtTheTable()
        table.start()
        table.presses()
        table.reads(reading(FIRST))
        table.presses()
        table.reads(reading(FIRST, moved_px=0.8))
        assert waiting(table).why == "nothing_moved"
        table.does(intents.DismissReading())
        assert table.shown.phase == Phase.DECIDE

    def test_setting_dice_aside_is_no_throw_yet(self) -> None:
        table = AtTheTable()
        table.start()
        table.presses()
        table.reads(reading(FIRST))
        table.presses()
        table.reads(reading("wr* wr* wg wb bb by"))
        assert waiting(table).why == "nothing_moved"

    @pytest.mark.parametrize("text", ["wr* wr* wg wb bb bo", "wr* wr* wg wy bb by"])
    def test_one_other_face_is_a_throw(self, text: str) -> None:
        table = AtTheTable()
        table.start()
        table.presses()
        table.reads(reading(FIRST))
        table.presses()
        table.reads(reading(text))
        assert table.shown.phase == Phase.DECIDE

    def test_after_an_undo_the_same_picture_is_the_throw_again(self) -> None:
        table = AtTheTable()
        table.start()
        table.presses()
        table.reads(reading(FIRST))
        table.does(intents.Undo())
        table.presses()
        table.reads(reading(FIRST))
        assert table.shown.phase == Phase.DECIDE


class TestKeptDieDiffers:
    def brought(self, text: str = "wo* wr* wg wb bb bo", **how: str) -> AtTheTable:
        table = AtTheTable()
        table.start()
        table.throws(FIRST)
        table.presses_and_reads(text, **how)
        return table

    def test_it_is_named_with_what_lay_there(self) -> None:
        found = waiting(self.brought())
        assert found.why == "kept_die_differs"
        assert [(die.body, die.was, die.now) for die in found.differing] == [
            ("white", ("red", "green", "blue"), "orange")
        ]
        assert "orange" in found.sentence

    def test_mending_the_reading_is_one_truth(self) -> None:
        table = self.brought(runner_up="red")
        this = waiting(table).mends[0]
        assert (this.index, this.dice) == (None, dice("wr* wr* wg wb bb bo"))
        table.does(intents.EnterThrow(this.dice))
        assert table.shown.phase == Phase.DECIDE

    def test_correcting_the_earlier_throw_is_the_other_and_the_reading_then_counts(self) -> None:
        table = self.brought(runner_up="red")
        earlier = waiting(table).mends[1]
        assert earlier.index is not None
        assert earlier.dice == dice("wo wr wg wb bb by")
        table.does(intents.CorrectEvent(earlier.index, earlier.dice))
        assert table.shown.phase == Phase.DECIDE
        assert table.shown.game is not None
        assert table.shown.game.dice == dice("wo* wr* wg wb bb bo")
        assert table.said == ["throw_corrected", "throw_made"]

    def test_with_the_change_one_die_may_differ(self) -> None:
        table = AtTheTable()
        table.start()
        table.throws("wr wr wg wo bb bb")
        table.presses_and_reads("wr* wr* wr* wo bb by")
        assert table.shown.phase == Phase.DECIDE

    def test_with_the_change_two_may_not(self) -> None:
        table = AtTheTable()
        table.start()
        table.throws("wr wr wg wo bb bb")
        table.presses_and_reads("wr* wr* wr* wr* bb by")
        assert waiting(table).why == "kept_die_differs"
        assert len(waiting(table).differing) == 2
        table.does(intents.EnterThrow(waiting(table).mends[0].dice))


class TestWithoutReserve:
    def table(self) -> AtTheTable:
        table = AtTheTable(Setup(has_reserve=False))
        table.start()
        table.presses()
        table.reads(reading(FIRST))
        return table

    def test_a_first_throw_needs_no_answer(self) -> None:
        assert self.table().shown.phase == Phase.DECIDE

    def test_later_throws_ask_which_dice_were_kept_with_a_guess(self) -> None:
        table = self.table()
        table.presses()
        seen = reading("wr wr wo wo bp bg")
        moved = reading("wr wr wo wo bp bg", moved_px=30)
        table.reads(replace(seen, dice=(*seen.dice[:2], *moved.dice[2:])))
        assert waiting(table).why == "kept_unknown"
        assert [die.kept for die in waiting(table).dice] == [True, True, False, False, False, False]
        table.does(intents.EnterThrow(waiting(table).mends[0].dice))
        assert table.shown.game is not None
        assert table.shown.game.dice == dice("wr* wr* wo wo bp bg")


class TestCardNeeded:
    def test_the_throw_waits_and_comes_by_itself_with_the_last_name(self) -> None:
        table = AtTheTable()
        table.start(cards=(THREE,))
        table.presses_and_reads("wr wr wr wg bb by")
        assert table.leds == "-LL"
        assert waiting(table).why == "card_needed"
        assert len(waiting(table).dice) == 6
        table.does(intents.NameCard(1, FOUR))
        assert table.leds == "--L"
        table.does(intents.NameCard(2, SIX))
        assert (table.shown.phase, table.leds) == (Phase.DECIDE, "S--")
        assert table.said == ["card_revealed", "throw_made"]

    def test_it_waits_through_a_restart(self) -> None:
        table = AtTheTable()
        table.start(cards=(THREE,))
        table.presses_and_reads(FIRST)
        again = table.restarted()
        assert again.leds == "-LL"
        assert waiting(again).mends[0].dice == dice(FIRST)
        again.does(intents.NameCard(1, FOUR))
        again.does(intents.NameCard(2, SIX))
        assert again.shown.phase == Phase.DECIDE

    def test_another_press_replaces_it(self) -> None:
        table = AtTheTable()
        table.start(cards=(THREE,))
        table.presses_and_reads(FIRST)
        table.presses_and_reads("wo wo wg wb bb by")
        assert table.shown.held == dice("wo wo wg wb bb by")

    def test_it_can_be_mended_dismissed_and_undone(self) -> None:
        table = AtTheTable()
        table.start(cards=(THREE,))
        table.presses_and_reads(FIRST)
        table.does(intents.CorrectThrow(dice("wo wo wg wb bb by")))
        assert table.shown.held == dice("wo wo wg wb bb by")
        table.does(intents.Undo())
        assert table.shown.held == dice(FIRST)
        table.does(intents.DismissReading())
        assert table.said == ["throw_dropped"]
        assert table.shown.phase == Phase.THROW
        table.does(intents.Undo())
        assert table.shown.held == dice(FIRST)

    def test_a_card_may_be_named_while_the_dice_are_read(self) -> None:
        table = AtTheTable()
        table.start(cards=(THREE, FOUR))
        table.presses()
        table.does(intents.NameCard(2, SIX))
        table.reads(reading(FIRST))
        assert table.shown.phase == Phase.DECIDE


class TestTooLate:
    def test_a_reading_for_a_moment_that_is_past_changes_nothing(self) -> None:
        table = AtTheTable()
        table.start()
        table.presses()
        pending = table.state.waiting
        assert isinstance(pending, Pending)
        table.throws(FIRST)
        events = table.events
        late = ReadingArrived(pending.token, reading("wo wo wo wo bo bo"), Picture("x", (4, 3)))
        assert table.ask(late) is None
        assert table.events == events

    def test_taking_a_card_on_the_phone_meanwhile_drops_the_reading(self) -> None:
        table = AtTheTable()
        table.start()
        table.throws("wr wr wr wg bb by")
        table.presses()
        table.does(intents.Take(0))
        assert table.shown.phase == Phase.THROW

    def test_a_reading_that_nobody_asked_for_changes_nothing(self) -> None:
        table = AtTheTable()
        table.start()
        revision = table.shown.revision
        table.ask(ReadingArrived(3, reading(FIRST), Picture("x", (4, 3))))
        assert table.shown.revision == revision

    def test_a_fault_of_the_camera_waits_with_its_sentence(self) -> None:
        table = AtTheTable()
        table.start()
        table.presses()
        table.fails_to_read("camera_gone", "The camera is unplugged.")
        assert (waiting(table).why, waiting(table).sentence) == ("camera_gone", "The camera is unplugged.")
        assert table.shown.health["camera"].sentence == "The camera is unplugged."


def test_a_named_colour_card_is_judged_on_the_dice_as_read() -> None:
    table = AtTheTable()
    table.start(cards=(named("red", "red", "red"), FOUR, SIX))
    table.presses_and_reads("wr wr wo wg br by")
    assert table.leds == "S--"


class TestPicture:
    def test_it_is_that_of_the_throw_that_lies_there(self) -> None:
        table = AtTheTable()
        table.start()
        table.presses_and_reads(FIRST)
        assert table.shown.picture is not None
        table.throws("wr* wr* wo wo bp by")
        assert table.shown.picture is None

    def test_it_stays_with_a_mended_reading_and_goes_with_an_undo(self) -> None:
        table = AtTheTable()
        table.start()
        table.presses_and_reads(FIRST, problems=["colour_unsure"])
        picture = table.shown.picture
        table.throws(FIRST)
        assert table.shown.picture == picture
        assert picture is not None
        table.does(intents.Undo())
        assert table.shown.picture is None

    def test_it_stays_while_a_card_is_named(self) -> None:
        table = AtTheTable()
        table.start(cards=(THREE, FOUR))
        table.presses_and_reads(FIRST)
        picture = table.shown.picture
        table.does(intents.NameCard(2, SIX))
        assert table.shown.picture == picture
        assert picture is not None


def test_rule_6_1_a_kept_die_turned_where_it_lies_is_pointed_out() -> None:
    """By body and colour alone it could be another die; its place tells that the white red was turned."""
    table = AtTheTable()
    table.start()
    table.presses_and_reads(FIRST)
    table.presses_and_reads("wr* wg wg* wb bp by", moved_px=33.0)
    table.presses_and_reads("wg* wo wg* wo bo br", moved_px=33.0)
    assert waiting(table).why == "kept_die_differs"
    differing = waiting(table).differing[0]
    assert (differing.body, differing.was, differing.now) == ("white", ("red",), "green")
    this, earlier = waiting(table).mends
    assert this == Mend(None, dice("wr* wo wg* wo bo br"))
    assert earlier.dice == dice("wg* wg wg* wb bp by")


def test_rule_6_1_another_die_of_that_colour_may_be_kept_elsewhere() -> None:
    table = AtTheTable()
    table.start()
    table.presses_and_reads(FIRST)
    table.presses_and_reads("wr* wg wg* wb bp by", moved_px=33.0)
    table.presses_and_reads("wg* wo wg* wo bo br", moved_px=66.0)
    assert table.shown.game is not None
    assert table.shown.phase != Phase.DOUBT


def test_rule_5_2_a_kept_die_may_be_turned_by_the_change() -> None:
    table = AtTheTable()
    table.start()
    table.presses_and_reads("wr wr wg wb bb by")
    table.presses_and_reads("wr* wg wg* wb bp bp", moved_px=33.0)
    table.presses_and_reads("wg* wo wg* wo bo br", moved_px=33.0)
    assert table.shown.phase != Phase.DOUBT

"""What phones ask: games, names, takes, draws, corrections, undo and redo; and what is told of them."""

import pytest

from companion.game.cards import Action
from companion.table import intents
from companion.table.phase import Phase
from tests.table.at_the_table import FOUR, SIX, THREE, AtTheTable, dice, free

MADE = "wr wr wr wg bb by"
NOTHING = "wr wg wb wy bo bp"


def test_a_game_starts_with_whom_is_said_or_by_chance() -> None:
    table = AtTheTable()
    table.does(intents.StartGame(("Ana", "Ben", "Chloé"), 2))
    assert table.shown.game is not None
    assert table.shown.game.seat == 2
    firsts = set()
    for _ in range(3):
        table.does(intents.AbandonGame())
        table.does(intents.StartGame(("Ana", "Ben", "Chloé")))
        assert table.shown.game is not None
        firsts.add(table.shown.game.seat)
    assert firsts <= {0, 1, 2}


def test_a_game_that_goes_on_is_not_replaced() -> None:
    table = AtTheTable()
    table.start()
    assert table.ask(intents.StartGame(("Eva", "Fay"))) == "game_running"


def test_an_abandoned_game_comes_back_by_undo() -> None:
    table = AtTheTable()
    table.start()
    table.throws(MADE)
    before = table.events
    table.does(intents.AbandonGame())
    assert (table.shown.phase, table.said) == (Phase.LOBBY, ["game_abandoned"])
    assert table.restarted().shown.phase == Phase.LOBBY
    table.does(intents.Undo())
    assert table.events == before


def test_the_start_itself_can_be_undone() -> None:
    table = AtTheTable()
    table.does(intents.StartGame(("Ana", "Ben")))
    table.does(intents.Undo())
    assert table.shown.game is None
    assert table.ask(intents.Undo()) == "nothing_there"
    table.does(intents.Redo())
    assert table.shown.phase == Phase.THROW


@pytest.mark.parametrize(
    "intent",
    [
        intents.Hold(),
        intents.NameCard(0, THREE),
        intents.Take(0),
        intents.Pass(),
        intents.Draw(1),
        intents.Steal(1, THREE),
        intents.Exchange(1, THREE, FOUR),
        intents.EndEarly(0),
        intents.EnterThrow(dice(MADE)),
        intents.CorrectThrow(dice(MADE)),
        intents.CorrectEvent(0, dice(MADE)),
        intents.DismissReading(),
        intents.AbandonGame(),
    ],
    ids=lambda intent: type(intent).__name__,
)
def test_without_a_game_all_else_is_refused(intent: intents.Intent) -> None:
    assert AtTheTable().ask(intent) == "no_game"


def test_undo_and_redo_say_what_they_will_do() -> None:
    table = AtTheTable()
    table.start()
    table.throws(MADE)
    table.does(intents.Take(0))
    assert table.shown.undo is not None
    assert table.shown.undo.label()["key"] == "card_taken"
    table.does(intents.Undo())
    assert table.said == ["undone"]
    assert table.shown.said[-1].correction
    assert table.shown.said[-1].params["what"]["key"] == "card_taken"
    assert table.shown.undo.label()["key"] == "throw_made"
    assert table.shown.redo is not None
    assert table.shown.redo.label()["key"] == "card_taken"
    table.does(intents.Redo())
    assert table.shown.redo is None


def test_undo_goes_back_to_the_very_beginning_and_redo_to_the_end() -> None:
    table = AtTheTable()
    table.start()
    for text in (MADE, NOTHING, MADE, MADE, MADE):
        table.throws(text)
        if table.shown.game is not None and table.shown.game.throws_left == 0:
            table.does(intents.Take(1 if table.shown.leds[1] != "off" else 0))
    end, steps = table.events, 0
    while table.ask(intents.Undo()) is None:
        steps += 1
    assert (table.shown.phase, steps) == (Phase.LOBBY, len(end))
    while table.ask(intents.Redo()) is None:
        pass
    assert table.events == end


class TestCorrections:
    def test_the_last_throw_is_corrected_and_announced_as_such(self) -> None:
        table = AtTheTable()
        table.start()
        table.throws(NOTHING)
        table.does(intents.CorrectThrow(dice(MADE)))
        assert (table.leds, table.said) == ("S--", ["throw_corrected"])
        fact = table.shown.said[-1]
        assert fact.correction
        assert (fact.params["throw_number"], fact.params["left_out"]) == (1, 0)
        table.does(intents.Undo())
        assert table.leds == "---"

    def test_a_throw_that_was_right_is_not_corrected(self) -> None:
        table = AtTheTable()
        table.start()
        table.throws(MADE)
        events, told = table.events, table.shown.said
        table.does(intents.CorrectThrow(dice(MADE)))
        assert (table.events, table.shown.said) == (events, told)
        table.does(intents.Undo())
        assert table.said == ["undone"]
        assert table.shown.said[-1].params["what"]["key"] == "throw_made"

    def test_a_take_that_no_longer_fits_is_left_out_and_told(self) -> None:
        table = AtTheTable()
        table.start()
        table.throws(MADE)
        table.does(intents.Take(0))
        table.does(intents.NameCard(0, FOUR))
        table.does(intents.CorrectThrow(dice(NOTHING)))
        assert table.said == ["throw_corrected", "card_gone", "turn_is_now"]
        facts = table.shown.said[-3:]
        assert facts[0].params["left_out"] == 2
        assert facts[1].params["player"] == "Ana"
        assert table.shown.game is not None
        assert (table.shown.game.seat, table.shown.game.throw_number) == (0, 1)
        assert table.shown.game.holders[0].card == THREE

    def test_a_correction_can_bring_a_finished_game_back(self) -> None:
        table = AtTheTable()
        table.start(cards=(free(2), free(2), SIX))
        for turn in range(19):
            table.throws("wr wr wg wb bo bp")
            table.does(intents.Take(turn % 2))
            if turn < 18:
                table.does(intents.NameCard(turn % 2, free(2)))
        assert table.said == ["card_taken", "game_ended"]
        table.does(intents.CorrectThrow(dice(NOTHING)))
        assert table.said == ["throw_corrected", "card_gone", "game_goes_on", "turn_is_now"]

    def test_after_a_turn_failed_its_last_throw_is_the_one_corrected(self) -> None:
        table = AtTheTable()
        table.start()
        for _ in range(3):
            table.throws(NOTHING)
        assert table.said == ["throw_made", "turn_failed", "turn_began"]
        table.does(intents.CorrectThrow(dice(MADE)))
        assert table.shown.game is not None
        assert (table.shown.game.seat, table.leds) == (0, "S--")

    def test_only_throws_are_corrected_so(self) -> None:
        table = AtTheTable()
        table.start()
        assert table.ask(intents.CorrectThrow(dice(MADE))) == "no_such_throw"
        table.throws(MADE)
        for index in (0, 1, 3, 5, 400):
            assert table.ask(intents.CorrectEvent(index, dice(MADE))) == "no_such_throw"

    def test_naming_a_known_card_is_a_correction(self) -> None:
        table = AtTheTable()
        table.start()
        table.throws(MADE)
        table.does(intents.NameCard(0, FOUR))
        assert (table.said, table.leds) == (["card_corrected"], "---")
        assert table.shown.said[-1].correction

    def test_a_correction_that_the_rules_refuse_changes_nothing(self) -> None:
        table = AtTheTable()
        table.start()
        table.throws(MADE)
        events = table.events
        assert table.ask(intents.CorrectThrow(dice("wr wr wr wr wr by"))) == "wrong_dice"
        assert table.ask(intents.CorrectThrow(dice("wr* wr wr wg bb by"))) == "all_dice_needed"
        assert table.events == events


class TestDraws:
    def at_exchange(self, action: Action, *, hidden: bool = False) -> AtTheTable:
        """Ben has won the action's card; Ana has two cards."""
        table = AtTheTable()
        table.start(cards=(THREE, free(3, points=3), free(2, action=action)), hidden=hidden)
        for holder in (0, 2, 1):
            table.throws(MADE)
            table.does(intents.Take(holder))
            if table.shown.phase == Phase.ACTION:
                break
            table.does(intents.NameCard(holder, THREE))
        return table

    def test_a_theft_by_the_companion_is_done_at_once(self) -> None:
        table = self.at_exchange(Action.THEFT)
        assert table.leds == "LLT"
        table.does(intents.Draw(0))
        assert table.said == ["card_stolen", "turn_began"]
        assert table.events[-1]["type"] == "steal"

    def test_undoing_and_drawing_again_gives_the_same_card(self) -> None:
        table = self.at_exchange(Action.EXCHANGE)
        drawn = []
        for _ in range(4):
            table.does(intents.Draw(0))
            assert table.shown.game is not None
            assert table.shown.game.owed is not None
            drawn.append(table.shown.game.owed.drawn)
            table.does(intents.Undo())
        assert len(set(drawn)) == 1

    def test_a_drawn_card_binds_and_outlives_a_restart(self) -> None:
        table = self.at_exchange(Action.EXCHANGE)
        table.does(intents.Draw(0))
        assert table.said == ["card_drawn"]
        again = table.restarted()
        assert again.shown.game is not None
        owed = again.shown.game.owed
        assert owed is not None
        assert owed.drawn is not None
        assert owed.drawn_from == 0
        own = free(2, action=Action.EXCHANGE)
        assert again.ask(intents.Draw(0)) == "already_drawn"
        assert again.ask(intents.Exchange(0, free(5), own)) == "already_drawn"
        again.does(intents.Exchange(0, owed.drawn, own))
        assert again.shown.phase == Phase.THROW
        assert again.shown.game.owed is None

    def test_nothing_is_drawn_from_those_who_may_not_be_chosen(self) -> None:
        table = self.at_exchange(Action.THEFT)
        assert table.ask(intents.Draw(1)) == "no_such_seat"
        table.does(intents.Draw(0))
        assert table.ask(intents.Draw(0)) == "wrong_stage"

    def test_hidden_scores_hide_hands_points_and_what_was_drawn_until_the_end(self) -> None:
        table = self.at_exchange(Action.EXCHANGE, hidden=True)
        table.does(intents.Draw(0))
        shown = table.shown.game
        assert shown is not None
        assert shown.owed is not None
        assert (shown.hands, shown.owed.drawn, shown.owed.drawn_from) == (None, None, 0)
        assert {player.points for player in shown.players} == {None}
        assert sum(player.cards for player in shown.players) == 2
        drawn = table.state.log.sitting.drawn if table.state.log.sitting else None
        assert drawn is not None
        table.does(intents.Exchange(0, drawn.card, free(2, action=Action.EXCHANGE)))
        fact = next(fact for fact in table.shown.said if fact.key == "cards_exchanged")
        assert (fact.params["received"], fact.params["given"]) == (None, None)

    def test_open_scores_show_them(self) -> None:
        table = self.at_exchange(Action.THEFT)
        table.does(intents.Draw(0))
        fact = next(fact for fact in table.shown.said if fact.key == "card_stolen")
        assert fact.params["card"]["points"] == 1
        assert table.shown.game is not None
        assert table.shown.game.hands is not None


def test_an_action_with_nobody_to_apply_it_to_is_told() -> None:
    table = AtTheTable()
    table.start(cards=(free(2, action=Action.THEFT), THREE, SIX))
    table.throws(MADE)
    table.does(intents.Take(0))
    assert table.said == ["card_taken", "action_idle", "turn_began"]


def test_a_replay_card_is_told() -> None:
    table = AtTheTable()
    table.start(cards=(free(2, action=Action.REPLAY), THREE, SIX))
    table.throws(MADE)
    table.does(intents.Take(0))
    assert table.said == ["card_taken", "replay_won"]


def test_ending_early_is_told_with_the_winners() -> None:
    table = AtTheTable()
    table.start(cards=(free(2), free(2), SIX))
    for turn in range(13):
        table.throws("wr wr wg wb bo bp")
        table.does(intents.Take(turn % 2))
        table.does(intents.NameCard(turn % 2, free(2)))
    assert table.shown.game is not None
    assert table.shown.game.may_end == (0,)
    assert table.ask(intents.EndEarly(1)) == "may_not_end"
    table.does(intents.EndEarly(0))
    assert (table.said, table.shown.phase) == (["game_ended"], Phase.OVER)
    assert table.shown.said[-1].params["players"] == ["Ana"]
    table.does(intents.StartGame(("Ana", "Ben")))
    assert table.shown.phase == Phase.THROW


def test_the_journal_of_a_new_game_begins_anew_and_revisions_go_on() -> None:
    table = AtTheTable()
    table.start()
    table.does(intents.AbandonGame())
    revision = table.shown.revision
    table.does(intents.StartGame(("Eva", "Fay")))
    assert table.shown.revision > revision
    assert table.entries()[0]["do"] == "start"
    assert table.restarted().shown.revision > table.shown.revision

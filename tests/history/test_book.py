"""The book: which games may be looked at, what is told of them, statistics that add up, files."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pytest

from companion.coach.luck import NOTHING_LOST, turns_of
from companion.game.dice import Body
from companion.game.events import Take, Throw
from companion.history.book import OPEN_GAMES, HistoryBook
from companion.history.past_game import Status
from companion.history.shelf import ShelfFault
from companion.history.statistics import dice_statistics, luck_sum, player_statistics
from companion.history.tables import games_csv
from companion.history.telling import luck_json, moment_json, moves_json
from companion.store.history import StoredGames
from companion.store.journal import SqliteJournal
from companion.table.entries import Abandoned, Corrected, Reserved, Undone
from tests.history.kept_games import entries_of, file_with_games, keep, robot_game


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    return file_with_games(folder / "table.db", ("Ana", "Ben"), ("ben", "Chloé", "Ana"), ("Ana", "Ben"))


@pytest.fixture
def book(path: Path) -> HistoryBook:
    return HistoryBook(StoredGames(path))


def test_finished_games_newest_first(book: HistoryBook) -> None:
    digests = book.digests()
    assert [digest.game_id for digest in digests] == ["game2", "game1", "game0"]
    assert {digest.status for digest in digests} == {Status.FINISHED}
    assert [digest.game_id for digest in book.digests(2)] == ["game2", "game1"]
    assert all(digest.started_at <= digest.ended_at for digest in digests)


def test_a_game_is_what_was_played(book: HistoryBook) -> None:
    game = book.game("game1")
    assert game is not None
    assert game.events == robot_game("ben", "Chloé", "Ana", seed="1")
    assert len(moves_json(game)) == len(game.events)
    last = moment_json(game, len(game.events) - 1)
    assert last is not None
    assert last["game"]["winners"] == list(game.sitting.state.winners or ())
    first = moment_json(game, 0)
    assert first is not None
    assert first["game"]["dice"] is None
    assert first["facts"][0]["key"] == "game_started"
    assert moment_json(game, len(game.events)) is None
    assert book.game("nothing") is None


def test_the_newest_game_stays_with_the_scoreboard_until_it_is_over(tmp_path: Path) -> None:
    path = file_with_games(tmp_path / "table.db", ("Ana", "Ben"))
    book = HistoryBook(StoredGames(path))
    with SqliteJournal(path) as journal:
        going_on = entries_of("now", robot_game("Ana", "Ben", seed="9")[:12], hidden=True)
        keep(journal, *going_on)
        assert [digest.game_id for digest in book.digests()] == ["game0"]
        assert book.game("now") is None
        assert book.luck("now") is None
        keep(journal, Abandoned())
        assert book.game("now") is None, "left with hidden scores: an undo brings it back"
        keep(journal, *entries_of("next", robot_game("Ana", "Ben", seed="10")[:4]))
        assert [(digest.game_id, digest.status) for digest in book.digests()] == [
            ("now", Status.LEFT),
            ("game0", Status.FINISHED),
        ]
        keep(journal, Abandoned())
        assert book.digests()[0].game_id == "next"
        keep(journal, Undone())
        assert book.game("next") is None


def test_what_was_undone_and_corrected_counts_as_it_came_to_be(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    events = robot_game("Ana", "Ben")
    throw = next(i for i, event in enumerate(events) if isinstance(event, Throw))
    wrong = Throw(tuple(reversed(events[throw].dice)))  # type: ignore[union-attr]
    with SqliteJournal(path) as journal:
        entries = entries_of("game", events)
        keep(journal, *entries, Undone(), entries[-1], Corrected(throw, wrong), Reserved(900))
    game = HistoryBook(StoredGames(path)).game("game")
    assert game is not None
    assert game.events[:throw] == events[:throw]
    assert game.events[throw] == wrong
    digest = HistoryBook(StoredGames(path)).digests()[0]
    assert sum(digest.faces[Body.WHITE]) + sum(digest.faces[Body.BLACK]) == sum(
        not die.kept for event in game.events if isinstance(event, Throw) for die in event.dice
    )


def test_statistics_add_up(book: HistoryBook) -> None:
    digests = book.digests()
    players = player_statistics(digests, book.known_luck)
    # "ben" is Ben, shown as written last; who played more, and won more, comes first.
    assert {(player.name, player.games) for player in players} == {("Ana", 3), ("Ben", 3), ("Chloé", 1)}
    order = [(player.games, player.wins) for player in players]
    assert order == sorted(order, reverse=True)
    assert sum(player.wins for player in players) == pytest.approx(3)
    games = [game for digest in digests if (game := book.game(digest.game_id)) is not None]
    takes = sum(isinstance(event, Take) for game in games for event in game.events)
    throws = sum(isinstance(event, Throw) for game in games for event in game.events)
    assert sum(player.won for player in players) == takes
    assert sum(player.throws for player in players) == throws
    assert sum(player.points for player in players) == sum(sum(digest.points) for digest in digests)
    assert all(player.luck is None for player in players)
    (dice,) = dice_statistics(digests)
    thrown = Counter(
        (die.body, die.colour)
        for game in games
        for event in game.events
        if isinstance(event, Throw)
        for die in event.dice
        if not die.kept
    )
    for body in Body:
        assert dice.counts[body] == tuple(thrown[body, colour] for colour in dice.colours)
        assert dice.tests[body].count == sum(dice.counts[body])


def test_luck_is_worked_out_once_and_sums_like_the_coach(book: HistoryBook) -> None:
    assert book.known_luck("game0") is None
    turns = book.luck("game0")
    game = book.game("game0")
    assert turns is not None
    assert game is not None
    assert book.luck("game0") is turns
    told = luck_json(("Ana", "Ben"), turns)
    for seat in (0, 1):
        own = [turn for turn in turns_of(game.events) if turn.seat == seat]
        losses = [loss for turn in own for loss in turn.decisions]
        assert told["players"][seat]["turns"] == len(own) > 0
        assert told["players"][seat]["luck"] == pytest.approx(sum(turn.luck for turn in own))
        assert told["players"][seat]["loss"] == pytest.approx(sum(losses))
        assert told["players"][seat]["best_decisions"] == sum(loss <= NOTHING_LOST for loss in losses)
    ana = player_statistics(book.digests(), book.known_luck)
    assert {player.luck.games for player in ana if player.luck is not None} == {1}
    assert luck_sum(()).turns == 0


def test_many_games_are_not_all_held(tmp_path: Path) -> None:
    path = file_with_games(tmp_path / "table.db", *[("Ana", "Ben")] * (OPEN_GAMES + 2))
    book = HistoryBook(StoredGames(path))
    assert len(book.digests()) == OPEN_GAMES + 2
    assert len(book._open) == OPEN_GAMES
    assert book.game("game0") is not None


def test_one_game_that_does_not_fit_hides_no_other(tmp_path: Path) -> None:
    path = file_with_games(tmp_path / "table.db", ("Ana", "Ben"))
    with SqliteJournal(path) as journal:
        start, *events = entries_of("odd", robot_game("Ana", "Ben"))
        keep(journal, start, *events[5:])
        keep(journal, *entries_of("last", robot_game("Ana", "Ben")))
    assert [digest.game_id for digest in HistoryBook(StoredGames(path)).digests()] == ["last", "game0"]


def test_a_file_that_can_not_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ShelfFault, match=r"cannot be opened"):
        HistoryBook(StoredGames(tmp_path / "none.db")).digests()
    path = file_with_games(tmp_path / "table.db", ("Ana", "Ben"))
    with SqliteJournal(path) as journal:
        journal._connection.execute("UPDATE entries SET body = 'no' WHERE number = 3")
    with pytest.raises(ShelfFault, match=r"no JSON"):
        HistoryBook(StoredGames(path)).digests()


def test_games_as_a_table(tmp_path: Path) -> None:
    path = file_with_games(tmp_path / "table.db", ("=1+1", 'Ben "the", elder'))
    digests = HistoryBook(StoredGames(path)).digests()
    rows = list(csv.DictReader(io.StringIO(games_csv(digests))))
    assert [row["player"] for row in rows] == ["'=1+1", 'Ben "the", elder']
    assert [int(row["points"]) for row in rows] == list(digests[0].points)
    assert sum(float(row["won"]) for row in rows) == 1.0
    assert {row["status"] for row in rows} == {"finished"}

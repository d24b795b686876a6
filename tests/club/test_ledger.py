"""The ledger on both databases: each game once, in any order, from any version; rebuilt it says the same."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, text, update

from companion.club.book import Book
from companion.club.database import DatabaseFault, migrate, opened, url_of
from companion.club.ledger import Kept, Ledger
from companion.club.ratings import Ratings
from companion.club.schema import GAMES, METADATA, SEATS
from companion.club.telling import season_json
from tests.club.played import delivery, message, withdrawn

GAME_COUNT = 16


def test_each_game_is_counted_once(database: str) -> None:
    with opened(database) as engine:
        ledger = Ledger(engine)
        games = [delivery(seed) for seed in range(6)]
        assert ledger.store(games) == [Kept.NEW] * 6
        assert ledger.store(games[::-1]) == [Kept.KNOWN] * 6
        assert ledger.store([games[0], delivery(6), delivery(6)]) == [Kept.KNOWN, Kept.NEW, Kept.KNOWN]
        results = ledger.results()
    assert [one.game_id for one in results] == [f"oak{seed:06}" for seed in range(7)]
    assert results[0] == games[0].result


def test_a_later_version_takes_the_place_of_the_one_before(database: str) -> None:
    with opened(database) as engine:
        ledger = Ledger(engine)
        first, mended = delivery(1, version=10), delivery(1, version=12, record=message(2)["record"])
        assert ledger.store([mended, first]) == [Kept.NEW, Kept.KNOWN]
        assert ledger.results() == [mended.result]
        assert ledger.store([withdrawn(1, 13)]) == [Kept.NEW]
        assert ledger.results() == []
        assert ledger.store([mended]) == [Kept.KNOWN]
        assert ledger.store([delivery(1, version=14)]) == [Kept.NEW]
        assert len(ledger.results()) == 1


def test_a_game_of_another_table_is_not_overwritten(database: str) -> None:
    with opened(database) as engine:
        ledger = Ledger(engine)
        ledger.store([delivery(1)])
        forged = delivery(2, table="elm", game=delivery(1).game_id, version=99)
        assert ledger.store([forged]) == [Kept.FOREIGN]
        assert ledger.results() == [delivery(1).result]


def test_the_order_of_arrival_does_not_matter(database: str, tmp_path: Path) -> None:
    games = [delivery(seed) for seed in range(GAME_COUNT)]
    shuffled = [*games, *games[::3]]
    random.Random(4).shuffle(shuffled)
    with opened(database) as engine, opened(str(tmp_path / "other.db")) as other:
        one, two = Book(Ledger(engine), "year"), Book(Ledger(other), "year")
        for game in games:
            one.store([game])
        for start in range(0, len(shuffled), 7):
            two.store(shuffled[start : start + 7])
        assert season_json(one, "2026") == season_json(two, "2026")
        again = Book(Ledger(engine), "year")
        assert season_json(again, "2026") == season_json(one, "2026")


def test_rebuilt_from_the_records_it_shows_the_same(database: str) -> None:
    with opened(database) as engine:
        ledger = Ledger(engine)
        ledger.store([delivery(seed) for seed in range(8)])
        before = season_json(Book(ledger, "year"), None)
        assert ledger.rebuild() == 0
        with engine.begin() as connection:
            connection.execute(update(SEATS).values(points=1, place=1))
            connection.execute(update(GAMES).values(throws=0))
        assert season_json(Book(ledger, "year"), None) != before
        assert ledger.rebuild() == 8
        assert season_json(Book(ledger, "year"), None) == before


def test_records_come_back_as_they_came(database: str) -> None:
    with opened(database) as engine:
        ledger = Ledger(engine)
        ledger.store([delivery(3), delivery(4)])
        assert [record for _, record in ledger.records()] == [message(3)["record"], message(4)["record"]]


def test_migrations_lead_to_the_schema(database: str) -> None:
    with opened(database) as engine, engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


def test_games_of_the_first_version_are_kept(database: str) -> None:
    engine = create_engine(url_of(database))
    with engine.begin() as connection:
        migrate(connection, "0001")
        connection.execute(
            text(
                "INSERT INTO games (id, table_id, version, withdrawn, started_at, ended_at, ending, throws,"
                " digest, stored_at, record) VALUES ('g1', 'oak', 1, :no, '2026-01-01T10:00:00.000+00:00',"
                " '2026-01-01T11:00:00.000+00:00', 'cards', 9, '', '', :record)"
            ),
            {"no": False, "record": b""},
        )
        connection.execute(text("INSERT INTO seats VALUES ('g1', 0, 'Ana', 7, 3, 1)"))
    engine.dispose()
    with opened(database) as engine:
        (game,) = Ledger(engine).results()
    assert (game.game_id, game.table_name, game.seats[0].name) == ("g1", "oak", "Ana")


def test_a_newer_database_is_refused(database: str) -> None:
    with opened(database) as engine, engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseFault, match="newer companion"), opened(database):
        pass


def test_one_club_a_database(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.club.database.LOCK_WITHIN_S", 0.0)
    with opened(database), pytest.raises(DatabaseFault, match="another club"), opened(database):
        pass
    with opened(database):
        pass


def test_the_clubs_id_is_kept(database: str) -> None:
    with opened(database) as engine:
        first = Ledger(engine).club_id()
    with opened(database) as engine:
        assert Ledger(engine).club_id() == first


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("mysql://club@host/db", "'mysql' is no database"),
        ("postgresql://club:secret@127.0.0.1:1/db", "cannot be used"),
        ("/nowhere/at/all/club.db", "cannot be made"),
        ("://x", "URL can not be read"),
        ("postgresql://club:secret@house:many/next", "URL can not be read"),
    ],
)
def test_faults_are_sentences_without_passwords(given: str, told: str) -> None:
    with pytest.raises(DatabaseFault) as fault, opened(given):
        pass
    assert told in fault.value.sentence
    assert "secret" not in fault.value.sentence
    assert "\n" not in fault.value.sentence


def test_somebodys_text_is_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear club")
    with pytest.raises(DatabaseFault), opened(str(letter)):
        pass
    assert letter.read_text() == "Dear club"


def test_sqlite_keeps_what_it_says(tmp_path: Path) -> None:
    with opened(str(tmp_path / "club.db")) as engine, engine.connect() as connection:
        assert connection.scalar(text("PRAGMA synchronous")) == 2
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1
    with closing(sqlite3.connect(tmp_path / "club.db")) as found:
        assert found.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_ratings_follow_from_the_games_alone() -> None:
    results = [delivery(seed).result for seed in range(GAME_COUNT)]
    whole, pieces = Ratings(), Ratings()
    whole.add(one for one in results if one is not None)
    for one in results:
        assert one is not None
        pieces.add([one])
    for name in ("ana", "ben", "chloé", "dan"):
        assert whole.of(name) == pieces.of(name)
        assert whole.of(name).games > 0
    assert whole.of("nobody").games == 0

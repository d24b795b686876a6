"""The journal's file: what was kept comes back, one writer, versions, damage set aside."""

import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion.store.faults import StoreDamaged, StoreFault, StoreInUse
from companion.store.journal import SqliteJournal
from companion.store.memory import MemoryJournal
from companion.store.place import default_file
from companion.store.schema import APPLICATION_ID, MIGRATIONS, VERSION, migrate, version_of
from companion.table.ports import Journal, JournalFault
from tests.conftest import ROOT

CARD = {"groups": [[3, None], [2, "red"]], "points": 4, "action": None}
SAME_CARD = {"groups": [[2, "red"], [3, None]], "points": 4, "action": None}
OTHER = {"groups": [[4, None]], "points": 2, "action": "theft"}


def start(game: str) -> dict[str, Any]:
    return {"do": "start", "game": game}


def reveal(*cards: dict[str, Any]) -> dict[str, Any]:
    return {"do": "events", "events": [{"type": "reveal", "holder": 0, "card": card} for card in cards]}


def clock() -> datetime:
    return datetime(2026, 11, 30, 20, 15, tzinfo=UTC)


@pytest.fixture(params=["file", "memory"])
def reopened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Journal]]:
    """Yield what opens the journal anew; the one in memory has nothing to open."""
    in_memory = MemoryJournal()
    opened: list[SqliteJournal] = []

    def again() -> Journal:
        for journal in opened:
            journal.close()
        opened.append(SqliteJournal(tmp_path / "games.db"))
        return opened[-1]

    yield again if request.param == "file" else lambda: in_memory
    for journal in opened:
        journal.close()


def test_entries_come_back_in_order(reopened: Callable[[], Journal]) -> None:
    journal = reopened()
    journal.append({"do": "reserve", "upto": 1000})
    assert list(journal.entries()) == [{"do": "reserve", "upto": 1000}]
    journal.append(start("a"), {"do": "undo"})
    journal.append({"do": "redo"})
    assert list(reopened().entries()) == [start("a"), {"do": "undo"}, {"do": "redo"}]


def test_a_start_begins_a_new_game(reopened: Callable[[], Journal]) -> None:
    journal = reopened()
    journal.append(start("a"), {"do": "undo"})
    journal.append(start("b"))
    assert list(reopened().entries()) == [start("b")]


def test_known_cards_are_those_met_most_recent_first(reopened: Callable[[], Journal]) -> None:
    journal = reopened()
    journal.append(start("a"), reveal(CARD), reveal(OTHER))
    assert list(journal.known_cards()) == [OTHER, CARD]
    journal.append(start("b"), reveal(SAME_CARD))
    assert list(reopened().known_cards()) == [SAME_CARD, OTHER]


def test_an_append_that_fails_keeps_nothing(tmp_path: Path) -> None:
    with SqliteJournal(tmp_path / "games.db") as journal:
        journal.append(start("a"))
        with pytest.raises(KeyError):
            journal.append({"do": "undo"}, {"do": "start"})
        assert list(journal.entries()) == [start("a")]
        journal.append({"do": "redo"})
        assert list(journal.entries()) == [start("a"), {"do": "redo"}]


def test_a_disk_that_knows_no_locks_is_not_taken_for_another_companion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("companion.store.opening.fcntl.flock", refused)
    with pytest.raises(StoreFault, match=r"cannot be locked \(No locks available\)") as told:
        SqliteJournal(tmp_path / "games.db")
    assert not isinstance(told.value, StoreInUse)


def test_a_second_process_is_told_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    program = (
        "import sys; from pathlib import Path; from companion.store.journal import SqliteJournal\n"
        f"SqliteJournal(Path({str(file)!r}))"
    )
    with SqliteJournal(file):
        with pytest.raises(StoreInUse, match="another companion is using this file"):
            SqliteJournal(file)
        run = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert "StoreInUse" in run.stderr
    SqliteJournal(file).close()


def test_commits_are_synced(tmp_path: Path) -> None:
    with SqliteJournal(tmp_path / "games.db") as journal:
        connection = journal._connection
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A closed file with a game of a few hundred entries."""
    file = tmp_path / "games.db"
    with SqliteJournal(file) as journal:
        journal.append(start("a"), *(reveal(CARD) for _ in range(300)))
    return file


def beginning(content: bytearray) -> None:
    content[:100] = b"\xff" * 100


def middle(content: bytearray) -> None:
    content[4096 : 3 * 4096] = b"\x5a" * 8192


def cut(content: bytearray) -> None:
    del content[len(content) // 2 :]


def erased(content: bytearray) -> None:
    content[:] = bytes(len(content))


def test_somebodys_text_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_text("A shopping list: été, €\n" * 400, encoding="utf-8")
    before = file.read_bytes()
    with pytest.raises(StoreFault, match="this is a text, not a file of games; choose another"):
        SqliteJournal(file, clock)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


@pytest.mark.parametrize("harm", [beginning, middle, cut, erased], ids=lambda harm: harm.__name__)
def test_a_damaged_file_is_set_aside_and_named(played: Path, harm: Callable[[bytearray], None]) -> None:
    content = bytearray(played.read_bytes())
    harm(content)
    played.write_bytes(content)
    with pytest.raises(StoreDamaged, match="damaged") as told:
        SqliteJournal(played, clock)
    aside = told.value.set_aside
    assert aside.name == "games.db.damaged-20261130-201500"
    assert str(aside) in told.value.sentence
    assert aside.read_bytes() == content
    assert not played.exists()
    with SqliteJournal(played) as journal:
        assert list(journal.entries()) == []


def test_a_second_damaged_file_does_not_overwrite_the_first(tmp_path: Path) -> None:
    file, names = tmp_path / "games.db", set()
    for word in (b"\0one", b"\0two"):
        file.write_bytes(word)
        with pytest.raises(StoreDamaged) as told:
            SqliteJournal(file, clock)
        names.add(told.value.set_aside)
    assert {name.read_bytes() for name in names} == {b"\0one", b"\0two"}


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "photos.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE photos (name TEXT)")
    before = file.read_bytes()
    with pytest.raises(StoreFault, match="another program's database"):
        SqliteJournal(file)
    assert file.read_bytes() == before


def test_a_newer_version_is_refused_and_left_alone(played: Path) -> None:
    with closing(sqlite3.connect(played)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = played.read_bytes()
    with pytest.raises(StoreFault, match="made by a newer companion"):
        SqliteJournal(played)
    assert played.read_bytes() == before


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreFault, match="choose another folder"):
        SqliteJournal(tmp_path / "nowhere" / "games.db")


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    file.touch()
    SqliteJournal(file).close()
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


def test_an_older_version_is_migrated_with_all_it_holds(played: Path) -> None:
    following = (
        *MIGRATIONS,
        ("ALTER TABLE games ADD COLUMN place TEXT", "UPDATE games SET place = 'kitchen'"),
    )
    with closing(sqlite3.connect(played, isolation_level=None)) as connection:
        migrate(connection, following)
        assert version_of(connection) == VERSION + 1
        assert connection.execute("SELECT place FROM games").fetchone() == ("kitchen",)
        assert connection.execute("SELECT count(*) FROM entries").fetchone() == (301,)


def test_a_migration_that_fails_changes_nothing(played: Path) -> None:
    following = (*MIGRATIONS, ("ALTER TABLE games ADD COLUMN place TEXT", "this is no statement"))
    with closing(sqlite3.connect(played, isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError):
            migrate(connection, following)
        assert version_of(connection) == VERSION
        columns = [row[1] for row in connection.execute("PRAGMA table_info(games)")]
        assert "place" not in columns


@pytest.mark.parametrize(
    ("environment", "file"),
    [
        ({}, "/h/.local/share/companion/companion.db"),
        ({"XDG_DATA_HOME": "/d"}, "/d/companion/companion.db"),
        ({"XDG_DATA_HOME": "relative"}, "/h/.local/share/companion/companion.db"),
        ({"STATE_DIRECTORY": "/var/lib/companion", "XDG_DATA_HOME": "/d"}, "/var/lib/companion/companion.db"),
    ],
)
def test_the_default_place(environment: dict[str, str], file: str) -> None:
    assert default_file(environment, Path("/h")) == Path(file)


def test_an_entry_that_is_no_json_is_told(tmp_path: Path) -> None:
    with SqliteJournal(tmp_path / "games.db") as journal:
        journal.append(start("a"))
        journal._connection.execute("UPDATE entries SET body = '{'")
        with pytest.raises(JournalFault, match="no JSON"):
            journal.entries()


def test_entries_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    with SqliteJournal(tmp_path / "games.db") as journal:
        journal.append(start("a"))
        journal._connection.execute("DROP TABLE entries")
        with pytest.raises(JournalFault, match=r"games\.db"):
            journal.entries()

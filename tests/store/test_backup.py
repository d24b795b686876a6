"""Backup and restore: one file, taken while the table plays on; nothing is ever overwritten."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.pairing.phones import Phone, hash_of
from companion.store.backup import Restored, back_up, restore
from companion.store.faults import StoreFault, StoreInUse
from companion.store.journal import SqliteJournal
from companion.store.outbox import StoredOutbox
from companion.store.phones import StoredPhones
from companion.store.schema import MIGRATIONS, migrate

ENTRIES = [{"do": "start", "game": "a"}, {"do": "undo"}, {"do": "redo"}]


def clock() -> datetime:
    return datetime(2026, 11, 30, 20, 15, tzinfo=UTC)


def entries_in(file: Path) -> list[object]:
    with SqliteJournal(file) as journal:
        return list(journal.entries())


@pytest.fixture
def played(tmp_path: Path) -> Path:
    file = tmp_path / "games.db"
    with SqliteJournal(file) as journal:
        journal.append(*ENTRIES)
    return file


def test_a_backup_is_taken_while_the_table_plays(played: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    with SqliteJournal(played) as journal:
        journal.append({"do": "undo"})
        back_up(played, target)
        journal.append({"do": "redo"})
    beside = {file.name for file in tmp_path.iterdir() if file.name.startswith("backup")}
    assert beside == {"backup.db"}, "a backup is one file"
    assert entries_in(target) == [*ENTRIES, {"do": "undo"}]


def test_a_backup_overwrites_nothing(played: Path, tmp_path: Path) -> None:
    target = tmp_path / "letter.txt"
    target.write_text("dear", encoding="utf-8")
    with pytest.raises(StoreFault, match="there already"):
        back_up(played, target)
    assert target.read_text(encoding="utf-8") == "dear"


@pytest.mark.parametrize(
    ("source", "target", "sentence"),
    [
        ("absent.db", "b.db", "nothing to save"),
        ("games.db", "nowhere/b.db", "folder"),
        ("bad.db", "b.db", "damaged"),
    ],
)
def test_a_backup_that_cannot_be_is_told(
    played: Path, tmp_path: Path, source: str, target: str, sentence: str
) -> None:
    (tmp_path / "bad.db").write_bytes(b"SQLite format 3\x00" + b"\x01" * 500)
    with pytest.raises(StoreFault, match=sentence):
        back_up(tmp_path / source, tmp_path / target)
    assert (tmp_path / "bad.db").exists()
    assert not (tmp_path / target).exists()
    assert played.exists()


def test_restore_brings_the_games_back(played: Path, tmp_path: Path) -> None:
    target = tmp_path / "new.db"
    assert restore(played, target, replace=False) == Restored(None, keeps_phones=False)
    assert entries_in(target) == ENTRIES


def phone(name: str) -> Phone:
    return Phone(name, name, hash_of(name), "2025-03-01T12:00:00+00:00")


def test_phones_removed_since_do_not_come_back_with_old_games(played: Path, tmp_path: Path) -> None:
    book, saved = StoredPhones(played), tmp_path / "saved.db"
    book.add(phone("lost"))
    back_up(played, saved)
    book.remove("lost")
    book.add(phone("kept"))
    assert restore(saved, played, replace=True, clock=clock).keeps_phones
    assert book.phones() == [phone("kept")]
    assert entries_in(played) == ENTRIES
    assert restore(saved, tmp_path / "new.db", replace=False).keeps_phones is False
    assert StoredPhones(tmp_path / "new.db").phones() == [phone("lost")]


def test_backup_of_the_first_version_takes_up_the_present_phones(played: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    with closing(sqlite3.connect(old, isolation_level=None)) as made:
        migrate(made, MIGRATIONS[:1])
    StoredPhones(played).add(phone("kept"))
    assert restore(old, played, replace=True, clock=clock).keeps_phones
    assert StoredPhones(played).phones() == [phone("kept")]
    assert entries_in(played) == []


def test_phones_of_a_file_that_is_damaged_are_those_of_the_backup(played: Path, tmp_path: Path) -> None:
    StoredPhones(played).add(phone("saved"))
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"SQLite format 3\x00" + b"\x01" * 500)
    done = restore(played, damaged, replace=True, clock=clock)
    assert (done.aside is not None, done.keeps_phones) == (True, False)
    assert StoredPhones(damaged).phones() == [phone("saved")]


def test_a_table_keeps_its_own_id_whatever_games_it_is_given(played: Path, tmp_path: Path) -> None:
    other, fresh = tmp_path / "other.db", tmp_path / "fresh.db"
    with SqliteJournal(other), SqliteJournal(fresh):
        own, others = StoredOutbox(played).table_id(), StoredOutbox(other).table_id()
    assert own != others
    restore(played, other, replace=True, clock=clock)
    assert StoredOutbox(other).table_id() == others
    assert entries_in(other) == ENTRIES
    restore(played, fresh, replace=True, clock=clock)
    assert StoredOutbox(fresh).table_id() == own, "a table without one takes up that of the backup"
    restore(played, tmp_path / "new.db", replace=False)
    assert StoredOutbox(tmp_path / "new.db").table_id() == own


def test_restore_sets_present_games_aside_only_when_told(played: Path, tmp_path: Path) -> None:
    target = tmp_path / "new.db"
    with SqliteJournal(target) as journal:
        journal.append({"do": "start", "game": "other"})
        with pytest.raises(StoreInUse):
            restore(played, target, replace=True)
    with pytest.raises(StoreFault, match="--replace"):
        restore(played, target, replace=False)
    aside = restore(played, target, replace=True, clock=clock).aside
    assert aside is not None
    assert aside.name == "new.db.replaced-20261130-201500"
    assert entries_in(aside) == [{"do": "start", "game": "other"}]
    assert entries_in(target) == ENTRIES


def test_restore_brings_back_nothing_but_the_backup(played: Path, tmp_path: Path) -> None:
    # As after a power cut, and the file itself then deleted by hand: its log lies there still.
    target = tmp_path / "new.db"
    with SqliteJournal(target) as journal:
        journal.append({"do": "start", "game": "lost"}, {"do": "undo"})
        log = target.with_name("new.db-wal")
        left = log.read_bytes()
    target.unlink()
    log.write_bytes(left)
    assert restore(played, target, replace=False, clock=clock).aside is None
    assert entries_in(target) == ENTRIES
    assert (tmp_path / "new.db.replaced-20261130-201500-wal").read_bytes() == left


def test_restore_refuses_what_is_no_backup(tmp_path: Path) -> None:
    no_backup = (
        "this is no backup of the companion; a backup is the file, .* that `companion backup FILE` has"
    )
    for name, content, told in (
        ("empty", b"", no_backup),
        ("text", b"hello", no_backup),
        ("picture", b"\x89PNG\r\n\x1a\n" + b"\x00" * 500, no_backup),
        ("cut", b"SQLite format 3\x00\x10", "this file is damaged"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(StoreFault, match=told):
            restore(tmp_path / name, tmp_path / "new.db", replace=True)
        assert (tmp_path / name).read_bytes() == content
    assert not (tmp_path / "new.db").exists()


def test_a_backup_leaves_nothing_beside_the_games(played: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    back_up(played, tmp_path / "backup.db")
    assert sorted(tmp_path.iterdir()) == sorted([*before, tmp_path / "backup.db"])


def test_games_set_aside_are_one_file_that_holds_all_of_them(played: Path, tmp_path: Path) -> None:
    # As after a power cut: the last steps are in the log beside the file alone.
    target = tmp_path / "new.db"
    with SqliteJournal(tmp_path / "cut.db") as journal:
        journal.append({"do": "start", "game": "other"}, {"do": "undo"})
        for ending in ("", "-wal"):
            left = (tmp_path / f"cut.db{ending}").read_bytes()
            target.with_name(target.name + ending).write_bytes(left)
    aside = restore(played, target, replace=True, clock=clock).aside
    assert aside is not None
    beside = {file.name for file in tmp_path.glob("new.db*")}
    assert beside == {"new.db", aside.name, "new.db.lock"}
    assert entries_in(aside) == [{"do": "start", "game": "other"}, {"do": "undo"}]
    assert entries_in(target) == ENTRIES

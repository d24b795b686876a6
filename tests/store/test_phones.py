"""Paired phones in the table's file: kept beside the games, in backups too, faults in a sentence."""

from pathlib import Path

import pytest

from companion.pairing.phones import Phone, PhonesFault, hash_of
from companion.store.backup import back_up
from companion.store.journal import SqliteJournal
from companion.store.phones import StoredPhones

ANA = Phone("a1", "Ana's <phone>", hash_of("one"), "2025-03-01T12:00:00+00:00")
BEN = Phone("b2", "Ben", hash_of("two"), "2025-03-01T13:00:00+00:00")


def test_phones_are_kept_beside_the_open_journal(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with SqliteJournal(path) as journal:
        book = StoredPhones(path)
        assert book.phones() == []
        book.add(ANA)
        book.add(BEN)
        journal.append({"do": "start", "game": "g1"})
        assert book.phones() == [ANA, BEN]
        book.remove("a1")
        book.remove("nobody")
        # The journal still holds the file for itself.
        journal.append({"do": "undo"})
    with SqliteJournal(path) as journal:
        assert StoredPhones(path).phones() == [BEN]
        assert len(journal.entries()) == 2
    back_up(path, tmp_path / "copy.db")
    assert StoredPhones(tmp_path / "copy.db").phones() == [BEN]


def test_a_file_of_the_first_version_gets_a_place_for_them(tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    from companion.store.schema import MIGRATIONS, migrate

    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:1])
    with SqliteJournal(path):
        StoredPhones(path).add(ANA)
        assert StoredPhones(path).phones() == [ANA]


def test_faults_are_sentences(tmp_path: Path) -> None:
    with SqliteJournal(tmp_path / "table.db"):
        book = StoredPhones(tmp_path / "table.db")
        book.add(ANA)
        with pytest.raises(PhonesFault) as fault:
            book.add(ANA)
        assert str(tmp_path) in fault.value.sentence
    with pytest.raises(PhonesFault):
        StoredPhones(tmp_path / "no folder" / "table.db").phones()

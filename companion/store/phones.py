"""Paired phones in the table's file, beside its games; only hashes of their tokens are kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from companion.pairing.phones import Phone, PhonesFault
from companion.store.opening import told


class StoredPhones:
    """The phone book of a table's file, which the journal of the same process has made and locked."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def phones(self) -> Sequence[Phone]:
        """Return all paired phones, the oldest first.

        Raises:
            PhonesFault: the file can not be read.
        """
        rows = self._done("SELECT id, name, token_hash, paired_at FROM phones ORDER BY number")
        return [Phone(*row) for row in rows]

    def add(self, phone: Phone) -> None:
        """Keep a phone, synced to the disk when this returns.

        Raises:
            PhonesFault: it could not be kept.
        """
        self._done(
            "INSERT INTO phones (id, name, token_hash, paired_at) VALUES (?, ?, ?, ?)",
            phone.phone_id,
            phone.name,
            phone.token_hash,
            phone.paired_at,
        )

    def remove(self, phone_id: str) -> None:
        """Forget a phone.

        Raises:
            PhonesFault: it could not be forgotten.
        """
        self._done("DELETE FROM phones WHERE id = ?", phone_id)

    def _done(self, statement: str, *values: str) -> list[tuple[str, str, str, str]]:
        try:
            with closing(sqlite3.connect(self.path, isolation_level=None, timeout=5.0)) as connection:
                connection.execute("PRAGMA synchronous = FULL")
                return connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise PhonesFault(told(self.path, error)) from error

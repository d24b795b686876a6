"""The journal in one SQLite file: every step is durable before anyone sees what came of it."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from companion.store.cards_met import cards_in
from companion.store.opening import Lock, connect, now, told
from companion.table.ports import JournalFault


class SqliteJournal:
    """The journal of one table, the only writer of its file; a port of `companion.table`."""

    def __init__(self, path: Path, clock: Callable[[], datetime] = now) -> None:
        """Open the file, or make it.

        Raises:
            StoreInUse: another process has it open.
            StoreDamaged: it is damaged, and was set aside.
            StoreFault: it cannot be used.
        """
        self.path = path
        self._clock = clock
        self._one_at_a_time = threading.Lock()
        self._lock = Lock(path)
        try:
            self._connection = connect(path, clock)
        except BaseException:
            self._lock.release()
            raise

    def append(self, *entries: Mapping[str, Any]) -> None:
        """Keep these entries in one transaction, synced to the disk when this returns.

        Raises:
            JournalFault: they could not be kept, and nothing was.
        """
        with self._one_at_a_time:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                for entry in entries:
                    self._keep(entry)
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._roll_back()
                raise JournalFault(told(self.path, error)) from error
            except BaseException:
                self._roll_back()
                raise

    def entries(self) -> Sequence[Mapping[str, Any]]:
        """Return the entries of the current game, or those kept before any game.

        Raises:
            JournalFault: they cannot be read, or what is kept there is none of ours.
        """
        return self._read(
            "SELECT body FROM entries WHERE game IS (SELECT max(number) FROM games) ORDER BY number"
        )

    def known_cards(self) -> Sequence[Mapping[str, Any]]:
        """Return the cards named in any game, most recent first.

        Raises:
            JournalFault: they cannot be read, or what is kept there is none of ours.
        """
        return self._read("SELECT card FROM cards ORDER BY met DESC, key")

    def close(self) -> None:
        """Close the file and let others have it; may be called again."""
        with self._one_at_a_time:
            self._connection.close()
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, query: str) -> Sequence[Mapping[str, Any]]:
        try:
            with self._one_at_a_time:
                rows = self._connection.execute(query).fetchall()
            return [json.loads(text) for (text,) in rows]
        except sqlite3.Error as error:
            raise JournalFault(told(self.path, error)) from error
        except ValueError as error:
            raise JournalFault(
                f"{self.path}: an entry is no JSON ({error}); keep this file, and choose another or a backup."
            ) from error

    def _keep(self, entry: Mapping[str, Any]) -> None:
        at = self._clock().isoformat(timespec="milliseconds")
        if entry["do"] == "start":
            self._connection.execute("INSERT INTO games (id, started_at) VALUES (?, ?)", (entry["game"], at))
        number = self._connection.execute(
            "INSERT INTO entries (game, kept_at, body) VALUES ((SELECT max(number) FROM games), ?, ?)",
            (at, json.dumps(entry, ensure_ascii=False, separators=(",", ":"))),
        ).lastrowid
        for key, card in cards_in(entry):
            self._connection.execute(
                "INSERT INTO cards (key, card, met) VALUES (?, ?, ?)"
                " ON CONFLICT (key) DO UPDATE SET card = excluded.card, met = excluded.met",
                (key, json.dumps(card, ensure_ascii=False), number),
            )

    def _roll_back(self) -> None:
        """Take back a transaction that failed; SQLite has often done so itself."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

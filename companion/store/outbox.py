"""What was delivered of the games to a broker, noted in the table's file beside them; and the table's id."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.history.shelf import ShelfEntry, ShelfFault
from companion.mqtt.outbox import NOTHING_TOLD, Due, OutboxFault
from companion.store.history import StoredGames
from companion.store.opening import rows_of, told

ID_BYTES = 5
FORGOTTEN = 0
"""In place of the entry up to which a game was delivered: all may have forgotten it. Entries count from 1."""


class StoredOutbox:
    """The notes in a table's file, which the journal of the same process has made and locked.

    Each look opens the file for a moment, and a note is one short transaction: the table's writer never
    waits for more than that.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._games = StoredGames(path)

    def table_id(self) -> str:
        """Return this table's id, by chance when it is first asked for, and kept.

        Raises:
            OutboxFault: it can not be read or kept.
        """
        self._done(
            "INSERT INTO identity (number, id) VALUES (1, ?) ON CONFLICT DO NOTHING",
            f"t{secrets.token_hex(ID_BYTES)}",
        )
        ((found,),) = self._done("SELECT id FROM identity")
        return str(found)

    def due(self) -> Sequence[Due]:
        """As `OutboxStore.due`."""
        rows = self._done(
            "SELECT games.id, games.started_at, last.entry, coalesce(deliveries.digest, ?),"
            " games.number = (SELECT max(number) FROM games), coalesce(deliveries.entry = ?, 0) FROM games"
            " JOIN (SELECT game, max(number) AS entry FROM entries GROUP BY game) AS last"
            " ON last.game = games.number"
            " LEFT JOIN deliveries ON deliveries.game = games.number"
            " WHERE deliveries.entry IS NULL OR deliveries.entry < last.entry ORDER BY games.number",
            NOTHING_TOLD,
            FORGOTTEN,
        )
        return [_due(row) for row in rows]

    def delivered_since(self, moment: datetime) -> Sequence[Due]:
        """As `OutboxStore.delivered_since`."""
        rows = self._done(
            "SELECT games.id, games.started_at, deliveries.entry, deliveries.digest, 0, 0 FROM deliveries"
            " JOIN games ON games.number = deliveries.game"
            " WHERE deliveries.at >= ? AND deliveries.digest != ? AND deliveries.entry ="
            " (SELECT max(number) FROM entries WHERE entries.game = games.number) ORDER BY games.number",
            _moment(moment),
            NOTHING_TOLD,
        )
        return [_due(row) for row in rows]

    def entries(self, game_id: str) -> Sequence[ShelfEntry]:
        """As `OutboxStore.entries`."""
        try:
            return self._games.entries(game_id)
        except ShelfFault as fault:
            raise OutboxFault(fault.sentence) from fault

    def note(self, game_id: str, version: int, digest: str, at: datetime) -> None:
        """As `OutboxStore.note`."""
        self._done(
            "INSERT INTO deliveries (game, entry, digest, at) SELECT number, ?, ?, ? FROM games WHERE id = ?"
            " ON CONFLICT (game) DO UPDATE SET entry = excluded.entry, digest = excluded.digest,"
            " at = excluded.at WHERE excluded.entry >= deliveries.entry",
            version,
            digest,
            _moment(at),
            game_id,
        )

    def forget(self, game_id: str) -> None:
        """As `OutboxStore.forget`."""
        # Not removed: what was told once is to be withdrawn if it turns out to be none.
        self._done(
            "UPDATE deliveries SET entry = ? WHERE game = (SELECT number FROM games WHERE id = ?)",
            FORGOTTEN,
            game_id,
        )

    def _done(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            with closing(sqlite3.connect(self.path, isolation_level=None, timeout=5.0)) as connection:
                connection.execute("PRAGMA synchronous = FULL")
                return connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise OutboxFault(told(self.path, error)) from error


def kept_id(path: Path) -> str | None:
    """Return the id that the table in a file has made for itself; None where it has none, or no file."""
    rows = rows_of(path, "SELECT id FROM identity")
    return str(rows[0][0]) if rows else None


def _due(row: tuple[Any, ...]) -> Due:
    game_id, started_at, last_entry, digest, is_newest, again = row
    return Due(game_id, started_at, last_entry, digest, bool(is_newest), bool(again))


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds")

"""Past games from the table's file, read beside its one writer and never in its way."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from companion.history.shelf import ShelfEntry, ShelfFault, ShelfMark
from companion.store.opening import told


class StoredGames:
    """The shelf of a table's file; each look opens it for reading only, beside whoever writes."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def marks(self) -> Sequence[ShelfMark]:
        """Return all games, newest first.

        Raises:
            ShelfFault: the file can not be read.
        """
        rows = self._rows(
            "SELECT games.id, games.started_at, max(entries.number) FROM games"
            " JOIN entries ON entries.game = games.number GROUP BY games.number ORDER BY games.number DESC"
        )
        return [ShelfMark(game_id, started_at, last) for game_id, started_at, last in rows]

    def entries(self, game_id: str) -> Sequence[ShelfEntry]:
        """Return a game's entries in their order, () where there is no such game.

        Raises:
            ShelfFault: the file can not be read.
        """
        rows = self._rows(
            "SELECT entries.kept_at, entries.body FROM entries JOIN games ON entries.game = games.number"
            " WHERE games.id = ? ORDER BY entries.number",
            game_id,
        )
        try:
            return [ShelfEntry(kept_at, json.loads(body)) for kept_at, body in rows]
        except ValueError as error:
            raise ShelfFault(f"{self.path}: an entry is no JSON ({error}); bring back a backup.") from error

    def _rows(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        try:
            address = f"{self.path.resolve().as_uri()}?mode=ro"
            with closing(sqlite3.connect(address, uri=True, timeout=5.0)) as connection:
                return connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise ShelfFault(told(self.path, error)) from error

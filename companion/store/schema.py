"""The schema of the file, its version, and the way from each version to the next."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

APPLICATION_ID = 0x4E787421
"""Written in the file's header ("Nxt!"), so that no other program's database is taken for ours."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE games (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, started_at TEXT NOT NULL)",
        # `game` is null for what the table kept before its first game.
        "CREATE TABLE entries (number INTEGER PRIMARY KEY, game INTEGER REFERENCES games (number),"
        " kept_at TEXT NOT NULL, body TEXT NOT NULL)",
        "CREATE INDEX entries_of_game ON entries (game, number)",
        "CREATE TABLE cards (key TEXT PRIMARY KEY, card TEXT NOT NULL, met INTEGER NOT NULL)",
    ),
    (
        # Phones that may act; `token_hash` is a SHA-256, the token itself is known to the phone alone.
        "CREATE TABLE phones (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"
        " token_hash TEXT NOT NULL UNIQUE, paired_at TEXT NOT NULL)",
    ),
    (
        # How far each game was delivered to a broker, and the digest of what it was told of it last.
        "CREATE TABLE deliveries (game INTEGER PRIMARY KEY REFERENCES games (number), entry INTEGER NOT NULL,"
        " digest TEXT NOT NULL, at TEXT NOT NULL)",
        # The table's own id in topics; one row.
        "CREATE TABLE identity (number INTEGER PRIMARY KEY CHECK (number = 1), id TEXT NOT NULL)",
    ),
)
"""Statements that lead from version n to n + 1; version 0 is an empty file. Only ever add to the end."""

VERSION = len(MIGRATIONS)


def version_of(connection: sqlite3.Connection) -> int:
    """Return the schema's version, 0 for an empty file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def is_ours(connection: sqlite3.Connection) -> bool:
    """Tell whether the file is the companion's, or still empty."""
    mark = connection.execute("PRAGMA application_id").fetchone()[0]
    empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    return bool(mark == APPLICATION_ID or (mark == 0 and empty))


def migrate(connection: sqlite3.Connection, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Bring the file to the newest version, all or nothing.

    Raises:
        sqlite3.Error: it could not be written; it is as it was.
    """
    present = version_of(connection)
    if present == len(migrations):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statements in migrations[present:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise

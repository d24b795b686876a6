"""The club's tables in its database; `migrations` leads an older one here."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

METADATA = MetaData()

GAMES = Table(
    "games",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("table_id", String(40), nullable=False),
    Column("table_name", String(80), nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Column("started_at", String(32), nullable=False),
    Column("ended_at", String(32), nullable=False),
    Column("ending", String(16), nullable=False),
    Column("throws", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("stored_at", String(32), nullable=False),
    # The record's lines, deflated: a tenth of their size. All else in a row follows from it.
    Column("record", LargeBinary, nullable=False),
    Index("games_in_order", "ended_at", "id"),
)

SEATS = Table(
    "seats",
    METADATA,
    Column("game_id", String(40), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name", String(80), nullable=False),
    Column("points", Integer, nullable=False),
    Column("cards", Integer, nullable=False),
    Column("place", Integer, nullable=False),
)

IDENTITY = Table(
    "identity",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("id", String(40), nullable=False),
)

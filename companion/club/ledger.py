"""The ledger: finished games in the database, each once however often it is delivered."""

from __future__ import annotations

import json
import logging
import secrets
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Engine, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from companion.club.database import DatabaseFault, told
from companion.club.results import Delivery, Refusal, Result, Seat, result_of
from companion.club.schema import GAMES, IDENTITY, SEATS

LOG = logging.getLogger(__name__)
CHUNK = 200


class Kept(Enum):
    """What became of a delivery."""

    NEW = "new"
    """It is counted now, or the version before it no more."""
    KNOWN = "known"
    """It, or a later version, was there already."""
    FOREIGN = "foreign"
    """A game of that id is another table's."""


class Ledger:
    """Stores and reads; used from several threads."""

    def __init__(self, engine: Engine, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Use a database that `companion.club.database.opened` has made."""
        self._engine = engine
        self._now = now
        self._shown = engine.url.render_as_string(hide_password=True)

    def club_id(self) -> str:
        """Return this club's id, by chance when it is first asked for, and kept with the games.

        Raises:
            DatabaseFault: it can not be read or kept.
        """
        try:
            with self._engine.begin() as connection:
                row = {"number": 1, "id": secrets.token_hex(6)}
                connection.execute(_insert(connection, IDENTITY).values(row).on_conflict_do_nothing())
                return str(connection.scalar(select(IDENTITY.c.id)))
        except SQLAlchemyError as error:
            raise DatabaseFault(told(self._shown, error)) from error

    def store(self, deliveries: Sequence[Delivery]) -> list[Kept]:
        """Keep these in one transaction; when this returns they outlive a power cut.

        Raises:
            DatabaseFault: nothing was kept.
        """
        try:
            with self._engine.begin() as connection:
                return [self._keep(connection, delivery) for delivery in deliveries]
        except (DataError, IntegrityError) as error:
            raise DatabaseFault(told(self._shown, error), of_data=True) from error
        except SQLAlchemyError as error:
            raise DatabaseFault(told(self._shown, error)) from error

    def results(self, ids: Sequence[str] | None = None) -> list[Result]:
        """Return the games that count, in the order in which they are counted; only these ids, if given.

        Raises:
            DatabaseFault: they can not be read.
        """
        names = ("id", "table_id", "table_name", "version", "started_at", "ended_at", "ending", "throws")
        seats = ("name", "points", "cards", "place")
        query = (
            select(*(GAMES.c[name] for name in names), *(SEATS.c[name] for name in seats))
            .join(SEATS, SEATS.c.game_id == GAMES.c.id)
            .where(GAMES.c.withdrawn.is_(False))
            .order_by(GAMES.c.ended_at, GAMES.c.id, SEATS.c.seat)
        )
        if ids is not None:
            query = query.where(GAMES.c.id.in_(ids))
        try:
            with self._engine.connect() as connection:
                rows = [tuple(row) for row in connection.execute(query)]
        except SQLAlchemyError as error:
            raise DatabaseFault(told(self._shown, error)) from error
        width = len(names)
        fields = ("game_id", "table", *names[2:])
        return [
            Result(**dict(zip(fields, game, strict=True)), seats=tuple(Seat(*row[width:]) for row in own))
            for game, own in groupby(rows, key=lambda row: tuple(row[:width]))
        ]

    def records(self) -> Iterator[tuple[Result, list[Mapping[str, Any]]]]:
        """Yield each game that counts with its record, in order.

        Raises:
            DatabaseFault: they can not be read.
        """
        results = self.results()
        for start in range(0, len(results), CHUNK):
            some = results[start : start + CHUNK]
            query = select(GAMES.c.id, GAMES.c.record).where(GAMES.c.id.in_([one.game_id for one in some]))
            try:
                with self._engine.connect() as connection:
                    found: dict[str, bytes] = dict(tuple(row) for row in connection.execute(query))
            except SQLAlchemyError as error:
                raise DatabaseFault(told(self._shown, error)) from error
            for result in some:
                if result.game_id in found:
                    yield result, _unpacked(found[result.game_id])

    def rebuild(self) -> int:
        """Work all results out anew from the stored records, by the rules; return how many were otherwise.

        Raises:
            DatabaseFault: they can not be read or kept.
        """
        changed = 0
        for before, record in self.records():
            own = (before.game_id, before.table, before.table_name, before.version)
            try:
                after = result_of(record, own, (before.started_at, before.ended_at))
            except Refusal as refusal:
                LOG.warning("game %s is left as it is: %s", before.game_id, refusal)
                continue
            if after != before:
                changed += 1
                try:
                    with self._engine.begin() as connection:
                        row = {"ending": after.ending, "throws": after.throws}
                        connection.execute(GAMES.update().where(GAMES.c.id == after.game_id).values(row))
                        _put_seats(connection, after)
                except SQLAlchemyError as error:
                    raise DatabaseFault(told(self._shown, error)) from error
        return changed

    def _keep(self, connection: Connection, delivery: Delivery) -> Kept:
        result = delivery.result
        row = {
            "id": delivery.game_id,
            "table_id": delivery.table,
            "table_name": delivery.table_name[:80],
            "version": delivery.version,
            "withdrawn": result is None,
            "started_at": "" if result is None else result.started_at,
            "ended_at": "" if result is None else result.ended_at,
            "ending": "" if result is None else result.ending,
            "throws": 0 if result is None else result.throws,
            "digest": delivery.digest,
            "stored_at": self._now().isoformat(timespec="milliseconds"),
            "record": _packed(delivery.record or ()),
        }
        insert = _insert(connection, GAMES).values(row)
        done = connection.execute(
            insert.on_conflict_do_update(
                index_elements=[GAMES.c.id],
                set_={name: insert.excluded[name] for name in row if name != "id"},
                where=(GAMES.c.version < insert.excluded.version)
                & (GAMES.c.table_id == insert.excluded.table_id),
            ).returning(GAMES.c.id)
        )
        if done.first() is None:
            owner = connection.scalar(select(GAMES.c.table_id).where(GAMES.c.id == delivery.game_id))
            return Kept.KNOWN if owner == delivery.table else Kept.FOREIGN
        if result is None:
            connection.execute(delete(SEATS).where(SEATS.c.game_id == delivery.game_id))
        else:
            _put_seats(connection, result)
        return Kept.NEW


def _put_seats(connection: Connection, result: Result) -> None:
    connection.execute(delete(SEATS).where(SEATS.c.game_id == result.game_id))
    rows = [
        {
            "game_id": result.game_id,
            "seat": number,
            "name": seat.name,
            "points": seat.points,
            "cards": seat.cards,
            "place": seat.place,
        }
        for number, seat in enumerate(result.seats)
    ]
    connection.execute(SEATS.insert(), rows)


def _insert(connection: Connection, table: Any) -> Any:
    """Return an insert that may meet what is there: each database writes it in its own dialect."""
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)


def _packed(record: Sequence[Mapping[str, Any]]) -> bytes:
    lines = "\n".join(json.dumps(dict(line), ensure_ascii=False, separators=(",", ":")) for line in record)
    return zlib.compress(lines.encode(), 9)


def _unpacked(packed: bytes) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in zlib.decompress(packed).decode().splitlines()]

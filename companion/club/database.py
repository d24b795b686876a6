"""The database: SQLite in a file or PostgreSQL by its URL, at the newest version, for one club at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from companion.store.faults import StoreFault
from companion.store.opening import Lock

MIGRATIONS = Path(__file__).resolve().parent / "migrations"
CLUB_LOCK = 0x4E787421
"""The key of PostgreSQL's advisory lock: one club a database."""

LOCK_WITHIN_S = 10.0
"""How long to wait for the lock of a club that has just been killed."""


class DatabaseFault(Exception):
    """The database can not be used; the message is the sentence for people, without any password."""

    def __init__(self, sentence: str, *, of_data: bool = False) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.of_data = of_data
        """Whether it is what was to be kept that is at fault: then to try again does not help."""


def url_of(given: str) -> URL:
    """Return the URL of a database; what is no URL is the name of an SQLite file.

    Raises:
        DatabaseFault: it is of a kind that is not kept here.
    """
    if "://" not in given:
        return URL.create("sqlite+pysqlite", database=str(Path(given).expanduser()))
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        # Neither the URL nor what is said of it is repeated: there may be a password in it.
        raise DatabaseFault(
            "the database's URL can not be read; write postgresql://USER:PASSWORD@HOST:PORT/NAME."
        ) from None
    kind = url.get_backend_name()
    if kind == "postgres":
        kind = "postgresql"
    drivers = {"postgresql": "postgresql+psycopg", "sqlite": "sqlite+pysqlite"}
    if kind not in drivers:
        raise DatabaseFault(f"'{kind}' is no database that is known here; there are postgresql and sqlite.")
    return url.set(drivername=drivers[kind])


@contextmanager
def opened(given: str, *, alone: bool = True) -> Iterator[Engine]:
    """Yield the database, made or migrated to the newest version; `alone`: no other club stores in it.

    Raises:
        DatabaseFault: it can not be used, is of a newer version, or another club has it.
    """
    url = url_of(given)
    shown = url.render_as_string(hide_password=True)
    with ExitStack() as stack:
        try:
            if alone and url.get_backend_name() == "sqlite":
                stack.enter_context(Lock(Path(url.database or "")))
            engine = create_engine(url, pool_pre_ping=True)
            stack.callback(engine.dispose)
            if engine.dialect.name == "sqlite":
                event.listen(engine, "connect", _durable)
            elif alone:
                _take_lock(stack.enter_context(engine.connect()), shown)
            with engine.begin() as connection:
                migrate(connection)
        except StoreFault as fault:
            raise DatabaseFault(fault.sentence.replace("another companion", "another club")) from fault
        except NoSuchModuleError as error:
            raise DatabaseFault(f"{shown}: its driver is not installed ({error}).") from error
        except SQLAlchemyError as error:
            raise DatabaseFault(told(shown, error)) from error
        yield engine


def told(shown: str, error: SQLAlchemyError) -> str:
    """Return in a sentence what is wrong with a database."""
    cause = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
    return f"{shown}: the database cannot be used ({cause}); check that it is there and may be written."


def migrate(connection: Connection, to: str = "head") -> None:
    """Bring the database to a version, the newest if nothing is said.

    Raises:
        DatabaseFault: it is of a version that is not known here.
    """
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    present = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if present is not None and present not in known:
        raise DatabaseFault(
            f"this database was made by a newer companion (version {present}); update this one."
        )
    command.upgrade(config, to)


def _durable(connection: object, _record: object) -> None:
    """Let SQLite keep what it has said that it keeps, and readers read beside the writer."""
    cursor = connection.cursor()  # type: ignore[attr-defined]
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _take_lock(connection: Connection, shown: str) -> None:
    """Take the right to store, which the server lets go of when the connection ends."""
    ends_s = time.monotonic() + LOCK_WITHIN_S
    while not connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": CLUB_LOCK}):
        if time.monotonic() > ends_s:
            raise DatabaseFault(
                f"{shown}: another club stores in this database; stop that one, or name another."
            )
        time.sleep(0.2)
    connection.commit()  # the lock belongs to the session, not to the transaction

"""Opening the file: one writer, examined before use; what is damaged is set aside, never overwritten."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from companion.store.faults import StoreDamaged, StoreFault, StoreInUse
from companion.store.schema import VERSION, is_ours, migrate, version_of

HEADER = b"SQLite format 3\x00"
BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside the file; it belongs to it wherever it goes."""

SAMPLE_BYTES = 4096
"""How much of a file's beginning is looked at: a page of a database, which always has zeros in it."""

DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})


class Lock:
    """The right to write a file; the system lets go of it when the process dies."""

    def __init__(self, path: Path) -> None:
        """Take the lock beside `path`.

        Raises:
            StoreInUse: another process has it.
            StoreFault: the folder can not be written, or the file is somebody's text.
        """
        refuse_text(path)
        # A file of its own: closing any other handle of the database would drop SQLite's locks on it.
        place = path.with_name(path.name + ".lock")
        try:
            self._number: int | None = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreFault(f"{place}: cannot be made ({error.strerror}); choose another folder.") from error
        try:
            fcntl.flock(self._number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._number)
            raise StoreInUse(
                f"{path}: another companion is using this file; stop that one, or choose another file."
            ) from error
        except OSError as error:
            os.close(self._number)
            raise StoreFault(
                f"{place}: cannot be locked ({error.strerror}); choose a folder on a disk of this computer."
            ) from error

    def release(self) -> None:
        """Let go; may be called again."""
        if self._number is not None:
            os.close(self._number)
            self._number = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


def connect(path: Path, clock: Callable[[], datetime] = now) -> sqlite3.Connection:
    """Open the file for writing, made or migrated where needed; the lock is the caller's.

    Raises:
        StoreDamaged: it is damaged, and was set aside.
        StoreFault: it is of a newer version, another program's, or cannot be opened or written.
    """
    try:
        examine(path)
        connection = _opened(path)
    except sqlite3.Error as error:
        if is_damage(error):
            raise _set_aside(path, str(error), clock()) from error
        raise StoreFault(told(path, error)) from error
    return connection


def examine(path: Path) -> None:
    """Look at an existing file without changing it; one that is absent or empty is fine.

    Raises:
        sqlite3.DatabaseError: it is damaged (`is_damage`), or cannot be read.
        StoreFault: it is of a newer version, or another program's.
    """
    try:
        header = header_of(path)
    except FileNotFoundError:
        return
    if not header:
        return
    if header != HEADER:
        raise _damage("it does not begin as a database does")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        if not is_ours(connection):
            raise StoreFault(f"{path}: this is another program's database; choose another file.")
        version = version_of(connection)
        if version > VERSION:
            raise StoreFault(
                f"{path}: made by a newer companion (file version {version}, known is {VERSION}); update"
                " the companion, or choose another file."
            )
        found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise _damage(str(found))


def header_of(path: Path) -> bytes:
    """Return the first bytes of a file, which are `HEADER` in every database.

    Raises:
        FileNotFoundError: there is none.
        StoreFault: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(len(HEADER))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StoreFault(f"{path}: cannot be read ({error.strerror}); choose another file.") from error


def refuse_text(path: Path) -> None:
    """Leave somebody's text alone: a mistyped name must not cost them that file.

    Raises:
        StoreFault: the file is a text.
    """
    try:
        with path.open("rb") as file:
            beginning = file.read(SAMPLE_BYTES)
    except OSError:
        return  # what is wrong with it is told when it is opened
    if beginning and _is_text(beginning):
        raise StoreFault(f"{path}: this is a text, not a file of games; choose another file.")


def _is_text(beginning: bytes) -> bool:
    if b"\0" in beginning:
        return False
    try:
        # A character may be cut where the sample ends.
        beginning[:-4].decode()
    except UnicodeDecodeError:
        return False
    return True


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
    try:
        # Write-ahead log with a full sync: one write and one sync a step, which spares an SD card, and a torn
        # end is found by its checksum and dropped. FULL, since NORMAL may lose the last steps at a power cut.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        migrate(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def is_damage(error: sqlite3.Error) -> bool:
    """Tell whether the error says that the file itself is damaged, not its disk, its lock or its rights."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in DAMAGE


def told(path: Path, error: sqlite3.Error) -> str:
    """Return in a sentence what is wrong and what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return f"{path}: the disk is full; make room, then do it again."
    if code == sqlite3.SQLITE_READONLY:
        return f"{path}: may not be written; check the rights of the file and its folder."
    if code == sqlite3.SQLITE_CANTOPEN:
        return f"{path}: cannot be opened; check that the folder is there and may be written."
    if code == sqlite3.SQLITE_IOERR:
        return (
            f"{path}: the disk does not take it ({error}); check its space and its health, then do it again."
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{path}: another program holds this file; close that one, then do it again."
    return f"{path}: cannot be used ({error}); choose another file."


def set_aside(path: Path, word: str, when: datetime) -> Path:
    """Give the file, and what belongs to it, a new name beside the old one; nothing is overwritten.

    What belonged to a file that is gone goes too: SQLite would write it into the next file of that name.
    """
    there = [ending for ending in ("", *BESIDE) if path.with_name(path.name + ending).exists()]
    stem = f"{path.name}.{word}-{when:%Y%m%d-%H%M%S}"
    names = (path.with_name(stem if count == 1 else f"{stem}-{count}") for count in range(1, 1000))
    target = next(
        name
        for name in names
        if not any(name.with_name(name.name + ending).exists() for ending in ("", *BESIDE))
    )
    for ending in there:
        path.with_name(path.name + ending).rename(target.with_name(target.name + ending))
    return target


def _set_aside(path: Path, why: str, when: datetime) -> StoreDamaged:
    try:
        target = set_aside(path, "damaged", when)
    except OSError as error:
        raise StoreFault(
            f"{path}: this file is damaged ({why}) and cannot be renamed ({error.strerror}); move it."
        ) from error
    return StoreDamaged(
        f"{path}: this file is damaged ({why}); it was kept as {target}. Start again to begin with a new one,"
        " or bring back a backup with `companion restore`.",
        target,
    )


def _damage(why: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(why)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def rows_of(path: Path, query: str) -> list[tuple[Any, ...]] | None:
    """Return what a file of ours says; None where it has no place for that, or can not be read."""
    try:
        # Not read-only: who is last to close must be able to take the log into the file.
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)) as read:
            rows = read.execute(query)
            return rows.fetchall() if is_ours(read) else None
    except sqlite3.Error:
        return None

"""Backup and restore: all that the file holds in one file more, while the table plays on."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.store.faults import StoreFault
from companion.store.opening import (
    HEADER,
    Lock,
    examine,
    header_of,
    is_damage,
    now,
    rows_of,
    set_aside,
    told,
)
from companion.store.outbox import kept_id
from companion.store.schema import migrate

PHONE = "id, name, token_hash, paired_at"
"""What is kept of a phone that may act."""


def back_up(source: Path, target: Path) -> None:
    """Copy the games in `source`, which may be in use, to the new file `target`.

    Raises:
        StoreFault: there is nothing to save, `target` is there already, or it cannot be written.
    """
    if not source.is_file():
        raise StoreFault(f"{source}: there is no such file, so there is nothing to save yet.")
    if target.exists():
        raise StoreFault(
            f"{target}: this file is there already; choose another name, nothing is overwritten."
        )
    _examined(source)
    _named(_copied(source, target), target)


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did beside bringing the games back."""

    aside: Path | None
    """Where the games that were there are now; None where there were none."""
    keeps_phones: bool
    """Whether the phones that may act are those of before; else they are those of the backup."""


def restore(source: Path, target: Path, *, replace: bool, clock: Callable[[], datetime] = now) -> Restored:
    """Bring back the games of a backup; games already in `target` are set aside only where `replace` says so.

    The phones that may act stay those of `target`, where they can be read: one that was removed does not come
    back with old games. So does the id by which a broker knows the table, if it has one: no other table's
    backup makes two of one id.

    Raises:
        StoreInUse: the table is running.
        StoreFault: the backup is none, or damaged, or `target` has games and `replace` is not given.
    """
    if not source.is_file():
        raise StoreFault(f"{source}: there is no such file; check the name.")
    if target.exists() and source.samefile(target):
        raise StoreFault(f"{source}: this is the file in use itself; give the backup's name.")
    _recognised(source)
    _examined(source)
    with Lock(target):
        if target.exists() and not replace:
            raise StoreFault(
                f"{target}: there are games here already; with --replace they are set aside first."
            )
        partial = _copied(source, target)
        had_games = target.exists()
        keeps_phones = had_games and _keep_own(partial, target)
        aside = set_aside(target, "replaced", clock())
        _named(partial, target)
        return Restored(aside if had_games else None, keeps_phones)


def _recognised(path: Path) -> None:
    """Raise StoreFault where a file is no backup at all; a damaged one still begins as one."""
    if header_of(path) != HEADER:
        raise StoreFault(
            f"{path}: this is no backup of the companion; a backup is the file, an SQLite database, that "
            "`companion backup FILE` has written: give the name of one."
        )


def _examined(path: Path) -> None:
    """Raise StoreFault unless this is a sound file of ours."""
    if path.stat().st_size == 0:
        raise StoreFault(f"{path}: this file is empty.")
    try:
        examine(path)
    except sqlite3.Error as error:
        if is_damage(error):
            raise StoreFault(f"{path}: this file is damaged ({error}); it was left as it is.") from error
        raise StoreFault(told(path, error)) from error


def _copied(source: Path, target: Path) -> Path:
    """Copy by SQLite's own backup to a file beside the target, synced; return that file."""
    partial = target.with_name(target.name + ".partial")
    try:
        partial.unlink(missing_ok=True)
        with (
            # Not read-only: who is last to close must be able to clear away the log beside the file.
            closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=rw", uri=True)) as read,
            closing(sqlite3.connect(partial)) as written,
        ):
            read.backup(written)
            # One file alone: no log beside it that could be forgotten.
            written.execute("PRAGMA journal_mode = DELETE")
        _sync(partial)
    except (sqlite3.Error, OSError) as error:
        partial.unlink(missing_ok=True)
        raise StoreFault(_told(target, error)) from error
    return partial


def _keep_own(partial: Path, target: Path) -> bool:
    """Put what stays the target's own in the copy; tell whether its phones are."""
    phones = rows_of(target, f"SELECT {PHONE} FROM phones ORDER BY number")
    own_id = kept_id(target)
    with _changed(partial, target) as written:
        if phones is not None:
            written.execute("DELETE FROM phones")
            written.executemany(f"INSERT INTO phones ({PHONE}) VALUES (?, ?, ?, ?)", phones)
        if own_id is not None:
            written.execute("DELETE FROM identity")
            written.execute("INSERT INTO identity (number, id) VALUES (1, ?)", (own_id,))
    return phones is not None


@contextmanager
def _changed(partial: Path, target: Path) -> Iterator[sqlite3.Connection]:
    """Yield the copy, at the newest version, to be changed in one transaction."""
    try:
        with closing(sqlite3.connect(partial, isolation_level=None)) as written:
            migrate(written)
            written.execute("BEGIN IMMEDIATE")
            yield written
            written.execute("COMMIT")
    except sqlite3.Error as error:
        partial.unlink(missing_ok=True)
        raise StoreFault(_told(target, error)) from error


def _named(partial: Path, target: Path) -> None:
    """Give the copy its name, without ever replacing a file: the name is taken first."""
    try:
        # No hard link, which a memory stick's file system does not know.
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
        partial.replace(target)
        _sync(target.parent)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise StoreFault(_told(target, error)) from error


def _told(target: Path, error: sqlite3.Error | OSError) -> str:
    if isinstance(error, sqlite3.Error):
        return told(target, error)
    return f"{target}: cannot be written ({error.strerror}); choose another place."


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)

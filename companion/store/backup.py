"""Backup and restore: all that the file holds in one file more, while the table plays on."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.store.faults import StoreFault
from companion.store.opening import Lock, examine, is_damage, now, set_aside, told
from companion.store.schema import is_ours, migrate


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
    back with old games.

    Raises:
        StoreInUse: the table is running.
        StoreFault: the backup is none, or damaged, or `target` has games and `replace` is not given.
    """
    if not source.is_file():
        raise StoreFault(f"{source}: there is no such file; check the name.")
    if target.exists() and source.samefile(target):
        raise StoreFault(f"{source}: this is the file in use itself; give the backup's name.")
    _examined(source)
    with Lock(target):
        if target.exists() and not replace:
            raise StoreFault(
                f"{target}: there are games here already; with --replace they are set aside first."
            )
        partial = _copied(source, target)
        had_games = target.exists()
        phones = _phones_of(target) if had_games else None
        if phones is not None:
            _put_phones(partial, phones, target)
        aside = set_aside(target, "replaced", clock())
        _named(partial, target)
        return Restored(aside if had_games else None, phones is not None)


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
            closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as read,
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


def _phones_of(path: Path) -> list[tuple[str, str, str, str]] | None:
    """Return the phones kept in a file, None where it has no place for them or can not be read."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as read:
            rows = read.execute("SELECT id, name, token_hash, paired_at FROM phones ORDER BY number")
            return rows.fetchall() if is_ours(read) else None
    except sqlite3.Error:
        return None


def _put_phones(partial: Path, phones: Sequence[tuple[str, str, str, str]], target: Path) -> None:
    """Put these phones in the copy, in place of those that the backup brought."""
    try:
        with closing(sqlite3.connect(partial, isolation_level=None)) as written:
            migrate(written)
            written.execute("BEGIN IMMEDIATE")
            written.execute("DELETE FROM phones")
            written.executemany(
                "INSERT INTO phones (id, name, token_hash, paired_at) VALUES (?, ?, ?, ?)", phones
            )
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

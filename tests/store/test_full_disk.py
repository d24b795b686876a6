"""A full disk: the step is refused in a sentence, nothing changes, and play goes on once there is room."""

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.game.dice import Body, Die
from companion.store.faults import StoreFault
from companion.store.journal import SqliteJournal
from companion.table.conductor import Table
from companion.table.intents import EnterThrow, StartGame, Undo
from tests.store.player import DarkLeds, StillClock, told

THROW = EnterThrow((*[Die(Body.WHITE, "red")] * 4, *[Die(Body.BLACK, "blue")] * 2))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a real file system of 512 kB, where that is allowed."""
    mount = shutil.which("mount")
    place = tmp_path / "disk"
    place.mkdir()
    if mount is None or os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    options = ["-t", "tmpfs", "-o", "size=512k", "tmpfs", str(place)]
    if subprocess.run([mount, *options], capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a small file system is not allowed here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(place: Path) -> Path:
    """Use up all space that is left."""
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            return ballast


@contextmanager
def files_limited_to(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond `size` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_play_waits_for_room_and_goes_on(small_disk: Path) -> None:
    file = small_disk / "games.db"
    with SqliteJournal(file) as journal, Table(journal, None, None, DarkLeds(), StillClock()) as table:
        assert table.submit(StartGame(("Ana", "Ben"), 0)).accepted
        ballast = fill(small_disk)
        before = told(table, journal)
        outcomes = [table.submit(THROW) for _ in range(30)]
        refused = [outcome for outcome in outcomes if not outcome.accepted]
        assert refused, "the disk was not full"
        assert {outcome.code for outcome in refused} == {"journal_fault"}
        assert "full" in str(refused[0].sentence) or "disk" in str(refused[0].sentence)
        assert table.snapshot().health["journal"].state == "fault"
        if len(refused) == len(outcomes):
            assert told(table, journal)["events"] == before["events"]
            assert table.snapshot().held is None
        ballast.unlink()
        assert table.submit(THROW).accepted
        assert table.snapshot().health["journal"].state == "ok"
        last = told(table, journal)
    with SqliteJournal(file) as journal, Table(journal, None, None, DarkLeds(), StillClock()) as table:
        assert told(table, journal)["game"] == last["game"]
        assert table.snapshot().held == THROW.dice


def test_a_full_disk_at_the_start_is_told(small_disk: Path) -> None:
    fill(small_disk)
    with pytest.raises(StoreFault, match=r"full|disk|space"):
        SqliteJournal(small_disk / "games.db")


def test_a_file_that_may_not_grow_is_like_a_full_disk(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with SqliteJournal(file) as journal, Table(journal, None, None, DarkLeds(), StillClock()) as table:
        assert table.submit(StartGame(("Ana", "Ben"), 0)).accepted
        before = told(table, journal)
        size = max(path.stat().st_size for path in tmp_path.iterdir())
        with files_limited_to(size):
            outcome = table.submit(THROW)
        assert (outcome.accepted, outcome.code) == (False, "journal_fault")
        assert table.snapshot().health["journal"].state == "fault"
        assert told(table, journal)["events"] == before["events"]
        assert table.snapshot().held is None
        assert table.submit(THROW).accepted
        assert table.snapshot().health["journal"].state == "ok"
        assert table.submit(Undo()).accepted
    with SqliteJournal(file) as journal, Table(journal, None, None, DarkLeds(), StillClock()) as table:
        assert told(table, journal)["events"] == before["events"]
        assert table.snapshot().redo is not None

"""A real PostgreSQL on a free port, made for one run of the tests and thrown away."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.conftest import in_ci
from tests.mqtt.mosquitto import free_port, until

PLACES = "/usr/lib/postgresql"


def programs() -> Path:
    """Return the folder of the newest PostgreSQL; without one the test is skipped, in CI it fails."""
    found = sorted(Path(PLACES).glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if found:
        return found[-1].parent
    reason = "no PostgreSQL on this system: `sudo apt-get install postgresql` brings it"
    if in_ci():
        pytest.fail(reason)
    pytest.skip(reason)


class PostgreSQL:
    """One server with one database a test."""

    def __init__(self) -> None:
        self._bin = programs()
        # Not below pytest's own folders: another user, whom the server runs as for root, may not enter those.
        self._place = TemporaryDirectory(prefix="companion-postgresql-")
        folder = Path(self._place.name)
        self._data = folder / "data"
        self._log = folder / "log"
        self.port = free_port()
        self._user = _somebody()
        folder.chmod(0o755)
        self._data.mkdir()
        if self._user is not None:
            shutil.chown(self._data, self._user)
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0

    def start(self) -> None:
        initdb = [
            self._bin / "initdb",
            "-D",
            self._data,
            "-U",
            "club",
            "--auth=trust",
            "-E",
            "UTF8",
            "--no-sync",
        ]
        subprocess.run(
            [*map(str, initdb), "--locale=C"], user=self._user, check=True, capture_output=True, cwd="/"
        )
        options = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", self._data, "-p", str(self.port), *options],
                user=self._user,
                stdout=log,
                stderr=log,
                cwd="/",
            )
        ready = [str(self._bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        until(lambda: subprocess.run(ready, check=False).returncode == 0, "PostgreSQL answers")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(60)
        self._place.cleanup()

    def new_database(self) -> str:
        """Make an empty database; return its URL."""
        self._count += 1
        name = f"club{self._count}"
        subprocess.run(
            [str(self._bin / "createdb"), "-h", "127.0.0.1", "-p", str(self.port), "-U", "club", name],
            check=True,
            capture_output=True,
        )
        return f"postgresql://club@127.0.0.1:{self.port}/{name}"


def _somebody() -> str | None:
    """Return whom the server runs as: it refuses root, any other user is itself."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    pytest.skip("PostgreSQL does not run as root, and there is no other user here")

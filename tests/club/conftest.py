"""Databases of both kinds, and a broker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.club.at_broker import Speaker
from tests.club.postgresql import PostgreSQL
from tests.mqtt.mosquitto import Mosquitto, running


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Yield a running server."""
    server = PostgreSQL()
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return where a club may keep its games: of each kind in turn."""
    if request.param == "sqlite":
        return str(tmp_path / "club.db")
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.new_database()


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """Yield a running broker that lets everybody in."""
    with running(tmp_path / "broker") as broker:
        yield broker


@pytest.fixture
def speaker(mosquitto: Mosquitto) -> Iterator[Speaker]:
    """Yield somebody at the broker."""
    one = Speaker(mosquitto)
    yield one
    one.close()

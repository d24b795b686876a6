"""A broker for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mqtt.mosquitto import Listener, Mosquitto, listening, running


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """Yield a running broker that lets everybody in."""
    with running(tmp_path / "broker") as broker:
        yield broker


@pytest.fixture
def listener(mosquitto: Mosquitto) -> Iterator[Listener]:
    """Yield somebody who hears all that is said there."""
    with listening(mosquitto.broker) as heard:
        yield heard

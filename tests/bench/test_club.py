"""The bench of a club measures what it says, on a few tables."""

import pytest

from companion.bench import club
from tests.mqtt.mosquitto import program


def test_few_tables_are_followed() -> None:
    one = club.measured(program("mosquitto", "mosquitto"), tables=4, seconds=3.0, step_s=0.1)
    assert one.tables == 4
    assert one.steps >= 4 * 20
    assert one.finished == one.stored >= 4
    assert float("inf") not in one.delays_s
    assert one.bytes_per_game > 0


def test_without_a_broker_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club, "_program", lambda: None)
    (figure,) = club.run()
    assert "apt-get install mosquitto" in figure.name

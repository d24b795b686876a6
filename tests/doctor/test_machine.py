"""What the doctor says of the machine: every finding has plain advice where something is not well."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.doctor.finding import Finding, Level, of_health, worst
from companion.doctor.machine import clock, disk, machine, network, power, versions, warmth
from companion.table.state import Health, HealthState

NOW = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("free", "level", "words"),
    [(9e9, Level.OK, "9.0 GB"), (2e8, Level.NOTE, "make some room"), (1e6, Level.FAULT, "full")],
)
def test_room_on_the_disk(
    free: float, level: Level, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    found = disk(tmp_path / "not" / "there" / "companion.db")
    assert found.level is level
    assert words in found.sentence


def test_games_that_may_not_be_written_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "sudo" in disk(tmp_path / "companion.db").sentence


def test_clock(tmp_path: Path) -> None:
    synchronised = tmp_path / "systemd" / "timesync" / "synchronized"
    assert clock(NOW, synchronised).level is Level.OK
    synchronised.parent.mkdir(parents=True)
    assert "not set from the network" in clock(NOW, synchronised).sentence
    synchronised.touch()
    assert clock(NOW, synchronised).level is Level.OK
    assert "never set" in clock(NOW - timedelta(days=10_000), synchronised).sentence


def test_network() -> None:
    urls = ("http://pi.local:8000/",)
    assert urls[0] in network(urls, has_address=True, host="0.0.0.0").sentence
    assert network(urls, has_address=False, host="0.0.0.0").level is Level.FAULT
    assert network(urls, has_address=True, host="127.0.0.1").level is Level.NOTE


@pytest.mark.parametrize(
    ("text", "level"), [("0", Level.OK), ("50005", Level.FAULT), ("50000", Level.NOTE), ("what", None)]
)
def test_power(text: str, level: Level | None, tmp_path: Path) -> None:
    place = tmp_path / "get_throttled"
    place.write_text(text + "\n", encoding="ascii")
    found = power(place)
    assert (None if found is None else found.level) is level
    assert power(tmp_path / "nothing") is None


def test_warmth(tmp_path: Path) -> None:
    place = tmp_path / "temp"
    place.write_text("48312\n", encoding="ascii")
    assert warmth(place) == Finding("warmth", Level.OK, "48 °C.")
    place.write_text("84000\n", encoding="ascii")
    hot = warmth(place)
    assert hot is not None
    assert hot.level is Level.NOTE


def test_versions_name_what_is_installed() -> None:
    assert "numpy" in versions().sentence
    subjects = [found.subject for found in machine(Path("/tmp/x"), (), has_address=True, host="0.0.0.0")]
    assert {"disk", "clock", "network", "versions"} <= set(subjects)


@pytest.mark.parametrize("state", HealthState)
def test_health_becomes_a_finding(state: HealthState) -> None:
    found = of_health("camera", Health(state, None if state is HealthState.OK else "so"), "It works.")
    assert found.sentence == ("It works." if state is HealthState.OK else "so")
    assert worst([found, Finding("x", Level.OK, "")]) is found.level
    assert worst([]) is Level.OK

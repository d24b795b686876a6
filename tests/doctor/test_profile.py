"""What the doctor says of the profile: absent, damaged, old, without the camera's settings."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.devices.simulated.pose import Pose
from companion.devices.simulated.table import SimulatedTable
from companion.doctor.finding import Level
from companion.doctor.profile import of_lock, of_profile
from companion.vision.profile import Profile

NOW = datetime(2026, 11, 30, tzinfo=UTC)
PATH = Path("/var/lib/companion/profile.json")


@pytest.fixture(scope="module")
def profile() -> Profile:
    return SimulatedTable(1, Pose(width_px=820, height_px=615)).calibrated()


@pytest.mark.parametrize(
    ("made_at", "level", "words"),
    [
        ("2026-11-30T00:00:00+00:00", Level.OK, "made today"),
        ("2026-11-20T00:00:00", Level.OK, "made 10 days ago"),
        ("2024-01-01T00:00:00+00:00", Level.NOTE, "calibrate"),
        ("long ago", Level.OK, "6 colours"),
    ],
)
def test_age(made_at: str, level: Level, words: str, profile: Profile) -> None:
    found = of_profile(PATH, replace(profile, made_at=made_at), None, NOW)
    assert found.level is level
    assert words in found.sentence


def test_absent_and_damaged() -> None:
    assert "there is no profile yet" in of_profile(PATH, None, None, NOW).sentence
    assert of_profile(PATH, None, "It is damaged.", NOW).sentence == "It is damaged."
    assert of_lock(None) is None


@pytest.mark.parametrize(
    ("controls", "level"),
    [
        ({}, Level.NOTE),
        ({"ExposureTime": 9000, "ColourGains": [1.5, 2]}, Level.OK),
        ({"ColourGains": "red"}, Level.FAULT),
    ],
)
def test_lock(controls: dict[str, object], level: Level, profile: Profile) -> None:
    found = of_lock(replace(profile, controls=controls))
    assert found is not None
    assert found.level is level

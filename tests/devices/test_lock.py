"""The lock: within 2 % of what was stored, proved by each frame's own metadata; and how it is measured."""

from __future__ import annotations

from typing import Any

import pytest

from companion.devices.lock import Lock, LockError, measured

STORED = {"ExposureTime": 12000, "AnalogueGain": 2.0, "ColourGains": [1.8, 1.5], "LensPosition": 0.0}


def test_metadata_within_two_percent_is_as_locked() -> None:
    lock = Lock.of(STORED)
    near = {"ExposureTime": 12200, "AnalogueGain": 1.97, "ColourGains": (1.83, 1.48), "LensPosition": 0.01}
    assert lock.differences(near) == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ExposureTime": 12300}, "exposure 12300 for 12000"),
        ({"AnalogueGain": 2.1}, "gain"),
        ({"ColourGains": (1.8, 1.6)}, "colour gains"),
        ({"LensPosition": 0.1}, "lens position"),
        ({"ColourGains": None}, "colour gains not told"),
        ({"AnalogueGain": float("nan")}, "gain not told"),
    ],
)
def test_metadata_further_off_or_silent_is_not(change: dict[str, Any], words: str) -> None:
    (told,) = Lock.of(STORED).differences({**STORED, **change})
    assert words in told


def test_the_lock_in_words() -> None:
    assert Lock.of(STORED).told() == "exposure 12000, gain 2, colour gains 1.8 and 1.5, lens position 0"


def test_missing_metadata_proves_nothing() -> None:
    assert len(Lock.of(STORED).differences({})) == 4


def test_profile_without_controls_locks_nothing() -> None:
    assert not Lock.of({})
    assert not Lock.of({"made_with": "pictures"})
    assert Lock.of({}).differences({}) == ()


@pytest.mark.parametrize("value", ["bright", [1.0], [1, 2, 3], True, float("inf"), None])
def test_damaged_profile_is_told(value: object) -> None:
    with pytest.raises(LockError, match="ColourGains"):
        Lock.of({"ColourGains": value})


def test_it_is_measured_once_exposure_and_colours_have_come_to_rest() -> None:
    settling = [
        {**STORED, "ExposureTime": exposure} for exposure in (30000, 20000, 14000, 12100, *[12000] * 9)
    ]
    frames = iter(settling)
    assert measured(frames, names=STORED) == STORED
    assert len(list(frames)) > 0


def test_a_camera_that_tells_nothing_has_nothing_to_lock() -> None:
    assert measured([{"SensorTimestamp": 1}] * 6, names=STORED) == {}


def test_a_lens_on_its_way_is_waited_for() -> None:
    """Between two steps of a scan the lens stands still for some frames."""
    scanning = [{**STORED, "LensPosition": 1.0, "AfState": 1}] * 8
    focused = [{**STORED, "LensPosition": 2.1, "AfState": 2}] * 6
    assert measured([*scanning, *focused], names=STORED)["LensPosition"] == 2.1
    with pytest.raises(LockError, match="does not find its focus"):
        measured(scanning, names=STORED)


def test_light_that_never_rests_is_told() -> None:
    flicker = [{**STORED, "ExposureTime": 12000 + 4000 * (count % 2)} for count in range(50)]
    with pytest.raises(LockError, match="light the table evenly"):
        measured(flicker, names=STORED)

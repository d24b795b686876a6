"""A profile comes back as it was written, and what is none is refused with a sentence."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import calibrate
from companion.vision.geometry import Zones
from companion.vision.profile import Profile, ProfileError


@pytest.fixture(scope="module")
def text(shared_data: Path) -> str:
    folder = shared_data / "tables" / "table06"
    empty, colours = (
        np.asarray(cv2.imread(str(folder / name)), np.uint8) for name in ("empty.jpg", "colours.jpg")
    )
    return calibrate(Zones.from_json((folder / "zones.json").read_text()), empty, colours).to_json()


def test_round_trip_and_size(text: str) -> None:
    assert Profile.from_json(text).to_json() == text
    assert len(text) < 80_000


def test_another_version_is_refused(text: str) -> None:
    data = json.loads(text) | {"version": 99}
    with pytest.raises(ProfileError, match=r"99.*version 2.*calibrate again"):
        Profile.from_json(json.dumps(data))


@pytest.mark.parametrize("field", ["zones", "focal_px", "faces", "empty", "made_at", "controls"])
def test_what_is_missing_is_refused(text: str, field: str) -> None:
    data = json.loads(text)
    del data[field]
    with pytest.raises(ProfileError, match="damaged"):
        Profile.from_json(json.dumps(data))


@pytest.mark.parametrize("field", ["focal_px", "zones", "faces"])
def test_a_number_beyond_all_measure_is_refused(text: str, field: str) -> None:
    data = json.loads(text)
    match field:
        case "focal_px":
            data["focal_px"] = 10**400
        case "zones":
            data["zones"]["track_mm"][0] = 10**400
        case "faces":
            data["faces"]["light"][0] = 10**400
    with pytest.raises(ProfileError, match="damaged"):
        Profile.from_json(json.dumps(data))


@pytest.mark.parametrize("broken", ["", "{", "[1, 2]", "{}", "[" * 100_000, "9" * 5000])
def test_what_is_no_profile_is_refused(broken: str) -> None:
    with pytest.raises(ProfileError, match="calibrate again"):
        Profile.from_json(broken)

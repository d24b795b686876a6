"""The set-up's desk and routes: each step on a picture of now, refusals, a profile that is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from flask.testing import FlaskClient

import companion.web
from calibration import Step
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.scene import BODIES
from companion.devices.simulated.table import SimulatedTable
from companion.game.dice import Die
from companion.table.ports import CameraFault
from companion.vision.profile import Profile
from companion.vision.read import read_picture
from companion.web import create_app
from companion.web.language import LANGUAGES
from companion.web.setup_desk import SetupDesk, SetupPort, SetupRefused
from tests.conftest import ROOT
from tests.web.table_at_hand import table_at_hand

STATIC = Path(companion.web.__file__).parent / "static"
POSE = Pose(width_px=820, height_px=615)
Json = dict[str, Any]


class Workshop:
    """A simulated table that is set up, and the profiles that were kept."""

    def __init__(self) -> None:
        self.table = SimulatedTable(4, POSE)
        self.kept: list[Profile] = []
        self.released = 0
        self.controls: Mapping[str, Any] = {"ExposureTime": 9000.0}
        self.desk = SetupDesk(
            SetupPort(self.table.look, self._controls, self.kept.append, None, self._release)
        )

    def _controls(self) -> Mapping[str, Any]:
        if not self.controls:
            raise CameraFault("camera_not_locked", "the light does not come to rest")
        return self.controls

    def _release(self) -> None:
        self.released += 1

    def zones(self) -> Json:
        return POSE.zones().to_dict()

    def set_up(self) -> Json:
        """All steps up to the names."""
        self.desk.take_zones(self.zones())
        self.table.take_dice_away()
        self.desk.take_empty()
        self.table.lay_six_colours()
        return self.desk.take_colours()


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


@pytest.fixture
def client(workshop: Workshop) -> Iterator[FlaskClient]:
    with table_at_hand() as table:
        yield create_app(table, setup=workshop.desk).test_client()


def test_steps_lead_to_a_profile_that_reads(workshop: Workshop) -> None:
    assert workshop.desk.state()["step"] == "zones"
    told = workshop.set_up()
    assert told["step"] == Step.DONE.value
    assert sorted(die["name"] for die in told["dice"]) == sorted(told["names"])
    assert {margin["colour"] for margin in told["margins"]} == set(told["names"])
    workshop.table.throw(everything=True)
    trial = workshop.desk.try_now()["trial"]
    lying = sorted((str(die.body), die.colour) for die in workshop.table.moment().scene.dice)
    assert sorted((die["body"], die["colour"]) for die in trial["dice"]) == lying
    assert workshop.kept == []
    assert workshop.desk.keep()["kept"] is True
    profile = workshop.kept[0]
    assert profile.controls == {"ExposureTime": 9000.0}
    assert profile.made_at.startswith("20")
    reading = read_picture(workshop.table.look(), Profile.from_json(profile.to_json()))
    assert sorted((die.body, die.colour) for die in reading.dice) == lying


def test_a_step_too_early_is_refused(workshop: Workshop) -> None:
    for step in (
        workshop.desk.take_empty,
        workshop.desk.take_colours,
        workshop.desk.try_now,
        workshop.desk.keep,
    ):
        with pytest.raises(SetupRefused) as refused:
            step()
        assert refused.value.code == "wrong_step"
    assert workshop.desk.state()["step"] == "zones"


def test_a_refused_picture_is_shown_and_changes_nothing(workshop: Workshop) -> None:
    workshop.desk.take_zones(workshop.zones())
    workshop.table.take_dice_away()
    before = workshop.desk.take_empty()
    with pytest.raises(SetupRefused) as refused:
        workshop.desk.take_colours()
    assert refused.value.code == "wrong_number_of_dice"
    after = workshop.desk.state()
    assert after["still"] == before["still"] + 1
    assert {**after, "still": 0} == {**before, "still": 0}


def test_an_empty_table_that_is_refused_after_the_camera_was_locked_anew_is_asked_for_again() -> None:
    """Colours would be learned under a lock that is not the one which is kept."""
    workshop = Workshop()
    light = [1]

    def look() -> npt.NDArray[np.uint8]:
        return np.asarray(workshop.table.look() * np.uint8(light[-1]), np.uint8)

    desk = SetupDesk(SetupPort(look, lambda: {"ExposureTime": 9000.0}, workshop.kept.append))
    desk.take_zones(workshop.zones())
    workshop.table.take_dice_away()
    assert desk.take_empty()["step"] == Step.COLOURS.value
    light.append(0)
    with pytest.raises(SetupRefused) as refused:
        desk.take_empty()
    assert refused.value.code == "too_dark"
    assert desk.state()["step"] == Step.EMPTY.value


def test_dice_in_the_empty_picture_are_told(workshop: Workshop) -> None:
    workshop.desk.take_zones(workshop.zones())
    workshop.table.lay_six_colours()
    workshop.desk.take_empty()
    workshop.table.take_dice_away()
    with pytest.raises(SetupRefused) as refused:
        workshop.desk.take_colours()
    assert refused.value.code == "pictures_swapped"
    assert workshop.desk.state()["step"] == Step.COLOURS.value


def test_where_names_are_unclear_people_say_them_on_the_same_picture(workshop: Workshop) -> None:
    workshop.desk.take_zones(workshop.zones())
    workshop.table.take_dice_away()
    workshop.desk.take_empty()
    lying = [
        Die(body, colour, False)
        for body, colour in zip(BODIES, ("red", "red", "yellow", "green", "blue", "purple"), strict=True)
    ]
    workshop.table.lay_out(lying)
    with pytest.raises(SetupRefused) as refused:
        workshop.desk.take_colours()
    assert refused.value.code == "names_unclear"
    assert refused.value.sentence.startswith(
        "Two dice seem to show red: see that each die has another colour up"
    )
    told = workshop.desk.state()
    assert told["step"] == Step.COLOURS.value
    assert [(die["name"], die["body"]) for die in told["dice"]] == [(None, None)] * 6
    assert told["found"] == [die["top_px"] for die in told["dice"]]
    still = told["still"]
    for names in permutations(told["names"]):
        with suppress(SetupRefused):
            told = workshop.desk.take_names(list(names))
            break
    assert [die["name"] for die in told["dice"]] == list(names)
    assert {die["body"] for die in told["dice"]} == {"white", "black"}
    assert (told["step"], told["still"]) == (Step.DONE.value, still), "no other picture was taken"


def test_names_can_be_exchanged(workshop: Workshop) -> None:
    names = [die["name"] for die in workshop.set_up()["dice"]]
    # Some colours look so much like what they are then said not to be that it is refused.
    swapped = names
    for one, other in combinations(range(len(names)), 2):
        swapped = [*names]
        swapped[one], swapped[other] = names[other], names[one]
        with suppress(SetupRefused):
            workshop.desk.take_names(swapped)
            break
    assert [die["name"] for die in workshop.desk.state()["dice"]] == swapped
    with pytest.raises(SetupRefused) as refused:
        workshop.desk.take_names([names[0]] * 6)
    assert refused.value.code == "names_not_all"
    assert [die["name"] for die in workshop.desk.state()["dice"]] == swapped


@pytest.mark.parametrize(
    "zones",
    [None, [], {}, {"track": [[0, 0]]}, {"track": "here", "track_mm": [1, 2]}],
    ids=str,
)
def test_what_is_no_zones(workshop: Workshop, zones: object) -> None:
    with pytest.raises(SetupRefused) as refused:
        workshop.desk.take_zones(zones)
    assert refused.value.code == "bad_zones"


@pytest.mark.parametrize(
    "track_mm", [None, [1], [0, 5], [True, 2], ["a", 2], [float("nan"), 1], [1e9, 1]], ids=str
)
def test_what_is_no_track(workshop: Workshop, track_mm: object) -> None:
    with pytest.raises(SetupRefused) as refused:
        workshop.desk.find_zones(track_mm)
    assert refused.value.code == "bad_zones"


def test_markers_that_are_not_there(workshop: Workshop) -> None:
    with pytest.raises(SetupRefused) as refused:
        workshop.desk.find_zones([220, 150])
    assert refused.value.code == "markers_not_seen"


def test_a_camera_that_fails_is_told(workshop: Workshop) -> None:
    workshop.desk.take_zones(workshop.zones())
    workshop.table.take_dice_away()
    workshop.controls = {}
    with pytest.raises(SetupRefused) as refused:
        workshop.desk.take_empty()
    assert refused.value.code == "camera_not_locked"
    assert workshop.desk.state()["step"] == "empty"


def test_routes_answer_with_the_state_or_with_the_refusal(client: FlaskClient, workshop: Workshop) -> None:
    assert 'data-setup="/setup"' in client.get("/").text
    assert client.get("/api/setup/live.jpg").data.startswith(b"\xff\xd8")
    early = client.post("/api/setup/keep", json={})
    assert (early.status_code, early.get_json()["code"]) == (409, "wrong_step")
    assert early.get_json()["state"]["step"] == "zones"
    done = client.post("/api/setup/zones", json={"zones": workshop.zones()})
    assert done.get_json()["step"] == "empty"
    still = done.get_json()["still"]
    assert client.get(f"/api/setup/still/{still}.jpg").data.startswith(b"\xff\xd8")
    assert client.get(f"/api/setup/still/{still + 1}.jpg").status_code == 404
    client.post("/api/setup/release", json={})
    assert workshop.released == 1
    assert client.post("/api/setup/begin", json={}).get_json()["step"] == "zones"


def test_without_a_camera_there_is_no_set_up() -> None:
    with table_at_hand() as table:
        client = create_app(table).test_client()
        assert "data-setup" not in client.get("/").text
        assert client.get("/setup").status_code == 404


def test_page_is_in_the_browser_s_language_from_own_files(client: FlaskClient) -> None:
    for language in LANGUAGES:
        text = client.get("/setup", headers={"Accept-Language": language}).text
        assert f'<html lang="{language}"' in text
        assert not re.search(r"<script(?![^>]*src=)|style=|https?:", text)


def words(language: str) -> dict[str, str]:
    return dict(json.loads((STATIC / "setup" / "words" / f"{language}.json").read_text("utf-8")))


def test_every_word_and_every_refusal_has_its_text_in_both_languages() -> None:
    english, french = words("en"), words("fr")
    assert set(english) == set(french)
    for key, text in english.items():
        assert french[key].strip()
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", french[key])), key
    scripts = "\n".join(path.read_text("utf-8") for path in (STATIC / "setup").glob("*.js"))
    named = set(re.findall(r'"(setup\.[\w.]+)"', scripts))
    families = set(re.findall(r"`(setup\.[\w.]*?)\.?\$\{", scripts))
    assert {key for key in named if key not in english and key not in families} == set()
    idle = {
        key for key in english if key not in named and not key.startswith(tuple(families | {"setup.refused"}))
    }
    assert idle == set()
    codes = set()
    for path in (ROOT / "calibration").glob("*.py"):
        codes |= set(re.findall(r'CalibrationRefused\(\s*"(\w+)"', path.read_text("utf-8")))
    # These can not come from this page.
    told_in_english = {"wrong_step", "markers_unknown"}
    assert {code for code in codes if f"setup.refused.{code}" not in english} <= told_in_english

"""`companion doctor`: each part examined, with and without pins, and the running companion asked instead."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.cli import doctor
from companion.cli.appliance_parts import Places
from companion.cli.main import main
from companion.devices.gpio import GpioFault
from companion.devices.gpio_leds import open_lamps
from companion.devices.lock import Lock
from companion.devices.picamera import PicameraDevice
from companion.doctor import devices
from companion.doctor.finding import Finding, Level
from companion.settings.values import ButtonSettings, CameraSettings, LedSettings, MqttSettings, Settings
from companion.web import create_app, serve
from companion.web.service import service_pages
from tests.devices.fake_picamera2 import LOCKED, Behaviour, FakePicamera2, no_colours
from tests.devices.mock_pins import mock_factory
from tests.mqtt.mosquitto import free_port
from tests.web.table_at_hand import table_at_hand

NO_CAMERA = replace(Settings(), camera=CameraSettings(kind="none"))


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "companion.db", tmp_path / "profile.json")


@pytest.fixture(autouse=True)
def nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "ask_running", lambda _host, _port: None)


def by_subject(found: Sequence[Finding]) -> dict[str, Finding]:
    return {one.subject: one for one in found}


def no_pins() -> Any:
    raise GpioFault("no_pi", "This machine is no Raspberry Pi.")


def test_without_pins_it_is_a_note(places: Places) -> None:
    found = by_subject(doctor.examined(NO_CAMERA, places, no_pins))
    assert found["pins"] == Finding("pins", Level.NOTE, "This machine is no Raspberry Pi.")
    assert found["camera"].level is Level.NOTE
    assert found["profile"].level is Level.NOTE, "where no camera is wanted, no profile is"
    assert {"profile", "disk", "clock", "network", "versions"} <= set(found)


def test_a_user_who_may_not_look_into_the_service_s_folder_is_told_all_the_rest(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat = Path.stat

    def shut(self: Path, **how: Any) -> os.stat_result:
        if self in (places.data, places.profile):
            raise PermissionError(13, "Permission denied", str(self))
        return stat(self, **how)

    monkeypatch.setattr(Path, "stat", shut)
    found = by_subject(
        doctor.examined(replace(NO_CAMERA, camera=CameraSettings(kind="folder")), places, no_pins)
    )
    assert found["profile"].sentence.endswith("sudo -u companion companion doctor.")
    assert "user may:" not in found["profile"].sentence  # the service says it too, where it may not look
    assert {"disk", "clock", "network", "versions"} <= set(found)


def test_the_broker_is_visited_where_one_is_wanted(places: Places) -> None:
    assert "mqtt" not in by_subject(doctor.examined(NO_CAMERA, places, no_pins))
    wanted = replace(NO_CAMERA, mqtt=MqttSettings(use=True, port=free_port()))
    assert by_subject(doctor.examined(wanted, places, no_pins))["mqtt"].level is Level.FAULT


def test_leds_are_lit_in_turn_and_the_button_looked_at(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mock_factory() as factory:
        monkeypatch.setattr(time, "sleep", lambda _seconds: None)
        found = by_subject(doctor.examined(NO_CAMERA, places, lambda: factory))
    assert (found["leds"].level, found["button"].level) == (Level.OK, Level.OK)
    assert "GPIO 17, GPIO 27, GPIO 22" in found["leds"].sentence


def test_each_led_is_lit_in_turn() -> None:
    with mock_factory() as factory:
        devices.leds(factory, LedSettings(), time.sleep)
        for pin in LedSettings().gpio:
            assert [state.state for state in factory.pin(pin).states][:3] == [False, True, False]


def test_button_that_is_down_or_never_pressed() -> None:
    with mock_factory() as factory:
        wanted = ButtonSettings()
        assert devices.button(factory, wanted, 0.05).level is Level.FAULT
        factory.pin(wanted.gpio)
    with mock_factory() as factory:
        # With the other wiring, an open contact looks like one that is pressed.
        factory.pin(5)._set_pull = lambda _value: None
        factory.pin(5).drive_high()
        found = devices.button(factory, ButtonSettings(gpio=5, inverted=True), 0)
        assert "is down" in found.sentence


@pytest.mark.parametrize(
    ("behaviour", "level", "words"),
    [
        (Behaviour(), Level.OK, "64x48, taken as locked: exposure 12000, gain 2, colour gains 1.8 and 1.5"),
        (Behaviour(ignores=("ColourGains",)), Level.FAULT, "not locked"),
        (Behaviour(opening_errors=[IndexError("list index out of range")] * 9), Level.FAULT, "No camera"),
    ],
    ids=["well", "not locked", "absent"],
)
def test_camera_and_its_lock(
    behaviour: Behaviour, level: Level, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakePicamera2(behaviour)
    monkeypatch.setattr(devices, "MonotonicClock", lambda: fake.clock)
    lock = Lock.of(LOCKED)
    found = devices.camera(PicameraDevice(0, (64, 48), fake.numbered, no_colours), lock)
    assert found.level is level
    assert words in found.sentence


def settings_file(folder: Path, more: str = "") -> Path:
    path = folder / "companion.toml"
    data = folder / "companion.db"
    path.write_text(
        f'[camera]\nkind = "none"\n[table]\ndata = "{data}"\n[button]\nuse = false\n[leds]\nuse = false\n'
        + more,
        encoding="utf-8",
    )
    return path


def test_command_prints_findings_and_its_status_tells_of_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["doctor", "--settings", str(settings_file(tmp_path))])
    printed = capsys.readouterr().out
    assert "✓ settings: " in printed
    assert "! camera: There is no camera, as the settings say." in printed
    assert main(["doctor", "--json", "--settings", str(settings_file(tmp_path, "[page]\nprot = 1\n"))]) == 3
    told = json.loads(capsys.readouterr().out)["findings"]
    assert told[0]["level"] == "fault"
    assert "line 10: [page] has no key 'prot'; is 'port' meant?" in told[0]["sentence"]


@pytest.mark.parametrize("options", [(), ("-v",)], ids=["plain", "verbose"])
def test_the_log_comes_before_the_findings_only_where_it_is_wanted(
    tmp_path: Path, options: Sequence[str]
) -> None:
    text = f'[camera]\nkind = "folder"\nfolder = "{tmp_path}/nowhere"\n[page]\nport = {free_port()}\n'
    text += "[button]\nuse = false\n[leds]\nuse = false\n"
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    words = ["doctor", *options, "--settings", str(tmp_path / "own.toml")]
    # A process of its own: only there nobody else takes the log.
    done = subprocess.run(
        [sys.executable, "-m", "companion", *words], capture_output=True, text=True, check=False
    )
    assert "✗ camera: " in done.stdout
    assert ("camera_absent" in done.stderr) == bool(options)
    assert bool(done.stderr) == bool(options)


def test_lights_out_turns_every_led_off_and_minds_no_missing_pins(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with mock_factory() as factory:
        pins = LedSettings().gpio
        for pin in pins:
            factory.pin(pin).function = "output"
            factory.pin(pin).state = 1
        doctor.lights_out(Settings(), lambda: factory)
        assert [factory.pin(pin).state for pin in pins] == [False, False, False]
    doctor.lights_out(Settings(), no_pins)
    assert "no Raspberry Pi" in capsys.readouterr().out


def test_led_that_can_not_be_turned_off_is_told_and_keeps_no_other_lit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class PinsOwnError(Exception):
        """As lgpio's: of no kind but Exception."""

    class Broken:
        value = property(lambda _self: 1.0, lambda _self, _value: _fail())

        def close(self) -> None:
            _fail()

    def _fail() -> None:
        raise PinsOwnError("unknown handle")

    with mock_factory() as factory:
        pins = LedSettings().gpio
        _, *sound = open_lamps(factory, pins, brightness_frac=1, inverted=False)
        for lamp in sound:
            lamp.value = 1
        monkeypatch.setattr(doctor, "open_lamps", lambda *_args, **_wanted: [Broken(), *sound])
        doctor.lights_out(Settings(), lambda: factory)
        assert [factory.pin(pin).state for pin in pins[1:]] == [False, False]
    printed = capsys.readouterr().out
    assert f"An LED was not turned off: GPIO {pins[0]}" in printed
    assert printed.count("\n") == 1


def test_companion_that_runs_is_asked_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    lit: list[bool] = []
    with table_at_hand() as table:
        app = create_app(table)
        found = [Finding("camera", Level.FAULT, "It is away."), Finding("disk", Level.OK, "Room.")]
        app.register_blueprint(
            service_pages(
                lambda: found, lambda: ("http://a.local/", "http://1.2.3.4/"), lambda: lit.append(True)
            )
        )
        with serve(app, "127.0.0.1", 0) as server:
            monkeypatch.setenv("http_proxy", "http://127.0.0.1:9/")
            assert doctor.ask_running("0.0.0.0", server.port) == found
            assert doctor.ask_running("127.0.0.1", server.port) == found
            client = app.test_client()
            assert "It is away." in client.get("/service").get_data(as_text=True)
            assert client.post("/api/service/leds", json={}).status_code == 200
            assert lit == [True]
            assert client.post("/api/service/leds", data="x").status_code == 415
        assert doctor.ask_running("127.0.0.1", server.port) is None
        with serve(app, "127.0.0.2", 0) as server:
            assert doctor.ask_running("127.0.0.2", server.port) == found
            assert doctor.ask_running("0.0.0.0", server.port) is None


def test_a_press_is_not_waited_for_unsaid_while_the_companion_has_the_button(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "ask_running", lambda *_: [Finding("presses", Level.OK, "3.")])
    assert main(["doctor", "--settings", str(settings_file(tmp_path)), "--button", "10"]) == 0
    assert "so no press was waited for" in capsys.readouterr().out


def test_service_page_without_leds_says_so() -> None:
    with table_at_hand() as table:
        app = create_app(table)
        app.register_blueprint(service_pages(list, lambda: ("http://a.local/",), None))
        answer = app.test_client().post("/api/service/leds", json={})
        assert (answer.status_code, answer.get_json()["code"]) == (409, "no_leds")
        assert "Light each" not in app.test_client().get("/service").get_data(as_text=True)

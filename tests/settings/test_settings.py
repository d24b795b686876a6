"""The settings file: defaults, every fault with its line and the nearest name, and docs that are complete."""

from __future__ import annotations

import contextlib
import doctest
import os
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import companion.mqtt.address
import companion.settings.reading
import companion.settings.telling
from companion.settings.place import SettingsFault, load_settings, settings_file
from companion.settings.reading import SettingsError, settings_from_toml
from companion.settings.telling import as_toml, default_file, docs_tables
from companion.settings.values import CameraSettings, Settings, keys
from tests.conftest import ROOT


def test_no_file_gives_the_defaults() -> None:
    assert load_settings(None) == settings_from_toml("") == Settings()


def test_values_are_taken() -> None:
    leds = "[leds]\ngpio = [5, 6, 13]\nbrightness_frac = 1\ninverted = true\n"
    text = '[camera]\nkind = "usb"\nnumber = 2\n' + leds
    settings = settings_from_toml(text)
    assert settings.camera == CameraSettings(kind="usb", number=2)
    assert settings.leds.gpio == (5, 6, 13)
    assert settings.leds.inverted
    assert settings.leds.brightness_frac == 1.0


def test_settings_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().camera.kind = "usb"  # type: ignore[misc]


FAULTS = {
    "misspelt key": (
        "[camera]\n\nknid = 'usb'\n",
        3,
        "line 3: [camera] has no key 'knid'; is 'kind' meant?",
    ),
    "misspelt section": ("[led]\nuse = true\n", 1, "line 1: there is no section [led]; is [leds] meant?"),
    "key of another section": ("[page]\ngpio = 3\n", 2, "[button]"),
    "key outside of sections": ("port = 80\n", 1, "it belongs below [page]"),
    "section as a value": ("button = 4\n", 1, "write [button] on a line of its own"),
    "wrong kind": ("[page]\nport = '80'\n", 2, "'port' must be a whole number from 1 to 65535, not '80'"),
    "out of range": ("[leds]\n# how bright\nbrightness_frac = 7\n", 3, "must be a number from 0.02 to 1"),
    "no broker": ("[mqtt]\nuse = true\nhost = ''\n", 3, "'host' must be a machine's name or address"),
    "no name": ("[mqtt]\nhost = 'mqtt..lan'\n", 2, "not 'mqtt..lan'"),
    "true is no number": ("[page]\nport = true\n", 2, "must be a whole number"),
    "no such choice": ("[camera]\nkind = 'webcam'\n", 2, '"picamera", "usb"'),
    "two pins": ("[leds]\ngpio = [1, 2]\n", 2, "a list of 3 different BCM numbers"),
    "a pin twice": ("[leds]\ngpio = [17, 17, 22]\n", 2, "different"),
    "the button's pin is an LED's": ("[button]\ngpio = 27\n", 2, "pin 27 is the button's and an LED's"),
    "dotted": ("button.gpoi = 4\n", 1, "is 'gpio' meant?"),
    "folder without a name": ("[camera]\nkind = 'folder'\n", 2, "'folder' must be named"),
    "half a size": ("[camera]\nwidth_px = 640\n", 2, "both"),
    "no TOML": ("[camera]\nkind = usb\n", 2, "this is not TOML"),
    "open quote at the end": ("[camera]\nkind = 'usb", 2, "this is not TOML"),
    "key twice": ("[page]\nport = 1\nport = 2\n", 3, "this is not TOML"),
}


@pytest.mark.parametrize(("section", "name"), [("mqtt", "password"), ("club", "database")])
def test_a_secret_that_is_wrong_is_not_shown(section: str, name: str) -> None:
    for value in ('["hunter2"]', '"hunter2\\n"'):
        with pytest.raises(SettingsError, match=f"'{name}' must be a text in quotes$") as caught:
            settings_from_toml(f"[{section}]\n{name} = {value}\n")
        assert caught.value.line == 2


def test_what_may_hold_a_password_is_a_secret() -> None:
    assert [str(key) for key in keys() if key.is_secret] == ["mqtt.password", "club.database"]
    for key in keys():
        assert key.is_secret or "password" not in f"{key.name} {key.meaning}".lower(), str(key)


@pytest.mark.parametrize("name", FAULTS)
def test_fault_names_its_line_and_what_would_be_right(name: str) -> None:
    text, line, words = FAULTS[name]
    with pytest.raises(SettingsError) as caught:
        settings_from_toml(text)
    assert words in str(caught.value)
    assert caught.value.line == line


def test_pins_may_coincide_where_one_is_not_used() -> None:
    assert settings_from_toml("[button]\nuse = false\ngpio = 27\n").button.gpio == 27


@given(st.text(max_size=200))
def test_any_text_gives_settings_or_one_sentence(text: str) -> None:
    with contextlib.suppress(SettingsError):
        assert settings_from_toml(text).page.port > 0


def test_default_file_says_nothing_but_knows_every_key() -> None:
    text = default_file()
    assert settings_from_toml(text) == Settings()
    uncommented = "\n".join(
        line.removeprefix("#") if line.startswith("#") and not line.startswith("# ") else line
        for line in text.splitlines()
    )
    assert settings_from_toml(uncommented) == Settings()
    for key in keys():
        assert f"\n{key.name} = {as_toml(key.default)}\n" in uncommented + "\n"


def test_every_default_is_what_the_key_may_be() -> None:
    for key in keys():
        default = list(key.default) if isinstance(key.default, tuple) else key.default
        assert key.kind.accept(default) == key.default, str(key)


def test_names_carry_their_units() -> None:
    for key in keys():
        for unit in ("px", "s"):
            assert (key.unit == unit) == key.name.endswith(f"_{unit}")


def test_docs_have_the_tables() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert docs_tables() in text, f"docs/settings.md must hold\n{docs_tables()}"


def test_file_given_goes_first_then_the_users_then_the_machines(tmp_path: Path) -> None:
    home, machine = tmp_path / "home", tmp_path / "etc" / "companion.toml"
    assert settings_file(None, {}, home, machine) is None
    machine.parent.mkdir()
    machine.touch()
    assert settings_file(None, {}, home, machine) == machine
    own = home / ".config" / "companion" / "companion.toml"
    own.parent.mkdir(parents=True)
    own.touch()
    assert settings_file(None, {}, home, machine) == own
    assert settings_file(None, {"XDG_CONFIG_HOME": str(tmp_path / "no")}, home, machine) == machine
    assert settings_file(tmp_path / "x", {}, home, machine) == tmp_path / "x"


def test_a_home_that_this_user_may_not_look_into_has_no_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with `sudo -u companion` where the caller's home is kept."""
    machine = tmp_path / "companion.toml"
    machine.touch()
    stat = Path.stat

    def shut(self: Path, **how: Any) -> os.stat_result:
        if ".config" in self.parts:
            raise PermissionError(13, "Permission denied", str(self))
        return stat(self, **how)

    monkeypatch.setattr(Path, "stat", shut)
    assert settings_file(None, {}, tmp_path / "home", machine) == machine


def test_faults_of_files_are_sentences(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    with pytest.raises(SettingsFault, match=r"a\.toml: the settings cannot be read \(No such file"):
        load_settings(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsFault, match="UTF-8"):
        load_settings(path)
    path.write_text("[camera]\nkind = 1\n", encoding="utf-8")
    with pytest.raises(SettingsFault, match=r"a\.toml: line 2: 'kind' must be one of .*\.$"):
        load_settings(path)


@pytest.mark.parametrize(
    "module", [companion.mqtt.address, companion.settings.reading, companion.settings.telling]
)
def test_examples(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]

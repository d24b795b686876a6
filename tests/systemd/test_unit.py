"""The unit: verified and rated by systemd itself, and true to the program that it starts."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.cli.main import command_parser
from tests.conftest import ROOT, in_ci

UNIT = ROOT / "systemd" / "companion.service"
MOST_EXPOSURE = 40
"""systemd's rating in tenths: 0 is shut in, 100 unprotected."""


def service() -> dict[str, str]:
    """The unit's [Service] section."""
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNIT, encoding="utf-8")
    return dict(parser["Service"])


@pytest.fixture
def systemd_analyze() -> str:
    found = shutil.which("systemd-analyze")
    if found is None:
        reason = "no systemd-analyze on this system"
        if in_ci():
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The unit with a program that is there, as `verify` demands."""
    program = tmp_path / "companion"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    text = UNIT.read_text(encoding="utf-8").replace("/opt/companion/current/bin/companion", str(program))
    unit = tmp_path / "companion.service"
    unit.write_text(text, encoding="utf-8")
    return unit


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)


def test_systemd_finds_nothing_to_complain_of(systemd_analyze: str, installed: Path) -> None:
    done = run(systemd_analyze, "verify", "--recursive-errors=yes", installed)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_check_would_see_a_misspelt_key(systemd_analyze: str, installed: Path) -> None:
    installed.write_text(installed.read_text("utf-8").replace("WatchdogSec", "WatchdogSecs"), "utf-8")
    assert run(systemd_analyze, "verify", "--recursive-errors=yes", installed).returncode != 0


def test_it_is_shut_in(systemd_analyze: str, installed: Path) -> None:
    done = run(
        systemd_analyze, "security", "--offline=true", "--no-pager", f"--threshold={MOST_EXPOSURE}", installed
    )
    assert done.returncode == 0, done.stdout.splitlines()[-1]


def test_camera_and_pins_stay_usable() -> None:
    text = UNIT.read_text(encoding="utf-8")
    assert re.search(r"^SupplementaryGroups=gpio video$", text, re.MULTILINE)
    for device in ("gpiochip", "video4linux", "media", "dma_heap"):
        assert f"DeviceAllow=char-{device} rw\n" in text
    for shutting_out in (
        "PrivateDevices=yes",
        "ProcSubset=pid",
        "PrivateUsers=yes",
        "MemoryDenyWriteExecute=yes",
    ):
        assert shutting_out not in text
    assert "AF_NETLINK" in text  # libcamera finds its devices through udev


def test_lgpio_has_a_folder_to_write_in() -> None:
    """As gpiozero #1106 and #1130: it makes a pipe in the current folder, or where LG_WD says."""
    unit = service()
    assert f"LG_WD=/run/{unit['RuntimeDirectory']}" in unit["Environment"]
    assert unit["WorkingDirectory"] == f"/var/lib/{unit['StateDirectory']}"
    assert "GPIOZERO_PIN_FACTORY=lgpio" in unit["Environment"]


def test_a_crash_inside_a_library_is_told_in_the_log() -> None:
    assert "PYTHONFAULTHANDLER=1" in service()["Environment"].split()


def test_watchdog_and_restart() -> None:
    unit = service()
    assert unit["Type"] == "notify"
    assert int(unit["WatchdogSec"]) >= 15
    assert unit["Restart"] == "always"
    assert "StartLimitIntervalSec=0\n" in UNIT.read_text(encoding="utf-8")


@pytest.mark.parametrize("key", ["ExecStart", "ExecStopPost"])
def test_commands_it_runs_are_ours(key: str) -> None:
    _, name, *arguments = shlex.split(service()[key])
    command_parser(name).parse_args(arguments)


def test_a_crash_turns_the_leds_off() -> None:
    assert "--lights-out" in service()["ExecStopPost"]
    assert service()["ExecStopPost"].startswith("-")


def test_places_are_those_of_the_installation() -> None:
    script = (ROOT / "script" / "install").read_text(encoding="utf-8")
    unit = service()
    assert f"data=/var/lib/{unit['StateDirectory']}\n" in script
    assert f"id {unit['User']} " in script
    _, _, _, settings = shlex.split(unit["ExecStart"])
    assert f"settings={settings}\n" in script
    assert unit["ExecStart"].startswith("/opt/companion/current/bin/companion ")
    assert "home=/opt/companion\n" in script

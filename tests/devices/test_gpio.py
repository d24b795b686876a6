"""Without pins: each way in which they cannot be had is a code and a sentence that says what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from companion.devices.gpio import ABSENT_CODES, GpioFault, open_pins, with_pins


def pin_unknown_pi() -> Exception:
    from gpiozero.exc import PinUnknownPi

    error: Exception = PinUnknownPi("unable to locate Pi revision")
    return error


class LgpioError(Exception):
    """As lgpio's own `error`."""


ERRORS = {
    "gpio_library_missing": ModuleNotFoundError("No module named 'lgpio'"),
    "gpio_folder": FileNotFoundError(2, "No such file or directory", ".lgd-nfy-3"),
    "gpio_busy": LgpioError("'GPIO busy'"),
    "gpio_not_allowed": PermissionError(13, "Permission denied"),
    "no_gpio": LgpioError("'can not open gpiochip'"),
    "no_pi": pin_unknown_pi(),
    "gpio_fault": RuntimeError("something else"),
}


@pytest.mark.parametrize("code", ERRORS)
def test_each_failure_has_its_code_and_advice(code: str) -> None:
    def fails() -> None:
        raise ERRORS[code]

    with pytest.raises(GpioFault) as caught:
        with_pins("the button on GPIO 23", fails)
    assert caught.value.code == code
    assert caught.value.sentence.startswith("the button on GPIO 23: ")
    assert "Play goes on by phone." in caught.value.sentence


def test_a_machine_without_pins_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if Path("/dev/gpiochip0").exists():
        pytest.skip("this machine has pins")
    monkeypatch.setenv("LG_WD", str(tmp_path))  # where lgpio is there, it makes its pipe
    with pytest.raises(GpioFault) as caught:
        open_pins()
    assert caught.value.code in ABSENT_CODES


OPENS_PINS = """
from companion.devices.gpio import GpioFault, open_pins
try:
    open_pins()
except GpioFault as fault:
    print(fault.code)
"""


@pytest.mark.parametrize("folder", ["none", "LG_WD"])
def test_it_starts_from_a_folder_that_cannot_be_written(folder: str, tmp_path: Path) -> None:
    """The library makes a pipe in the current folder, or in LG_WD (gpiozero #1106, #1130)."""
    if find_spec("lgpio") is None:
        pytest.skip("no lgpio for this Python")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    environment.pop("LG_WD", None)

    def run(program: str, more: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", program],
            cwd="/proc",
            env=environment | more,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    assert ".lgd-nfy" in run("import lgpio", {}).stderr, "the fault is there"
    done = run(OPENS_PINS, {"LG_WD": str(tmp_path)} if folder == "LG_WD" else {})
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() != "gpio_folder"
    assert list(tmp_path.glob("companion-lgpio-*")) == []

"""The wheel that people install holds everything, and works away from the checkout."""

import os
import subprocess
import sys
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest

from companion import __version__
from companion.cli.main import available_commands
from tests.conftest import ROOT

PACKAGES = ("companion", "calibration")
NOT_SHIPPED = {"__pycache__"}


def run(*words: str | Path, cwd: Path, **settings: str) -> str:
    """Run a program to its end and return what it printed; the test fails with all it said otherwise."""
    done = subprocess.run(
        words,
        cwd=cwd,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the checkout, as `pip install .` does."""
    if not (ROOT / "companion").is_dir():
        pytest.skip("these tests are running on an installed wheel already: its sources are not beside them")
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel, without its dependencies, in a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps")
    run(*pip, "--no-index", "--target", folder, wheel, cwd=folder)
    return folder


def test_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    wanted = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and not NOT_SHIPPED & set(path.parts)
    }
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == wanted


def test_wheel_has_its_licence_and_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (entries,) = (archive.read(name).decode() for name in names if name.endswith("entry_points.txt"))
        (metadata,) = (archive.read(name).decode() for name in names if name.endswith("METADATA"))
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert "companion = companion.cli.main:main" in entries
    fields = HeaderParser().parsestr(metadata)
    assert (fields["Version"], fields["License-Expression"]) == (__version__, "Apache-2.0")
    assert not [line for line in fields.get_all("Requires-Dist", []) if "picamera2" in line]


def test_installed_wheel_lists_its_commands(site: Path, tmp_path: Path) -> None:
    listed = run(sys.executable, "-m", "companion", "--help", cwd=tmp_path, PYTHONPATH=str(site))
    for name in available_commands():
        assert f"\n  {name} " in listed


def test_installed_wheel_imports_every_module_from_its_own_place(site: Path, tmp_path: Path) -> None:
    program = (
        "import importlib, pathlib, sys\n"
        f"site = pathlib.Path({str(site)!r})\n"
        f"for package in {PACKAGES!r}:\n"
        "    for path in sorted((site / package).rglob('*.py')):\n"
        "        name = '.'.join(path.relative_to(site).with_suffix('').parts).removesuffix('.__init__')\n"
        "        module = importlib.import_module(name)\n"
        "        assert pathlib.Path(module.__file__).is_relative_to(site), module.__file__\n"
        "        print(name)\n"
    )
    names = run(sys.executable, "-W", "error", "-c", program, cwd=tmp_path, PYTHONPATH=str(site)).split()
    assert {"companion", "companion.__main__", "companion.cli.main"} <= set(names)

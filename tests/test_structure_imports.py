"""The import direction: cli → web, devices, store → table, calibration → vision, coach → game."""

import ast
import re
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.sources import Import, Module, all_modules, calls_of, imports_of

LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"game"}),
    frozenset({"vision", "coach"}),
    frozenset({"table", "calibration"}),
    frozenset({"history", "pairing"}),
    frozenset({"web", "devices", "store", "settings", "mqtt"}),
    frozenset({"evaluation", "bench", "selfplay", "doctor", "club"}),
    frozenset({"cli"}),
)
"""From the lowest to the highest; `history` tells past games and
`pairing` tells who may act to `web`; `mqtt` tells a broker what a table shows; `evaluation`, `bench`,
`selfplay` and `doctor` examine what lies below for the commands, and `club` is where many tables meet."""

LEVEL = {package: level for level, layer in enumerate(LAYERS) for package in layer}

HARDWARE = frozenset({"picamera2", "libcamera", "gpiozero", "lgpio", "RPi", "pigpio", "smbus", "serial"})

COMES_WITH: dict[str, tuple[str, ...]] = {
    "opencv_python": ("cv2",),
    "flask": ("werkzeug", "jinja2", "markupsafe"),  # flask's own documented ground
    "paho_mqtt": ("paho",),
}
"""Modules of a declared package that bear another name."""

OF_THE_SYSTEM = frozenset({"picamera2", "libcamera"})
"""Only the system's own packages fit a Pi, so that pyproject.toml does not name them."""

ALLOWED_OUTSIDE: dict[str, frozenset[str]] = {
    "game": frozenset(),
    "vision": frozenset({"numpy", "cv2"}),
    "coach": frozenset({"numpy"}),
}
"""What the pure packages may import beside the standard library."""

IMPURE_MODULES = frozenset(
    {"time", "datetime", "os", "pathlib", "shutil", "tempfile", "socket", "subprocess", "threading"}
)
"""Clock, files and the like: the pure packages are given their results instead."""

IMPURE_CALLS = frozenset(
    {"open", "print", "input", "cv2.imread", "cv2.imwrite", "cv2.VideoCapture", "cv2.imshow"}
    | {"np.load", "np.save", "np.savez", "np.fromfile", "np.loadtxt", "np.savetxt"}
)
PURE_PACKAGES = ("game", "vision", "coach")


def target_package(imported: Import) -> str | None:
    """The part of the project that an import reaches, or None for the outside world and the root."""
    parts = imported.target.split(".")
    if parts[0] == "companion":
        return parts[1] if len(parts) > 1 and parts[1] in LEVEL else None
    return parts[0] if parts[0] in LEVEL and parts[0] != "companion" else None


def faults_of_direction(module: Module) -> list[str]:
    """Name each import of a higher layer."""
    if not module.package:
        return []
    level = LEVEL[module.package]
    return [
        f"{module.path}:{found.line} imports {found.target}: {module.package} lies lower"
        for found in imports_of(module)
        if (target := target_package(found)) is not None and LEVEL[target] > level
    ]


def outside_imports(module: Module) -> list[Import]:
    """All imports that are neither the project's nor the standard library's."""
    own = ("companion", "calibration")
    return [
        found
        for found in imports_of(module)
        if (top := found.target.split(".")[0]) not in own and top not in sys.stdlib_module_names
    ]


def declared_packages() -> frozenset[str]:
    """The names in pyproject.toml's dependencies and extras `pi`, `lab` and `club`, as modules are named."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *extras["pi"], *extras["lab"], *extras["club"]]
    names = {re.split(r"[^A-Za-z0-9._-]", line)[0].lower().replace("-", "_") for line in lines}
    return frozenset(names).union(*(COMES_WITH.get(name, ()) for name in names))


def parsed(name: str, text: str) -> Module:
    """A made-up module, to show that the checks can fail."""
    return Module(name, Path(f"{name.rpartition('.')[2]}.py"), text, ast.parse(text))


@pytest.fixture(params=all_modules(), ids=str)
def module(request: pytest.FixtureRequest) -> Module:
    """Each module in turn."""
    found = request.param
    assert isinstance(found, Module)
    return found


def test_module_has_a_layer(module: Module) -> None:
    assert module.package in LEVEL or module.name in ("companion", "companion.__main__")


def test_lower_never_imports_higher(module: Module) -> None:
    assert not faults_of_direction(module)


def test_every_outside_import_is_declared(module: Module) -> None:
    tops = {found.target.split(".")[0] for found in outside_imports(module)}
    undeclared = tops - declared_packages() - OF_THE_SYSTEM
    assert not undeclared, f"{module.path}: name {sorted(undeclared)} in pyproject.toml, with its reason"


def test_pure_package_imports_only_what_it_may(module: Module) -> None:
    if module.package not in PURE_PACKAGES:
        return
    outside = {found.target.split(".")[0] for found in outside_imports(module)}
    assert outside <= ALLOWED_OUTSIDE[module.package]
    impure = {found.target.split(".")[0] for found in imports_of(module)} & IMPURE_MODULES
    assert not impure, f"{module.path} reaches for {sorted(impure)}: pass the value in"


def test_pure_package_touches_no_file_or_camera(module: Module) -> None:
    if module.package not in PURE_PACKAGES:
        return
    assert not [(call, line) for call, line in calls_of(module) if call in IMPURE_CALLS]


def test_hardware_is_imported_late_and_only_by_devices(module: Module) -> None:
    hardware = [found for found in outside_imports(module) if found.target.split(".")[0] in HARDWARE]
    assert not [found for found in hardware if found.at_import], "import it where the device is opened"
    assert not hardware or module.package == "devices"


def test_cameras_are_opened_only_by_devices(module: Module) -> None:
    opened = [line for call, line in calls_of(module) if call.endswith("VideoCapture")]
    assert not opened or module.package == "devices"


def test_packages_of_one_layer_do_not_import_each_other_in_a_circle() -> None:
    reached: dict[str, set[str]] = defaultdict(set)
    for module in all_modules():
        for found in imports_of(module):
            target = target_package(found)
            if module.package and target is not None and target != module.package:
                reached[module.package].add(target)
    circles = [
        (one, other) for one in LEVEL for other in LEVEL if other in reached[one] and one in reached[other]
    ]
    assert not circles


@pytest.mark.parametrize(
    ("name", "text", "faults"),
    [
        ("companion.game.x", "from companion.vision import read", 1),
        ("companion.game.x", "def f():\n    import companion.table.rules", 1),
        ("companion.vision.x", "from ..coach import odds\nfrom ..table.lights import on", 1),
        ("companion.vision.x", "from . import colour\nfrom companion.game.dice import Die", 0),
        ("companion.store.x", "try:\n    from companion.cli.faults import Fault\nexcept ImportError: ...", 1),
        ("companion.table.x", "with a:\n    import calibration.steps", 0),
        ("calibration.x", "from companion.web.app import app", 1),
        ("calibration.x", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import companion.web", 0),
    ],
)
def test_direction_check_sees_faults(name: str, text: str, faults: int) -> None:
    assert len(faults_of_direction(parsed(name, text))) == faults


def test_hardware_check_tells_late_from_early() -> None:
    early = imports_of(parsed("companion.devices.x", "if True:\n    import gpiozero"))
    late = imports_of(parsed("companion.devices.x", "class B:\n    def open(self):\n        import gpiozero"))
    assert [found.at_import for found in early] == [True]
    assert [found.at_import for found in late] == [False]

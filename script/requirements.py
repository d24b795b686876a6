"""Print what pip shall install for this project, one requirement a line, from pyproject.toml.

    python3 script/requirements.py full|headless|system [EXTRA…]

`full` takes opencv-python as pyproject.toml says. `headless` takes opencv-python-headless in its place:
the same library without windows, which needs no libGL and no libxcb. `system` leaves OpenCV and numpy
out: the distribution's own are used. Standard library only, so that it runs before anything is installed.
"""

import re
import sys
import tomllib
from pathlib import Path

CHOICES = ("full", "headless", "system")
NAME = re.compile(r"^[A-Za-z0-9._-]+")


def name_of(requirement: str) -> str:
    """Return the package's name of a requirement such as `numpy>=1.24; python_version<"3.13"`."""
    found = NAME.match(requirement)
    if found is None:
        raise SystemExit(f"pyproject.toml: '{requirement}' is no requirement")
    return found[0]


def chosen(requirements: list[str], opencv: str) -> list[str]:
    """Return the requirements with the chosen OpenCV in the place of opencv-python."""
    if opencv == "system":
        return [line for line in requirements if name_of(line) not in ("opencv-python", "numpy")]
    if opencv == "headless":
        return [
            NAME.sub("opencv-python-headless", line) if name_of(line) == "opencv-python" else line
            for line in requirements
        ]
    return requirements


def main(words: list[str]) -> int:
    """Print the requirements; 2 for a wrong command line."""
    if not words or words[0] not in CHOICES:
        print("usage: python3 script/requirements.py full|headless|system [EXTRA…]", file=sys.stderr)
        return 2
    opencv, *extras = words
    project = tomllib.loads(
        (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    )["project"]
    optional = project["optional-dependencies"]
    unknown = [extra for extra in extras if extra not in optional]
    if unknown:
        print(
            f"script/requirements.py: no extra '{unknown[0]}'; there are: {', '.join(optional)}",
            file=sys.stderr,
        )
        return 2
    requirements = [*project["dependencies"], *(line for extra in extras for line in optional[extra])]
    print("\n".join(chosen(requirements, opencv)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What the last trial in the virtual machine gave, kept in hardware/tried.toml, and whether it still holds.

python -m tests.hardware.vm.kept_result     ends with 0 where what was tried is still as it was, else with 1
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / "hardware" / "tried.toml"
TRIED = (
    "companion/cli/appliance.py",
    "companion/cli/appliance_parts.py",
    "companion/cli/doctor.py",
    "companion/cli/run.py",
    "companion/cli/sd_notify.py",
    "companion/devices",
    "script/install",
    "script/requirements.py",
    "systemd",
    "tests/hardware/vm",
)
"""Files and folders with what only this trial shows: pins, unit, installation, and the trial itself."""
OTHERS = {"__pycache__", "simulated"}
"""Folders in these with nothing of that."""


def fingerprint(root: Path = ROOT) -> str:
    """Return what changes when anything of that does."""
    digest = hashlib.sha256()
    for path in _files(root):
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def keep(path: Path, minutes: float, plugs: int, steps: Sequence[tuple[str, str]]) -> None:
    """Write the result of a trial that went well today; what each step told stands beside it."""
    lines = [
        "# What script/test-hardware --keep-result wrote after its last run that went well.",
        f"date = {datetime.now(UTC).date().isoformat()}",
        f"minutes = {minutes:.0f}",
        f"plugs_pulled = {plugs}",
        f'fingerprint = "{fingerprint()}"',
        "",
    ]
    for what, told in steps:
        lines += ["[[steps]]", f"what = {_quoted(what)}", f"told = {_quoted(told)}", ""]
    path.write_text("\n".join(lines), encoding="utf-8")


def main() -> int:
    """Say in a line whether the kept result still holds."""
    if not KEPT.exists():
        print("the virtual machine was never tried")
        return 1
    kept = tomllib.loads(KEPT.read_text(encoding="utf-8"))
    if kept["fingerprint"] != fingerprint():
        print(f"changed since it was tried in the virtual machine on {kept['date']}")
        return 1
    print(f"pins, unit and installation are as they were tried in the virtual machine on {kept['date']}")
    return 0


def _files(root: Path) -> Iterator[Path]:
    for name in TRIED:
        place = root / name
        if place.is_file():
            yield place
            continue
        for path in sorted(place.rglob("*")):
            if path.is_file() and OTHERS.isdisjoint(path.parts):
                yield path


def _quoted(text: str) -> str:
    # A JSON string is a TOML basic string.
    return json.dumps(text, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main())

"""The machine itself: disk, clock, network, power, warmth and versions."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from companion import __version__
from companion.doctor.finding import Finding, Level

LITTLE_BYTES, FULL_BYTES = 500_000_000, 50_000_000
FIRST_YEAR = 2025
"""A clock that shows an earlier year was never set: a Pi without a battery begins in the past."""

TIME_SYNCHRONISED = Path("/run/systemd/timesync/synchronized")
THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
WARMTH = Path("/sys/class/thermal/thermal_zone0/temp")
HOT_C = 80.0
"""From here on a Pi slows down."""

PACKAGES = ("numpy", "opencv-python", "opencv-python-headless", "flask", "gpiozero", "lgpio", "picamera2")


def disk(data: Path) -> Finding:
    """Is there room for the games, and may they be written?"""
    folder = next((parent for parent in (data.parent, *data.parent.parents) if _is_seen(parent)), Path("/"))
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Finding(
            "disk", Level.FAULT, f"{folder}: cannot be examined ({error.strerror}); check the disk."
        )
    room = f"{free / 1e9:.1f} GB are free for the games in {data}"
    if not os.access(data if _is_seen(data) else folder, os.W_OK):
        return Finding(
            "disk",
            Level.NOTE,
            f"{room}, but this user may not write there; the service's own user may: run this with sudo.",
        )
    if free < FULL_BYTES:
        return Finding("disk", Level.FAULT, f"The disk is full: {room}; remove what is not needed.")
    if free < LITTLE_BYTES:
        return Finding("disk", Level.NOTE, f"Only {room}; make some room.")
    return Finding("disk", Level.OK, f"{room}.")


def clock(now: datetime, synchronised: Path = TIME_SYNCHRONISED) -> Finding:
    """Does the time of day look right?"""
    told = f"The clock shows {now.astimezone():%Y-%m-%d %H:%M}"
    if now.year < FIRST_YEAR:
        return Finding(
            "clock",
            Level.NOTE,
            f"{told}, so it was never set: connect the network once. Only the dates of past games suffer.",
        )
    if synchronised.parent.parent.exists() and not synchronised.exists():
        return Finding(
            "clock",
            Level.NOTE,
            f"{told}, not set from the network since the start. Only the dates of past games may be off.",
        )
    return Finding("clock", Level.OK, f"{told}.")


def network(urls: Sequence[str], *, has_address: bool, host: str) -> Finding:
    """Can phones reach the page?"""
    if host in ("127.0.0.1", "::1", "localhost"):
        return Finding(
            "network", Level.NOTE, f"The page is for this machine only, since [page] host is {host}."
        )
    if not has_address:
        return Finding(
            "network",
            Level.FAULT,
            "No network: phones cannot reach the page. Join one with `sudo nmtui`, or let the Pi make its "
            "own (a hotspot, see docs/install.md).",
        )
    return Finding("network", Level.OK, f"Phones open the page at {' or '.join(urls)}.")


def power(throttled: Path = THROTTLED) -> Finding | None:
    """Has the supply been too weak? None where the machine does not tell."""
    try:
        bits = int(throttled.read_text(encoding="ascii").strip(), 16)
    except (OSError, ValueError):
        return None
    if bits & 0x1:
        return Finding("power", Level.FAULT, "The power supply is too weak now: use the Pi's own one.")
    if bits & 0x10000:
        return Finding(
            "power", Level.NOTE, "The power supply was too weak since the start: use the Pi's own one."
        )
    return Finding("power", Level.OK, "The power supply is strong enough.")


def warmth(place: Path = WARMTH) -> Finding | None:
    """Is the machine too hot? None where it does not tell."""
    try:
        celsius = int(place.read_text(encoding="ascii")) / 1000
    except (OSError, ValueError):
        return None
    if celsius >= HOT_C:
        return Finding("warmth", Level.NOTE, f"{celsius:.0f} °C is hot: give the Pi air or a heat sink.")
    return Finding("warmth", Level.OK, f"{celsius:.0f} °C.")


def versions() -> Finding:
    """Return what is installed, for a report of a fault."""
    found = [f"companion {__version__}", f"Python {platform.python_version()}", f"Linux {platform.release()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    try:
        system = platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        system = ""
    return Finding("versions", Level.OK, ", ".join(filter(None, (*found, system, platform.machine()))) + ".")


def machine(data: Path, urls: Sequence[str], *, has_address: bool, host: str) -> list[Finding]:
    """Examine all of it."""
    found = [disk(data), clock(datetime.now(UTC)), network(urls, has_address=has_address, host=host)]
    found += [one for one in (power(), warmth()) if one is not None]
    return [*found, versions()]


def _is_seen(path: Path) -> bool:
    """Tell whether something is there, as far as this user may look."""
    try:
        path.stat()
    except OSError:
        return False
    return True

"""The profile: is there one, does it fit the camera, and how old is it?"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from companion.devices.lock import Lock, LockError
from companion.doctor.finding import Finding, Level
from companion.vision.profile import Profile

OLD_DAYS = 365
CALIBRATE = "set the table up on its page (/setup), or with `companion calibrate --camera`"


def of_profile(
    path: Path, profile: Profile | None, problem: str | None, now: datetime, *, wanted: bool = True
) -> Finding:
    """Return what is to be said of the profile; `problem` is why there is none, in a sentence.

    It is not `wanted` where the settings want no camera.
    """
    if profile is None:
        level = Level.FAULT if wanted else Level.NOTE
        return Finding("profile", level, problem or f"{path}: there is no profile yet; {CALIBRATE}.")
    width, height = profile.zones.size_px
    told = f"{path}: {len(profile.faces.inks)} colours, pictures of {width}x{height}"
    days = _age_days(profile.made_at, now)
    if days is not None:
        told += f", made {days} days ago" if days else ", made today"
    if days is not None and days > OLD_DAYS:
        return Finding("profile", Level.NOTE, f"{told}. If colours are often unsure, {CALIBRATE}.")
    return Finding("profile", Level.OK, f"{told}.")


def of_lock(profile: Profile | None) -> Finding | None:
    """Return whether the profile holds the camera settings that its pictures were taken with."""
    if profile is None:
        return None
    try:
        lock = Lock.of(profile.controls)
    except LockError as error:
        return Finding("lock", Level.FAULT, f"The profile's camera settings are damaged: {error}.")
    if not lock:
        return Finding(
            "lock",
            Level.NOTE,
            "The profile holds no camera settings, so the camera chooses exposure and colours by itself and "
            f"colours may drift: {CALIBRATE}.",
        )
    return Finding("lock", Level.OK, f"The camera is locked to the profile's {lock.told()}.")


def _age_days(made_at: str, now: datetime) -> int | None:
    try:
        made = datetime.fromisoformat(made_at)
    except ValueError:
        return None
    return max(0, (now - (made if made.tzinfo else made.replace(tzinfo=UTC))).days)

"""The lock: exposure, gain, colour gains and lens as measured once, and proved in each frame."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

TOLERANCE_FRAC = 0.02
"""A frame taken with a value further off than this is not read: colours would drift."""

LENS_TOLERANCE = 0.02
"""In dioptres, in which the lens's position is told; it may be 0 (far away)."""

PICAMERA_NAMES = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
"""libcamera's controls: µs, a factor, two factors (red, blue), dioptres."""

USB_NAMES = ("exposure", "gain", "wb_temperature", "focus")
"""OpenCV's properties of a V4L2 camera, in the camera's own units."""

AF_SCANNING = 1
"""libcamera's AfStateScanning, which a frame's metadata tell as `AfState`: the lens is on its way."""

WORDS = {
    "ExposureTime": "exposure",
    "AnalogueGain": "gain",
    "ColourGains": "colour gains",
    "LensPosition": "lens position",
    "wb_temperature": "white balance",
}


class LockError(ValueError):
    """The profile's camera settings cannot be used; the message says which."""


@dataclass(frozen=True, slots=True)
class Lock:
    """Named values that every frame must have been taken with; empty: whatever the camera chooses."""

    values: tuple[tuple[str, tuple[float, ...]], ...] = ()

    @classmethod
    def of(cls, controls: Mapping[str, Any]) -> Lock:
        """Return the lock in a profile's `controls`; other names there are left alone.

        Raises:
            LockError: a value is no number, or not so many numbers as it must be.
        """
        names = [name for name in (*PICAMERA_NAMES, *USB_NAMES) if name in controls]
        return cls(tuple((name, _numbers(name, controls[name])) for name in names))

    def __bool__(self) -> bool:
        return bool(self.values)

    def get(self, name: str) -> tuple[float, ...] | None:
        """Return a value of the lock, or None where it has none of that name."""
        return dict(self.values).get(name)

    def told(self) -> str:
        """Return the values in words."""
        return ", ".join(f"{WORDS.get(name, name)} {_told(values)}" for name, values in self.values)

    def differences(self, metadata: Mapping[str, Any]) -> tuple[str, ...]:
        """Return in words what a frame's own metadata does not prove to be as locked; () when all is."""
        off = []
        for name, wanted in self.values:
            try:
                found = _numbers(name, metadata[name])
            except (KeyError, LockError):
                off.append(f"{WORDS.get(name, name)} not told")
                continue
            if not _agree(name, found, wanted):
                off.append(f"{WORDS.get(name, name)} {_told(found)} for {_told(wanted)}")
        return tuple(off)


def measured(
    metadata: Iterable[Mapping[str, Any]], *, names: Iterable[str], alike: int = 6
) -> dict[str, Any]:
    """Return the controls that a camera on automatic has settled on, from the metadata of frame after frame.

    They count once `alike` frames in a row agree, and the lens seeks no focus; this reads on until then. A
    camera that tells nothing of all that has nothing to be locked.

    Raises:
        LockError: the frames end before.
    """
    recent: list[Lock] = []
    seeks_focus = False
    for one in metadata:
        seeks_focus = one.get("AfState") == AF_SCANNING
        if seeks_focus:
            recent.clear()
            continue
        lock = Lock.of({name: one[name] for name in names if name in one})
        if recent and lock.differences(_as_controls(recent[0])):
            recent.clear()
        recent.append(lock)
        if len(recent) >= alike:
            return _as_controls(lock)
    if seeks_focus:
        raise LockError(
            "the camera's lens does not find its focus; lay something printed where it looks, and try again"
        )
    raise LockError(
        "the camera's exposure and colours do not come to rest; light the table evenly and try again"
    )


def _as_controls(lock: Lock) -> dict[str, Any]:
    return {name: list(value) if len(value) > 1 else value[0] for name, value in lock.values}


def _agree(name: str, found: tuple[float, ...], wanted: tuple[float, ...]) -> bool:
    if name == "LensPosition":
        return all(abs(one - other) <= LENS_TOLERANCE for one, other in zip(found, wanted, strict=True))
    return all(
        abs(one - other) <= TOLERANCE_FRAC * abs(other) for one, other in zip(found, wanted, strict=True)
    )


def _numbers(name: str, value: Any) -> tuple[float, ...]:
    parts = tuple(value) if isinstance(value, list | tuple) else (value,)
    count = 2 if name == "ColourGains" else 1
    are_numbers = all(
        isinstance(part, int | float) and not isinstance(part, bool) and math.isfinite(part) for part in parts
    )
    if len(parts) != count or not are_numbers:
        raise LockError(
            f"{name} is {value!r}, which is not {count} number{'s' * (count > 1)}: calibrate again"
        )
    return tuple(float(part) for part in parts)


def _told(values: tuple[float, ...]) -> str:
    return " and ".join(f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}" for value in values)

"""The set-up of the real table: pictures and what to lock from its camera, the profile into its file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.cli.appliance import Appliance
from companion.devices.lock import PICAMERA_NAMES, USB_NAMES, Lock, LockError, measured
from companion.devices.supervised import SupervisedCamera
from companion.table.ports import CameraFault
from companion.vision.profile import Profile
from companion.web.setup_desk import SetupDesk, SetupPort, SetupRefused

NAMES = {"picamera": PICAMERA_NAMES, "usb": USB_NAMES}
"""What can be locked, by the kind of camera; others have nothing to lock."""

ALIKE = 12
"""So many frames must agree: white balance creeps, and a lens is a moment late to see that it must move."""

MOST_LOOKS = 150
"""A camera on automatic comes to rest within some seconds, lens and all, or the light itself does not."""


def desk_for(
    appliance: Appliance, again: Callable[[], None], release: Callable[[], None]
) -> SetupDesk | None:
    """Return the desk of a table with a camera to be set up, None where there is none.

    `again` is called when the profile is kept, and lets the table begin anew with it; `release` lets it begin
    anew with a camera that measures the light by itself.
    """
    camera, kind = appliance.camera, appliance.settings.camera.kind
    if camera is None or kind == "simulated":  # a drawn table is calibrated on the spot
        return None
    path, profile = appliance.places.profile, appliance.sight.profile

    def keep(made: Profile) -> None:
        save(path, made)
        again()

    port = SetupPort(
        camera.photograph,
        lambda: held(camera, NAMES.get(kind, ()), in_use=appliance.sight.lock),
        keep,
        None if profile is None else profile.zones,
        release if appliance.sight.lock else None,
    )
    return SetupDesk(port)


def held(
    camera: SupervisedCamera, names: tuple[str, ...], *, in_use: Lock | None = None
) -> Mapping[str, Any]:
    """Measure what the camera settles on, lock it to that, and return it for the profile.

    Colours are learned from pictures taken so, as all others will be: on automatic, the dice themselves would
    change exposure and white balance. A lock that is `in_use` by the table that plays stays as it is; a table
    that plays without one is locked from here on, until it begins anew.

    Raises:
        CameraFault: it gives no pictures, does not come to rest, or does not keep the lock; it then stays as
            it was, with the lock of an earlier try or without one.
    """
    if not names:
        return {}
    before = camera.lock
    try:
        if before and not in_use:  # from an earlier try
            camera.hold(Lock())
        found = measured(_told(camera), names=names, alike=ALIKE)
        if found and not in_use:
            camera.hold(Lock.of(found))
        return found
    except CameraFault:
        camera.return_to(before)
        raise
    except LockError as error:
        camera.return_to(before)
        raise CameraFault("camera_not_locked", f"{str(error)[:1].upper()}{str(error)[1:]}.") from error


def _told(camera: SupervisedCamera) -> Iterator[Mapping[str, Any]]:
    for _ in range(MOST_LOOKS):
        camera.look()
        yield camera.metadata


def save(path: Path, profile: Profile) -> None:
    """Write the profile; whatever happens meanwhile, either the old or the new one is there whole.

    Raises:
        SetupRefused: the folder does not take it.
    """
    partial = None
    try:
        handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(profile.to_json())
            file.flush()
            os.fsync(file.fileno())
        if os.geteuid() == 0:  # whoever owns the folder reads the profile: the service, not only root
            owner = path.parent.stat()
            os.chown(partial, owner.st_uid, owner.st_gid)
        Path(partial).replace(path)
    except OSError as error:
        if partial is not None:
            Path(partial).unlink(missing_ok=True)
        raise SetupRefused("not_kept", f"{path}: the profile cannot be written ({error.strerror})") from error

"""The door of a table's page: which phones may act, kept in the table's file."""

from __future__ import annotations

from pathlib import Path

from companion.cli.faults import Fault
from companion.devices.clock import MonotonicClock
from companion.pairing.door import Door
from companion.pairing.phones import PhonesFault
from companion.store.phones import StoredPhones


def open_door(path: Path) -> Door:
    """Return the door with the phones kept in the file at `path`, which the journal has opened.

    Raises:
        Fault: they can not be read.
    """
    try:
        return Door(StoredPhones(path), MonotonicClock())
    except PhonesFault as fault:
        raise Fault(fault.sentence) from fault

"""The door of a table's page: which phones may act, kept in the table's file."""

from __future__ import annotations

import ipaddress
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


def is_this_machine(host: str) -> bool:
    """Tell whether a page on this address is reached by this machine alone, where all may act anyway.

    >>> is_this_machine("127.0.0.1"), is_this_machine("localhost"), is_this_machine("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

"""Telling systemd that the table is ready, alive and stopping, as sd_notify(3) has it."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping

LOG = logging.getLogger(__name__)


class Notifier:
    """Speaks to whoever started this process, if that wants to hear it."""

    def __init__(self, environment: Mapping[str, str], process: int | None = None) -> None:
        """Take address and watchdog from the environment as systemd sets it."""
        self._address = environment.get("NOTIFY_SOCKET", "")
        mine = environment.get("WATCHDOG_PID", "") in ("", str(process or os.getpid()))
        usec = environment.get("WATCHDOG_USEC", "")
        self.watchdog_s = int(usec) / 1e6 if mine and usec.isdecimal() and int(usec) > 0 else None
        """How long the manager waits for a sign of life before it starts us anew; None: for ever."""

    @property
    def listens(self) -> bool:
        """Whether a manager is there, who would start us anew."""
        return bool(self._address)

    def ready(self, status: str) -> None:
        """Say that the table can be used."""
        self._tell(f"READY=1\nSTATUS={status}")

    def alive(self) -> None:
        """Give a sign of life."""
        self._tell("WATCHDOG=1")

    def status(self, status: str) -> None:
        """Say in a line how things are; `systemctl status` shows it."""
        self._tell(f"STATUS={status}")

    def stopping(self) -> None:
        """Say that this ends in order."""
        self._tell("STOPPING=1")

    def _tell(self, text: str) -> None:
        if not self._address:
            return
        # A name that begins with @ is one of the abstract namespace.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.connect(address)
                line.sendall(text.encode())
        except OSError as error:
            LOG.warning("the service manager cannot be told: %s", error)

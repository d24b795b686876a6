"""Announcing the page in the house by mDNS (`_http._tcp`), also when the network comes late or changes."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Sequence
from typing import Any, Self

from companion.web.addresses import local_name, own_addresses

LOG = logging.getLogger(__name__)
SERVICE = "_http._tcp.local."
LOOK_S = 20.0
"""How often the machine's addresses are looked at: Wi-Fi comes late at boot, and goes and comes."""


class Announcer:
    """Keeps the page announced under this machine's present addresses until it is closed."""

    def __init__(
        self,
        name: str,
        port: int,
        *,
        addresses: Callable[[], Sequence[str]] = own_addresses,
        server: str | None = None,
        look_s: float = LOOK_S,
    ) -> None:
        """Begin in a thread of its own; what fails is logged and tried again."""
        self._name = name
        self._port = port
        self._addresses = addresses
        self._server = f"{server or local_name()}."
        self._look_s = look_s
        self._announced: tuple[str, ...] = ()
        self._zeroconf: Any = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="announce", daemon=True)
        self._thread.start()

    @property
    def announced(self) -> tuple[str, ...]:
        """The addresses under which the page is announced now."""
        return self._announced

    def close(self) -> None:
        """Say that the page is gone; may be called again."""
        self._closing.set()
        self._thread.join(5.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _keep(self) -> None:
        failed = False
        while not self._closing.is_set():
            try:
                self._follow(tuple(self._addresses()))
                failed = False
            except Exception as error:  # a network may fail in any way; it is tried again, and told once
                if not failed:
                    LOG.warning("the page cannot be announced now: %r", error, exc_info=True)
                failed = True
                self._withdraw()
            self._closing.wait(self._look_s)
        self._withdraw()

    def _follow(self, addresses: tuple[str, ...]) -> None:
        if addresses == self._announced:
            return
        self._withdraw()
        if not addresses:
            return
        from zeroconf import IPVersion, ServiceInfo, Zeroconf

        self._zeroconf = Zeroconf(interfaces=list(addresses), ip_version=IPVersion.V4Only)
        info = ServiceInfo(
            SERVICE,
            f"{self._name}.{SERVICE}",
            addresses=[socket.inet_aton(address) for address in addresses],
            port=self._port,
            properties={"path": "/"},
            server=self._server,
        )
        self._zeroconf.register_service(info, allow_name_change=True)
        self._announced = addresses
        LOG.info("announced as %s at %s", info.name, ", ".join(addresses))

    def _withdraw(self) -> None:
        self._announced = ()
        zeroconf, self._zeroconf = self._zeroconf, None
        if zeroconf is None:
            return
        try:
            zeroconf.unregister_all_services()
        except OSError as error:  # the network may be gone already
            LOG.info("the announcement could not be taken back: %s", error)
        finally:
            zeroconf.close()

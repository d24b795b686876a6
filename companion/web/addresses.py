"""Under which addresses phones in the house reach this machine."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence


def own_addresses() -> tuple[str, ...]:
    """Return this machine's IPv4 addresses in its networks, wired ones first; () without a network."""
    import ifaddr

    found = []
    for adapter in ifaddr.get_adapters():
        for one in adapter.ips:
            if isinstance(one.ip, str) and not ipaddress.ip_address(one.ip).is_loopback:
                found.append((not adapter.name.startswith(("eth", "en")), adapter.name, one.ip))
    return tuple(ip for _, _, ip in sorted(found))


def local_name() -> str:
    """Return the name under which mDNS knows this machine, for instance `companion.local`."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


def page_urls(port: int, addresses: Sequence[str], name: str) -> tuple[str, ...]:
    """Return the page's addresses for phones: by name, then by number, which works on every phone.

    >>> page_urls(8000, ("192.168.1.7",), "pi.local")
    ('http://pi.local:8000/', 'http://192.168.1.7:8000/')
    """
    shown = "" if port == 80 else f":{port}"
    return tuple(f"http://{host}{shown}/" for host in (name, *addresses))

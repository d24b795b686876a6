"""Under which addresses phones in the house reach this machine."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from companion.web.guard import is_loopback


def own_addresses() -> tuple[str, ...]:
    """Return this machine's IPv4 addresses in its networks, () without one.

    Wired ones come first, then wireless ones, then what is likely of no use to phones: bridges and tunnels of
    other programs, and addresses that a machine gave itself since no network gave it one.
    """
    import ifaddr

    found = []
    for adapter in ifaddr.get_adapters():
        for one in adapter.ips:
            if isinstance(one.ip, str) and not ipaddress.ip_address(one.ip).is_loopback:
                found.append((_rank(adapter.name, one.ip), adapter.name, one.ip))
    return tuple(ip for _, _, ip in sorted(found))


def _rank(adapter: str, ip: str) -> int:
    """Return how far down in the list an address belongs."""
    if ipaddress.ip_address(ip).is_link_local:
        return 3
    if adapter.startswith(("eth", "en")):
        return 0
    return 1 if adapter.startswith("wl") else 2


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


def urls_of(host: str, port: int) -> tuple[str, ...]:
    """Return the addresses at which a page that listens on `host` can be opened, those for phones first.

    >>> urls_of("127.0.0.1", 8000)
    ('http://127.0.0.1:8000/',)
    """
    if is_loopback(host):
        return (url_here(host, port),)
    return page_urls(port, own_addresses(), local_name())


def url_here(host: str, port: int) -> str:
    """Return the address under which this machine itself reaches a page that listens on `host`.

    >>> url_here("0.0.0.0", 8000), url_here("192.168.1.7", 8000), url_here("::1", 81)
    ('http://127.0.0.1:8000/', 'http://192.168.1.7:8000/', 'http://[::1]:81/')
    """
    shown = "127.0.0.1" if host in ("", "0.0.0.0", "::") else host
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def url_for_phones(urls: Sequence[str]) -> str:
    """Return the address that a code for phones holds: the first by number that is not this machine's own.

    Some phones do not know names that end in .local. Where there is no such number it is the first of all.

    >>> url_for_phones(("http://pi.local/", "http://127.0.0.1/", "http://192.168.1.7/", "http://172.17.0.1/"))
    'http://192.168.1.7/'
    >>> url_for_phones(("http://pi.local:8000/",))
    'http://pi.local:8000/'
    """
    return next((url for url in urls if _is_number_for_others(urlsplit(url).hostname or "")), urls[0])


def _is_number_for_others(host: str) -> bool:
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

"""Addresses, QR codes that a reader reads, and a page that is announced and found."""

from __future__ import annotations

import doctest
import threading
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

import companion.web.addresses
from companion.web.addresses import local_name, own_addresses, page_urls, url_for_phones
from companion.web.announce import SERVICE, Announcer
from companion.web.qr import qr_lines, qr_svg

URL = "http://companion.local:8000/"
SOON_S = 60.0


def test_addresses_are_those_of_networks() -> None:
    assert not [address for address in own_addresses() if address.startswith("127.")]
    assert local_name().endswith(".local")
    assert page_urls(80, (), "pi.local") == ("http://pi.local/",)
    assert doctest.testmod(companion.web.addresses).failed == 0


def test_wired_then_wireless_then_what_is_of_no_use_to_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    at = {
        "docker0": "172.17.0.1",
        "eth0": "169.254.7.7",
        "lo": "127.0.0.1",
        "tun0": "10.8.0.2",
        "wlan0": "192.168.1.7",
    }
    adapters = [SimpleNamespace(name=name, ips=[SimpleNamespace(ip=ip)]) for name, ip in at.items()]
    monkeypatch.setattr("ifaddr.get_adapters", lambda: adapters)
    found = own_addresses()
    assert found == ("192.168.1.7", "172.17.0.1", "10.8.0.2", "169.254.7.7")
    assert url_for_phones(page_urls(8000, found, "pi.local")) == "http://192.168.1.7:8000/"


def modules_of(lines: list[str]) -> np.ndarray:
    """The code's modules again, 1 is dark."""
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    rows = []
    for line in lines:
        for half in (0, 1):
            rows.append([halves[character][half] for character in line])
    return np.array(rows, np.uint8)


def test_code_in_the_log_is_read_by_a_reader() -> None:
    modules = modules_of(qr_lines(URL))
    picture = np.kron(255 * (1 - np.pad(modules, 4)), np.ones((8, 8))).astype(np.uint8)
    text, *_ = cv2.QRCodeDetector().detectAndDecode(picture)
    assert text == URL


def test_code_on_the_page_is_a_drawing_without_scripts() -> None:
    drawing = qr_svg(URL)
    assert drawing.startswith(b"<?xml")
    assert b"<svg" in drawing
    assert b"script" not in drawing


def test_page_is_announced_and_found() -> None:
    from zeroconf import IPVersion, ServiceBrowser, ServiceStateChange, Zeroconf

    found, gone = threading.Event(), threading.Event()
    name = "Test of a companion"
    told = []

    def changed(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if not name.startswith("Test of a companion"):
            return
        if state_change is ServiceStateChange.Added:
            told.append(zeroconf.get_service_info(service_type, name, 10_000))
            found.set()
        elif state_change is ServiceStateChange.Removed:
            gone.set()

    try:
        looking = Zeroconf(interfaces=["127.0.0.1"], ip_version=IPVersion.V4Only)
    except OSError as error:
        pytest.skip(f"no multicast on this machine: {error}")
    try:
        ServiceBrowser(looking, SERVICE, handlers=[changed])
        with Announcer(name, 8123, addresses=lambda: ("127.0.0.1",), server="test-companion.local"):
            assert found.wait(SOON_S)
            (info,) = told
            assert info is not None
            assert (info.port, info.parsed_addresses(), info.server) == (
                8123,
                ["127.0.0.1"],
                "test-companion.local.",
            )
        assert gone.wait(SOON_S)
    finally:
        looking.close()


def test_network_that_comes_late_is_announced_then() -> None:
    networks: list[tuple[str, ...]] = [(), ("127.0.0.1",)]
    with Announcer(
        "Late companion",
        8124,
        addresses=lambda: networks.pop(0) if len(networks) > 1 else networks[0],
        server="late-companion.local",
        look_s=0.05,
    ) as announcer:
        for _ in range(int(SOON_S / 0.05)):
            if announcer.announced:
                break
            threading.Event().wait(0.05)
        assert list(announcer.announced) == ["127.0.0.1"]
    assert len(announcer.announced) == 0

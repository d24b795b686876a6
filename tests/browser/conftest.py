"""Phones at a table: with a camera whose readings are told, or without one."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from companion.table.conductor import Table
from companion.web import RunningServer
from tests.browser.phones import PHONE, TABLET, Phone, served
from tests.web.table_at_hand import ToldReader

if TYPE_CHECKING:
    from playwright.sync_api import Browser

OpenPhone = Callable[..., Phone]
AtTable = tuple[Table, RunningServer]
Size = dict[str, int]


@pytest.fixture
def screen(request: pytest.FixtureRequest) -> Size:
    """Return how large a phone's screen is where a test does not say it; see `on_phone_and_tablet`."""
    size: Size = getattr(request, "param", PHONE)
    return size


on_phone_and_tablet = pytest.mark.parametrize(
    "screen", [PHONE, TABLET], ids=["phone", "tablet"], indirect=True
)
"""Marks a flow that people go through on either."""


@pytest.fixture
def at_table() -> Iterator[AtTable]:
    """Yield a table without a camera, and its server."""
    with served() as both:
        yield both


@pytest.fixture
def open_phone(browser: "Browser", at_table: AtTable, screen: Size) -> Iterator[OpenPhone]:
    """Yield what opens phones at the table without a camera."""
    yield from phones_at(browser, at_table[1], screen)


@pytest.fixture
def reader() -> ToldReader:
    """Return what reads the pictures of the table with a camera."""
    return ToldReader()


@pytest.fixture
def at_camera(reader: ToldReader) -> Iterator[AtTable]:
    """Yield a table with a camera, and its server."""
    with served(reader) as both:
        yield both


@pytest.fixture
def camera_phone(browser: "Browser", at_camera: AtTable, screen: Size) -> Iterator[OpenPhone]:
    """Yield what opens phones at the table with a camera."""
    yield from phones_at(browser, at_camera[1], screen)


def phones_at(browser: "Browser", server: RunningServer, screen: Size) -> Iterator[OpenPhone]:
    """Yield what opens phones at a server; afterwards none may have complained."""
    phones: list[Phone] = []

    def opened(path: str = "", **options: Any) -> Phone:
        phones.append(Phone(browser, f"{server.address}{path}", **{"viewport": screen, **options}))
        return phones[-1]

    yield opened
    for phone in phones:
        phone.close()

"""Phones at a table: with a camera whose readings are told, or without one."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from companion.table.conductor import Table
from companion.web import RunningServer
from tests.browser.phones import Phone, served
from tests.web.table_at_hand import ToldReader

if TYPE_CHECKING:
    from playwright.sync_api import Browser

OpenPhone = Callable[..., Phone]
AtTable = tuple[Table, RunningServer]


@pytest.fixture
def at_table() -> Iterator[AtTable]:
    """Yield a table without a camera, and its server."""
    with served() as both:
        yield both


@pytest.fixture
def open_phone(browser: "Browser", at_table: AtTable) -> Iterator[OpenPhone]:
    """Yield what opens phones at the table without a camera."""
    yield from phones_at(browser, at_table[1])


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
def camera_phone(browser: "Browser", at_camera: AtTable) -> Iterator[OpenPhone]:
    """Yield what opens phones at the table with a camera."""
    yield from phones_at(browser, at_camera[1])


def phones_at(browser: "Browser", server: RunningServer) -> Iterator[OpenPhone]:
    """Yield what opens phones at a server; afterwards none may have complained."""
    phones: list[Phone] = []

    def opened(**options: Any) -> Phone:
        phones.append(Phone(browser, server.address, **options))
        return phones[-1]

    yield opened
    for phone in phones:
        phone.close()

"""A club that runs: database, receiver and page put together."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Self

from companion.club.book import Book
from companion.club.database import opened
from companion.club.hearing import Hearing
from companion.club.ledger import Ledger
from companion.club.pages import create_club_app
from companion.club.receiver import Receiver
from companion.club.wall import Wall
from companion.mqtt.link import Broker
from companion.web.server import RunningServer, serve


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a club is to be."""

    database: str
    """The name of an SQLite file, or a URL."""
    broker: Broker
    prefix: str = "companion"
    season: str = "year"
    host: str = "0.0.0.0"
    port: int = 8010
    allowed_hosts: tuple[str, ...] = ()


class Club:
    """Open it with `with`, and close it the same way."""

    server: RunningServer
    receiver: Receiver
    book: Book
    wall: Wall

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Begin to store and to show.

        Raises:
            DatabaseFault: the database can not be used.
            LinkFault: the broker's settings can not be used.
            PortTaken: the page's port is in use.
        """
        wanted = self._wanted
        with ExitStack() as stack:
            ledger = Ledger(stack.enter_context(opened(wanted.database)))
            self.book = Book(ledger, wanted.season)
            self.wall = Wall()
            app = create_club_app(self.wall, self.book, ledger, allowed_hosts=wanted.allowed_hosts)
            self.server = stack.enter_context(serve(app, wanted.host, wanted.port))
            stack.callback(self.wall.close)
            client_id = f"companion-club-{ledger.club_id()}"
            hearing = Hearing(self.wall, wanted.prefix)
            receiver = Receiver(wanted.broker, client_id, wanted.prefix, hearing, self.book)
            self.receiver = stack.enter_context(receiver)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

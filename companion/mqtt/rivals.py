"""Rivals: whether somebody else comes to the broker under our name, which lets in one of both at a time."""

from __future__ import annotations

from time import monotonic

from paho.mqtt.client import Client
from paho.mqtt.reasoncodes import ReasonCode

FIRST_AGAIN_S, LAST_AGAIN_S = 1, 30
"""How long after a lost link, and at most, until it is tried again."""

TAKEN_OVER, NO_REASON = 0x8E, 0x80
"""What a broker says when somebody comes under the same name (MQTT 5, 3.14.2.1), and what is said of a
connection that ended without a word."""

SHORT_S, MANY = 60.0, 3
"""So many connections in a row that broke so soon, while the broker was there, are no chance."""


class Rivals:
    """Tells a rival by the ends of connections, and waits long then, lest both come in turn all the time.

    A broker shall give the reason; Mosquitto 2.0.11, which is Debian 12's, only closes the line.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._came_s = 0.0
        self._short = 0

    def came(self) -> None:
        """The broker took us in."""
        self._came_s = monotonic()
        self._client.reconnect_delay_set(FIRST_AGAIN_S, LAST_AGAIN_S)

    def not_reached(self) -> None:
        """The broker was not there, which tells why connections broke."""
        self._short = 0

    def went(self, code: ReasonCode) -> bool:
        """Tell whether it was a rival that ended a connection."""
        broke_soon = code.value == NO_REASON and monotonic() - self._came_s < SHORT_S
        self._short = self._short + 1 if broke_soon else 0
        rival: bool = code.value == TAKEN_OVER or self._short >= MANY
        if rival:
            self._client.reconnect_delay_set(LAST_AGAIN_S, LAST_AGAIN_S)
        return rival

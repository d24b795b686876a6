"""A visit to a broker, to see whether it is there, lets us in, speak and listen; nothing stays of it."""

from __future__ import annotations

import queue
import secrets
import socket
import ssl
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from companion.mqtt.link import Broker, client_of, leave, tls_of

ANSWER_S = 5
"""How long the broker may take for each answer."""


class Seen(Enum):
    """How far a visit came."""

    UNKNOWN = auto()
    """No machine has that name."""
    SHUT = auto()
    """The machine answers that nothing listens at that port."""
    AWAY = auto()
    """It can not be reached."""
    UNPROVEN = auto()
    """It does not prove who it is, or no encrypted line comes about."""
    SILENT = auto()
    """Something takes the call, and answers nothing that a broker would."""
    REFUSED = auto()
    """It does not let us in."""
    MUTE = auto()
    """It does not let us speak."""
    DEAF = auto()
    """It does not let us listen."""
    WELL = auto()


@dataclass(frozen=True, slots=True)
class Visit:
    """What was seen; `why` is the system's or the broker's word for it."""

    seen: Seen
    why: str = ""


def visit(broker: Broker, *, listen: str | None, speak: str | None) -> Visit:
    """Go there under a name of its own, and leave; what is said on the topic `speak` is said to nobody.

    Raises:
        LinkFault: the link can not be set up so.
    """
    client = client_of(broker, f"companion-visit-{secrets.token_hex(4)}")
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
    client.on_connect = lambda _client, _data, _flags, code, _more: answers.put(code)
    client.on_subscribe = lambda _client, _data, _mid, codes, _more: answers.put(codes[0])
    client.on_publish = lambda _client, _data, _mid, code, _more: answers.put(code)
    try:
        _call(broker)
    except OSError as error:
        return Visit(_cause(error, tls=broker.tls), _why(error))
    client.connect_async(broker.host, broker.port)
    client.loop_start()
    try:
        if (code := answers.get(timeout=ANSWER_S)).is_failure:
            return Visit(Seen.REFUSED, str(code))
        if speak is not None:
            client.publish(speak, "", qos=1)
            if (code := answers.get(timeout=ANSWER_S)).is_failure:
                return Visit(Seen.MUTE, str(code))
        if listen is not None:
            client.subscribe(listen)
            if (code := answers.get(timeout=ANSWER_S)).is_failure:
                return Visit(Seen.DEAF, str(code))
    except queue.Empty:
        return Visit(Seen.SILENT)
    finally:
        leave(client)
    return Visit(Seen.WELL)


def _call(broker: Broker) -> None:
    """Open a line and hang up again, which tells the reason where none comes about."""
    with socket.create_connection((broker.host, broker.port), ANSWER_S) as line:
        if broker.tls:
            tls_of(broker).wrap_socket(line, server_hostname=broker.host).close()


def _cause(error: OSError, *, tls: bool) -> Seen:
    match error:
        case socket.gaierror():
            return Seen.UNKNOWN
        case ConnectionRefusedError():
            return Seen.SHUT
        case ssl.SSLError():
            return Seen.UNPROVEN
        case ConnectionResetError() if tls:  # by what speaks no TLS
            return Seen.UNPROVEN
    return Seen.AWAY


def _why(error: OSError) -> str:
    found = (getattr(error, name, None) for name in ("verify_message", "reason", "strerror"))
    return next((str(one) for one in found if one), str(error))

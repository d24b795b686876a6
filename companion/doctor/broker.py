"""The broker: can it be reached, and does it let the table in, listen and speak?"""

from __future__ import annotations

from collections.abc import Mapping

from companion.doctor.finding import Finding, Level
from companion.mqtt.link import Broker, LinkFault
from companion.mqtt.visit import Seen, visit

SENTENCES: Mapping[Seen, str] = {
    Seen.UNKNOWN: "No machine named {broker.host} was found ({why}): check [mqtt] host, and that it is on.",
    Seen.SHUT: "Nothing listens at {broker}: start the broker there, have it listen to other machines "
    "(docs/club.md), or check [mqtt] port.",
    Seen.AWAY: "The broker at {broker} cannot be reached ({why}): check that it is on and in the same "
    "network, and [mqtt] host and port.",
    Seen.UNPROVEN: "The broker at {broker} cannot be spoken to by TLS ({why}): check [mqtt] ca_file and "
    "port, or the broker's certificate.",
    Seen.SILENT: "What listens at {broker} answers nothing that a broker of MQTT 5 would: check [mqtt] port "
    "and tls.",
    Seen.REFUSED: "The broker at {broker} does not let the table in ({why}): check [mqtt] user and password.",
    Seen.MUTE: "The broker at {broker} does not let the table speak below {root} ({why}): give its user the "
    "right to write there (docs/club.md).",
    Seen.DEAF: "The broker at {broker} does not let the table listen to {listen} ({why}), where Home "
    "Assistant says that it has started: give it the right to read that, or set [mqtt] discovery = false.",
    Seen.WELL: "The broker at {broker} lets the table in and speak.",
}
LET_IN = "The broker at {broker} lets the table in; whether it lets it speak is known once it has an id."
LEVELS: Mapping[Seen, Level] = {Seen.WELL: Level.OK, Seen.DEAF: Level.NOTE}
"""All else is a fault."""


def broker_finding(broker: Broker, *, listen: str | None, root: str | None) -> Finding:
    """Visit the broker; the table listens to the topic `listen` and speaks below `root`, where it does."""
    try:
        found = visit(broker, listen=listen, speak=None if root is None else f"{root}/visit")
    except LinkFault as fault:
        return Finding("mqtt", Level.FAULT, fault.sentence)
    sentence = LET_IN if found.seen is Seen.WELL and root is None else SENTENCES[found.seen]
    told = sentence.format(broker=broker, why=found.why, listen=listen, root=root)
    return Finding("mqtt", LEVELS.get(found.seen, Level.FAULT), told)

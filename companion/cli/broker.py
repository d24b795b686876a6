"""The table's way to a broker, as the settings want it; a broker that fails is told of, and play goes on."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from companion.doctor.broker import broker_finding
from companion.doctor.finding import Finding, of_health
from companion.mqtt.discovery import birth_topic
from companion.mqtt.link import Broker, LinkFault
from companion.mqtt.outbox import OutboxFault
from companion.mqtt.publisher import Manner, Publisher
from companion.mqtt.telling import Speaker
from companion.mqtt.topics import Topics
from companion.settings.values import MqttSettings
from companion.store.outbox import StoredOutbox, kept_id
from companion.table.conductor import Table
from companion.table.state import Health, HealthState

LOG = logging.getLogger(__name__)
MOST_NAME = 80
"""Characters of a table's name that its messages take."""

WELL = "The broker hears of what is played."


class BrokerDesk:
    """Publishes a table where the settings want it, and says how that goes."""

    def __init__(self, stack: ExitStack, settings: MqttSettings, table: Table, games: Path) -> None:
        """Begin to publish `table`, whose games are kept in the file `games`, until the stack is closed."""
        self._publisher: Publisher | None = None
        self._fault: Health | None = None
        if not settings.use:
            return
        try:
            self._publisher = stack.enter_context(_publisher(settings, table, games))
        except (LinkFault, OutboxFault) as fault:
            LOG.error("nothing is told to the broker: %s", fault.sentence)
            self._fault = Health(HealthState.FAULT, fault.sentence)

    def findings(self) -> Sequence[Finding]:
        """Tell how the link to the broker is; nothing where none is wanted."""
        health = self._fault if self._publisher is None else self._publisher.health
        return () if health is None else (of_health("mqtt", health, WELL),)


def broker_of(settings: MqttSettings) -> Broker:
    """Return the broker that the settings name."""
    ca_file = str(Path(settings.ca_file).expanduser()) if settings.ca_file else ""
    return Broker(settings.host, settings.port, settings.user, settings.password, settings.tls, ca_file)


def examined(settings: MqttSettings, games: Path) -> Sequence[Finding]:
    """Visit the broker for the table whose games are kept in `games`; nothing where none is wanted."""
    if not settings.use:
        return ()
    table_id = settings.table or kept_id(games)
    root = None if table_id is None else Topics(settings.prefix, table_id).root
    listen = birth_topic(settings.discovery_prefix) if settings.discovery else None
    return (broker_finding(broker_of(settings), listen=listen, root=root),)


def _publisher(settings: MqttSettings, table: Table, games: Path) -> Publisher:
    outbox = StoredOutbox(games)
    table_id = settings.table or outbox.table_id()
    speaker = Speaker(table_id, (settings.name or table_id)[:MOST_NAME])
    manner = Manner(settings.prefix, settings.discovery_prefix if settings.discovery else None)
    if settings.password and not settings.tls:
        LOG.warning("the password for the broker goes over the line in the clear: set [mqtt] tls = true")
    return Publisher(table, outbox, speaker, broker_of(settings), manner)

"""The table's way to a broker, as the settings want it; a broker that fails is told of, and play goes on."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from companion.doctor.finding import Finding, of_health
from companion.mqtt.link import Broker, LinkFault
from companion.mqtt.outbox import OutboxFault
from companion.mqtt.publisher import Manner, Publisher
from companion.mqtt.telling import Speaker
from companion.settings.values import MqttSettings
from companion.store.outbox import StoredOutbox
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


def _publisher(settings: MqttSettings, table: Table, games: Path) -> Publisher:
    outbox = StoredOutbox(games)
    table_id = settings.table or outbox.table_id()
    speaker = Speaker(table_id, (settings.name or table_id)[:MOST_NAME])
    manner = Manner(settings.prefix, settings.discovery_prefix if settings.discovery else None)
    if settings.password and not settings.tls:
        LOG.warning("the password for the broker goes over the line in the clear: set [mqtt] tls = true")
    return Publisher(table, outbox, speaker, broker_of(settings), manner)

"""Discovery: the one message by which Home Assistant knows a table as a device with its entities.

The form is Home Assistant's device discovery: https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
"""

from __future__ import annotations

from typing import Any

from companion import __version__
from companion.mqtt.telling import EVENT_TYPES, Speaker
from companion.mqtt.topics import OFFLINE, ONLINE, Topics
from companion.table.phase import Phase

BIRTH = "online"
"""What Home Assistant says on its status topic when it has started."""


def birth_topic(prefix: str) -> str:
    """Return where Home Assistant says that it has started; the only topic that a table listens to."""
    return f"{prefix}/status"


def discovery_topic(prefix: str, table: str) -> str:
    """Return where the device is described."""
    return f"{prefix}/device/companion_{table}/config"


def discovery_message(speaker: Speaker, topics: Topics) -> dict[str, Any]:
    """Return the description of the table: nothing in it can be commanded."""
    own = f"companion_{speaker.table}"

    def sensor(key: str, name: str, template: str, icon: str, **more: Any) -> dict[str, Any]:
        return {
            "platform": "sensor",
            "unique_id": f"{own}_{key}",
            "name": name,
            "state_topic": topics.state,
            "value_template": template,
            "icon": icon,
            **more,
        }

    playing = "value_json.game and value_json.game.seat is not none"
    # Hidden scores are null: then nobody is ahead that one may know of.
    told = "value_json.game and value_json.game.players[0].points is not none"
    most = "value_json.game.players | map(attribute='points') | max"
    components = {
        "phase": sensor(
            "phase",
            "Phase",
            "{{ value_json.phase }}",
            "mdi:dice-6",
            device_class="enum",
            options=[str(phase) for phase in Phase],
            json_attributes_topic=topics.state,
            json_attributes_template="{{ (value_json.game or {}) | tojson }}",
        ),
        "player": sensor(
            "player",
            "To play",
            f"{{{{ value_json.game.players[value_json.game.seat].name if {playing} else '' }}}}",
            "mdi:account",
        ),
        "best": sensor(
            "best",
            "Most points",
            f"{{{{ ({most}) if {told} else none }}}}",
            "mdi:trophy",
            state_class="measurement",
        ),
        "events": {
            "platform": "event",
            "unique_id": f"{own}_events",
            "name": "Play",
            "state_topic": topics.events,
            "event_types": list(EVENT_TYPES),
            "icon": "mdi:cards",
        },
        "problem": {
            "platform": "binary_sensor",
            "unique_id": f"{own}_problem",
            "name": "Problem",
            "state_topic": topics.health,
            "value_template": "{{ 'OFF' if value_json.ok else 'ON' }}",
            "device_class": "problem",
            "entity_category": "diagnostic",
            "json_attributes_topic": topics.health,
            "json_attributes_template": "{{ value_json.devices | tojson }}",
        },
    }
    return {
        "device": {
            "identifiers": [own],
            "name": speaker.name,
            "manufacturer": "companion",
            "model": "Next! table companion",
            "sw_version": __version__,
        },
        "origin": {"name": "companion", "sw_version": __version__},
        "availability_topic": topics.availability,
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
        "qos": 0,
        "components": components,
    }

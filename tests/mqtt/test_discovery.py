"""The discovery message by Home Assistant's own schema where that is there, else by documented fields."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from companion.mqtt.discovery import birth_topic, discovery_message, discovery_topic
from companion.mqtt.telling import EVENT_TYPES, Speaker, state_message
from companion.mqtt.topics import Topics
from companion.table.phase import Phase
from tests.conftest import ROOT
from tests.table.at_the_table import AtTheTable

TOPICS = Topics("companion", "oak")
MESSAGE = discovery_message(Speaker("oak", "The oak"), TOPICS)

PYTHON_OF_HOME_ASSISTANT = ROOT / ".venv-homeassistant" / "bin" / "python"

DEVICE_FIELDS = frozenset(
    [
        "configuration_url",
        "connections",
        "hw_version",
        "identifiers",
        "manufacturer",
        "model",
        "model_id",
        "name",
        "serial_number",
        "suggested_area",
        "sw_version",
        "via_device",
    ]
)
ORIGIN_FIELDS = frozenset({"name", "sw_version", "support_url"})
SHARED_FIELDS = frozenset(
    [
        "availability",
        "availability_mode",
        "availability_template",
        "availability_topic",
        "command_topic",
        "components",
        "device",
        "encoding",
        "origin",
        "payload_available",
        "payload_not_available",
        "qos",
        "state_topic",
    ]
)
ENTITY_FIELDS = frozenset(
    [
        "availability",
        "availability_mode",
        "availability_template",
        "availability_topic",
        "device_class",
        "enabled_by_default",
        "encoding",
        "entity_category",
        "entity_picture",
        "icon",
        "json_attributes_template",
        "json_attributes_topic",
        "name",
        "payload_available",
        "payload_not_available",
        "platform",
        "qos",
        "state_topic",
        "unique_id",
        "value_template",
    ]
)
OWN_FIELDS: dict[str, frozenset[str]] = {
    "sensor": frozenset(
        [
            "expire_after",
            "force_update",
            "last_reset_value_template",
            "options",
            "state_class",
            "suggested_display_precision",
            "unit_of_measurement",
        ]
    ),
    "binary_sensor": frozenset({"expire_after", "force_update", "off_delay", "payload_off", "payload_on"}),
    "event": frozenset({"event_types"}),
}
"""As documented at https://www.home-assistant.io/integrations/mqtt/ and of each platform beside it."""


def faults(message: dict[str, Any]) -> list[str]:
    """Say what in a message is not as documented."""
    found = [f"{key}?" for key in message if key not in SHARED_FIELDS]
    found += [f"device.{key}?" for key in message.get("device", {}) if key not in DEVICE_FIELDS]
    found += [f"origin.{key}?" for key in message.get("origin", {}) if key not in ORIGIN_FIELDS]
    if not (message.get("device", {}).get("identifiers") or message.get("device", {}).get("connections")):
        found.append("the device has nothing to know it by")
    if not message.get("origin", {}).get("name"):
        found.append("the origin has no name")
    for key, component in message.get("components", {}).items():
        own = OWN_FIELDS.get(component.get("platform"))
        if own is None:
            found.append(f"{key}: no known platform")
            continue
        found += [f"{key}.{field}?" for field in component if field not in ENTITY_FIELDS | own]
        found += [
            f"{key} has no {field}" for field in ("unique_id", "state_topic") if not component.get(field)
        ]
        if component["platform"] == "event" and not component.get("event_types"):
            found.append(f"{key} has no event_types")
        if component.get("device_class") == "enum" and (
            not component.get("options") or "state_class" in component or "unit_of_measurement" in component
        ):
            found.append(f"{key}: an enum has options, and neither a unit nor a class of state")
    return found


def test_message_is_as_documented() -> None:
    assert faults(MESSAGE) == []


def home_assistant(message: dict[str, Any], states: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """Let Home Assistant look at a message, where `script/test-homeassistant` has brought it."""
    if not PYTHON_OF_HOME_ASSISTANT.exists():
        pytest.skip(
            "Home Assistant with device discovery needs Python 3.13 and libraries of its own: "
            "`script/test-homeassistant` brings it; the message is checked by its documented fields"
        )
    return subprocess.run(
        [PYTHON_OF_HOME_ASSISTANT, Path(__file__).with_name("home_assistant.py")],
        input=json.dumps({"message": message, "states": states}),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_message_passes_home_assistants_own_schemas() -> None:
    speaker, table = Speaker("oak", "The oak"), AtTheTable()
    at = "2026-11-30T20:00:00.000+00:00"
    lobby = state_message(speaker, table.shown, at)
    table.start("Ana", "Ben")
    playing = state_message(speaker, table.shown, at)
    hidden = AtTheTable()
    hidden.start("Ana", "Ben", hidden=True)
    states = {"lobby": lobby, "playing": playing, "hidden": state_message(speaker, hidden.shown, at)}
    done = home_assistant(MESSAGE, states)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert set(MESSAGE) <= set(told["fields"])
    assert told["rendered"] == {
        "lobby": {"phase": "lobby", "player": "", "best": "None"},
        "playing": {"phase": "throw", "player": "Ana", "best": "0"},
        "hidden": {"phase": "throw", "player": "Ana", "best": "None"},
    }


def test_home_assistants_own_schemas_refuse_faults() -> None:
    done = home_assistant({**MESSAGE, "origin": {}}, {})
    assert done.returncode != 0
    assert "required key not provided" in done.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        {**MESSAGE, "device": {"name": "The oak"}},
        {**MESSAGE, "origin": {}},
        {**MESSAGE, "colour": "green"},
        {**MESSAGE, "components": {"phase": {"platform": "sensor", "state_topic": "a"}}},
        {**MESSAGE, "components": {"play": {**MESSAGE["components"]["events"], "event_types": []}}},
        {
            **MESSAGE,
            "components": {"phase": {**MESSAGE["components"]["phase"], "state_class": "measurement"}},
        },
    ],
)
def test_the_check_sees_faults(wrong: dict[str, Any]) -> None:
    assert faults(wrong) != []


def test_ids_are_unique_and_the_tables_own() -> None:
    ids = [component["unique_id"] for component in MESSAGE["components"].values()]
    assert len(set(ids)) == len(ids)
    assert all(one.startswith("companion_oak_") for one in ids)
    other = discovery_message(Speaker("elm", "The elm"), Topics("companion", "elm"))
    assert not set(ids) & {component["unique_id"] for component in other["components"].values()}


def test_all_that_can_be_shown_is_named() -> None:
    components = MESSAGE["components"]
    assert components["phase"]["options"] == [str(phase) for phase in Phase]
    assert components["events"]["event_types"] == list(EVENT_TYPES)
    topics = {component["state_topic"] for component in components.values()}
    assert topics == {TOPICS.state, TOPICS.events, TOPICS.health}
    assert MESSAGE["availability_topic"] == TOPICS.availability


def test_nothing_can_be_commanded() -> None:
    assert "command" not in str(MESSAGE)
    assert discovery_topic("homeassistant", "oak") == "homeassistant/device/companion_oak/config"
    assert birth_topic("homeassistant") == "homeassistant/status"

"""Validates discovery messages by Home Assistant's own schemas, and lets it render the templates.

Run by a Python that has Home Assistant (`script/test-homeassistant` makes one): it reads {"message": …,
"states": {name: state}} and prints {"version": …, "fields": …, "rendered": {name: {component: text}}}. A
message that a schema refuses ends it with a traceback.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
import tempfile
from typing import Any
from unittest.mock import MagicMock

LEFT_OUT = frozenset({"hass_nabucasa"})
"""What Home Assistant imports for its cloud, and no schema needs."""

SHARED = ("availability_topic", "payload_available", "payload_not_available", "qos", "device", "origin")


def part(name: str) -> Any:
    """Return a module of Home Assistant."""
    return importlib.import_module(f"homeassistant.{name}")


async def checked(message: dict[str, Any], states: dict[str, Any]) -> dict[str, Any]:
    """Validate the whole message, then each component with what it shares, and render each state."""
    hass = part("core").HomeAssistant(tempfile.gettempdir())
    part("helpers.frame").async_setup(hass)
    fields = part("components.mqtt.schemas").DEVICE_DISCOVERY_SCHEMA(message)
    rendered: dict[str, dict[str, str]] = {name: {} for name in states}
    for key, component in message["components"].items():
        whole = {name: value for name, value in component.items() if name != "platform"}
        whole |= {name: message[name] for name in SHARED}
        part(f"components.mqtt.{component['platform']}").DISCOVERY_SCHEMA(whole)
        if component["state_topic"].endswith("/state"):
            template = part("helpers.template").Template(component["value_template"], hass)
            for name, state in states.items():
                rendered[name][key] = template.async_render_with_possible_json_value(
                    json.dumps(state), parse_result=False
                )
    return {"version": part("const").__version__, "fields": sorted(fields), "rendered": rendered}


def main() -> None:
    """Read, check, print."""
    for name in LEFT_OUT:
        stand_in = MagicMock()
        stand_in.__path__ = []
        sys.modules[name] = stand_in
    given = json.load(sys.stdin)
    print(json.dumps(asyncio.run(checked(given["message"], given["states"]))))


if __name__ == "__main__":
    main()

"""Holds discovery messages, JSON on the standard input, against the schemas of an installed Home Assistant.

It runs under that one's own Python, so it uses nothing of this project. It prints the version and the faults.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from copy import deepcopy
from importlib import import_module
from typing import Any

from homeassistant.components.mqtt import discovery, schemas  # type: ignore[import-not-found]
from homeassistant.const import __version__  # type: ignore[import-not-found]
from homeassistant.core import HomeAssistant  # type: ignore[import-not-found]

SHARED = ("availability_topic", "payload_available", "payload_not_available", "device")


async def main() -> None:
    """Print the version, and a fault for each part of a message that is refused."""
    with tempfile.TemporaryDirectory() as folder:
        hass = HomeAssistant(folder)
        faults = [fault for message in json.load(sys.stdin) for fault in faults_of(message)]
        await hass.async_stop(force=True)
    json.dump({"version": __version__, "faults": faults}, sys.stdout)


def faults_of(message: dict[str, Any]) -> list[str]:
    """Return the faults of a message, and of each component as Home Assistant hands it to its platform."""
    payload = discovery.MQTTDiscoveryPayload(deepcopy(message))
    discovery._replace_all_abbreviations(payload)
    found = refused("device", schemas.DEVICE_DISCOVERY_SCHEMA, payload)
    for key, component in payload["components"].items():
        own = {name: value for name, value in component.items() if name != "platform"}
        if own:  # with its platform alone, it is withdrawn
            platform = import_module(f"homeassistant.components.mqtt.{component['platform']}")
            shared = {name: payload[name] for name in SHARED}
            found += refused(key, platform.DISCOVERY_SCHEMA, {**shared, **own})
    return found


def refused(name: str, schema: Any, value: Any) -> list[str]:
    """Return the reason why a schema refuses a value, if it does."""
    try:
        schema(value)
    except schemas.vol.Invalid as error:
        return [f"{name}: {error}"]
    return []


asyncio.run(main())

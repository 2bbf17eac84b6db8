"""The lines of the Pi that the controller board has copper for, and whether a configuration keeps to them."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.config.wiring_map import ConfigFault
from firmware_host.settings import NO_LINE, Controls, Sensors, Sound, Strip

SELECT, SIGNALS, ADC_BUS = (17, 27, 22), (23, 24, 25, 5, 6, 16), "/dev/spidev1.0"
BUTTON, BUZZER = 26, 12

ADC_INPUTS = (0, 1, 2)
"""The inputs of its MCP3008 that have a multiplexer; the others are on ground."""


def controller_faults(
    sensors: Sensors, strip: Strip, controls: Controls, sound: Sound
) -> Iterator[ConfigFault]:
    """Yield the settings that a board with the controller cannot have; none without it."""
    if not sensors.boards:
        return
    if sensors.kind not in ("mux", "mcp3008"):
        yield "sensors.boards", 'the controller reads sensors by kind = "mux" or "mcp3008"'
        return
    if sensors.select != SELECT:
        yield "sensors.select", f"the controller's select lines are {list(SELECT)}"
    if sensors.kind == "mux" and (sensors.enable or sensors.signal != SIGNALS[: len(sensors.signal)]):
        yield "sensors.signal", f"the controller's signal lines are {list(SIGNALS)}, or the first of them"
    if sensors.kind == "mcp3008" and (sensors.inputs != ADC_INPUTS or sensors.adc != ADC_BUS):
        yield "sensors.inputs", f"the controller's are {list(ADC_INPUTS)}, on {ADC_BUS}"
    if strip.backend not in ("auto", "spi"):
        yield "strip.backend", 'the controller drives the strip by "spi"'
    if controls.button not in (NO_LINE, BUTTON):
        yield "controls.button", f"the controller's button is on GPIO {BUTTON}"
    if sound.buzzer not in (NO_LINE, BUZZER):
        yield "sound.buzzer", f"the controller's buzzer is on GPIO {BUZZER}"

"""The sensors of a configuration, opened on this Pi."""

from __future__ import annotations

from firmware_host.errors import ConfigError
from firmware_host.games.layout import Layout
from firmware_host.pins import clashes, uses
from firmware_host.settings import Sensors, Strip
from hardware.mux import MuxSensors
from hardware.pi import buses_in_use, pin_factory
from hardware.wiring import MuxWiring


def open_sensors(layout: Layout, sensors: Sensors, strip: Strip) -> MuxSensors:
    """The driver, once nobody else wants its lines, which includes the buses that this machine has on.

    Raises ConfigError where two want the same line, and SensorError where the pins are not to be had.
    """
    buses = list(buses_in_use())
    if wrong := [what for _, what in clashes(uses(sensors, strip, buses))]:
        raise ConfigError("\n".join(wrong))
    wiring = MuxWiring.of(layout, sensors)
    factory = pin_factory(wiring.lines)
    return MuxSensors(wiring, factory, release=factory.close)

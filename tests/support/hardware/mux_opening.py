"""The points of a wiring on a gpiozero factory, such as the mock's, or on a chip, without a configuration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hardware.bus.busy_wait import pause
from hardware.bus.gpio import Lines, PinLines
from hardware.sensors.decode import PointSensors, switch_sensors
from hardware.sensors.mux import levels_at, mux_sweep
from hardware.sensors.sweep import SweepScanner
from hardware.wiring.contacts import MuxWiring


def mux_sensors(
    wiring: MuxWiring,
    factory: Any,
    *,
    open_lines: Callable[..., Lines] = PinLines,
    sleep: Callable[[float], None] = pause,
) -> PointSensors:
    """Raises ConfigError if the wiring is wrong, SensorError if a pin is not available.

    `open_lines`: PinLines for a gpiozero factory, KernelLines for a chip. `sleep` waits a number of seconds.
    """
    wiring.check()
    outputs, pull = (*wiring.select, *wiring.enables), "up" if wiring.pull_up else "floating"
    lines = open_lines(outputs, wiring.signals, pull, factory, levels=levels_at(wiring))
    scanner = SweepScanner(mux_sweep(wiring), lines, sleep=sleep)
    return switch_sensors(scanner, wiring.contacts, len(wiring.layout))

"""The sensors of a configuration, opened on this Pi."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from firmware_host.errors import ConfigError
from firmware_host.games.layout import Layout
from firmware_host.pins import clashes, uses
from firmware_host.settings import Sensors, Strip
from hardware.group_lines import GroupLines
from hardware.lines import Lines, PinLines, Pull
from hardware.mux import MuxScanner, levels_at
from hardware.pause import pause
from hardware.pi import buses_in_use, pin_factory
from hardware.point_sensors import PointSensors, of_switches
from hardware.scanner import Wire
from hardware.wiring import MuxWiring, every_wire

_NO_LINE = Strip(backend="serial")
"""A strip that takes no line of the Pi, where it is not known how the strip is driven."""


def open_sensors(layout: Layout, sensors: Sensors, strip: Strip) -> PointSensors:
    """The driver, once nobody else wants its lines, which includes the buses that this machine has on.

    Raises ConfigError where two want the same line, and SensorError where the pins are not to be had.
    """
    _check_lines(sensors, strip)
    wiring = MuxWiring.of(layout, sensors)
    factory = pin_factory(wiring.lines)
    return mux_sensors(wiring, factory, open_lines=GroupLines, release=factory.close)


def open_scanner(sensors: Sensors, pull: Pull | None = None) -> MuxScanner:
    """Every wire that the settings have a chip and channel for, whoever's it is; raises as `open_sensors`."""
    _check_lines(sensors, _NO_LINE)
    wiring = MuxWiring.bare(sensors)
    factory = pin_factory(wiring.lines)
    return mux_scanner(
        wiring,
        factory,
        wires=every_wire(sensors),
        pull=pull,
        open_lines=GroupLines,
        release=factory.close,
    )


def _check_lines(sensors: Sensors, strip: Strip) -> None:
    buses = list(buses_in_use())
    if wrong := [what for _, what in clashes(uses(sensors, strip, buses))]:
        raise ConfigError("\n".join(wrong))


def mux_sensors(
    wiring: MuxWiring,
    pin_factory: Any,
    *,
    open_lines: Callable[..., Lines] = PinLines,
    sleep: Callable[[float], None] = pause,
    release: Callable[[], object] = lambda: None,
) -> PointSensors:
    """The points of `wiring` on the pins of a factory, made by the caller, so that none is chosen behind its
    back; for the rest see `mux_scanner`.
    """
    scanner = mux_scanner(wiring, pin_factory, open_lines=open_lines, sleep=sleep, release=release)
    return of_switches(scanner, wiring.contacts, len(wiring.layout))


def mux_scanner(
    wiring: MuxWiring,
    pin_factory: Any,
    *,
    wires: Iterable[Wire] = (),
    pull: Pull | None = None,
    open_lines: Callable[..., Lines] = PinLines,
    sleep: Callable[[float], None] = pause,
    release: Callable[[], object] = lambda: None,
) -> MuxScanner:
    """The wires of `wiring` that have a contact, or `wires`, with the pull of the wiring or another.

    `open_lines`: PinLines for any factory, GroupLines for that of lgpio. `sleep` waits so many seconds;
    `release` is called when the pins have been given back, and where this raises: ConfigError where the
    wiring is wrong, SensorError where a pin is not to be had.
    """
    try:
        wiring.check()
    except ConfigError:
        release()
        raise
    lines = open_lines(
        (*wiring.select, *wiring.enables),
        wiring.signals,
        pull or ("up" if wiring.pull_up else "floating"),
        pin_factory,
        levels=levels_at(wiring),
        release=release,
    )
    return MuxScanner(wiring, lines, wires=wires, sleep=sleep)

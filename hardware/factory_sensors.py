"""The sensors of a configuration, opened on this Pi or on what stands in for it.

Rules kept here: each kind of sensors has one opener, and play, set-up and doctor use the same; settings that
cannot be wired, or want a line that somebody else has, are refused before anything is driven.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from firmware_host.config.gpio import clashes, header_lines, uses
from firmware_host.config.wiring_map import sensor_faults
from firmware_host.errors import ConfigError, SensorError
from firmware_host.games.layout import Layout
from firmware_host.ports import Alphabet
from firmware_host.settings import Sensors, Strip
from hardware.bus.gpio import Pull
from hardware.bus.pi import buses_in_use, model
from hardware.machine import Machine, PiMachine
from hardware.scanner import Scanner, Wire
from hardware.sensors.adc import AdcScanner
from hardware.sensors.decode import PointSensors, of_linear, of_switches
from hardware.sensors.expander import ExpanderScanner
from hardware.sensors.mux import MuxScanner, levels_at
from hardware.serial.board import BOOT_S, REOPEN_S, SerialBoard
from hardware.wiring.contacts import MuxWiring, contacts_of, every_wire

_NO_LINE = Strip(backend="serial")
"""A strip that takes no line of the Pi, where it is not known how the strip is driven."""


def open_sensors(
    layout: Layout, sensors: Sensors, strip: Strip, machine: Machine | None = None
) -> PointSensors:
    """The driver, once nobody else wants its lines, which includes the buses that this machine has on.

    `machine` stands in for this Pi. Raises ConfigError where two want the same line, and SensorError where
    lines or buses are not to be had.
    """
    _check_lines(sensors, strip)
    return sensors_on(machine or PiMachine(), layout, sensors)


def open_scanner(sensors: Sensors, pull: Pull | None = None, machine: Machine | None = None) -> Scanner:
    """Every wire that the settings have a chip and channel for, whoever's it is; raises as `open_sensors`."""
    _check_lines(sensors, _NO_LINE)
    return scanner_on(machine or PiMachine(), sensors, every_wire(sensors), pull)


def sensors_on(machine: Machine, layout: Layout, sensors: Sensors) -> PointSensors:
    """The points of `layout` on a machine, whose lines nobody else wants.

    Raises ConfigError where the settings cannot be wired, and SensorError.
    """
    if faults := [what for _, what in sensor_faults(sensors, layout)]:
        raise ConfigError("\n".join(faults))
    contacts = contacts_of(layout, sensors)
    scanner = scanner_on(machine, sensors, sorted(set(contacts.values())))
    if sensors.kind == "mcp3008":
        levels = {layout[name].index: own for name, own in sensors.levels.items()}
        return of_linear(scanner, contacts, Alphabet(sensors.alphabet), levels, len(layout))
    return of_switches(scanner, contacts, len(layout))


def scanner_on(
    machine: Machine, sensors: Sensors, wires: Sequence[Wire], pull: Pull | None = None
) -> Scanner:
    """Some wires on a machine, with the pull of the settings or another; raises SensorError."""
    return _OPENERS[sensors.kind](machine, sensors, wires, pull)


def _check_lines(sensors: Sensors, strip: Strip) -> None:
    buses = list(buses_in_use())
    if wrong := [what for _, what in clashes(uses(sensors, strip, buses), header_lines(model()))]:
        raise ConfigError("\n".join(wrong))


def _on_lines(machine: Machine, sensors: Sensors, wires: Sequence[Wire], pull: Pull | None) -> Scanner:
    wiring = MuxWiring.bare(sensors)
    wiring.check()
    lines = machine.lines(
        (*wiring.select, *wiring.enables), wiring.signals, pull or _pull(wiring), levels_at(wiring)
    )
    return MuxScanner(wiring, lines, wires=wires, sleep=machine.sleep)


def _on_expanders(machine: Machine, sensors: Sensors, wires: Sequence[Wire], pull: Pull | None) -> Scanner:
    bus = machine.i2c(sensors.i2c)
    return ExpanderScanner(bus, sensors.expanders, wires, name=sensors.i2c, pull=pull or "up")


def _on_adc(machine: Machine, sensors: Sensors, wires: Sequence[Wire], _pull: Pull | None) -> Scanner:
    lines = machine.lines(sensors.select, (), "floating", 0) if sensors.select else None
    try:
        spi = machine.adc(sensors.adc)
    except SensorError:
        if lines is not None:
            lines.close()
        raise
    return AdcScanner(
        spi,
        sensors.inputs,
        lines,
        wires,
        settling_us=sensors.settling_us,
        sleep=machine.sleep,
        select=len(sensors.select),
    )


def _on_serial(machine: Machine, sensors: Sensors, wires: Sequence[Wire], _pull: Pull | None) -> Scanner:
    """Open the wires that are named, or else all that the board scans."""
    board = machine.serial(sensors.port)
    return board.scanner(wires or _all_wires(board, machine.sleep))


def _all_wires(board: SerialBoard, sleep: Callable[[float], object]) -> list[Wire]:
    """Wait until the board says which channels it scans; raises SensorError if it never does."""
    waited_s = 0.0
    board.pump()
    while board.hello is None:
        if waited_s > BOOT_S + REOPEN_S:
            raise SensorError(board.unread) from board.cause
        sleep(0.01)
        waited_s += 0.01
        board.pump()
    return [(chip, channel) for chip in range(board.hello.chips) for channel in range(board.hello.channels)]


_Opener = Callable[[Machine, Sensors, Sequence[Wire], Pull | None], Scanner]
_OPENERS: Mapping[str, _Opener] = {
    "mux": _on_lines,
    "direct": _on_lines,
    "mcp23017": _on_expanders,
    "mcp3008": _on_adc,
    "serial": _on_serial,
}


def _pull(wiring: MuxWiring) -> Pull:
    return "up" if wiring.pull_up else "floating"

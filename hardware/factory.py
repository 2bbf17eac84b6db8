"""Sensors and LED strip of a configuration, opened on this Pi or on a machine that stands in for it.

Invariants: each kind of sensors and each kind of strip has one opener, shared by play, set-up and doctor.
Settings that cannot be wired, or that claim a line of a bus or of another part, are refused before anything
is driven. A strip is opened as the configuration says or refused, never replaced by another kind: `auto` is
SPI, which needs no root, unless a serial board reads the sensors. Vendor libraries are imported when a strip
is opened.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from firmware_host.config.gpio import gpio_conflicts, gpio_uses, header_lines, joined
from firmware_host.config.wiring_map import sensor_faults
from firmware_host.errors import ConfigError, SensorError, StripError
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message, to_english
from firmware_host.ports import LedPort, SensorKind
from firmware_host.settings import Sensors, Strip
from hardware.boot.models import model_named
from hardware.bus.gpio import Pull
from hardware.bus.pi import buses_in_use, model
from hardware.bus.spi import SpiBus
from hardware.libraries import GPIOD, NEOPIXEL, PI5_NEOPIXEL, RPI_WS281X, missing
from hardware.machine import Machine, PiMachine
from hardware.scanner import Scanner, Wire
from hardware.sensors.adc import AdcScanner
from hardware.sensors.decode import PointSensors, linear_sensors, switch_sensors
from hardware.sensors.expander import ExpanderScanner
from hardware.sensors.matrix import matrix_sweep, released
from hardware.sensors.mux import levels_at, mux_sweep
from hardware.sensors.sweep import SweepScanner
from hardware.serial.board import BOOT_S, REOPEN_S, SerialBoard
from hardware.strip import NeoPixelStrip
from hardware.wiring.contacts import MuxWiring, contacts_of, every_wire

_NO_LINE = Strip(backend="serial")
"""A strip that uses no line of the Pi, for when the strip's driver is unknown."""


def open_sensors(
    layout: Layout, sensors: Sensors, strip: Strip, machine: Machine | None = None
) -> PointSensors:
    """Open the sensors, after checking that no bus of this machine or other part uses their lines.

    `machine` stands in for this Pi. Raises ConfigError if two parts claim the same line, and SensorError if
    lines or buses cannot be opened.
    """
    _check_lines(sensors, strip)
    return sensors_on(machine or PiMachine(), layout, sensors)


def open_scanner(sensors: Sensors, pull: Pull | None = None, machine: Machine | None = None) -> Scanner:
    """Open every wire that the settings have a chip and channel for; raises as `open_sensors`."""
    _check_lines(sensors, _NO_LINE)
    return scanner_on(machine or PiMachine(), sensors, every_wire(sensors), pull)


def sensors_on(machine: Machine, layout: Layout, sensors: Sensors) -> PointSensors:
    """Open the points of `layout` on a machine, without checking its lines for other users.

    Raises ConfigError if the settings cannot be wired, and SensorError.
    """
    if faults := [what for _, what in sensor_faults(sensors, layout)]:
        raise ConfigError("\n".join(faults))
    contacts = contacts_of(layout, sensors)
    scanner = scanner_on(machine, sensors, sorted(set(contacts.values())))
    if sensors.is_linear:
        levels = {layout[name].index: own for name, own in sensors.levels.items()}
        return linear_sensors(scanner, contacts, SensorKind(sensors.alphabet), levels, len(layout))
    return switch_sensors(scanner, contacts, len(layout))


def scanner_on(
    machine: Machine, sensors: Sensors, wires: Sequence[Wire], pull: Pull | None = None
) -> Scanner:
    """Open some wires on a machine, with the settings' own pull or `pull`; raises SensorError."""
    return _OPENERS[sensors.kind](machine, sensors, wires, pull)


def _check_lines(sensors: Sensors, strip: Strip) -> None:
    buses = list(buses_in_use())
    if wrong := [what for _, what in gpio_conflicts(gpio_uses(sensors, strip, buses), header_lines(model()))]:
        raise ConfigError("\n".join(map(to_english, wrong)))


def _on_lines(machine: Machine, sensors: Sensors, wires: Sequence[Wire], pull: Pull | None) -> Scanner:
    wiring = MuxWiring.bare(sensors)
    wiring.check()
    lines = machine.lines(
        (*wiring.select, *wiring.enables), wiring.signals, pull or _pull(wiring), levels_at(wiring)
    )
    return SweepScanner(mux_sweep(wiring, wires), lines, sleep=machine.sleep)


def _on_matrix(machine: Machine, sensors: Sensors, wires: Sequence[Wire], pull: Pull | None) -> Scanner:
    rows = len(sensors.rows)
    pull = pull or ("up" if sensors.pull_up else "floating")
    lines = machine.lines(sensors.rows, sensors.columns, pull, released(rows), open_drain=True)
    sweep = matrix_sweep(rows, wires, sensors.settling_us)
    return SweepScanner(sweep, lines, sleep=machine.sleep)


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
    """Open the named wires, or all that the board scans."""
    board = machine.serial(sensors.port)
    return board.scanner(wires or _all_wires(board, machine.sleep))


def _all_wires(board: SerialBoard, sleep: Callable[[float], object]) -> list[Wire]:
    """Wait until the board reports which channels it scans; raises SensorError if it never does."""
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
    "matrix": _on_matrix,
    "mcp23017": _on_expanders,
    "mcp3008": _on_adc,
    "serial": _on_serial,
}


def _pull(wiring: MuxWiring) -> Pull:
    return "up" if wiring.pull_up else "floating"


_DEV = Path("/dev")
_LIBRARIES = {"pwm": (NEOPIXEL, GPIOD, RPI_WS281X), "pio": (NEOPIXEL, GPIOD, PI5_NEOPIXEL)}
"""The libraries of a strip on a line: Adafruit's driver, and what that imports on a Pi."""


def open_strip(
    strip: Strip,
    places: Sequence[Sequence[int]],
    say: Callable[[str], object],
    *,
    board: Callable[[], SerialBoard] = lambda: PiMachine().serial(),
    dev: Path = _DEV,
) -> LedPort:
    """Open the strip of a configuration; `places` has the LEDs of each point.

    `say` receives how the strip is driven; `board` returns the board with the microcontroller, for a strip
    that one drives. Raises StripError if the strip cannot be opened.
    """
    backend = "spi" if strip.backend == "auto" else strip.backend
    _check_line(strip, dev)
    driver: LedPort
    if backend == "serial":
        driver = board().strip(places, order=strip.order)
    elif backend == "spi":
        with ExitStack() as opened:
            bus = SpiBus(dev / "spidev0.0")
            opened.callback(bus.close)
            driver = NeoPixelStrip.on_spi(
                bus,
                places,
                leds=strip.leds,
                colours=strip.order,
                chip=strip.chip,
                reset_us=strip.reset_us,
                say=say,
                release=bus.close,
            )
            opened.pop_all()
    else:
        pixels = _on_line(strip)
        driver = NeoPixelStrip(pixels, places, release=pixels.deinit)
    say(f"LEDs by {backend}")
    return driver


def _check_line(strip: Strip, dev: Path) -> None:
    """Raise StripError if this model can't drive the strip, lacks its line, or has a bus that uses it."""
    name = model(dev.parent / "proc")
    own = model_named(name)
    spi = dev / "spidev0.0"
    if strip.backend in ("auto", "spi") and not name and not spi.exists():
        raise StripError(Message("fault.pi.none", {"device": str(spi)}))
    if strip.backend == "pwm" and own is not None and own.has_rp1:
        raise StripError(Message("fault.strip.pwm", {"model": own.name}))
    if strip.backend == "pio" and own is not None and not own.has_rp1:
        raise StripError(Message("fault.strip.pio", {"model": own.name}))
    users = gpio_uses(Sensors(kind="serial"), strip, buses_in_use(dev))
    if wrong := [what for _, what in gpio_conflicts(users, header_lines(name))]:
        raise StripError(Message("fault.unfit", {"text": joined(wrong)}))


def _on_line(strip: Strip) -> Any:
    """Open the pixels on a line driven by PWM, or by the PIO of a Pi 5; Blinka chooses between the two."""
    # Otherwise Blinka asks on the terminal whether it may install things.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        import board  # type: ignore[import-untyped]
        import neopixel  # type: ignore[import-untyped]

        pin = getattr(board, f"D{strip.gpio}")
        return neopixel.NeoPixel(pin, strip.leds, pixel_order=strip.order, auto_write=False)
    except Exception as error:
        # On a machine that is not a Pi, no library helps.
        lacking = None if isinstance(error, NotImplementedError) else missing(_LIBRARIES[strip.backend])
        # After its first sentence Blinka gives advice, over many lines, that does not fit every installation.
        why = lacking or " ".join(str(error).split()).partition(". ")[0]
        raise StripError(
            Message("fault.strip.unopened.line", {"line": str(strip.gpio), "why": why})
        ) from error

"""The lines of the Pi's 40-pin header: which there are, which are taken, and who wants the same one.

Rules kept here: nothing is driven to find out; a line has one user; whoever is refused is told who else wants
the line. All models with 40 pins, from the B+ to the Pi 5, have the same lines in the same places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from firmware_host.settings import Gpio, Sensors, Strip

HEADER = range(28)
"""The lines that lead to pins of the header."""

PWM_LINES = (12, 13, 18, 19, 21)
"""The lines that rpi_ws281x can send an LED's bytes on: PWM0 and PWM1, and PCM."""

_HAT = {0: "ID_SD", 1: "ID_SC"}
_SPI = {
    0: {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"},
    1: {16: "CE2", 17: "CE1", 18: "CE0", 19: "MISO", 20: "MOSI", 21: "SCLK"},
}
"""The lines of the SPI buses; of the second, those of the CE that is not used are free."""

BUSES: Mapping[str, Mapping[Gpio, str]] = {
    "I2C": {2: "SDA", 3: "SCL"},
    "the serial port": {14: "TXD", 15: "RXD"},
}
"""Lines that are free unless the machine has these switched on."""


@dataclass(frozen=True, slots=True)
class Use:
    """Somebody who needs a line; `key` is the setting that says so, empty where none does."""

    gpio: Gpio
    user: str
    key: str = ""


def uses(sensors: Sensors, strip: Strip, buses: Iterable[str] = ()) -> Iterator[Use]:
    """Everybody who needs a line; `buses` are those of BUSES that the machine has switched on."""
    yield from (Use(gpio, f"{name}, by which the Pi asks what board is on it") for gpio, name in _HAT.items())
    for bus in buses:
        if bus != "I2C" or sensors.kind != "mcp23017":
            yield from (Use(gpio, f"{name} of {bus}") for gpio, name in BUSES[bus].items())
    backend = backend_of(sensors, strip)
    if backend in ("auto", "spi"):
        yield from (Use(gpio, f"{name} of SPI, which lights the strip") for gpio, name in _SPI[0].items())
    if backend in ("auto", "pio", "pwm"):
        yield Use(strip.gpio, "the strip", "strip.gpio")
    yield from _SENSORS[sensors.kind](sensors)


def backend_of(sensors: Sensors, strip: Strip) -> str:
    """How the strip's bytes leave: `auto` is the serial line where the sensors are read by one, and SPI where
    they need the lines that PWM would take; else it stays open until the board starts.
    """
    implied = {"serial": "serial", "mcp3008": "spi"}
    return implied.get(sensors.kind, "auto") if strip.backend == "auto" else strip.backend


def adc_bus(sensors: Sensors) -> tuple[int, int] | None:
    """The numbers of the SPI bus and of the chip-enable line that the ADC is on; None where it has no name
    that the kernel gives.
    """
    match = re.fullmatch(r"/dev/spidev([01])\.([0-2])", sensors.adc)
    return (int(match[1]), int(match[2])) if match else None


def _mux(sensors: Sensors) -> Iterator[Use]:
    named = (("select", sensors.select), ("signal", sensors.signal), ("enable", sensors.enable))
    for kind, lines in named:
        yield from (Use(gpio, f"{kind} line {n}", f"sensors.{kind}") for n, gpio in enumerate(lines))


def _direct(sensors: Sensors) -> Iterator[Use]:
    if not sensors.points:
        yield from (Use(gpio, f"signal line {n}", "sensors.signal") for n, gpio in enumerate(sensors.signal))
    for point, wires in sensors.points.items():
        yield from (Use(wire[0], f"the sensor of {point}", f"sensors.points.{point}") for wire in wires)


def _expanders(sensors: Sensors) -> Iterator[Use]:
    buses = {2: "SDA", 3: "SCL"} if sensors.i2c == "/dev/i2c-1" else {}
    yield from (Use(gpio, f"{name} of I2C", "sensors.i2c") for gpio, name in buses.items())


def _adc(sensors: Sensors) -> Iterator[Use]:
    yield from (Use(gpio, f"select line {n}", "sensors.select") for n, gpio in enumerate(sensors.select))
    bus, enable = adc_bus(sensors) or (None, None)
    for gpio, name in _SPI[1].items() if bus == 1 else ():
        if not name.startswith("CE") or name == f"CE{enable}":
            yield Use(gpio, f"{name} of the ADC's SPI", "sensors.adc")


_SENSORS: Mapping[str, Callable[[Sensors], Iterator[Use]]] = {
    "mux": _mux,
    "direct": _direct,
    "mcp23017": _expanders,
    "mcp3008": _adc,
    "serial": lambda _: iter(()),
}
"""Who needs lines for each kind of sensors."""


def clashes(users: Iterable[Use]) -> Iterator[tuple[str, str]]:
    """What is wrong with who uses which line, each with the setting that is to be changed."""
    first: dict[Gpio, Use] = {}
    for use in users:
        other = first.setdefault(use.gpio, use)
        if use.gpio not in HEADER:
            yield use.key, f"there is no GPIO {use.gpio} for {use.user}: the header has GPIO 0 to 27"
        elif other is not use:
            yield use.key, f"GPIO {use.gpio} is wanted by {other.user} and by {use.user}: each needs its own"

"""The lines of the Pi's 40-pin header: which there are, which are taken, and who wants the same one.

Rules kept here: nothing is driven to find out; a line has one user; whoever is refused is told who else wants
the line. All models with 40 pins, from the B+ to the Pi 5, have the same lines in the same places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from firmware_host.settings import Gpio, Sensors, Strip

HEADER = range(28)
"""The lines that lead to pins of the header."""

PWM_LINES = (12, 13, 18, 19, 21)
"""The lines that rpi_ws281x can send an LED's bytes on: PWM0 and PWM1, and PCM."""

_HAT = {0: "ID_SD", 1: "ID_SC"}
_SPI0 = {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"}

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
        yield from (Use(gpio, f"{name} of {bus}") for gpio, name in BUSES[bus].items())
    if strip.backend in ("auto", "spi"):
        yield from (Use(gpio, f"{name} of SPI, which lights the strip") for gpio, name in _SPI0.items())
    if strip.backend != "spi":
        yield Use(strip.gpio, "the strip", "strip.gpio")
    if sensors.kind == "direct":
        for point, wires in sensors.points.items():
            yield from (Use(wire[0], f"the sensor of {point}", f"sensors.points.{point}") for wire in wires)
        return
    named = (("select", sensors.select), ("signal", sensors.signal), ("enable", sensors.enable))
    for kind, lines in named:
        yield from (Use(gpio, f"{kind} line {n}", f"sensors.{kind}") for n, gpio in enumerate(lines))


def clashes(users: Iterable[Use]) -> Iterator[tuple[str, str]]:
    """What is wrong with who uses which line, each with the setting that is to be changed."""
    first: dict[Gpio, Use] = {}
    for use in users:
        other = first.setdefault(use.gpio, use)
        if use.gpio not in HEADER:
            yield use.key, f"there is no GPIO {use.gpio} for {use.user}: the header has GPIO 0 to 27"
        elif other is not use:
            yield use.key, f"GPIO {use.gpio} is wanted by {other.user} and by {use.user}: each needs its own"

"""Which pin is where: the Pi's 40-pin header, and the packages of the chips on a board.

Facts only, from the Pi's documentation and the makers' data sheets (74HC4051: Nexperia; CD74HC4067 and
SN74AHCT125: Texas Instruments). Pins are counted from 1, as on the parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.errors import ConfigError


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


HEADER = _names(
    "3.3V 5V GPIO2 5V GPIO3 GND GPIO4 GPIO14 GND GPIO15 GPIO17 GPIO18 GPIO27 GND GPIO22 GPIO23 3.3V GPIO24"
    " GPIO10 GND GPIO9 GPIO25 GPIO11 GPIO8 GND GPIO7 GPIO0 GPIO1 GPIO5 GND GPIO6 GPIO12 GPIO13 GND GPIO19"
    " GPIO16 GPIO26 GPIO20 GND GPIO21"
)
"""The names of pins 1 to 40 of every Pi that has 40 of them; GPIO numbers are the BCM ones."""


def header_pin(gpio: int) -> int:
    """The number (1 to 40) of the pin that carries a GPIO; raises ConfigError where none does."""
    try:
        return HEADER.index(f"GPIO{gpio}") + 1
    except ValueError as error:
        raise ConfigError(f"GPIO {gpio} is not on the Pi's header: it has GPIO 0 to 27") from error


@dataclass(frozen=True)
class Package:
    """A chip as it is sold: its name, and its pins' names from pin 1 on, counter-clockwise from above."""

    name: str
    pins: tuple[str, ...]

    def number(self, name: str) -> int:
        """The number, from 1, of the pin of this name."""
        return self.pins.index(name) + 1


@dataclass(frozen=True)
class MuxPackage(Package):
    """An analogue switch: which pins select (the lowest bit first), which are channels, which is common."""

    select: tuple[str, ...]
    channels: tuple[str, ...]
    common: str


HC4051 = MuxPackage(
    "74HC4051",
    _names("Y4 Y6 Z Y7 Y5 E VEE GND C B A Y3 Y0 Y1 Y2 VCC"),
    select=("A", "B", "C"),
    channels=tuple(f"Y{n}" for n in range(8)),
    common="Z",
)
HC4067 = MuxPackage(
    "CD74HC4067",
    _names("COM I7 I6 I5 I4 I3 I2 I1 I0 S0 S1 GND S3 S2 E I15 I14 I13 I12 I11 I10 I9 I8 VCC"),
    select=("S0", "S1", "S2", "S3"),
    channels=tuple(f"I{n}" for n in range(16)),
    common="COM",
)
AHCT125 = Package("74AHCT125", _names("1OE 1A 1Y 2OE 2A 2Y GND 3Y 3A 3OE 4Y 4A 4OE VCC"))

_MUX_FOR: Mapping[int, MuxPackage] = {1: HC4051, 2: HC4051, 3: HC4051, 4: HC4067}


def mux_for(select_lines: int) -> MuxPackage:
    """The chip that so many select lines need; raises ConfigError where there is none."""
    try:
        return _MUX_FOR[select_lines]
    except KeyError as error:
        raise ConfigError(
            f"there is no chip for {select_lines} select lines: a 74HC4051 has 3, a CD74HC4067 has 4"
        ) from error

"""Pinouts of the Pi's 40-pin header and of the chips on a board.

Facts from the Pi's documentation and the makers' data sheets (74HC4051: Nexperia; CD74HC4067 and SN74AHCT125:
Texas Instruments; MCP23017 in DIP-28, DS20001952, and MCP3008, DS21295: Microchip; the Nano: Arduino; the
Pico, whose versions all have the same pins: Raspberry Pi). Pins are counted from 1, as on the parts. A pin
with a name that begins with NC is not connected.
"""

from __future__ import annotations

from firmware_host.config.wiring_map import EXPANDER_INPUTS
from firmware_host.errors import ConfigError
from firmware_host.frozen import frozen


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


HEADER = _names(
    "3.3V 5V GPIO2 5V GPIO3 GND GPIO4 GPIO14 GND GPIO15 GPIO17 GPIO18 GPIO27 GND GPIO22 GPIO23 3.3V GPIO24"
    " GPIO10 GND GPIO9 GPIO25 GPIO11 GPIO8 GND GPIO7 GPIO0 GPIO1 GPIO5 GND GPIO6 GPIO12 GPIO13 GND GPIO19"
    " GPIO16 GPIO26 GPIO20 GND GPIO21"
)
"""The names of pins 1 to 40 of every Pi that has 40 of them; GPIO numbers are the BCM ones."""


def header_pin(gpio: int) -> int:
    """Return the number (1 to 40) of the pin with a GPIO; raises ConfigError if there is none."""
    try:
        return HEADER.index(f"GPIO{gpio}") + 1
    except ValueError as error:
        raise ConfigError(f"GPIO {gpio} is not on the Pi's header: it has GPIO 0 to 27") from error


@frozen(slots=False)
class Package:
    """A chip as sold: its name, and its pins' names from pin 1 on, counter-clockwise from above."""

    name: str
    pins: tuple[str, ...]
    channels: tuple[str, ...] = ()
    """The pins for contacts, in the order of their channel numbers."""
    numbered: bool = True
    """True if pins are known by number as well as by name."""
    is_board: bool = False
    """True for a board with a microcontroller: its unused pins stay open, and it has its own capacitors."""

    def number(self, name: str) -> int:
        """Return the number, from 1, of the pin of this name."""
        return self.pins.index(name) + 1

    def label(self, number: int) -> str:
        """Return the text printed beside a pin: its name, without a suffix that only makes it unique."""
        name = self.pins[number - 1]
        return name[:-1] if name[:-1] in ("NC", "GND", "RESET") else name


@frozen(slots=False)
class MuxPackage(Package):
    """An analogue switch: its select pins (the lowest bit first) and its common pin."""

    select: tuple[str, ...] = ()
    common: str = ""


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
EXPANDER = Package(
    "MCP23017",
    (
        *(f"GPB{n}" for n in range(8)),
        *_names("VDD VSS NC1 SCL SDA NC2 A0 A1 A2 RESET INTB INTA"),
        *(f"GPA{n}" for n in range(8)),
    ),
    channels=tuple(f"GP{port}{n}" for port in "AB" for n in range(8)),
)
EXPANDER_OUTPUTS = tuple(
    name for number, name in enumerate(EXPANDER.channels) if number not in EXPANDER_INPUTS
)
"""The pins of an expander that cannot be inputs, and stay open."""

ADC = Package("MCP3008", _names("CH0 CH1 CH2 CH3 CH4 CH5 CH6 CH7 DGND CS DIN DOUT CLK AGND VREF VDD"))
AHCT125 = Package("74AHCT125", _names("1OE 1A 1Y 2OE 2A 2Y GND 3Y 3A 3OE 4Y 4A 4OE VCC"))
NANO = Package(
    "Arduino Nano",
    _names(
        "D1 D0 RESET1 GND1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12"
        " D13 3V3 AREF A0 A1 A2 A3 A4 A5 A6 A7 5V RESET2 GND2 VIN"
    ),
    is_board=True,
)
PICO = Package(
    "Raspberry Pi Pico",
    _names(
        "GP0 GP1 GND1 GP2 GP3 GP4 GP5 GND2 GP6 GP7 GP8 GP9 GND3 GP10 GP11 GP12 GP13 GND4 GP14 GP15"
        " GP16 GP17 GND5 GP18 GP19 GP20 GP21 GND6 GP22 RUN GP26 GP27 GND7 GP28 VREF 3V3 3V3_EN GND8 VSYS VBUS"
    ),
    is_board=True,
)

NANO_SELECT, NANO_SIGNALS, NANO_STRIP = _names("D2 D3 D4 D5"), _names("A0 A1 A2 A3 A4 A5"), "D6"
"""The Nano's pins as the firmware in hardware/firmware uses them: config.h."""

PICO_DIRECT = (*range(22), 26, 27)
PICO_ROWS, PICO_COLUMNS = (2, 3, 4, 5), (6, 7, 8, 9, 10, 11)
PICO_SELECT, PICO_SIGNALS, PICO_INPUTS = (2, 3, 4), (6, 7, 8, 9, 10, 11), (26, 27, 28)
PICO_STRIP = 22
"""The Pico's lines as its front end uses them without other settings: hardware/pico/main.py."""

MAX_SELECT_LINES = 4
"""The number of select lines of the largest of these chips."""


def mux_for(select_lines: int) -> MuxPackage:
    """Return the chip for this number of select lines; raises ConfigError if there is none."""
    if select_lines > MAX_SELECT_LINES:
        raise ConfigError(
            f"there is no chip for {select_lines} select lines: a 74HC4051 has 3, a CD74HC4067 has 4"
        )
    return HC4067 if select_lines > 3 else HC4051

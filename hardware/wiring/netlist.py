"""The words of a wiring: nets, chips with a net for each pin, and the circuit that they make.

Rules kept here: ground, 3.3 V and 5 V are one net each; drawings and tables read nothing else of a circuit.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from hardware.wiring.pinout import Package


class Kind(enum.Enum):
    """What a net is for."""

    FREE = "free"
    GROUND = "GND"
    LOGIC = "3.3 V"
    SUPPLY = "5 V"
    BOARD_SUPPLY = "USB 5V"
    SELECT = "select"
    SIGNAL = "signal"
    ENABLE = "enable"
    I2C = "I2C"
    SPI = "SPI1"
    CONTACT = "contact"
    DATA = "data"
    STRIP = "data at 5 V"


@dataclass(frozen=True)
class Net:
    """All that is joined by wire: its kind, and which of its kind it is."""

    kind: Kind
    which: str = ""

    def __str__(self) -> str:
        return f"{self.kind.value} {self.which}".strip() if self.kind is not Kind.CONTACT else self.which


FREE, GROUND, LOGIC, SUPPLY = Net(Kind.FREE), Net(Kind.GROUND), Net(Kind.LOGIC), Net(Kind.SUPPLY)
BOARD_SUPPLY = Net(Kind.BOARD_SUPPLY)
DATA, STRIP = Net(Kind.DATA), Net(Kind.STRIP)

POWER = (Kind.GROUND, Kind.LOGIC, Kind.SUPPLY, Kind.BOARD_SUPPLY)
"""What is shown by a sign at each place, and not by a wire from place to place."""


class Sensor(enum.Enum):
    """What hangs on a channel."""

    REED = "reed"
    HALL = "hall switch"
    LINEAR = "linear sensor"

    @property
    def plural(self) -> str:
        """Several of them."""
        return f"{self.value}es" if self is Sensor.HALL else f"{self.value}s"


@dataclass(frozen=True)
class Chip:
    """A chip on the board, and the net of each of its pins, from pin 1 on."""

    name: str
    package: Package
    nets: tuple[Net, ...]
    remark: str = ""
    """What else one must know to tell it from others or to join it: an address, a cable."""

    def net_of(self, pin: str) -> Net:
        """The net of the pin of this name."""
        return self.nets[self.package.number(pin) - 1]


@dataclass(frozen=True)
class Circuit:
    """The net of each pin of the header, and all chips.

    `chips` are those that the contacts hang on, in order, and none where each has a line of its own; `front`
    is what the Pi reads them by, an ADC or a microcontroller; `shifter` is there where the Pi lights the
    strip. `power` is what chips and sensors run on.
    """

    header: tuple[Net, ...]
    chips: tuple[Chip, ...]
    sensor: Sensor
    front: Chip | None = None
    shifter: Chip | None = None
    power: Net = LOGIC

    @property
    def sensing(self) -> tuple[Chip, ...]:
        """All chips but the level shifter, in the order in which they are drawn."""
        return (*((self.front,) if self.front else ()), *self.chips)

    @property
    def every_chip(self) -> tuple[Chip, ...]:
        """All chips."""
        return (*self.sensing, *((self.shifter,) if self.shifter else ()))

    @property
    def strip_feed(self) -> Chip:
        """The chip that gives the strip its data at 5 V."""
        return next(chip for chip in self.every_chip if STRIP in chip.nets)

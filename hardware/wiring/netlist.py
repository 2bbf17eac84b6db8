"""The vocabulary of a wiring: nets, chips with a net for each pin, and the circuit that they form.

Invariants: ground, 3.3 V and 5 V are one net each. Drawings and tables read a circuit only through these
types.
"""

from __future__ import annotations

import enum

from firmware_host.frozen import frozen
from hardware.case.sensor_types import SensorType as SensorType
from hardware.wiring.pinout import PICO, Package


class NetKind(enum.Enum):
    """The purpose of a net."""

    FREE = "free"
    GROUND = "GND"
    LOGIC = "3.3 V"
    SUPPLY = "5 V"
    BOARD_SUPPLY = "USB 5V"
    SELECT = "select"
    SIGNAL = "signal"
    ENABLE = "enable"
    ROW = "row"
    COLUMN = "column"
    I2C = "I2C"
    SPI = "SPI1"
    CONTACT = "contact"
    DATA = "data"
    STRIP = "data at 5 V"
    BUTTON = "button"
    BUZZER = "buzzer"
    LINE = "line"
    LOCAL = "local"


@frozen(slots=False)
class Net:
    """A set of pins joined by wire: its kind, and its name among the nets of that kind."""

    kind: NetKind
    which: str = ""

    def __str__(self) -> str:
        named = self.kind in (NetKind.CONTACT, NetKind.LOCAL)
        return self.which if named else f"{self.kind.value} {self.which}".strip()


FREE, GROUND, LOGIC, SUPPLY = Net(NetKind.FREE), Net(NetKind.GROUND), Net(NetKind.LOGIC), Net(NetKind.SUPPLY)
BOARD_SUPPLY = Net(NetKind.BOARD_SUPPLY)
DATA, STRIP = Net(NetKind.DATA), Net(NetKind.STRIP)
BUTTON, BUZZER = Net(NetKind.BUTTON), Net(NetKind.BUZZER)

POWER = (NetKind.GROUND, NetKind.LOGIC, NetKind.SUPPLY, NetKind.BOARD_SUPPLY)
"""The nets drawn as a symbol at each place instead of a wire from place to place."""

CONTROLS = (NetKind.BUTTON, NetKind.BUZZER)
"""The nets of parts beside the points, which are drawn apart from the sensors."""


@frozen(slots=False)
class Chip:
    """A chip on the board, and the net of each of its pins, from pin 1 on."""

    name: str
    package: Package
    nets: tuple[Net, ...]
    remark: str = ""
    """Whatever else identifies or connects it: an address, a cable."""

    def net_of(self, pin: str) -> Net:
        """Return the net of the pin of this name."""
        return self.nets[self.package.number(pin) - 1]


@frozen(slots=False)
class Crossing:
    """A contact of a matrix: from its column through the contact and a diode, anode first, to its row."""

    contact: Net
    row: Net
    column: Net


@frozen(slots=False)
class Component:
    """A kind of part on a circuit board: its value, footprint as `library:name`, and what to order."""

    value: str
    footprint: str
    order: str
    euros: float
    """An estimate of the price of one, in single quantities."""


@frozen(slots=False)
class BoardPart:
    """A part on a circuit board: its reference on the silkscreen, and the net of each pad in use."""

    ref: str
    component: Component
    pads: tuple[tuple[str, Net], ...]
    about: str = ""
    """Its purpose, in a few words."""


@frozen(slots=False)
class Circuit:
    """The net of each pin of the header, and all chips.

    `chips` are those with contacts on their channels, in order; there are none if each contact has its own
    line, or is one of the `crossings` of a matrix. `front` reads them for the Pi, an ADC or a
    microcontroller. `shifter` is set if the Pi drives the strip. `power` supplies chips and sensors.

    If the board is made of circuit boards, `parts` are those on the controller, header and chips included,
    and `module` those at each point: the same circuit, pad by pad, with what surrounds the chips.
    """

    header: tuple[Net, ...]
    chips: tuple[Chip, ...]
    sensor: SensorType
    front: Chip | None = None
    shifter: Chip | None = None
    power: Net = LOGIC
    crossings: tuple[Crossing, ...] = ()
    parts: tuple[BoardPart, ...] = ()
    module: tuple[BoardPart, ...] = ()

    @property
    def sensing(self) -> tuple[Chip, ...]:
        """All chips but the level shifter, in the order in which they are drawn."""
        return (*((self.front,) if self.front else ()), *self.chips)

    @property
    def pico(self) -> Chip | None:
        """The Pico, if one reads the sensors: the lines lead to its pins, and not to the Pi's header."""
        return self.front if self.front and self.front.package is PICO else None

    @property
    def every_chip(self) -> tuple[Chip, ...]:
        """All chips."""
        return (*self.sensing, *((self.shifter,) if self.shifter else ()))

    @property
    def strip_feed(self) -> Chip:
        """The chip that feeds the strip its data at 5 V."""
        return next(chip for chip in self.every_chip if STRIP in chip.nets)

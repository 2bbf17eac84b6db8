"""What the parts of a board are called when something is wrong with them.

Rules kept here: a line of the Pi is named by its GPIO and its header pin, a channel by its number and by the
pin of its chip, a contact by its point; nothing is named that the settings do not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware_host.config.wiring_map import contacts_of as contact_words
from firmware_host.errors import ConfigError
from firmware_host.games.layout import Layout
from firmware_host.settings import Gpio, Sensors
from hardware.scanner import Wire
from hardware.wiring.contacts import Contact, MuxWiring, contacts_of
from hardware.wiring.pinout import EXPANDER, MuxPackage, Package, header_pin, mux_for

_LETTERS = "ABCDE"

_MOST_NAMED = 6


class Names:
    """The names of a board whose sensors are wired as `sensors` says."""

    def __init__(self, layout: Layout, sensors: Sensors) -> None:
        self.layout = layout
        self.sensors = sensors
        self.contacts = contacts_of(layout, sensors)
        """Where each contact should hang."""
        self.owners: dict[Wire, Contact] = {wire: contact for contact, wire in self.contacts.items()}
        self._package = _package(sensors)
        self._words = dict(enumerate(contact_words(sensors), start=1))
        self._lines = MuxWiring.bare(sensors).signals

    @property
    def select_lines(self) -> int:
        """How many lines select a channel; 0 where nothing of the Pi's does."""
        return len(self.sensors.select) if self.sensors.kind in ("mux", "mcp3008") else 0

    def contact(self, contact: Contact) -> str:
        """A contact by its point and, where it has several, by whose pieces it feels."""
        point, reading = contact
        return f"{self.layout.points[point]} {self._words[reading]}".strip()

    def contacts_list(self, contacts: Iterable[Contact]) -> str:
        """Some contacts, the first of them by name."""
        return several([self.contact(contact) for contact in contacts])

    def place(self, wire: Wire) -> str:
        """A wire by where it hangs, as `mux 1, channel 3 (Y3, pin 12)`."""
        chip, channel = wire
        if self.sensors.kind == "direct":
            return line(self._lines[chip])
        at = f"{self.chip(chip)}, channel {channel}"
        if self._package is None:
            return at
        name = self._package.channels[channel]
        return f"{at} ({name}, pin {self._package.number(name)})"

    def wire(self, wire: Wire) -> str:
        """A wire by whose it should be, and by where it hangs."""
        owner = self.owners.get(wire)
        return f"{self.contact(owner)} ({self.place(wire)})" if owner else self.place(wire)

    def chip(self, chip: int) -> str:
        """A chip by its number, as `mux 1`, and an expander by its address, too."""
        match self.sensors.kind:
            case "mcp23017":
                return f"expander {chip} (address 0x{self.sensors.expanders[chip]:02x})"
            case "direct":
                return f"the line {line(self._lines[chip])}"
            case "serial":
                return f"chip {chip}"
        return f"mux {chip}"

    def line_of(self, chip: int) -> str:
        """The line by which a chip is read, as `its signal line GPIO 24 (header pin 18)`."""
        match self.sensors.kind:
            case "mux" if self.sensors.enable:
                return f"its enable line {line(self.sensors.enable[chip])}"
            case "mcp3008":
                return f"the wire from its common pin to CH{self.sensors.inputs[chip]} of the MCP3008"
            case "mux" | "direct":
                return f"its signal line {line(self._lines[chip])}"
        return "its wires"

    def signal(self, number: int) -> str:
        """A signal line of the Pi by its number."""
        return line(self._lines[number])

    def select(self, bit: int) -> str:
        """A select line, as `select line A (GPIO 17, header pin 11)`."""
        gpio = self.sensors.select[bit]
        return f"select line {_LETTERS[bit]} (GPIO {gpio}, header pin {_pin(gpio)})"

    def select_pin(self, bit: int) -> str:
        """The pin of a chip that a select line leads to, as `A (pin 11)`."""
        package = self._package
        if not isinstance(package, MuxPackage) or bit >= len(package.select):
            return _LETTERS[bit]
        name = package.select[bit]
        return f"{name} (pin {package.number(name)})"

    def pins(self, *names: str) -> str:
        """Pins of a chip by name and number, as `VCC (pin 16) and E (pin 6)`; those that it has."""
        if self._package is None:
            return " and ".join(names)
        return " and ".join(
            f"{name} (pin {self._package.number(name)})" for name in names if name in self._package.pins
        )


def line(gpio: Gpio) -> str:
    """A line of the header, as `GPIO 17 (header pin 11)`."""
    return f"GPIO {gpio} (header pin {_pin(gpio)})"


def several(names: Sequence[str], most: int = _MOST_NAMED) -> str:
    """Names in a row, as `a1, a4 and 3 more`."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names))


def count(number: int, what: str, plural: str = "") -> str:
    """As `1 point` or `3 points`."""
    return f"{number} {what if number == 1 else plural or what + 's'}"


def _pin(gpio: Gpio) -> str:
    try:
        return str(header_pin(gpio))
    except ConfigError:  # a board whose lines are not those of a header
        return "none"


def _package(sensors: Sensors) -> Package | None:
    if sensors.kind == "mcp23017":
        return EXPANDER
    if sensors.kind not in ("mux", "mcp3008") or not sensors.select:
        return None
    try:
        return mux_for(len(sensors.select))
    except ConfigError:
        return None

"""Names of a board's parts, for findings and advice.

Invariants: a line of the Pi is named by its GPIO and its header pin, a channel by its number and by the pin
of its chip, a contact by its point. Only parts that the settings mention are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware_host.config.wiring_map import contact_names as contact_words
from firmware_host.errors import ConfigError
from firmware_host.games.layout import Layout
from firmware_host.settings import Gpio, Sensors
from hardware.scanner import Wire
from hardware.wiring.contacts import Contact, MuxWiring, contacts_of
from hardware.wiring.pinout import EXPANDER, MuxPackage, Package, header_pin, mux_for

_LETTERS = "ABCDE"

_MAX_NAMES = 6


class PartNames:
    """The names of a board with sensors wired as in `sensors`."""

    def __init__(self, layout: Layout, sensors: Sensors) -> None:
        self.layout = layout
        self.sensors = sensors
        self.contacts = contacts_of(layout, sensors)
        """The wire of each contact, by the settings."""
        self.owners: dict[Wire, Contact] = {wire: contact for contact, wire in self.contacts.items()}
        self._package = _package(sensors)
        self._words = dict(enumerate(contact_words(sensors), start=1))
        is_matrix = sensors.kind == "matrix"
        self._lines = sensors.columns if is_matrix else MuxWiring.bare(sensors).signals
        self.rows = len(sensors.rows) if is_matrix else 0
        """The number of rows of a matrix; 0 if there is none."""
        self.columns = len(sensors.columns) if is_matrix else 0
        """The number of columns of a matrix."""

    @property
    def select_lines(self) -> int:
        """The number of select lines; 0 unless the Pi drives some."""
        return len(self.sensors.select) if self.sensors.kind in ("mux", "mcp3008") else 0

    @property
    def settles(self) -> bool:
        """True if the Pi waits for its lines to settle before it reads them."""
        return bool(self.select_lines or self.rows)

    def contact(self, contact: Contact) -> str:
        """Return the name of a contact: its point and, if it has several contacts, the colour it detects."""
        point, reading = contact
        return f"{self.layout.points[point]} {self._words[reading]}".strip()

    def contacts_list(self, contacts: Iterable[Contact]) -> str:
        """Return the names of some contacts, shortened if there are many."""
        return several([self.contact(contact) for contact in contacts])

    def place(self, wire: Wire) -> str:
        """Return the place of a wire, as `mux 1, channel 3 (Y3, pin 12)` or `row 1, column 3`."""
        chip, channel = wire
        if self.rows:
            return f"row {chip}, column {channel}"
        if self.sensors.kind == "direct":
            return line(self._lines[chip])
        at = f"{self.chip(chip)}, channel {channel}"
        if self._package is None:
            return at
        name = self._package.channels[channel]
        return f"{at} ({name}, pin {self._package.number(name)})"

    def wire(self, wire: Wire) -> str:
        """Return the name of a wire: its contact, if it has one, and its place."""
        owner = self.owners.get(wire)
        return f"{self.contact(owner)} ({self.place(wire)})" if owner else self.place(wire)

    def owner(self, wire: Wire) -> str:
        """Return the name of the contact on a wire; if there is none, its place."""
        owner = self.owners.get(wire)
        return self.contact(owner) if owner else self.place(wire)

    def row(self, number: int) -> str:
        """Return the name of a row, as `row 1 (GPIO 27, header pin 13)`."""
        return _numbered("row", number, self.sensors.rows[number])

    def column(self, number: int) -> str:
        """Return the name of a column, as `column 3 (GPIO 6, header pin 31)`."""
        return _numbered("column", number, self.sensors.columns[number])

    def feeds(self, wires: Sequence[Wire]) -> str:
        """Return what connects the contacts on some wires: ground, or in a matrix a diode and two lines."""
        if not self.rows:
            return "the wire to its channel and its wire to GND"
        if len(wires) > 1:
            return "their diodes and their wires to rows and columns"
        row, column = wires[0]
        return f"its diode (band to {self.row(row)}) and its wire to {self.column(column)}"

    def chip(self, chip: int) -> str:
        """Return the name of a chip, as `mux 1`; for an expander also its address."""
        match self.sensors.kind:
            case "mcp23017":
                return f"expander {chip} (address 0x{self.sensors.expanders[chip]:02x})"
            case "direct":
                return f"the line {line(self._lines[chip])}"
            case "serial":
                return f"chip {chip}"
        return f"mux {chip}"

    def line_of(self, chip: int) -> str:
        """Return the name of a chip's line, as `its signal line GPIO 24 (header pin 18)`."""
        match self.sensors.kind:
            case "mux" if self.sensors.enable:
                return f"its enable line {line(self.sensors.enable[chip])}"
            case "mcp3008":
                return f"the wire from its common pin to CH{self.sensors.inputs[chip]} of the MCP3008"
            case "mux" | "direct":
                return f"its signal line {line(self._lines[chip])}"
        return "its wires"

    def signal(self, number: int) -> str:
        """Return the name of a signal line of the Pi, by its number."""
        return self.column(number) if self.rows else line(self._lines[number])

    def select(self, bit: int) -> str:
        """Return the name of a select line, as `select line A (GPIO 17, header pin 11)`."""
        return _numbered("select line", _LETTERS[bit], self.sensors.select[bit])

    def select_pin(self, bit: int) -> str:
        """Return the chip's pin for a select line, as `A (pin 11)`."""
        package = self._package
        if not isinstance(package, MuxPackage) or bit >= len(package.select):
            return _LETTERS[bit]
        name = package.select[bit]
        return f"{name} (pin {package.number(name)})"

    def pins(self, *names: str) -> str:
        """Return those of the pins that a chip has, by name and number, as `VCC (pin 16) and E (pin 6)`."""
        if self._package is None:
            return " and ".join(names)
        return " and ".join(
            f"{name} (pin {self._package.number(name)})" for name in names if name in self._package.pins
        )


def line(gpio: Gpio) -> str:
    """Return the name of a line of the header, as `GPIO 17 (header pin 11)`."""
    return f"GPIO {gpio} (header pin {_pin(gpio)})"


def _numbered(what: str, which: object, gpio: Gpio) -> str:
    return f"{what} {which} (GPIO {gpio}, header pin {_pin(gpio)})"


def several(names: Sequence[str], max_names: int = _MAX_NAMES) -> str:
    """Join names, as in `a1, a4 and 3 more`."""
    if len(names) > max_names:
        return f"{', '.join(names[: max_names - 1])} and {len(names) - max_names + 1} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names))


def count(number: int, what: str, plural: str = "") -> str:
    """Return a number with its noun, as `1 point` or `3 points`."""
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

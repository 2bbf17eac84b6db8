"""Names of a board's parts, for findings and advice.

Invariants: a line of the Pi is named by its GPIO and its header pin, a channel by its number and by the pin
of its chip, a contact by its point. Only parts that the settings mention are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from firmware_host.config.wiring_map import contact_names as contact_words
from firmware_host.errors import ConfigError
from firmware_host.games.layout import Layout
from firmware_host.ports import Contact
from firmware_host.settings import Gpio, Sensors
from hardware.scanner import Wire
from hardware.wiring.contacts import MuxWiring, contacts_of
from hardware.wiring.controller import points_plug
from hardware.wiring.pinout import EXPANDER, MuxPackage, Package, header_pin, mux_for

_LETTERS = "ABCDE"

_MAX_NAMES = 6


def part_names(layout: Layout, sensors: Sensors, leds: Mapping[str, Sequence[int]]) -> PartNames:
    """Return the names of a board's parts; `leds` has the LEDs of each point, by the points' names."""
    return ModuleNames(layout, sensors, Chain(leds)) if sensors.boards else PartNames(layout, sensors)


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

    def feed(self, chip: int) -> str:
        """Return what a chip needs to be read at all: power, grounds and its line."""
        match self.sensors.kind:
            case "mux" | "mcp3008":
                grounds = self.pins("GND", "VEE") if self.sensors.enable else self.pins("GND", "E", "VEE")
                supply = f"{self.pins('VCC')} of {self.chip(chip)} to 3.3 V"
                return f"{supply}; {grounds} to GND; {self.line_of(chip)}"
            case "mcp23017":
                return f"the wires of GND that the contacts of {self.chip(chip)} share"
        return f"power and ground of {self.chip(chip)}, and its wire to the microcontroller"

    @property
    def power(self) -> str:
        """The supply of all chips, with the words that part it from what follows; empty without chips."""
        if self.sensors.kind in ("mux", "mcp3008") and self.sensors.select:
            return "3.3 V (header pin 1) at VCC of the chips, GND at their GND, E and VEE; "
        return "3.3 V and GND of the chips; " if self.sensors.kind != "direct" else ""

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


class Chain:
    """The modules of a board's points in the order of the strip; a module has the number of its LED."""

    def __init__(self, leds: Mapping[str, Sequence[int]]) -> None:
        self._points = sorted(leds, key=lambda point: min(leds[point]))
        self._leds = leds

    def module(self, point: str) -> str:
        """Return the name of a point's module, as `module 5`."""
        return f"module {min(self._leds[point])}"

    def neighbours(self, point: str) -> str:
        """Return the place of a point's module in the chain, as `between d3 and c4`."""
        at = self._points.index(point)
        before, after = self._points[:at][-1:], self._points[at + 1 :][:1]
        return f"between {before[0]} and {after[0]}" if before and after else "at an end of the chain"

    def link(self, point: str) -> str:
        """Return the wires that lead to a point's module, by the names beside their holes."""
        at = self._points.index(point)
        end = f"5V, DIN and GND of {self.module(point)} ({point})"
        if not at:
            return f"the wires from the controller's J10 to {end}"
        before = self._points[at - 1]
        return f"the wires from 5V, DOUT and GND of {self.module(before)} ({before}) to {end}"


class ModuleNames(PartNames):
    """The names of a board of circuit boards: plugs of the controller, and modules at the points."""

    def __init__(self, layout: Layout, sensors: Sensors, chain: Chain) -> None:
        super().__init__(layout, sensors)
        self._chain = chain

    def place(self, wire: Wire) -> str:
        """Return the place of a wire on the controller, as `J3 pin 5 (mux 1, channel 4)`."""
        chip, channel = wire
        return f"{self._plug(wire)} (mux {chip}, channel {channel})"

    def wire(self, wire: Wire) -> str:
        """Return the name of a wire: its contact with its module, if it has one, and its plug."""
        owner = self.owners.get(wire)
        if owner is None:
            return self.place(wire)
        point = self.layout.points[owner[0]].name
        module = f"{self._chain.module(point)}, {self._chain.neighbours(point)}"
        return f"{self.contact(owner)} ({module}; {self._plug(wire)})"

    def feeds(self, wires: Sequence[Wire]) -> str:
        """Return the wires between the controller's plugs and the modules' holes."""
        ends = [f"{self._plug(wire)} to {self._hole(wire)}" for wire in wires]
        grounds = (
            "GND" if self.sensors.kind == "mux" and self.sensors.alphabet == "presence" else "3V and GND"
        )
        return f"the wire from {several(ends, 3)}, and {grounds} there"

    def feed(self, chip: int) -> str:
        """Return what a chip of the controller needs to be read at all."""
        supply = f"3.3 V at pin 10 of {points_plug(chip)}"
        return f"{self.chip(chip)}: its pins soldered, C{1 + chip}, {supply}; {self.line_of(chip)}"

    @property
    def power(self) -> str:
        """The supply of all chips of the controller."""
        return "3.3 V of the regulator U9, at pin 10 of each plug; "

    def chip(self, chip: int) -> str:
        """Return the name of a chip, as `mux 1 (U2, plug J3)`."""
        return f"mux {chip} (U{1 + chip}, plug {points_plug(chip)})"

    def line_of(self, chip: int) -> str:
        """Return the way from a chip to the Pi, or to the ADC."""
        if self.sensors.kind == "mcp3008":
            return f"pin 3 of U{1 + chip} to CH{self.sensors.inputs[chip]} of U8"
        return f"R{5 + chip}, to {line(self._lines[chip])}"

    def _plug(self, wire: Wire) -> str:
        chip, channel = wire
        return f"{points_plug(chip)} pin {1 + channel}"

    def _hole(self, wire: Wire) -> str:
        owner = self.owners.get(wire)
        if owner is None:
            return "no module"
        point, reading = owner
        hole = "B" if len(self._words) > 1 and reading == max(self._words) else "A"
        name = self.layout.points[point].name
        return f"{hole} of {self._chain.module(name)} ({name})"


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

"""Names of a board's parts, for findings and advice.

Invariants: a line of the Pi is named by its GPIO and its header pin, a channel by its number and by the pin
of its chip, a contact by its point. Only parts that the settings mention are named. A name is the same in all
languages or a message, since findings are shown in the page's language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Literal, TypeAlias

from firmware_host.config.wiring_map import contact_names as contact_words
from firmware_host.errors import ConfigError
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.ports import Contact
from firmware_host.settings import Gpio, Sensors
from hardware.scanner import Wire
from hardware.wiring.contacts import MuxWiring, contacts_of
from hardware.wiring.controller import points_plug
from hardware.wiring.pinout import EXPANDER, MuxPackage, Package, header_pin, mux_for

Name: TypeAlias = "str | Message"
"""A name of a part or of several, as an argument of a message."""

Noun = Literal[
    "channel",
    "chip",
    "column",
    "contact",
    "frame",
    "led",
    "level",
    "light",
    "line",
    "piece",
    "row",
    "signal-line",
]
"""The things that are counted."""

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

    def contact(self, contact: Contact) -> Name:
        """Return the name of a contact: its point and, if it has several contacts, the colour it detects."""
        point, reading = self.layout.points[contact[0]].name, contact[1]
        colour = self._words[reading].strip()
        return Message(f"doctor.contact.{colour}", {"point": point}) if colour else point

    def contacts_list(self, contacts: Iterable[Contact]) -> Name:
        """Return the names of some contacts, shortened if there are many."""
        return several([self.contact(contact) for contact in contacts])

    def place(self, wire: Wire) -> Message:
        """Return the place of a wire, as `mux 1, channel 3 (Y3, pin 12)` or `row 1, column 3`."""
        chip, channel = wire
        if self.rows:
            return Message("doctor.place.crossing", {"row": chip, "column": channel})
        if self.sensors.kind == "direct":
            return line(self._lines[chip])
        if self._package is None:
            return Message("doctor.place.channel", {"chip": self.chip(chip), "channel": channel})
        name = self._package.channels[channel]
        pin = self._package.number(name)
        return Message(
            "doctor.place.pin", {"chip": self.chip(chip), "channel": channel, "name": name, "pin": pin}
        )

    def wire(self, wire: Wire) -> Message:
        """Return the name of a wire: its contact, if it has one, and its place."""
        owner, place = self.owners.get(wire), self.place(wire)
        return Message("doctor.wire", {"contact": self.contact(owner), "place": place}) if owner else place

    def owner(self, wire: Wire) -> Name:
        """Return the name of the contact on a wire; if there is none, its place."""
        owner = self.owners.get(wire)
        return self.contact(owner) if owner else self.place(wire)

    def row(self, number: int) -> Message:
        """Return the name of a row, as `row 1 (GPIO 27, header pin 13)`."""
        gpio = self.sensors.rows[number]
        return Message("doctor.row", {"number": number, "gpio": gpio, "pin": _pin(gpio)})

    def column(self, number: int) -> Message:
        """Return the name of a column, as `column 3 (GPIO 6, header pin 31)`."""
        gpio = self.sensors.columns[number]
        return Message("doctor.column", {"number": number, "gpio": gpio, "pin": _pin(gpio)})

    def feeds(self, wires: Sequence[Wire]) -> Message:
        """Return what connects the contacts on some wires: ground, or in a matrix a diode and two lines."""
        if not self.rows:
            return Message("doctor.feeds.channel")
        if len(wires) > 1:
            return Message("doctor.feeds.diodes")
        row, column = wires[0]
        return Message("doctor.feeds.diode", {"row": self.row(row), "column": self.column(column)})

    def feed(self, chip: int) -> Message:
        """Return what a chip needs to be read at all: power, grounds and its line."""
        name = self.chip(chip)
        match self.sensors.kind:
            case "mux" | "mcp3008":
                grounds = self.pins("GND", "VEE") if self.sensors.enable else self.pins("GND", "E", "VEE")
                return Message(
                    "doctor.feed.mux",
                    {"pins": self.pins("VCC"), "chip": name, "grounds": grounds, "line": self.line_of(chip)},
                )
            case "mcp23017":
                return Message("doctor.feed.expander", {"chip": name})
        return Message("doctor.feed.serial", {"chip": name})

    @property
    def power(self) -> Message | None:
        """The supply of all chips; None without chips."""
        if self.sensors.kind in ("mux", "mcp3008") and self.sensors.select:
            return Message("doctor.power.mux")
        return Message("doctor.power") if self.sensors.kind != "direct" else None

    def chip(self, chip: int) -> Message:
        """Return the name of a chip, as `mux 1`; for an expander also its address."""
        match self.sensors.kind:
            case "mcp23017":
                address = f"0x{self.sensors.expanders[chip]:02x}"
                return Message("doctor.chip.expander", {"number": chip, "address": address})
            case "direct":
                return Message("doctor.chip.line", {"line": line(self._lines[chip])})
            case "serial":
                return Message("doctor.chip", {"number": chip})
        return Message("doctor.chip.mux", {"number": chip})

    def line_of(self, chip: int) -> Message:
        """Return the name of a chip's line, as `its signal line GPIO 24 (header pin 18)`."""
        match self.sensors.kind:
            case "mux" if self.sensors.enable:
                return Message("doctor.line-of.enable", {"line": line(self.sensors.enable[chip])})
            case "mcp3008":
                return Message("doctor.line-of.adc", {"channel": self.sensors.inputs[chip]})
            case "mux" | "direct":
                return Message("doctor.line-of.signal", {"line": line(self._lines[chip])})
        return Message("doctor.line-of.wires")

    def signal(self, number: int) -> Message:
        """Return the name of a signal line of the Pi, by its number."""
        return self.column(number) if self.rows else line(self._lines[number])

    def select(self, bit: int) -> Message:
        """Return the name of a select line, as `select line A (GPIO 17, header pin 11)`."""
        gpio = self.sensors.select[bit]
        return Message("doctor.select-line", {"name": _LETTERS[bit], "gpio": gpio, "pin": _pin(gpio)})

    def select_pin(self, bit: int) -> Name:
        """Return the chip's pin for a select line, as `A (pin 11)`."""
        package = self._package
        if not isinstance(package, MuxPackage) or bit >= len(package.select):
            return _LETTERS[bit]
        return self.pins(package.select[bit])

    def pins(self, *names: str) -> Name:
        """Return those of the pins that a chip has, by name and number, as `VCC (pin 16) and E (pin 6)`."""
        package = self._package
        if package is None:
            return several(names)
        own = [name for name in names if name in package.pins]
        return several([Message("doctor.pin", {"name": name, "pin": package.number(name)}) for name in own])


class Chain:
    """The modules of a board's points in the order of the strip; a module has the number of its LED."""

    def __init__(self, leds: Mapping[str, Sequence[int]]) -> None:
        self._points = sorted(leds, key=lambda point: min(leds[point]))
        self._leds = leds

    def module(self, point: str) -> Message:
        """Return the name of a point's module, as `module 5 (c3)`."""
        return Message("doctor.module", {"number": self.number(point), "point": point})

    def number(self, point: str) -> int:
        """Return the number of a point's module."""
        return min(self._leds[point])

    def neighbours(self, point: str) -> Message:
        """Return the place of a point's module in the chain, as `between d3 and c4`."""
        at = self._points.index(point)
        before, after = self._points[:at][-1:], self._points[at + 1 :][:1]
        if before and after:
            return Message("doctor.module.between", {"before": before[0], "after": after[0]})
        return Message("doctor.module.end")

    def link(self, point: str) -> Message:
        """Return the wires that lead to a point's module, by the names beside their holes."""
        at, module = self._points.index(point), self.module(point)
        if not at:
            return Message("doctor.module.first", {"module": module})
        return Message("doctor.module.link", {"before": self.module(self._points[at - 1]), "module": module})


class ModuleNames(PartNames):
    """The names of a board of circuit boards: plugs of the controller, and modules at the points."""

    def __init__(self, layout: Layout, sensors: Sensors, chain: Chain) -> None:
        super().__init__(layout, sensors)
        self._chain = chain

    def place(self, wire: Wire) -> Message:
        """Return the place of a wire on the controller, as `J3 pin 5 (mux 1, channel 4)`."""
        chip, channel = wire
        return Message("doctor.place.plug", {"plug": self._plug(wire), "number": chip, "channel": channel})

    def wire(self, wire: Wire) -> Message:
        """Return the name of a wire: its contact with its module, if it has one, and its plug."""
        owner = self.owners.get(wire)
        if owner is None:
            return self.place(wire)
        point = self.layout.points[owner[0]].name
        number, between = self._chain.number(point), self._chain.neighbours(point)
        return Message(
            "doctor.wire.module",
            {"contact": self.contact(owner), "number": number, "between": between, "plug": self._plug(wire)},
        )

    def feeds(self, wires: Sequence[Wire]) -> Message:
        """Return the wires between the controller's plugs and the modules' holes."""
        ends = [
            Message("doctor.module.wire", {"plug": self._plug(wire), "hole": self._hole(wire)})
            for wire in wires
        ]
        is_reed = self.sensors.kind == "mux" and self.sensors.alphabet == "presence"
        grounds = several(("GND",) if is_reed else ("3V", "GND"))
        return Message("doctor.feeds.module", {"ends": several(ends, 3), "grounds": grounds})

    def feed(self, chip: int) -> Message:
        """Return what a chip of the controller needs to be read at all."""
        part, plug = f"C{1 + chip}", points_plug(chip)
        return Message(
            "doctor.feed.plug",
            {"chip": self.chip(chip), "part": part, "plug": plug, "line": self.line_of(chip)},
        )

    @property
    def power(self) -> Message:
        """The supply of all chips of the controller."""
        return Message("doctor.power.plugs")

    def chip(self, chip: int) -> Message:
        """Return the name of a chip, as `mux 1 (U2, plug J3)`."""
        return Message(
            "doctor.chip.plug", {"number": chip, "part": f"U{1 + chip}", "plug": points_plug(chip)}
        )

    def line_of(self, chip: int) -> Message:
        """Return the way from a chip to the Pi, or to the ADC."""
        if self.sensors.kind == "mcp3008":
            channel = self.sensors.inputs[chip]
            return Message("doctor.line-of.plug-adc", {"part": f"U{1 + chip}", "channel": channel})
        return Message("doctor.line-of.plug", {"part": f"R{5 + chip}", "line": line(self._lines[chip])})

    def _plug(self, wire: Wire) -> Message:
        chip, channel = wire
        return Message("doctor.plug", {"name": points_plug(chip), "pin": 1 + channel})

    def _hole(self, wire: Wire) -> Message:
        owner = self.owners.get(wire)
        if owner is None:
            return Message("doctor.module.none")
        point, reading = owner
        hole = "B" if len(self._words) > 1 and reading == max(self._words) else "A"
        module = self._chain.module(self.layout.points[point].name)
        return Message("doctor.module.hole", {"name": hole, "module": module})


def line(gpio: Gpio) -> Message:
    """Return the name of a line of the header, as `GPIO 17 (header pin 11)`."""
    return Message("doctor.line", {"gpio": gpio, "pin": _pin(gpio)})


def several(names: Sequence[Name], max_names: int = _MAX_NAMES) -> Name:
    """Join names, as in `a1, a4 and 3 more`."""
    if not names:
        return ""
    if len(names) > max_names:
        first, more = reduce(_comma, names[: max_names - 1]), len(names) - max_names + 1
        return Message("doctor.more", {"first": first, "count": more})
    *most, last = names
    return Message("doctor.and", {"first": reduce(_comma, most), "second": last}) if most else last


def _comma(first: Name, second: Name) -> Name:
    return Message("doctor.comma", {"first": first, "second": second})


def count(number: int, noun: Noun) -> Message:
    """Return a number with its noun, as `1 contact` or `3 contacts`."""
    if number == 1:
        return Message(f"doctor.count.{noun}.one")
    return Message(f"doctor.count.{noun}.many", {"count": number})


def _pin(gpio: Gpio) -> Name:
    try:
        return str(header_pin(gpio))
    except ConfigError:  # a board whose lines are not those of a header
        return Message("doctor.pin.none")


def _package(sensors: Sensors) -> Package | None:
    if sensors.kind == "mcp23017":
        return EXPANDER
    if sensors.kind not in ("mux", "mcp3008") or not sensors.select:
        return None
    try:
        return mux_for(len(sensors.select))
    except ConfigError:
        return None

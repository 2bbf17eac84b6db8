"""What is joined to what on a board: the net of every pin of the header and of every chip.

Rules kept here: this is worked out once, from the same description that the drivers read; drawings and tables
only show it. Ground, 3.3 V and 5 V are one net each; no input of a chip is left open.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from firmware_host.errors import ConfigError
from firmware_host.games.layout import Layout
from firmware_host.ports import WHITE_PIECE, Alphabet
from firmware_host.settings import Lights, Strip
from hardware.pinout import AHCT125, HEADER, Package, header_pin, mux_for
from hardware.wiring import Contact, MuxWiring

SPI_DATA_GPIO = 10
"""MOSI of the Pi's first SPI bus."""

LOGIC_PIN, SUPPLY_PINS, GROUND_PINS = 1, (2, 4), (6, 9, 20)
"""The header's power pins that are used: 6 beside 5 V, 9 for the sensors, 20 beside the data line."""


class Kind(enum.Enum):
    """What a net is for."""

    FREE = "free"
    GROUND = "GND"
    LOGIC = "3.3 V"
    SUPPLY = "5 V"
    SELECT = "select"
    SIGNAL = "signal"
    ENABLE = "enable"
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
DATA, STRIP = Net(Kind.DATA), Net(Kind.STRIP)


@dataclass(frozen=True)
class BoardPlan:
    """All that the wiring of a board follows from.

    `places` has the LEDs of each point; `strip` is one of the settings, whose map of points is not read here.
    """

    wiring: MuxWiring
    places: tuple[tuple[int, ...], ...]
    strip: Strip = field(default_factory=Strip)
    lights: Lights = field(default_factory=Lights)

    @classmethod
    def recommended(cls, layout: Layout, alphabet: Alphabet, lights: Lights | None = None) -> BoardPlan:
        """The wiring for a board of which nothing else is known: its LEDs in the points' order."""
        wiring = MuxWiring.recommended(layout, alphabet)
        places = tuple((point.index,) for point in layout.points)
        return cls(wiring, places, Strip(leds=len(layout)), lights or Lights())

    @property
    def data_gpio(self) -> int:
        """The line that carries the strip's data; `auto` is taken for SPI, which is the first choice."""
        return SPI_DATA_GPIO if self.strip.backend in ("auto", "spi") else self.strip.gpio


@dataclass(frozen=True)
class Chip:
    """A chip on the board, and the net of each of its pins, from pin 1 on."""

    name: str
    package: Package
    nets: tuple[Net, ...]

    def net_of(self, pin: str) -> Net:
        """The net of the pin of this name."""
        return self.nets[self.package.number(pin) - 1]


@dataclass(frozen=True)
class Circuit:
    """The net of each pin of the header; the multiplexers in order, if there are any; the level shifter."""

    header: tuple[Net, ...]
    muxes: tuple[Chip, ...]
    shifter: Chip
    halls: bool = False
    """Whether the contacts are hall switches, which tell poles apart and need 3.3 V; else they are reeds."""


def circuit(plan: BoardPlan) -> Circuit:
    """Work out what is joined to what; raises ConfigError where the plan cannot be wired."""
    plan.wiring.check()
    header = _header(plan)
    direct = not plan.wiring.select
    muxes = () if direct else tuple(_mux(plan.wiring, number) for number in range(plan.wiring.chips))
    ties = {"1A": DATA, "1Y": STRIP, "VCC": SUPPLY, "2Y": FREE, "3Y": FREE, "4Y": FREE}
    shifter = _chip("level shifter", AHCT125, ties)
    return Circuit(header, muxes, shifter, halls=plan.wiring.alphabet is Alphabet.POLARITY)


def contact_name(wiring: MuxWiring, contact: Contact) -> str:
    """The point of a contact and, where poles are told apart, whose pieces it feels."""
    point, reading = contact
    name = wiring.layout.points[point].name
    if wiring.alphabet is Alphabet.PRESENCE:
        return name
    return f"{name} {'white' if reading == WHITE_PIECE else 'black'}"


def _header(plan: BoardPlan) -> tuple[Net, ...]:
    nets = [FREE] * len(HEADER)
    halls = plan.wiring.alphabet is Alphabet.POLARITY
    if plan.wiring.select or halls or not plan.wiring.pull_up:
        nets[LOGIC_PIN - 1] = LOGIC
    for pins, net in ((SUPPLY_PINS, SUPPLY), (GROUND_PINS, GROUND)):
        for pin in pins:
            nets[pin - 1] = net
    for gpio, net in (*_lines(plan.wiring), (plan.data_gpio, DATA)):
        pin = header_pin(gpio)
        if nets[pin - 1] is not FREE:
            raise ConfigError(f"GPIO {gpio} is for {nets[pin - 1]} and for {net}: each needs one of its own")
        nets[pin - 1] = net
    return tuple(nets)


def _lines(wiring: MuxWiring) -> Iterator[tuple[int, Net]]:
    """Each line of the sensors and its net; without select lines, a contact hangs on each signal line."""
    yield from ((gpio, Net(Kind.SELECT, str(bit))) for bit, gpio in enumerate(wiring.select))
    yield from ((gpio, Net(Kind.ENABLE, str(chip))) for chip, gpio in enumerate(wiring.enables))
    if wiring.select:
        yield from ((gpio, Net(Kind.SIGNAL, str(n))) for n, gpio in enumerate(wiring.signals))
        return
    for contact, (line, _) in sorted(wiring.contacts.items()):
        yield wiring.signals[line], Net(Kind.CONTACT, contact_name(wiring, contact))


def _mux(wiring: MuxWiring, number: int) -> Chip:
    package = mux_for(len(wiring.select))
    ties: dict[str, Net] = dict.fromkeys(package.channels, FREE)
    ties |= {name: Net(Kind.SELECT, str(bit)) for name, bit in _select_pins(package.select, wiring.select)}
    ties |= {package.common: Net(Kind.SIGNAL, str(0 if wiring.enables else number)), "VCC": LOGIC}
    if wiring.enables:
        ties["E"] = Net(Kind.ENABLE, str(number))
    for contact, (chip, channel) in wiring.contacts.items():
        if chip == number:
            ties[package.channels[channel]] = Net(Kind.CONTACT, contact_name(wiring, contact))
    return _chip(f"mux {number}", package, ties)


def _select_pins(names: Sequence[str], lines: Sequence[int]) -> list[tuple[str, int]]:
    """The select pins that have a line; those left over are the highest bits, and always 0."""
    return [(name, bit) for bit, (name, _) in enumerate(zip(names, lines, strict=False))]


def _chip(name: str, package: Package, ties: Mapping[str, Net]) -> Chip:
    """A chip whose pins that nothing is said of go to ground: its ground, enables and inputs without use."""
    return Chip(name, package, tuple(ties.get(pin, GROUND) for pin in package.pins))

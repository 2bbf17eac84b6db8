"""The wiring of the sensors: the channel and multiplexer of each contact.

Invariants: one description serves every arrangement of chips that share their select lines, since 8- and
16-channel chips differ only in the number of select lines, and lines without chips are chips with one channel
and no select line. All faults of a description are reported at once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from firmware_host.config.wiring_map import channels, chips_and_channels
from firmware_host.errors import ConfigError
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout
from firmware_host.ports import BLACK_PIECE, SOMETHING, WHITE_PIECE, Contact, Reading, SensorKind
from firmware_host.settings import Microseconds, Sensors
from hardware.scanner import Wire

READINGS: Mapping[SensorKind, tuple[Reading, ...]] = {
    SensorKind.PRESENCE: (SOMETHING,),
    SensorKind.POLARITY: (WHITE_PIECE, BLACK_PIECE),
    SensorKind.PIECES: (SOMETHING,),
}
"""The readings for which a point has its own contact; polarity needs two, facing opposite ways."""

SERIAL_CHANNELS = 8
"""The channels per chip of a microcontroller's board unless configured otherwise: 74HC4051."""

# Left free: I2C (2, 3), the serial port (14, 15), SPI (7-11) and the lines of PWM and sound (12, 13, 18, 19).
_SELECT = (17, 27, 22)
_SELECT_16 = (*_SELECT, 23)
_SIGNALS = (23, 24, 25, 5, 6, 16, 26, 20)


def contacts_of(layout: Layout, sensors: Sensors) -> Mapping[Contact, Wire]:
    """Return the wire of each contact of a configuration; a linear sensor always has reading 1.

    The index of a chip is that of its own signal line, or otherwise that of its enable line, its input of the
    ADC, or its address among the expanders.
    """
    readings = (SOMETHING,) if sensors.is_linear else READINGS[SensorKind(sensors.alphabet)]
    if not sensors.points:
        channel_numbers = channels(sensors) or range(1 if sensors.kind == "direct" else SERIAL_CHANNELS)
        return _in_order(layout, readings, channel_numbers)
    if sensors.kind == "direct":
        contacts = [(layout[name].index, reading) for name in sensors.points for reading in readings]
        return {contact: (chip, 0) for chip, contact in enumerate(contacts)}
    return {
        (point.index, reading): (chip, channel)
        for point in layout.points
        for reading, (chip, channel) in zip(readings, sensors.points[point.name], strict=True)
    }


def recommended(layout: Layout, alphabet: SensorKind) -> Sensors:
    """Return settings for a board of which nothing else is known.

    Pieces need linear sensors: two 16-channel chips on an MCP3008 for 25 points.
    """
    if alphabet is not SensorKind.PIECES:
        return MuxWiring.recommended(layout, alphabet).settings()
    chips = -(-len(layout) // (1 << len(_SELECT_16)))
    return Sensors(kind="mcp3008", alphabet=alphabet.value, select=_SELECT_16, inputs=tuple(range(chips)))


def every_wire(sensors: Sensors) -> tuple[Wire, ...]:
    """Return all configured wires, whatever is on them; empty if only a microcontroller knows its wires."""
    if sensors.kind == "direct":
        return tuple((chip, 0) for chip in range(len(MuxWiring.bare(sensors).signals)))
    chips, _ = chips_and_channels(sensors) or (0, 0)
    return tuple((chip, channel) for chip in range(chips) for channel in channels(sensors))


def _in_order(
    layout: Layout, readings: Sequence[Reading], channel_numbers: Sequence[int]
) -> Mapping[Contact, Wire]:
    """Wire channel after channel, chip after chip: all points of the first reading, then of the next."""
    contacts = [(point.index, reading) for reading in readings for point in layout.points]
    places = (divmod(number, len(channel_numbers)) for number in range(len(contacts)))
    return {
        contact: (chip, channel_numbers[at]) for contact, (chip, at) in zip(contacts, places, strict=True)
    }


@frozen(slots=False)
class MuxWiring:
    """Analogue switches (74HC4051, CD74HC4067 etc.) with common select lines, each with a signal line.

    With `enables`, the chips share the only signal line, and each has an enable line that is low to connect
    it. Lines are BCM numbers; the first select line is the lowest bit of the address. A contact that closes
    connects its line to ground. `pull_up`: the Pi's own resistor (about 50 kOhm) pulls the line up, rather
    than an external one. `settling_us` passes between a select write and the reading after it.
    """

    layout: Layout
    alphabet: SensorKind
    select: tuple[int, ...]
    signals: tuple[int, ...]
    contacts: Mapping[Contact, Wire]
    pull_up: bool = True
    settling_us: Microseconds = 20
    enables: tuple[int, ...] = ()

    @classmethod
    def of(cls, layout: Layout, sensors: Sensors) -> MuxWiring:
        """Return the wiring that a configuration describes; direct lines are chips of one channel."""
        alphabet = SensorKind(sensors.alphabet)
        contacts = contacts_of(layout, sensors)
        if sensors.kind == "direct":
            lines = [wire[0] for name in sensors.points for wire in sensors.points[name]]
            signals = tuple(lines) or sensors.signal
            return cls(layout, alphabet, (), signals, contacts, sensors.pull_up, settling_us=0)
        return cls(
            layout,
            alphabet,
            sensors.select,
            sensors.signal,
            contacts,
            sensors.pull_up,
            sensors.settling_us,
            sensors.enable,
        )

    @classmethod
    def bare(cls, sensors: Sensors) -> MuxWiring:
        """Return the lines of a configuration without its contacts."""
        nothing = Layout("nothing", (), ())
        if sensors.points:
            lines = tuple(wire[0] for wires in sensors.points.values() for wire in wires)
            signal = lines if sensors.kind == "direct" else sensors.signal
            return cls.of(nothing, replace(sensors, points={}, signal=signal))
        return cls.of(nothing, sensors)

    def settings(self) -> Sensors:
        """Return this wiring as a configuration."""
        readings = READINGS[self.alphabet]
        return Sensors(
            kind="mux",
            alphabet=self.alphabet.value,
            select=self.select,
            signal=self.signals,
            enable=self.enables,
            pull_up=self.pull_up,
            settling_us=self.settling_us,
            points={
                point.name: tuple(self.contacts[point.index, reading] for reading in readings)
                for point in self.layout.points
            },
        )

    @property
    def chips(self) -> int:
        """The number of chips."""
        return len(self.enables or self.signals)

    @property
    def lines(self) -> tuple[int, ...]:
        """All lines in use."""
        return (*self.select, *self.signals, *self.enables)

    @classmethod
    def in_order(
        cls, layout: Layout, alphabet: SensorKind, *, select: Sequence[int], signals: Sequence[int]
    ) -> MuxWiring:
        """Wire channel after channel, chip after chip: all points of the first reading, then of the next."""
        contacts = _in_order(layout, READINGS[alphabet], range(1 << len(select)))
        return cls(layout, alphabet, tuple(select), tuple(signals), contacts)

    @classmethod
    def recommended(cls, layout: Layout, alphabet: SensorKind) -> MuxWiring:
        """Wire the fewest 8-channel chips: three for 24 points with presence, six with polarity."""
        chips = -(-len(layout) * len(READINGS[alphabet]) // 8)
        return cls.in_order(layout, alphabet, select=_SELECT, signals=_SIGNALS[:chips])

    def check(self) -> None:
        """Raise ConfigError, one line for each fault, if this cannot be wired or leaves out a point."""
        if faults := list(self._faults()):
            raise ConfigError("\n".join(faults))

    def _faults(self) -> Iterator[str]:
        for gpio, count in Counter(self.lines).items():
            if count > 1:
                yield f"GPIO {gpio} is named {count} times: each line of the sensors needs one of its own"
        if self.enables and len(self.signals) != 1:
            yield f"chips with enable lines share one signal line, and {len(self.signals)} are named"
        if self.settling_us < 0:
            yield f"the settling time is {self.settling_us} us: it cannot be negative"
        wanted = [
            (point.index, reading) for point in self.layout.points for reading in READINGS[self.alphabet]
        ]
        for contact in wanted:
            if contact not in self.contacts:
                yield f"{self._name(contact)} is not wired: give it a chip and a channel"
        for contact in sorted(self.contacts.keys() - set(wanted)):
            yield f"{self._name(contact)} is wired, but no board of {self.layout.name} has it"
        yield from self._channel_faults()

    def _channel_faults(self) -> Iterator[str]:
        chips, lines = self.chips, len(self.select)
        sharing = defaultdict(list)
        for contact, (chip, channel) in self.contacts.items():
            name = self._name(contact)
            sharing[chip, channel].append(name)
            if not 0 <= chip < chips:
                yield f"{name} is on chip {chip}: there are {chips}, counted from 0"
            if not 0 <= channel < 1 << lines:
                yield f"{name} is on channel {channel}: {lines} select lines reach 0 to {(1 << lines) - 1}"
        for (chip, channel), names in sharing.items():
            if len(names) > 1:
                yield f"channel {channel} of chip {chip} has {' and '.join(names)}: it takes only one"

    def _name(self, contact: Contact) -> str:
        point, reading = contact
        points = self.layout.points
        name = f"the sensor of {points[point] if 0 <= point < len(points) else f'point {point}'}"
        return name if self.alphabet is SensorKind.PRESENCE else f"{name} for reading {reading}"

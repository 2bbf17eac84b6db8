"""How the sensors are wired: which contact hangs on which channel of which multiplexer.

Rules kept here: one description serves every arrangement of chips that share their select lines, since chips
with 8 channels and chips with 16 differ in the number of select lines alone; all that is wrong with a
description is told at once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from firmware_host.errors import ConfigError
from firmware_host.games.layout import Layout
from firmware_host.ports import BLACK_PIECE, SOMETHING, WHITE_PIECE, Alphabet, Reading
from firmware_host.settings import Microseconds

Contact = tuple[int, Reading]
"""A switch under the board: the index of its point, and the reading that it stands for when it closes."""

Channel = tuple[int, int]
"""Where a contact is wired: the index of the signal line, and the channel of the chip on that line."""

READINGS: Mapping[Alphabet, tuple[Reading, ...]] = {
    Alphabet.PRESENCE: (SOMETHING,),
    Alphabet.POLARITY: (WHITE_PIECE, BLACK_PIECE),
}
"""The readings for which a point has a contact of its own; polarity needs two that face opposite ways."""

# Left free: I2C (2, 3), the serial port (14, 15), SPI (7-11) and what carries PWM and sound (12, 13, 18, 19).
_SELECT = (17, 27, 22)
_SIGNALS = (23, 24, 25, 5, 6, 16, 26, 20)


@dataclass(frozen=True)
class MuxWiring:
    """Analogue switches (74HC4051, CD74HC4067 and their like) with common select lines, a signal line each.

    `select` and `signals` are BCM numbers; the first select line is the lowest bit of the address. A contact
    that closes connects its line to ground. `pull_up`: whether the Pi's own resistor (about 50 kOhm) pulls it
    up; else one outside does. `settling_us` passes between a select write and the reading after it.
    """

    layout: Layout
    alphabet: Alphabet
    select: tuple[int, ...]
    signals: tuple[int, ...]
    contacts: Mapping[Contact, Channel]
    pull_up: bool = True
    settling_us: Microseconds = 20

    @classmethod
    def in_order(
        cls, layout: Layout, alphabet: Alphabet, *, select: Sequence[int], signals: Sequence[int]
    ) -> MuxWiring:
        """Channel after channel, chip after chip: all points of the first reading, then of the next."""
        contacts = [(point.index, reading) for reading in READINGS[alphabet] for point in layout.points]
        wired = {contact: divmod(number, 1 << len(select)) for number, contact in enumerate(contacts)}
        return cls(layout, alphabet, tuple(select), tuple(signals), wired)

    @classmethod
    def recommended(cls, layout: Layout, alphabet: Alphabet) -> MuxWiring:
        """As many 8-channel chips as it takes: three for 24 points with presence, six with polarity."""
        chips = -(-len(layout) * len(READINGS[alphabet]) // 8)
        return cls.in_order(layout, alphabet, select=_SELECT, signals=_SIGNALS[:chips])

    def check(self) -> None:
        """Raise ConfigError, one line for each fault, where this cannot be wired or leaves out a point."""
        if faults := list(self._faults()):
            raise ConfigError("\n".join(faults))

    def _faults(self) -> Iterator[str]:
        for gpio, count in Counter((*self.select, *self.signals)).items():
            if count > 1:
                yield f"GPIO {gpio} is named {count} times: each select and signal line needs one of its own"
        if self.settling_us < 0:
            yield f"the settling time is {self.settling_us} us: it cannot be negative"
        wanted = [
            (point.index, reading) for point in self.layout.points for reading in READINGS[self.alphabet]
        ]
        for contact in wanted:
            if contact not in self.contacts:
                yield f"{self._name(contact)} is not wired: give it a signal line and a channel"
        for contact in sorted(self.contacts.keys() - set(wanted)):
            yield f"{self._name(contact)} is wired, but no board of {self.layout.name} has it"
        yield from self._channel_faults()

    def _channel_faults(self) -> Iterator[str]:
        signals, lines = len(self.signals), len(self.select)
        sharing = defaultdict(list)
        for contact, (signal, channel) in self.contacts.items():
            name = self._name(contact)
            sharing[signal, channel].append(name)
            if not 0 <= signal < signals:
                yield f"{name} is on signal {signal}: there are {signals}, counted from 0"
            if not 0 <= channel < 1 << lines:
                yield f"{name} is on channel {channel}: {lines} select lines reach 0 to {(1 << lines) - 1}"
        for (signal, channel), names in sharing.items():
            if len(names) > 1:
                yield f"channel {channel} of signal {signal} has {' and '.join(names)}: it takes only one"

    def _name(self, contact: Contact) -> str:
        point, reading = contact
        points = self.layout.points
        name = f"the sensor of {points[point] if 0 <= point < len(points) else f'point {point}'}"
        return name if self.alphabet is Alphabet.PRESENCE else f"{name} for reading {reading}"

"""How the sensors are wired: which contact hangs on which channel of which multiplexer.

Rules kept here: one description serves every arrangement of chips that share their select lines, since chips
with 8 channels and chips with 16 differ in the number of select lines alone; all that is wrong with a
description is told at once.
"""

from __future__ import annotations

from collections import Counter
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
    that closes connects its line to ground; `pull_up`: the Pi's own resistor (about 50 kOhm) pulls it up, else
    one outside does. `settling_us` is waited between a select write and the reading after it.
    """

    layout: Layout
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
        channels = 1 << len(select)
        contacts = [(point.index, reading) for reading in READINGS[alphabet] for point in layout.points]
        return cls(
            layout,
            tuple(select),
            tuple(signals),
            {contact: divmod(number, channels) for number, contact in enumerate(contacts)},
        )

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
        uses = Counter((*self.select, *self.signals))
        for gpio, count in uses.items():
            if count > 1:
                yield f"GPIO {gpio} is named {count} times: a select or signal line needs one of its own"
        if self.settling_us < 0:
            yield f"the settling time is {self.settling_us} us: it cannot be negative"
        felt = {point for point, _ in self.contacts}
        for point in self.layout.points:
            if point.index not in felt:
                yield f"{point} has no sensor: give it a signal line and a channel"
        for contact, channel in self.contacts.items():
            yield from self._contact_faults(contact, channel)
        wired = Counter(self.contacts.values())
        for shared in (channel for channel, count in wired.items() if count > 1):
            names = ", ".join(self._name(contact) for contact, at in self.contacts.items() if at == shared)
            yield f"channel {shared[1]} of signal {shared[0]} can have one sensor only, and is given {names}"

    def _contact_faults(self, contact: Contact, at: Channel) -> Iterator[str]:
        (point, reading), (signal, channel) = contact, at
        name, signals, channels = self._name(contact), len(self.signals), 1 << len(self.select)
        if not 0 <= point < len(self.layout):
            yield f"there is no point {point}: the layout {self.layout.name} has 0 to {len(self.layout) - 1}"
        if reading < 1:
            yield f"{name} stands for reading {reading}: a closed contact stands for 1 or more"
        if not 0 <= signal < signals:
            yield f"{name} is on signal {signal}: there are {signals}, counted from 0"
        if not 0 <= channel < channels:
            yield f"{name} is on channel {channel}: {len(self.select)} select lines reach 0 to {channels - 1}"

    def _name(self, contact: Contact) -> str:
        point, reading = contact
        name = self.layout.points[point].name if 0 <= point < len(self.layout) else f"point {point}"
        return name if reading == SOMETHING else f"{name} (reading {reading})"

"""MCP23017 expanders on an I2C bus, register by register.

Rules kept here: the chips know what their data sheet (DS20001952) says of registers, their order and the
number that is counted on from byte to byte; a pin that nothing drives or pulls stays as it last was; a chip
that is dead or not there does not acknowledge its address.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping, Sequence

from hardware.scanner import Wire
from sim.clock import Clock
from sim.scheduler import Agenda

# Pairs of registers, port A and port B, in the order of their numbers while BANK is 0.
_IODIR, _IPOL, _IOCON, _GPPU, _GPIO, _OLAT = 0, 1, 5, 6, 9, 10
_PAIRS = 11

_BANK, _SEQOP = 1 << 7, 1 << 5
_PINS = 0xFFFF


class Expander:
    """One chip."""

    def __init__(self) -> None:
        self.closed = 0
        """Which pins a contact holds at ground, GPA0 the lowest bit and GPB7 the highest."""
        self._levels = _PINS
        self.reset()

    def reset(self) -> None:
        """Forget everything, as after a dip of the supply."""
        self._registers = [0] * _PAIRS
        self._registers[_IODIR] = _PINS

    def close_contact(self, pin: int, closed: bool) -> None:
        """A contact closes or opens."""
        self.closed = self.closed & ~(1 << pin) | closed << pin
        self._settle()

    def write(self, number: int, values: bytes) -> None:
        """Take bytes, the first for the register `number`."""
        for value in values:
            pair, port = self._place(number)
            self._put(pair, port, value)
            number = self._following(number)

    def read(self, number: int, count: int) -> bytes:
        """Give so many bytes, the first from the register `number`."""
        self._settle()
        given = bytearray()
        for _ in range(count):
            pair, port = self._place(number)
            given.append(self._get(pair) >> 8 * port & 0xFF)
            number = self._following(number)
        return bytes(given)

    def _get(self, pair: int) -> int:
        return self._levels ^ self._registers[_IPOL] if pair == _GPIO else self._registers[pair]

    def _put(self, pair: int, port: int, value: int) -> None:
        pair = _OLAT if pair == _GPIO else pair
        if pair == _IOCON:  # one register with two numbers
            self._registers[pair] = value * 0x0101
        else:
            self._registers[pair] = self._registers[pair] & ~(0xFF << 8 * port) | value << 8 * port
        self._settle()

    def _settle(self) -> None:
        """Let the pins take the levels that are put on them: by a contact, by the chip, by its resistors."""
        inputs, pulled = self._registers[_IODIR], self._registers[_GPPU]
        high = inputs & pulled | ~inputs & self._registers[_OLAT] | inputs & ~pulled & self._levels
        self._levels = high & ~self.closed & _PINS

    def _place(self, number: int) -> tuple[int, int]:
        """Which pair of registers a number means, and which of the two."""
        if self._registers[_IOCON] & _BANK:
            return (number & 0x0F) % _PAIRS, number >> 4 & 1
        return number // 2 % _PAIRS, number % 2

    def _following(self, number: int) -> int:
        iocon = self._registers[_IOCON]
        if iocon & _SEQOP:
            return number if iocon & _BANK else number ^ 1
        return number + 1


class SimulatedI2c:
    """An I2C bus with expanders at `addresses`; a contact is known by the number of its chip and its pin."""

    def __init__(self, clock: Clock, agenda: Agenda, addresses: Sequence[int]) -> None:
        self.chips = tuple(Expander() for _ in addresses)
        self._now = clock.now
        self._agenda = agenda
        self._at = {address: number for number, address in enumerate(addresses)}
        self._contacts: set[Wire] = set()
        self._moved: Mapping[Wire, Wire] = {}
        self._dead: set[int] = set()

    # ---- what the Pi asks ------------------------------------------------------------------------------

    def reading(self, address: int, register: int, count: int) -> Callable[[], Sequence[int]]:
        """What reads so many bytes of the chip at `address`; raises OSError where none answers."""
        return lambda: self._answering(address).read(register, count)

    def write(self, address: int, register: int, values: bytes) -> None:
        """Write bytes to the chip at `address`; raises OSError where none answers."""
        self._answering(address).write(register, values)

    def close(self) -> None:
        """Nothing is to be given back."""

    def _answering(self, address: int) -> Expander:
        self._agenda.run(self._now())
        number = self._at.get(address)
        if number is None or number in self._dead:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        return self.chips[number]

    # ---- what happens to the chips ---------------------------------------------------------------------

    def close_contact(self, at: Wire, closed: bool) -> None:
        """A contact closes or opens."""
        (self._contacts.add if closed else self._contacts.discard)(at)
        chip, pin = self._moved.get(at, at)
        self.chips[chip].close_contact(pin, closed)

    def fail(self, chip: int, dead: bool) -> None:
        """A chip loses its supply, and what it was told with it; or has it again."""
        (self._dead.add if dead else self._dead.discard)(chip)
        self.chips[chip].reset()

    def rewire(self, moved: Mapping[Wire, Wire]) -> None:
        """Solder the wires of contacts to other places; the places stay the same as a whole."""
        closed = tuple(self._contacts)
        for at in closed:
            self.close_contact(at, closed=False)
        self._moved = moved
        for at in closed:
            self.close_contact(at, closed=True)

    def mend(self) -> None:
        """All that is broken here is whole again; who was without supply has forgotten what it was told."""
        self._dead.clear()
        self.rewire({})

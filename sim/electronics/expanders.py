"""MCP23017 expanders on an I2C bus, register by register.

Invariants: registers, their order and the address pointer behave as in the data sheet (DS20001952). A pin
that nothing drives or pulls keeps its last level. A chip that is dead or missing does not acknowledge its
address.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping, Sequence

from hardware.scanner import Wire
from sim.clock import Clock
from sim.scheduler import Scheduler

# Pairs of registers, port A and port B, in the order of their numbers while BANK is 0.
_IODIR, _IPOL, _IOCON, _GPPU, _GPIO, _OLAT = 0, 1, 5, 6, 9, 10
_PAIRS = 11

_BANK, _SEQOP = 1 << 7, 1 << 5
_PINS = 0xFFFF


class Expander:
    """One chip."""

    def __init__(self) -> None:
        self.closed = 0
        """The pins that a contact holds at ground, GPA0 the lowest bit and GPB7 the highest."""
        self._levels = _PINS
        self.reset()

    def reset(self) -> None:
        """Reset all registers, as after a dip of the supply."""
        self._registers = [0] * _PAIRS
        self._registers[_IODIR] = _PINS

    def close_contact(self, pin: int, closed: bool) -> None:
        """Close or open a contact."""
        self.closed = self.closed & ~(1 << pin) | closed << pin
        self._settle()

    def write(self, number: int, values: bytes) -> None:
        """Accept bytes, the first for the register `number`."""
        for value in values:
            pair, port = self._place(number)
            self._put(pair, port, value)
            number = self._following(number)

    def read(self, number: int, count: int) -> bytes:
        """Return `count` bytes, the first from the register `number`."""
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
        """Update the levels of the pins, from the contacts, the outputs and the pull-ups."""
        inputs, pulled = self._registers[_IODIR], self._registers[_GPPU]
        high = inputs & pulled | ~inputs & self._registers[_OLAT] | inputs & ~pulled & self._levels
        self._levels = high & ~self.closed & _PINS

    def _place(self, number: int) -> tuple[int, int]:
        """Return the pair of registers that a number addresses, and which of the two."""
        if self._registers[_IOCON] & _BANK:
            return (number & 0x0F) % _PAIRS, number >> 4 & 1
        return number // 2 % _PAIRS, number % 2

    def _following(self, number: int) -> int:
        iocon = self._registers[_IOCON]
        if iocon & _SEQOP:
            return number if iocon & _BANK else number ^ 1
        return number + 1


class SimulatedI2c:
    """An I2C bus with expanders at `addresses`; a contact is known by its chip's number and its pin."""

    def __init__(self, clock: Clock, agenda: Scheduler, addresses: Sequence[int]) -> None:
        self.chips = tuple(Expander() for _ in addresses)
        self._now = clock.now
        self._agenda = agenda
        self._at = {address: number for number, address in enumerate(addresses)}
        self._contacts: set[Wire] = set()
        self._moved: Mapping[Wire, Wire] = {}
        self._dead: set[int] = set()

    # ---- the Pi's side ---------------------------------------------------------------------------------

    def reading(self, address: int, register: int, count: int) -> Callable[[], Sequence[int]]:
        """Return a function that reads `count` bytes of a chip, raising OSError if none answers."""
        return lambda: self._answering(address).read(register, count)

    def write(self, address: int, register: int, values: bytes) -> None:
        """Write bytes to the chip at `address`; raises OSError if none answers."""
        self._answering(address).write(register, values)

    def close(self) -> None:
        """Do nothing, since there is nothing to close."""

    def _answering(self, address: int) -> Expander:
        self._agenda.run(self._now())
        number = self._at.get(address)
        if number is None or number in self._dead:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        return self.chips[number]

    # ---- the board's side ------------------------------------------------------------------------------

    def close_contact(self, at: Wire, closed: bool) -> None:
        """Close or open a contact."""
        (self._contacts.add if closed else self._contacts.discard)(at)
        chip, pin = self._moved.get(at, at)
        self.chips[chip].close_contact(pin, closed)

    def fail(self, chip: int, dead: bool) -> None:
        """Take the supply of a chip away, and its registers with it, or give it back."""
        (self._dead.add if dead else self._dead.discard)(chip)
        self.chips[chip].reset()

    def rewire(self, moved: Mapping[Wire, Wire]) -> None:
        """Solder the wires of contacts to other places; the set of places stays the same."""
        closed = tuple(self._contacts)
        for at in closed:
            self.close_contact(at, closed=False)
        self._moved = moved
        for at in closed:
            self.close_contact(at, closed=True)

    def repair(self) -> None:
        """End all faults; chips that were without supply have lost their registers."""
        self._dead.clear()
        self.rewire({})

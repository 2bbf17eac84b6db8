"""Multiplexer chips on gpiozero's mock pins, with lines that take time to rise.

Invariants:
- A pin's level is computed when it is read.
- A selected closed contact pulls its line to ground at once. When it is deselected, the line needs time to
  rise through the resistor, so a scan that does not wait reads the channel before.
- Select lines change one by one, and each address in between is visited.
- Faults act between the address that the Pi sends and the one that the chips receive, or between the chips
  and the Pi's pins.
- Pins keep no history, which gpiozero's mock pins accumulate without end, and report no edges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin  # type: ignore[import-untyped]

from firmware_host.settings import Microseconds
from hardware.scanner import Wire
from hardware.wiring.contacts import MuxWiring
from sim.clock import Clock
from sim.scheduler import Scheduler

_ADDRESSES = range(1 << 5)

ChipState = tuple[int, int, tuple[bool, ...]]
"""The state of the chips: a count of changes to them, their address, and which of them are enabled."""

_AddressMap = Callable[[int], int]
"""A map from the address that the Pi sends to the address that a chip receives."""


def open_select(bit: int, *, high: bool = False) -> _AddressMap:
    """Return the map of a select line that does not reach a chip, with its input staying low, or high."""
    return lambda address: address | 1 << bit if high else address & ~(1 << bit)


def swapped_select(one: int, other: int) -> _AddressMap:
    """Return the map of two select lines that are swapped."""
    return lambda address: _with(address, {one: address >> other & 1, other: address >> one & 1})


def shorted_select(one: int, other: int) -> _AddressMap:
    """Return the map of two select lines that touch: the one that is low wins."""

    def address_map(address: int) -> int:
        both = address >> one & address >> other & 1
        return _with(address, {one: both, other: both})

    return address_map


def _with(address: int, bits: Mapping[int, int]) -> int:
    for bit, level in bits.items():
        address = address & ~(1 << bit) | level << bit
    return address


class MuxBank:
    """Chips with common select lines; each connects to a signal line while it is enabled.

    `resistor`: an external resistor pulls each signal line up.
    """

    def __init__(
        self, clock: Clock, agenda: Scheduler, chips: int, rise_us: Microseconds, *, resistor: bool = False
    ) -> None:
        self.resistor = resistor
        self._now = clock.now
        self._agenda = agenda
        self._rise = rise_us
        self._changes = 0
        self._address = 0
        self._enabled = [True] * chips
        self._rises: list[Microseconds] = [0] * chips
        self._contacts: set[Wire] = set()
        self._closed = [0] * chips
        self._dead = [False] * chips
        self._moved: Mapping[Wire, Wire] = {}
        self._address_maps: list[tuple[int, ...]] = []
        self._rise_times: list[Microseconds] = []
        self._loose: set[int] = set()
        self._holding: tuple[int, ...] = ()
        """The chips that connect a closed contact to their line."""
        self.repair()

    def close_contact(self, at: Wire, closed: bool) -> None:
        """Close or open a contact."""
        (self._contacts.add if closed else self._contacts.discard)(at)
        chip, channel = self._moved.get(at, at)
        self._closed[chip] = self._closed[chip] & ~(1 << channel) | closed << channel
        self._changed()

    # ---- faults ----------------------------------------------------------------------------------------

    def fail(self, chip: int, dead: bool) -> None:
        """Let a chip die, which leaves its line to its pull-up, or work again."""
        self._dead[chip] = dead
        self._changed()

    def map_addresses(self, address_map: _AddressMap, chip: int | None = None) -> None:
        """Map the addresses that a chip receives, or those of all chips, on top of earlier maps."""
        for one in range(len(self._closed)) if chip is None else (chip,):
            self._address_maps[one] = tuple(map(address_map, self._address_maps[one]))
        self._changed()

    def slow(self, chip: int, rise_us: Microseconds) -> None:
        """Set the rise time of a chip's line."""
        self._rise_times[chip] = rise_us
        self._changed()

    def loosen(self, line: int) -> None:
        """Disconnect a signal line from its chip and its resistor, leaving only the Pi's own pull."""
        self._loose.add(line)
        self._changed()

    def rewire(self, moved: Mapping[Wire, Wire]) -> None:
        """Solder the wires of contacts to other places; the set of places stays the same."""
        closed = tuple(self._contacts)
        for at in closed:
            self.close_contact(at, closed=False)
        self._moved = moved
        for at in closed:
            self.close_contact(at, closed=True)

    def repair(self) -> None:
        """End all faults."""
        chips = len(self._closed)
        self._dead = [False] * chips
        self._address_maps = [tuple(_ADDRESSES)] * chips
        self._rise_times = [self._rise] * chips
        self._loose = set()
        self.rewire({})
        self._changed()

    def _changed(self) -> None:
        self._changes += 1
        self._connect()

    # ---- pins ------------------------------------------------------------------------------------------

    def disable(self, chip: int, level: bool) -> None:
        """Change an enable line, which is low while its chip connects."""
        if self.low(chip):
            self._rises[chip] = self._now() + self._rise_times[chip]
        self._enabled[chip] = not level
        self._connect()

    def choose(self, bit: int, level: bool) -> None:
        """Change a select line."""
        now = self._now()
        if now >= self._agenda.next:
            self._agenda.run(now)
        for chip in self._holding:
            self._rises[chip] = now + self._rise_times[chip]
        self._address = self._address & ~(1 << bit) | level << bit
        self._connect()

    def _connect(self) -> None:
        address = self._address
        self._holding = tuple(
            [
                chip
                for chip, closed in enumerate(self._closed)
                if closed and closed >> self._address_maps[chip][address] & 1 and self._enabled[chip]
            ]
        )

    def low(self, chip: int) -> bool:
        """Return True if a chip holds its line down, or did so recently enough for it to be rising still."""
        if self._dead[chip]:
            return False
        now = self._now()
        if now >= self._agenda.next:
            self._agenda.run(now)
        return chip in self._holding or now < self._rises[chip]

    @property
    def standing(self) -> ChipState:
        """The current state of the chips."""
        return self._changes, self._address, tuple(self._enabled)

    def rests(self, standing: ChipState, now: Microseconds, until: Microseconds) -> bool:
        """Return True if the chips are in this state, no line rises, and no event is due before `until`."""
        return until < self._agenda.next and self.standing == standing and max(self._rises) <= now

    def rises_since(self, began: Microseconds) -> tuple[Microseconds, ...]:
        """Return the rise time of each line after `began`; 0 if it had risen by then."""
        return tuple(max(0, rises - began) for rises in self._rises)

    def rise(self, began: Microseconds, rises: tuple[Microseconds, ...]) -> None:
        """Let each line rise at this time after `began`."""
        self._rises = [began + after for after in rises]

    def any_low(self) -> bool:
        """Return True if any chip holds the shared line down."""
        return any(map(self.low, range(len(self._closed))))

    def level(self, line: int, low: Callable[[], bool], pull: str) -> bool:
        """Return the level of a signal line's pin, given `low` of its chips and the Pi's pull."""
        if line in self._loose:
            return pull == "up"
        return not low() and (self.resistor or pull != "down")


class SelectPin(MockPin):  # type: ignore[misc] # gpiozero has no types
    """A pin with a level that the chips follow."""

    _state: bool

    def __init__(self, factory: Any, info: Any, follow: Callable[[bool], None]) -> None:
        self._follow = follow
        super().__init__(factory, info)
        follow(self._state)

    def _change_state(self, value: bool) -> bool:
        if self._state == value:
            return False
        self._state = value
        self._follow(value)
        return True

    state = property(MockPin._get_state, MockPin._set_state)  # without gpiozero's way round by a lambda


class SignalPin(MockPin):  # type: ignore[misc] # gpiozero has no types
    """A pin with the level of its line: low if a chip pulls it down, otherwise as pulled."""

    _pull: str

    def __init__(self, factory: Any, info: Any, level: Callable[[str], bool]) -> None:
        self._level = level
        super().__init__(factory, info)

    def _get_state(self) -> bool:
        return self._level(self._pull)

    state = property(_get_state, MockPin._set_state)  # without gpiozero's way round by a lambda

    def _change_state(self, value: bool) -> bool:  # noqa: ARG002 - it is the line that drives this pin
        return False


def pi_with(bank: MuxBank, wiring: MuxWiring) -> MockFactory:
    """Return a gpiozero factory with pins that are wired to the chips of `bank`."""
    factory = MockFactory(revision="a02082", pin_class=MockPin)
    for bit, gpio in enumerate(wiring.select):
        factory.pin(gpio, pin_class=SelectPin, follow=partial(bank.choose, bit))
    for chip, gpio in enumerate(wiring.enables):
        factory.pin(gpio, pin_class=SelectPin, follow=partial(bank.disable, chip))
    for chip, gpio in enumerate(wiring.signals):
        low = bank.any_low if wiring.enables else partial(bank.low, chip)
        factory.pin(gpio, pin_class=SignalPin, level=partial(bank.level, chip, low))
    return factory

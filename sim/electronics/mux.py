"""Multiplexer chips on gpiozero's mock pins, with lines that take their time.

Rules kept here: what a pin reads is worked out when it is read; a contact that is chosen pulls its line to
ground at once, and when it is left the line needs its time to rise through the resistor, so that a scan which
does not wait reads the channel before; select lines change one by one, and each address between is visited.
What is broken stands between what the Pi says and what the chips hear, or between them and what the Pi reads.

Pins keep no history, which gpiozero's mock pins do without end, and tell of no edges.
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
from sim.scheduler import Agenda

_ADDRESSES = range(1 << 5)

Standing = tuple[int, int, tuple[bool, ...]]
"""How chips stand: how often they were changed, their address, and which are enabled."""

_Hears = Callable[[int], int]
"""What address a chip hears where the Pi says another."""


def open_select(bit: int, *, high: bool = False) -> _Hears:
    """A select line that does not reach a chip, whose input stays low, or high."""
    return lambda address: address | 1 << bit if high else address & ~(1 << bit)


def swapped_select(one: int, other: int) -> _Hears:
    """Two select lines that have changed places."""
    return lambda address: _with(address, {one: address >> other & 1, other: address >> one & 1})


def shorted_select(one: int, other: int) -> _Hears:
    """Two select lines that touch: the one that is low wins."""

    def hears(address: int) -> int:
        both = address >> one & address >> other & 1
        return _with(address, {one: both, other: both})

    return hears


def _with(address: int, bits: Mapping[int, int]) -> int:
    for bit, level in bits.items():
        address = address & ~(1 << bit) | level << bit
    return address


class MuxBank:
    """Chips with common select lines; each connects to a signal line while it is enabled.

    `resistor`: whether one outside the Pi pulls each signal line up.
    """

    def __init__(
        self, clock: Clock, agenda: Agenda, chips: int, rise_us: Microseconds, *, resistor: bool = False
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
        self._hears: list[tuple[int, ...]] = []
        self._slow: list[Microseconds] = []
        self._loose: set[int] = set()
        self._read = True
        self._holding: tuple[int, ...] = ()
        """The chips that connect a closed contact to their line."""
        self.mend()

    def close_contact(self, at: Wire, closed: bool) -> None:
        """A contact closes or opens."""
        (self._contacts.add if closed else self._contacts.discard)(at)
        chip, channel = self._moved.get(at, at)
        self._closed[chip] = self._closed[chip] & ~(1 << channel) | closed << channel
        self._changed()

    # ---- what breaks -----------------------------------------------------------------------------------

    def fail(self, chip: int, dead: bool) -> None:
        """A chip dies, which leaves its line to the resistor that pulls it, or lives again."""
        self._dead[chip] = dead
        self._changed()

    def mishear(self, hears: _Hears, chip: int | None = None) -> None:
        """A chip, or all of them, hear other addresses than they would have heard."""
        for one in range(len(self._closed)) if chip is None else (chip,):
            self._hears[one] = tuple(map(hears, self._hears[one]))
        self._changed()

    def slow(self, chip: int, rise_us: Microseconds) -> None:
        """The line of a chip takes so long to rise."""
        self._slow[chip] = rise_us
        self._changed()

    def loosen(self, line: int) -> None:
        """A signal line comes off the chip and its resistor: only the Pi still pulls it."""
        self._loose.add(line)
        self._changed()

    def silence(self, silent: bool) -> None:
        """The Pi's own chip, which reads the signal lines, no longer answers, or answers again."""
        self._read = not silent
        self._changed()

    def rewire(self, moved: Mapping[Wire, Wire]) -> None:
        """Solder the wires of contacts to other places; the places stay the same as a whole."""
        closed = tuple(self._contacts)
        for at in closed:
            self.close_contact(at, closed=False)
        self._moved = moved
        for at in closed:
            self.close_contact(at, closed=True)

    def mend(self) -> None:
        """All that is broken here is whole again."""
        chips = len(self._closed)
        self._dead = [False] * chips
        self._hears = [tuple(_ADDRESSES)] * chips
        self._slow = [self._rise] * chips
        self._loose = set()
        self._read = True
        self.rewire({})
        self._changed()

    def _changed(self) -> None:
        self._changes += 1
        self._connect()

    # ---- what the pins tell and see --------------------------------------------------------------------

    def disable(self, chip: int, level: bool) -> None:
        """An enable line changes, which is low while its chip connects."""
        if self.low(chip):
            self._rises[chip] = self._now() + self._slow[chip]
        self._enabled[chip] = not level
        self._connect()

    def choose(self, bit: int, level: bool) -> None:
        """A select line changes."""
        now = self._now()
        if now >= self._agenda.next:
            self._agenda.run(now)
        for chip in self._holding:
            self._rises[chip] = now + self._slow[chip]
        self._address = self._address & ~(1 << bit) | level << bit
        self._connect()

    def _connect(self) -> None:
        address = self._address
        self._holding = tuple(
            [
                chip
                for chip, closed in enumerate(self._closed)
                if closed and closed >> self._hears[chip][address] & 1 and self._enabled[chip]
            ]
        )

    def low(self, chip: int) -> bool:
        """Whether a chip holds its line down, or did until just now."""
        if self._dead[chip]:
            return False
        now = self._now()
        if now >= self._agenda.next:
            self._agenda.run(now)
        return chip in self._holding or now < self._rises[chip]

    @property
    def standing(self) -> Standing:
        """How the chips stand now."""
        return self._changes, self._address, tuple(self._enabled)

    def rests(self, standing: Standing, now: Microseconds, until: Microseconds) -> bool:
        """Whether the chips stand so at `now`, no line rises, and nothing happens by itself `until` then."""
        return until < self._agenda.next and self.standing == standing and max(self._rises) <= now

    def rises_since(self, began: Microseconds) -> tuple[Microseconds, ...]:
        """How long after `began` each line has risen or will have; 0 where it had before."""
        return tuple(max(0, rises - began) for rises in self._rises)

    def rise(self, began: Microseconds, rises: tuple[Microseconds, ...]) -> None:
        """Let each line rise so long after `began`."""
        self._rises = [began + after for after in rises]

    def any_low(self) -> bool:
        """The same of the line that all chips share."""
        return any(map(self.low, range(len(self._closed))))

    def level(self, line: int, low: Callable[[], bool], pull: str) -> bool:
        """What a signal line's pin reads, whose chips hold it `low`, where the Pi pulls it so.

        Raises OSError where it cannot be read.
        """
        if not self._read:
            raise OSError("the GPIO chip does not answer")
        if line in self._loose:
            return pull == "up"
        return not low() and (self.resistor or pull != "down")


class SelectPin(MockPin):  # type: ignore[misc] # gpiozero has no types
    """A pin whose level the chips follow."""

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
    """A pin whose level its line gives: low where a chip pulls it down, else as it is pulled."""

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
    """A gpiozero factory whose pins are wired to the chips of `bank`."""
    factory = MockFactory(revision="a02082", pin_class=MockPin)
    for bit, gpio in enumerate(wiring.select):
        factory.pin(gpio, pin_class=SelectPin, follow=partial(bank.choose, bit))
    for chip, gpio in enumerate(wiring.enables):
        factory.pin(gpio, pin_class=SelectPin, follow=partial(bank.disable, chip))
    for chip, gpio in enumerate(wiring.signals):
        low = bank.any_low if wiring.enables else partial(bank.low, chip)
        factory.pin(gpio, pin_class=SignalPin, level=partial(bank.level, chip, low))
    return factory

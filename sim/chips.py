"""Multiplexer chips on gpiozero's mock pins, with lines that take their time.

Rules kept here: what a pin reads is worked out when it is read; a contact that is chosen pulls its line to
ground at once, and when it is left the line needs its time to rise through the resistor, so that a scan which
does not wait reads the channel before; select lines change one by one, and each address between is visited.

Pins keep no history, which gpiozero's mock pins do without end, and tell of no edges.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin  # type: ignore[import-untyped]

from firmware_host.settings import Microseconds
from hardware.scanner import Wire
from hardware.wiring import MuxWiring
from sim.agenda import Agenda
from sim.clock import Clock


class MuxBank:
    """Chips with common select lines; each connects to a signal line while it is enabled."""

    def __init__(self, clock: Clock, agenda: Agenda, chips: int, rise_us: Microseconds) -> None:
        self._now = clock.now
        self._agenda = agenda
        self._rise = rise_us
        self._address = 0
        self._closed = [0] * chips
        self._dead = [False] * chips
        self._enabled = [True] * chips
        self._rises: list[Microseconds] = [0] * chips

    def close_contact(self, at: Wire, closed: bool) -> None:
        """A contact closes or opens."""
        chip, channel = at
        self._closed[chip] = self._closed[chip] & ~(1 << channel) | closed << channel

    def fail(self, chip: int, dead: bool) -> None:
        """A chip dies, which leaves its line to the resistor that pulls it, or lives again."""
        self._dead[chip] = dead

    def disable(self, chip: int, level: bool) -> None:
        """An enable line changes, which is low while its chip connects."""
        if self.low(chip):
            self._rises[chip] = self._now() + self._rise
        self._enabled[chip] = not level

    def choose(self, bit: int, level: bool) -> None:
        """A select line changes."""
        now = self._now()
        if now >= self._agenda.next:
            self._agenda.run(now)
        for chip, closed in enumerate(self._closed):
            if closed >> self._address & 1 and self._enabled[chip]:
                self._rises[chip] = now + self._rise
        self._address = self._address & ~(1 << bit) | level << bit

    def low(self, chip: int) -> bool:
        """Whether a chip holds its line down, or did until just now."""
        if self._dead[chip]:
            return False
        now = self._now()
        if now >= self._agenda.next:
            self._agenda.run(now)
        closed = self._enabled[chip] and bool(self._closed[chip] >> self._address & 1)
        return closed or now < self._rises[chip]

    def any_low(self) -> bool:
        """The same of the line that all chips share."""
        return any(map(self.low, range(len(self._closed))))


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


class SignalPin(MockPin):  # type: ignore[misc] # gpiozero has no types
    """A pin whose level a chip's line gives: low where the chip pulls it down, else as the pin is pulled."""

    def __init__(self, factory: Any, info: Any, low: Callable[[], bool]) -> None:
        self._low = low
        super().__init__(factory, info)

    def _get_state(self) -> bool:
        return not self._low() and self._pull != "down"

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
        factory.pin(gpio, pin_class=SignalPin, low=low)
    return factory

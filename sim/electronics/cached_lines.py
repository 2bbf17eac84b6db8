"""Lines to the sensors that answer a repeated sweep from memory.

A board polls its sensors hundreds of times a second and rarely finds a change, but a simulated sweep computes
every pin each time. These lines remember the last sweep and repeat its result.

Invariants: a sweep is answered from memory only if it would give the same result: the same stops and waits,
the same levels before and after, every line at rest when it begins, and no scheduled event before it ends. It
waits as often as the remembered sweep, and leaves rising lines in the same state. In real time an event may
come before its end after all; then the lines are swept again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from firmware_host.frozen import frozen
from firmware_host.settings import Gpio, Microseconds
from hardware.bus.gpio import PinLines, Pull
from sim.clock import Clock, VirtualClock


class ComparableElectronics(Protocol):
    """Electronics with a state that can be compared: multiplexers, or a diode matrix."""

    @property
    def standing(self) -> Any:
        """The current state."""

    def rests(self, standing: Any, now: Microseconds, until: Microseconds) -> bool:
        """Return True if it is in this state, no line rises, and no event is due before `until`."""

    def rises_since(self, began: Microseconds) -> tuple[Microseconds, ...]:
        """Return the rise time of each line after `began`; 0 if it had risen by then."""

    def rise(self, began: Microseconds, rises: tuple[Microseconds, ...]) -> None:
        """Let each line rise at this time after `began`."""


@frozen
class _Sweep:
    """A sweep that left the electronics in their initial state; `rises` count from its start."""

    stops: Sequence[int]
    settle: Callable[[], object] | None
    standing: Any
    seen: list[int]
    lasted: Microseconds
    rises: tuple[Microseconds, ...]


class CachedLines(PinLines):
    """The pins of a Pi, all of them wired to `bank`."""

    def __init__(
        self,
        outputs: Sequence[Gpio],
        inputs: Sequence[Gpio],
        pull: Pull,
        pins: object,
        bank: ComparableElectronics,
        clock: Clock,
        levels: int,
        *,
        open_drain: bool = False,
    ) -> None:
        """Open the pins, with the outputs at `levels`."""
        super().__init__(outputs, inputs, pull, pins, levels=levels, open_drain=open_drain)
        self._bank = bank
        self._clock = clock
        self._last: _Sweep | None = None

    def sweep(self, stops: Sequence[int], settle: Callable[[], object] | None) -> list[int]:
        """Return the inputs after each of `stops`, with `settle` called in between."""
        began, last = self._clock.now(), self._last
        if (
            last is not None
            and last.stops is stops
            and last.settle is settle
            and self._bank.rests(last.standing, began, began + last.lasted)
        ):
            if self._is_still_after(last):
                self._bank.rise(began, last.rises)
                return last.seen
            began = self._clock.now()
        return self._sweep_pins(stops, settle, began)

    def _is_still_after(self, last: _Sweep) -> bool:
        """Let the time of a sweep pass, and return True if nothing happened in it."""
        began, clock = self._clock.now(), self._clock
        if isinstance(clock, VirtualClock):
            clock.reach(began + last.lasted)
            return True
        if (settle := last.settle) is not None:
            for _ in last.stops:
                settle()
        return self._bank.rests(last.standing, began, clock.now())

    def _sweep_pins(
        self, stops: Sequence[int], settle: Callable[[], object] | None, began: Microseconds
    ) -> list[int]:
        bank, standing = self._bank, self._bank.standing
        still = bank.rests(standing, began, began)
        self._last = None
        seen = super().sweep(stops, settle)
        if still and bank.standing == standing:
            lasted = self._clock.now() - began
            self._last = _Sweep(stops, settle, standing, seen, lasted, bank.rises_since(began))
        return seen

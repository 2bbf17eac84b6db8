"""Lines to chips on which nothing has happened since they were last swept.

A board that looks hundreds of times a second finds nothing new in most of its looks, and a simulated one
works out each anew, pin by pin. In virtual time these lines remember the last sweep, and answer with it.

Rules kept here: a sweep is answered from memory only where it would be the same again: the same stops and
waits, from the same levels to the same, with every line at rest when it begins, and nothing that is on the
agenda before it ends; it takes as long as it did, and leaves lines that rise as it left them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_host.settings import Gpio, Microseconds
from hardware.bus.gpio import PinLines, Pull
from sim.clock import VirtualClock
from sim.electronics.mux import MuxBank, Standing


@dataclass(frozen=True, slots=True)
class _Sweep:
    """A sweep that ended with the chips as it had begun; `rises` are counted from when it began."""

    stops: Sequence[int]
    settle: Callable[[], object] | None
    standing: Standing
    seen: list[int]
    lasted: Microseconds
    rises: tuple[Microseconds, ...]


class StillLines(PinLines):
    """The pins of a Pi, which all lead to the chips of `bank`."""

    def __init__(
        self,
        outputs: Sequence[Gpio],
        inputs: Sequence[Gpio],
        pull: Pull,
        pins: object,
        bank: MuxBank,
        clock: VirtualClock,
        levels: int,
    ) -> None:
        """Begin with the outputs at `levels`."""
        super().__init__(outputs, inputs, pull, pins, levels=levels)
        self._bank = bank
        self._clock = clock
        self._last: _Sweep | None = None

    def sweep(self, stops: Sequence[int], settle: Callable[[], object] | None) -> list[int]:
        began, last = self._clock.now(), self._last
        if (
            last is not None
            and last.stops is stops
            and last.settle is settle
            and self._bank.rests(last.standing, began, began + last.lasted)
        ):
            self._clock.reach(began + last.lasted)
            self._bank.rise(began, last.rises)
            return last.seen
        return self._sweep_anew(stops, settle, began)

    def _sweep_anew(
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

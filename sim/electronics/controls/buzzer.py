"""The buzzer of a simulated board: a pin whose level it follows, and its faults.

Invariants: what is reported is what the buzzer did, not what the program meant. A burst begins with the first
sound after it was taken.
"""

from __future__ import annotations

import enum
from itertools import pairwise
from typing import Any

from firmware_host.settings import Gpio, Microseconds
from sim.clock import Clock
from sim.electronics.mux import SelectPin

_MS: Microseconds = 1_000


class BuzzerFault(enum.Enum):
    """A fault of a buzzer."""

    OPEN = "open"
    """Its wire is off, so that it is silent."""
    STUCK = "stuck"
    """Its transistor always conducts, so that it never stops."""


class SimulatedBuzzer:
    """A buzzer on the pin of a line."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._edges: list[Microseconds] = []
        self._level = False
        self._fault: BuzzerFault | None = None
        self.is_on = False
        """True while it sounds."""

    def apply_fault(self, fault: BuzzerFault | None) -> None:
        """Begin to fail in this way, or work again."""
        self._fault = fault
        self._sound()

    def wire_to(self, pi: Any, line: Gpio) -> None:
        """Wire it to a line of this gpiozero factory."""
        pi.pin(line, pin_class=SelectPin, follow=self._follow)

    def take_burst(self) -> list[list[int]]:
        """Return the beats since the last call, each as milliseconds of sound and of silence after it.

        Call it when the line is low; the silence after the last beat is 0. There are none while it sounds.
        """
        if self.is_on or not self._edges:
            return []
        edges, self._edges = self._edges, []
        spans = [round((after - before) / _MS) for before, after in pairwise(edges)]
        return [[on, off] for on, off in zip(spans[::2], [*spans[1::2], 0], strict=True)]

    def _follow(self, level: bool) -> None:
        self._level = level
        self._sound()

    def _sound(self) -> None:
        is_on = self._fault is BuzzerFault.STUCK or (self._level and self._fault is None)
        if is_on is not self.is_on:
            self.is_on = is_on
            self._edges.append(self._clock.now())

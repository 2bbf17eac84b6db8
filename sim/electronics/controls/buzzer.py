"""The buzzer of a simulated board: a pin whose level is recorded with its times.

Invariants: what is reported is what the line did, not what the program meant. A burst begins with the first
sound after it was taken.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from firmware_host.settings import Gpio, Microseconds
from sim.clock import Clock
from sim.electronics.mux import SelectPin

_MS: Microseconds = 1_000


class SimulatedBuzzer:
    """A buzzer on the pin of a line."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._edges: list[Microseconds] = []
        self.is_on = False
        """True while the line is high."""

    def wire_to(self, pi: Any, line: Gpio) -> None:
        """Wire it to a line of this gpiozero factory."""
        pi.pin(line, pin_class=SelectPin, follow=self._follow)

    def take_burst(self) -> list[list[int]]:
        """Return the beats since the last call, each as milliseconds of sound and of silence after it.

        Call it when the line is low; the silence after the last beat is 0.
        """
        edges, self._edges = self._edges, []
        if not edges:
            return []
        spans = [round((after - before) / _MS) for before, after in pairwise(edges)]
        return [[on, off] for on, off in zip(spans[::2], [*spans[1::2], 0], strict=True)]

    def _follow(self, level: bool) -> None:
        if level is not self.is_on:
            self.is_on = level
            self._edges.append(self._clock.now())

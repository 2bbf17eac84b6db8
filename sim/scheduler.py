"""Scheduled events: a bounce that ends, a magnet that passes a sensor.

Invariants: events happen in the order of their times, and simultaneous ones in the order in which they were
entered. Each receives its own time, however late it is run, so that nothing depends on the times at which the
board is read.
"""

from __future__ import annotations

import heapq
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_host.settings import Microseconds

Action = Callable[[Microseconds], None]
"""An action, given the time at which it happens."""

NEVER: Microseconds = sys.maxsize


@dataclass(order=True, slots=True)
class ScheduledEvent:
    """An event that will happen unless it is cancelled."""

    at: Microseconds
    number: int
    do: Action = field(compare=False)
    off: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        """Cancel the event."""
        self.off = True


class Scheduler:
    """Events in the order of their times."""

    def __init__(self) -> None:
        self.next: Microseconds = NEVER
        """The time of the next event; cheap to read."""
        self._entries: list[ScheduledEvent] = []
        self._count = 0

    def enter(self, at: Microseconds, do: Action) -> ScheduledEvent:
        """Schedule `do` for the time `at`."""
        self._count += 1
        entry = ScheduledEvent(at, self._count, do)
        heapq.heappush(self._entries, entry)
        self.next = self._entries[0].at
        return entry

    def run(self, now: Microseconds) -> None:
        """Run all events that are due by `now`."""
        while self._entries and (self._entries[0].at <= now or self._entries[0].off):
            entry = heapq.heappop(self._entries)
            if not entry.off:
                entry.do(entry.at)
        self.next = self._entries[0].at if self._entries else NEVER

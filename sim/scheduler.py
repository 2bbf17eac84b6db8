"""What will happen by itself, and when: a bounce that ends, a magnet that passes a sensor.

Rules kept here: things happen in the order of their times, and among equals in the order they were entered;
each is told the time it was entered for, however late it is asked after, so that nothing depends on when the
board happens to look.
"""

from __future__ import annotations

import heapq
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_host.settings import Microseconds

Deed = Callable[[Microseconds], None]
"""Something to be done, given the time at which it happens."""

NEVER: Microseconds = sys.maxsize


@dataclass(order=True, slots=True)
class Entry:
    """One thing that will happen, unless it is called off."""

    at: Microseconds
    number: int
    do: Deed = field(compare=False)
    off: bool = field(default=False, compare=False)

    def call_off(self) -> None:
        """Let it not happen."""
        self.off = True


class Agenda:
    """Entries in the order of their times."""

    def __init__(self) -> None:
        self.next: Microseconds = NEVER
        """Nothing happens before this time; cheap to ask."""
        self._entries: list[Entry] = []
        self._count = 0

    def enter(self, at: Microseconds, do: Deed) -> Entry:
        """Have `do` happen at the time `at`."""
        self._count += 1
        entry = Entry(at, self._count, do)
        heapq.heappush(self._entries, entry)
        self.next = self._entries[0].at
        return entry

    def run(self, now: Microseconds) -> None:
        """Let everything happen that is due at `now` or before."""
        while self._entries and (self._entries[0].at <= now or self._entries[0].off):
            entry = heapq.heappop(self._entries)
            if not entry.off:
                entry.do(entry.at)
        self.next = self._entries[0].at if self._entries else NEVER

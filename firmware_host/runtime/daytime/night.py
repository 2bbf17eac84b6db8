"""The night by this machine's clock, which counts only if it is right.

Invariants: a machine that doesn't know the time has no night: a Pi without a network wakes up at any hour.
The clock is read twice a minute, never in each frame.
"""

from __future__ import annotations

from firmware_host.config.night import NightHours
from firmware_host.runtime.daytime.clock import MachineClock
from firmware_host.settings import Microseconds

_INTERVAL: Microseconds = 30_000_000


class NightWatch:
    """The night of a board with these hours, by the machine's `clock`."""

    def __init__(self, hours: NightHours | None, clock: MachineClock) -> None:
        self.is_night = False
        """True if it was night when the clock was last read."""
        self._hours = hours
        self._clock = clock
        self._due: Microseconds = 0

    def follow(self, now: Microseconds) -> bool:
        """Return True if it has become night or day by `now`, the time of a frame."""
        if self._hours is None or now < self._due:
            return False
        self._due = now + _INTERVAL
        before, self.is_night = self.is_night, self._read(self._hours)
        return self.is_night is not before

    def _read(self, hours: NightHours) -> bool:
        time_of_day = self._clock.local()
        if time_of_day is None:
            return False
        return hours.covers(60 * time_of_day.tm_hour + time_of_day.tm_min)

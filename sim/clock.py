"""Time for the simulated electronics: real, or virtual, which passes only on request.

Invariants: everything simulated uses the clock that it was given and no other. Time is whole microseconds
since the clock began, and never goes back.

The frame grid does not drift in virtual time. A scan waits for settling by `sleep`, which advances the clock,
so its readings are spread over the first microseconds of the frame; the caller then uses `reach` with the due
time of the next frame, which absorbs the time of the scan.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from firmware_host.settings import Microseconds
from hardware.bus.busy_wait import pause


class Clock(Protocol):
    """A source of time that can wait."""

    def now(self) -> Microseconds:
        """Return the time since the clock began."""

    def sleep(self, seconds: float) -> None:
        """Let at least `seconds` pass."""


class VirtualClock:
    """A clock that only advances by `sleep` and `reach`."""

    def __init__(self) -> None:
        self._now: Microseconds = 0

    def now(self) -> Microseconds:
        """Return the time since the clock began."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Advance by `seconds` at once, rounded up to a microsecond."""
        self._now += _microseconds(seconds)

    def reach(self, time: Microseconds) -> None:
        """Jump to `time`, unless it is over already."""
        self._now = max(self._now, time)


@lru_cache(maxsize=256)  # a board waits for the same few times, thousands of times a second
def _microseconds(seconds: float) -> Microseconds:
    return max(0, math.ceil(round(seconds * 1_000_000, 3)))


class RealClock:
    """The machine's own clock."""

    def __init__(
        self,
        *,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = pause,
    ) -> None:
        self._clock_ns = clock_ns
        self._began = clock_ns()
        self.sleep = sleep

    def now(self) -> Microseconds:
        """Return the time since the clock began."""
        return (self._clock_ns() - self._began) // 1000

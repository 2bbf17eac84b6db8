"""The frame rate that a machine can hold, found while it runs.

A slow Pi may need more than the configured time for a frame. Its loop would then always be late, skip frames
at random and leave no time to other programs. Instead the rate is lowered until passes take two thirds of the
time, and raised again when there has been room for a while.

Invariants: no clock; the caller measures. The rate never exceeds the configured one, and never falls below
`MIN_HZ`, at which hands are still followed. A single late frame changes nothing.
"""

from __future__ import annotations

from firmware_host.settings import Microseconds

MIN_HZ = 20

_SECOND: Microseconds = 1_000_000
_WINDOW: Microseconds = 2 * _SECOND
"""The time after which the load is judged."""
_MAX_LOAD, _TARGET_LOAD = 0.9, 0.67
"""The share of the time that passes may take, and the one that a new rate aims at."""
_CALM_WINDOWS = 15
"""Windows with room for a higher rate, after which it is taken."""


class FramePace:
    """The time between two frames, by the durations of the passes."""

    def __init__(self, frame_rate_hz: int) -> None:
        self.period: Microseconds = _SECOND // frame_rate_hz
        """The time between two frames at present."""
        self._shortest = self.period
        self._longest = max(self.period, _SECOND // MIN_HZ)
        self._busy: Microseconds = 0
        self._passes = 0
        self._calm = 0

    @property
    def hz(self) -> int:
        """The frame rate at present, in whole frames a second."""
        return round(_SECOND / self.period)

    @property
    def is_slowed(self) -> bool:
        """True while the rate is below the configured one."""
        return self.period > self._shortest

    def passed(self, took: Microseconds) -> None:
        """Take note of a pass and its duration."""
        # A machine that was suspended, or a clock that was set, says nothing about the load.
        self._busy += min(max(took, 0), self._longest)
        self._passes += 1
        if max(self._passes * self.period, self._busy) < _WINDOW:
            return
        mean, self._busy, self._passes = self._busy / self._passes, 0, 0
        wanted = min(max(round(mean / _TARGET_LOAD), self._shortest), self._longest)
        if mean > _MAX_LOAD * self.period:
            self.period, self._calm = max(wanted, self.period), 0
        elif wanted < self.period:
            self._calm += 1
            if self._calm >= _CALM_WINDOWS:
                self.period, self._calm = wanted, 0
        else:
            self._calm = 0

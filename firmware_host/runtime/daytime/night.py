"""The night by this machine's clock, which counts only if it is right.

Invariants: a machine whose clock was never synchronised since it started has no night: a Pi without a network
wakes up at any hour. Files and clock are read twice a minute, never in each frame.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from firmware_host.config.night import NightHours
from firmware_host.settings import Microseconds

_SYNCHRONISED = Path("run/systemd/timesync/synchronized")
"""The file that systemd-timesyncd makes once it has set the clock."""
_INTERVAL: Microseconds = 30_000_000


class NightWatch:
    """The night of a board with these hours; `root` has the files about this machine."""

    def __init__(
        self,
        hours: NightHours | None,
        *,
        root: Path = Path("/"),
        local: Callable[[], time.struct_time] = time.localtime,
    ) -> None:
        self.is_night = False
        """True if it was night when the clock was last read."""
        self._hours = hours
        self._file = root / _SYNCHRONISED
        self._local = local
        self._due: Microseconds = 0

    def follow(self, now: Microseconds) -> bool:
        """Return True if it has become night or day by `now`, the time of a frame."""
        if self._hours is None or now < self._due:
            return False
        self._due = now + _INTERVAL
        before, self.is_night = self.is_night, self._read(self._hours)
        return self.is_night is not before

    def _read(self, hours: NightHours) -> bool:
        if not self._file.exists():
            return False
        time_of_day = self._local()
        return hours.covers(60 * time_of_day.tm_hour + time_of_day.tm_min)

"""When the board may be called alive: once every part of it has come round since it was last.

Rules kept here: pure; counters and times are arguments. A part that fails and says so has come round, since
it is tried again, and to start the program anew would mend no plug; one that hangs or has died has not.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.settings import Microseconds


@dataclass(frozen=True, slots=True)
class Progress:
    """How often each part has come round since the start: has done its work, or has said why it could not.

    `store` is None on a board that keeps nothing.
    """

    sensors: int
    strip: int
    store: int | None = None

    def is_past(self, earlier: Progress) -> bool:
        """Whether every part has come round since `earlier`."""
        return (
            self.sensors > earlier.sensors
            and self.strip > earlier.strip
            and (self.store is None or earlier.store is None or self.store > earlier.store)
        )


class Pulse:
    """One beat `every` so often, and none while any part stands still."""

    def __init__(self, every: Microseconds) -> None:
        self._every = every
        self._last: tuple[Progress, Microseconds] | None = None

    def beats(self, progress: Progress, now: Microseconds) -> bool:
        """Whether a beat is due at `now`, which then counts as given."""
        if self._last is not None:
            earlier, since = self._last
            if now - since < self._every or not progress.is_past(earlier):
                return False
        self._last = progress, now
        return True

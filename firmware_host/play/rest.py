"""The rest of a board that nobody uses: it is read less often, then its lights fade, and later it sleeps.

Invariants: whatever changes wakes it at once, and counts as if it had been awake. Time is an argument.
"""

from __future__ import annotations

import enum

from firmware_host.play.part import PlayPart
from firmware_host.settings import Microseconds, Rest

STILL_PERIOD: Microseconds = 15_000
"""The time between two frames of a board on which nothing moves: the first touch is answered within 35 ms."""
SLEEP_PERIOD: Microseconds = 50_000
"""The time between two frames of a board that sleeps: it has to answer the first touch within 60 ms."""
STILL_AFTER_S = 10
"""The seconds without a change after which a board is still."""
SLEEP_BRIGHTNESS = 0.05
NIGHT_BRIGHTNESS = 0.25
_SECOND: Microseconds = 1_000_000


class RestDepth(enum.IntEnum):
    """The depth of a board's rest."""

    AWAKE = 0
    STILL = 1
    """Nothing has moved for some seconds, so sensors are read less often; light stays as it is."""
    DIM = 2
    """The lights of moves have faded."""
    ASLEEP = 3
    """One point breathes, and sensors are read even less often."""

    @property
    def min_period(self) -> Microseconds:
        """The least time between two frames at this depth."""
        return _MIN_PERIODS[self]


_MIN_PERIODS = 0, STILL_PERIOD, STILL_PERIOD, SLEEP_PERIOD


class RestTracker(PlayPart):
    """The time since a board was last used."""

    def __init__(self, rest: Rest) -> None:
        self.depth = RestDepth.AWAKE
        """The depth at the last `deepen`."""
        self.is_night = False
        """True in the hours in which the board shines less."""
        self.count_to(rest)
        self._since: Microseconds | None = None
        """The time of the last use; None before the first frame."""
        self._is_dimmed = False

    def count_to(self, rest: Rest, still_after_s: float = STILL_AFTER_S) -> None:
        """Rest at the times of `rest`; without a change for `still_after_s`, a board is still."""
        self._after = {
            depth: round(seconds * _SECOND)
            for depth, seconds in (
                (RestDepth.STILL, still_after_s),
                (RestDepth.DIM, rest.dim_after_s),
                (RestDepth.ASLEEP, rest.sleep_after_s),
            )
            if seconds
        }

    def on_use(self, now: Microseconds) -> None:
        """Wake, and begin to count again."""
        self._since = now
        self.depth = RestDepth.AWAKE
        self._is_dimmed = False

    def dim(self) -> None:
        """Let the lights of moves end at the next `deepen`, until the board is used again."""
        self._is_dimmed = True

    def deepen(self, now: Microseconds, *, clock_runs: bool = False) -> bool:
        """Return True if the rest has become deeper by `now`; a player whose clock runs is no rest."""
        if self._since is None or clock_runs:
            self._since = now
        since = self._since
        reached = [depth for depth, after in self._after.items() if now - since >= after]
        least = RestDepth.DIM if self._is_dimmed else RestDepth.AWAKE
        before, self.depth = self.depth, max(reached, default=least)
        return self.depth > before

    def dimmed(self, brightness: float) -> float:
        """Return the brightness of a board that would have this one by day, in use."""
        if self.depth is RestDepth.ASLEEP:
            return min(brightness, SLEEP_BRIGHTNESS)
        return min(brightness, NIGHT_BRIGHTNESS) if self.is_night else brightness

    @property
    def deepens_at(self) -> Microseconds | None:
        """The time at which the rest becomes deeper although nothing happens; None if it doesn't.

        It isn't a deadline, as only light changes.
        """
        if self._since is None:
            return None
        dues = [self._since + after for depth, after in self._after.items() if depth > self.depth]
        return min(dues, default=None)

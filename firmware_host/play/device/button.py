"""The presses of a board's button, by their length: it asks, pauses, or switches off.

Invariants: a press counts when it ends, but one of five seconds while it lasts, so that light answers it. One
that began before the program counts for nothing; after ten seconds the button is stuck. Bounce of up to 30 ms
is not a press. Time is an argument.
"""

from __future__ import annotations

import enum

from firmware_host.ports import NOTHING, SOMETHING
from firmware_host.settings import Microseconds
from firmware_host.tracking.debounce import Debouncer

SETTLING: Microseconds = 40_000
"""The time for which a button has to be steady: longer than a worn one bounces, shorter than any press."""
PAUSE_AFTER: Microseconds = 600_000
NOTHING_AFTER: Microseconds = 2_000_000
OFF_AFTER: Microseconds = 5_000_000
STUCK_AFTER: Microseconds = 10_000_000


class Press(enum.Enum):
    """The meaning of a press."""

    ASK = "ask"
    PAUSE = "pause"
    OFF = "off"


class ButtonPresses:
    """The presses of one button."""

    def __init__(self) -> None:
        self.is_down = False
        """True while the button is pressed, once it has settled."""
        self.is_stuck = False
        """True while it is pressed for so long that nobody can mean it."""
        self._debouncer = Debouncer(SETTLING)
        self._since: Microseconds | None = None
        """The time since which it is as it is; None before the first reading."""
        self._counts = False

    def update(self, now: Microseconds, *, is_down: bool) -> Press | None:
        """Return the press that counts with this reading of the button at `now`."""
        (reading,) = self._debouncer.update((SOMETHING if is_down else NOTHING,), now)
        was_down, self.is_down = self.is_down, reading == SOMETHING
        if self._since is None:
            self._since = now
        elif self.is_down != was_down:
            held, self._since = now - self._since, now
            meant, self._counts = self._counts, self.is_down
            self.is_stuck = False
            return _meaning(held) if meant else None
        elif self.is_down:
            held = now - self._since
            self.is_stuck = held >= STUCK_AFTER
            if self._counts and held >= OFF_AFTER:
                self._counts = False
                return Press.OFF
        return None

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something may happen although the button stays as it is; None if nothing will."""
        dues = [self._debouncer.deadline]
        if self.is_down and not self.is_stuck and self._since is not None:
            dues.append(self._since + (OFF_AFTER if self._counts else STUCK_AFTER))
        return min((due for due in dues if due is not None), default=None)


def _meaning(held: Microseconds) -> Press | None:
    """Return the meaning of a press of this length."""
    if held >= NOTHING_AFTER:
        return None
    return Press.PAUSE if held >= PAUSE_AFTER else Press.ASK

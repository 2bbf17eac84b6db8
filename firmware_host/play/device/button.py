"""The presses of a board's button, by their length: it asks, pauses, switches off, or opens the own Wi-Fi.

The second of two quick presses shows the last turn.

Invariants: a press counts when it ends, but those of five and of ten seconds while they last, so that light
answers them. So the first of two quick presses asks, and the second takes that back. One that began before
the program counts for nothing; after fifteen seconds the button is stuck. Bounce of up to 30 ms is not a
press. Time is an argument.
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
WIFI_AFTER: Microseconds = 10_000_000
STUCK_AFTER: Microseconds = 15_000_000
TWICE_WITHIN: Microseconds = 400_000
"""The longest time between two presses that are one request."""


class Press(enum.Enum):
    """The meaning of a press."""

    ASK = "ask"
    TWICE = "twice"
    """The second of two quick presses; the first was ASK."""
    PAUSE = "pause"
    OFF = "off"
    WIFI = "wifi"
    """OFF held on: the board is to open its own Wi-Fi."""


_WHILE_HELD = ((OFF_AFTER, Press.OFF), (WIFI_AFTER, Press.WIFI))
"""The presses that count while they last."""


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
        self._ahead: tuple[tuple[Microseconds, Press], ...] = ()
        """Those of _WHILE_HELD that this press may still become."""
        self._asked_at: Microseconds | None = None
        """The end of the last press, if another one soon after it belongs to it."""

    def press_at(self, now: Microseconds, *, is_down: bool) -> Press | None:
        """Return the press that counts with this reading of the button at `now`."""
        (reading,) = self._debouncer.update((SOMETHING if is_down else NOTHING,), now)
        was_down, self.is_down = self.is_down, reading == SOMETHING
        if self._since is None:
            self._since = now
        elif self.is_down != was_down:
            began, self._since = self._since, now
            meant, self._counts = self._counts, self.is_down
            self._ahead = _WHILE_HELD if self.is_down else ()
            self.is_stuck = False
            return self._ended(began, now) if meant else None
        elif self.is_down:
            held = now - self._since
            self.is_stuck = held >= STUCK_AFTER
            if self._ahead and held >= self._ahead[0][0]:
                (_, press), *ahead = self._ahead
                self._counts, self._ahead = False, tuple(ahead)
                return press
        return None

    def _ended(self, began: Microseconds, now: Microseconds) -> Press | None:
        """Return the meaning of a press from `began` to `now`."""
        asked_at, self._asked_at = self._asked_at, None
        press = _meaning(now - began)
        if press is not Press.ASK:
            return press
        if asked_at is not None and began - asked_at <= TWICE_WITHIN:
            return Press.TWICE
        self._asked_at = now
        return press

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something may happen although the button stays as it is; None if nothing will."""
        dues = [self._debouncer.deadline]
        if self.is_down and not self.is_stuck and self._since is not None:
            dues.append(self._since + (self._ahead[0][0] if self._ahead else STUCK_AFTER))
        return min((due for due in dues if due is not None), default=None)


def _meaning(held: Microseconds) -> Press | None:
    """Return the meaning of a press of this length."""
    if held >= NOTHING_AFTER:
        return None
    return Press.PAUSE if held >= PAUSE_AFTER else Press.ASK

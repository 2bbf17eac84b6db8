"""Notifications to the service manager, pass after pass: readiness, watchdog, status.

Invariants: the board is ready with its first good frame. Until then the manager is asked to wait, as long as
the loop runs, since the page must be there to show the fault. Afterwards the watchdog is served only while
every part makes progress. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.frozen import frozen
from firmware_host.play.board import LoopCounters
from firmware_host.runtime.crash_counter import STABLE_AFTER_S
from firmware_host.runtime.sd_notify import Notifier
from firmware_host.settings import Microseconds

_START_TIMEOUT: Microseconds = 30_000_000
"""The extension that is asked for while a board cannot read its sensors yet."""
_STABLE_AFTER: Microseconds = round(STABLE_AFTER_S * 1_000_000)
_POLL_INTERVAL: Microseconds = 200_000
_BEATS_PER_TIMEOUT = 4
"""Heartbeats within the watchdog's timeout, so that one slow moment does no harm."""


class Heartbeat:
    """Decides when a heartbeat is due: at most one in each period `every`, and none if any part stalls."""

    def __init__(self, every: Microseconds) -> None:
        self._every = every
        self._last: tuple[LoopCounters, Microseconds] | None = None

    def beats(self, progress: LoopCounters, now: Microseconds) -> bool:
        """Return whether a heartbeat is due at `now`; if so, it counts as sent."""
        if self._last is not None:
            earlier, since = self._last
            if now - since < self._every or not progress.is_past(earlier):
                return False
        self._last = progress, now
        return True


@frozen
class BoardCondition:
    """The condition of a board: the progress of its parts, the good frames so far, and its status text."""

    progress: LoopCounters
    frames: int
    text: str


class ServiceReporter:
    """Reports one board to a service manager, with a watchdog timeout of `watchdog` or None."""

    def __init__(
        self,
        notifier: Notifier,
        watchdog: Microseconds | None,
        *,
        is_ready: bool = False,
        stayed_well: Callable[[], object] = lambda: None,
    ) -> None:
        """Report to `notifier`; with `is_ready`, readiness was sent already.

        `stayed_well` is called once, after STABLE_AFTER_S.
        """
        self._notifier = notifier
        self._stayed_well: Callable[[], object] | None = stayed_well
        self._pulse = None if watchdog is None else Heartbeat(watchdog // _BEATS_PER_TIMEOUT)
        self.is_ready = is_ready
        """True once readiness was sent."""
        self._sent_text = ""
        self._next: Microseconds = 0

    def passed(self, condition: Callable[[], BoardCondition], now: Microseconds) -> None:
        """Send what is due after the pass at `now`; `condition` is called a few times a second."""
        if self._stayed_well is not None and now >= _STABLE_AFTER:
            self._stayed_well()
            self._stayed_well = None
        if now < self._next or not self._notifier.has_listener:
            return
        self._next = now + _POLL_INTERVAL
        board = condition()
        if not self.is_ready:
            self._begin(board)
            return
        if self._pulse is not None and self._pulse.beats(board.progress, now):
            self._notifier.tell(WATCHDOG=1)
        if board.text != self._sent_text and self._notifier.tell(STATUS=board.text):
            self._sent_text = board.text

    def _begin(self, board: BoardCondition) -> None:
        if board.frames:
            self.is_ready = self._notifier.tell(READY=1, STATUS=board.text)
        else:
            self._notifier.tell(EXTEND_TIMEOUT_USEC=_START_TIMEOUT, STATUS=board.text)
        self._sent_text = board.text

    def stopping(self) -> None:
        """Send that the program is about to end."""
        self._notifier.tell(STOPPING=1, STATUS="going dark")
        self._notifier.close()

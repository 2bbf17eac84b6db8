"""The board as a service: what the service manager is told of it, pass after pass.

Rules kept here: the board is ready with its first good frame; until then the manager is asked for patience,
as long as the loop goes round, since the page must stay to say what is wrong; after that it hears of life
only while every part comes round (`pulse`). Time is an argument.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_host.play.board import Progress
from firmware_host.runtime.crash_counter import WELL_S
from firmware_host.runtime.sd_notify import Notifier
from firmware_host.settings import Microseconds

_PATIENCE: Microseconds = 30_000_000
"""How long the manager waits for the next word of a board that cannot feel its pieces yet."""
_WELL: Microseconds = round(WELL_S * 1_000_000)
_LOOK_EVERY: Microseconds = 200_000
_BEATS_IN_TIME = 4
"""Beats in the time in which the manager wants one, so that a slow moment does no harm."""


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


@dataclass(frozen=True, slots=True)
class Condition:
    """How a board is: how far its parts have come, how many good frames there were, and what it says."""

    progress: Progress
    frames: int
    text: str


class Service:
    """One board under a service manager that wants a sign of life within `watchdog` (None: it wants none)."""

    def __init__(
        self,
        notifier: Notifier,
        watchdog: Microseconds | None,
        *,
        is_ready: bool = False,
        stayed_well: Callable[[], object] = lambda: None,
    ) -> None:
        """`is_ready`: the manager was told so already; `stayed_well` is called once, after WELL_S."""
        self._notifier = notifier
        self._stayed_well: Callable[[], object] | None = stayed_well
        self._pulse = None if watchdog is None else Pulse(watchdog // _BEATS_IN_TIME)
        self._ready = is_ready
        self._told = ""
        self._next: Microseconds = 0

    def passed(self, condition: Callable[[], Condition], now: Microseconds) -> None:
        """Tell what is due after the pass at `now`; `condition` is asked a few times a second."""
        if self._stayed_well is not None and now >= _WELL:
            self._stayed_well()
            self._stayed_well = None
        if now < self._next or not self._notifier.is_heard:
            return
        self._next = now + _LOOK_EVERY
        board = condition()
        if not self._ready:
            self._begin(board)
            return
        if self._pulse is not None and self._pulse.beats(board.progress, now):
            self._notifier.tell(WATCHDOG=1)
        if board.text != self._told and self._notifier.tell(STATUS=board.text):
            self._told = board.text

    def _begin(self, board: Condition) -> None:
        if board.frames:
            self._ready = self._notifier.tell(READY=1, STATUS=board.text)
        else:
            self._notifier.tell(EXTEND_TIMEOUT_USEC=_PATIENCE, STATUS=board.text)
        self._told = board.text

    def stopping(self) -> None:
        """Tell that the program is about to end."""
        self._notifier.tell(STOPPING=1, STATUS="going dark")
        self._notifier.close()

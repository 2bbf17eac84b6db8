"""Notifications to the service manager, pass after pass: readiness, watchdog, status.

Invariants: the board is ready with its first good frame. Until then the manager is asked to wait, as long as
the loop runs, since the page must be there to show the fault. Afterwards the watchdog is served only while
every part makes progress. Time is an argument.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping

from firmware_host.frozen import frozen
from firmware_host.play.board import LoopCounters
from firmware_host.runtime.crash_counter import STABLE_AFTER_S
from firmware_host.settings import Microseconds

# ---- the protocols of systemd ---------------------------------------------------------------------------
# The protocols between the program and systemd: notifications, and a socket opened for the page.
#
# The protocols (sd_notify(3), sd_listen_fds(3)) are a dozen lines on top of Python's sockets. The packages
# for them are either compiled against libsystemd or one class that does no more than this.
#
# Invariants: nothing is ever waited for, since the board's loop sends the notifications. If nobody listens,
# nothing is sent and the board plays on.


_FIRST_INHERITED_FD = 3  # SD_LISTEN_FDS_START


class Notifier:
    """Sends notifications to `address`, a path or `@` and an abstract name, if there is one."""

    def __init__(self, address: str | None = None) -> None:
        self._address = _address(address)
        self._socket: socket.socket | None = None

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Notifier:
        """Return the notifier of a program with this environment."""
        return cls(environ.get("NOTIFY_SOCKET"))

    @property
    def has_listener(self) -> bool:
        """True if there is a service manager to notify."""
        return self._address is not None

    def tell(self, **fields: object) -> bool:
        """Send the fields, such as `READY=1`, in one message; return whether it was accepted.

        A text is sent on one line, since each line of a message is a field.
        """
        if self._address is None:
            return False
        message = "\n".join(f"{name}={' '.join(str(value).split())}" for name, value in fields.items())
        try:
            if self._socket is None:
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
            self._socket.sendto(message.encode(), self._address)
        except OSError:  # it has gone, or its queue is full; anything that matters is sent again
            return False
        return True

    def close(self) -> None:
        """Close the socket; may be called twice."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def watchdog_us(environ: Mapping[str, str], pid: int) -> Microseconds | None:
    """Return the watchdog timeout of the process `pid`, or None if there is none.

    By sd_watchdog_enabled(3), a timeout that is meant for another process does not apply.
    """
    asked, of = environ.get("WATCHDOG_USEC", ""), environ.get("WATCHDOG_PID", "")
    if not asked.isascii() or not asked.isdigit() or of not in ("", str(pid)):
        return None
    return int(asked) or None


def inherited_socket(
    environ: Mapping[str, str], pid: int, *, first: int = _FIRST_INHERITED_FD
) -> socket.socket | None:
    """Return the listening socket that systemd passed to the process `pid` as file `first`, or None."""
    if environ.get("LISTEN_PID") != str(pid) or environ.get("LISTEN_FDS") != "1":
        return None
    return socket.socket(fileno=first)


def _address(given: str | None) -> str | None:
    if given is None or len(given) < 2 or given[0] not in "/@":
        return None  # a kind of socket that is not known here, as systemd's own function has it
    return "\0" + given[1:] if given.startswith("@") else given


# ---- the watchdog ---------------------------------------------------------------------------------------


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

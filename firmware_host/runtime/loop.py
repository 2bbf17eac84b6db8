"""The board's loop in real time: the only clock, the only waiting, the only signals.

Rules kept here: frames are due at absolute times, so that lateness never adds up, and a frame that comes too
late is left out and counted; the loop's thread alone touches the board; others hand it work through a queue
and wait for nothing but the answer, and however much they ask for, no pass does more than a little of it, and
no thread of theirs computes for long while a frame is due; a signal only sets a flag. A clock that leaps
ahead, as after a machine was stopped, leaves frames out; one that leaps back makes nobody wait for it.
"""

from __future__ import annotations

import gc
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import Empty, Full, Queue
from types import FrameType
from typing import Any, Protocol, TypeVar

from firmware_host.errors import RequestError
from firmware_host.i18n import Message
from firmware_host.play.events import Event
from firmware_host.settings import Microseconds

_T = TypeVar("_T")
_SECOND: Microseconds = 1_000_000

_LONGEST_TURN_S = 0.0005
_PATIENCE_S = 5.0
"""How long who waits for the loop does."""

MOST_WAITING = 64
"""So much work may wait for the loop; more is refused."""
MOST_IN_A_PASS = 4
"""So much of it is done between two passes at most."""
LONG_WORK: Microseconds = 1_000
"""Work is begun between two passes as long as what was done of it there has taken less than this."""


def wall_ms() -> int:
    """The time of day, in milliseconds since 1970; it may jump."""
    return time.time_ns() // 1_000_000


def since_boot_s() -> float:
    """Seconds since this machine was switched on; it does not jump."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def time_of_day(in_s: float = 0.0) -> str:
    """The time of day in so many seconds, as `14:05`, by the clock of this machine."""
    return time.strftime("%H:%M", time.localtime(time.time() + in_s))


class Ticking(Protocol):
    """What a loop drives: a board that is played on, or set up."""

    def tick(self, now: Microseconds) -> tuple[Event, ...]:
        """Do one pass at `now` and say what happened."""


class Loop:
    """Passes of one board at a steady rate, in the thread that calls `run`."""

    def __init__(
        self,
        board: Ticking,
        frame_rate_hz: int,
        *,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.missed = 0
        """Frames that were left out because the pass before them took too long."""
        self._board = board
        self._period = _SECOND // frame_rate_hz
        self._clock_ns = clock_ns
        self._sleep = sleep
        self._work: Queue[Callable[[], None]] = Queue(MOST_WAITING)
        self._stopping = threading.Event()

    def run(self, after: Callable[[tuple[Event, ...], Microseconds], None]) -> None:
        """Go on until `stop`; `after` is called behind each pass with what happened and the frame's time."""
        began = self._clock_ns()
        due: Microseconds = 0
        while not self._stopping.is_set():
            self._do_work()
            after(self._board.tick(due), due)
            due += self._period
            ahead = due - (self._clock_ns() - began) // 1000
            if ahead > self._period:  # the clock went back
                began -= (ahead - self._period) * 1000
                ahead = self._period
            if ahead > 0:
                self._sleep(ahead / _SECOND)
            elif late := -ahead // self._period:
                self.missed += late
                due += late * self._period

    def submit(self, work: Callable[[], _T]) -> Future[_T]:
        """Have `work` done between two passes; from any thread.

        The future raises what the work raises, and RequestError where too much waits already.
        """
        future: Future[_T] = Future()

        def do() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work())
            except Exception as error:  # noqa: BLE001 - it is the asker's, who gets it from the future
                future.set_exception(error)

        try:
            self._work.put_nowait(do)
        except Full:
            future.set_exception(RequestError(Message("refused.too-much")))
        return future

    def ask(self, work: Callable[[], _T]) -> _T:
        """What `work` gives, which is done between two passes; from any other thread, which waits.

        Raises what the work raises, and TimeoutError where the loop does not come to it within seconds.
        """
        return self.submit(work).result(_PATIENCE_S)

    def stop(self) -> None:
        """End `run` after the pass that goes on; from any thread or a signal handler."""
        self._stopping.set()

    def _do_work(self) -> None:
        end = self._clock_ns() + LONG_WORK * 1000
        for _ in range(MOST_IN_A_PASS):
            try:
                do = self._work.get_nowait()
            except Empty:
                return
            do()
            if self._clock_ns() >= end:
                return


@contextmanager
def keeping_time() -> Iterator[None]:
    """Let no other thread of this process keep the loop from a frame for longer than a small part of it."""
    before = sys.getswitchinterval()
    # A thread that computes lets the loop's go on after so long; by itself, Python lets it wait for a frame.
    sys.setswitchinterval(_LONGEST_TURN_S)
    # What is there now stays as long as the program: to search it for garbage stops all threads for frames.
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        sys.setswitchinterval(before)


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Have SIGINT and SIGTERM call `stop`, which must only set a flag."""

    def handle(_number: int, _frame: FrameType | None) -> None:
        stop()

    before: dict[int, Any] = {n: signal.signal(n, handle) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

"""The board's loop in real time: the only frames, the only sleep, the only signal handlers.

Invariants: frames are due at absolute times, so that delays never add up, and a frame that is too late is
skipped and counted. Only the loop's thread touches the board. Other threads queue work for it and wait for
nothing but the result; however much they queue, each pass does only a little of it, and none of those threads
computes for long while a frame is due. Nobody waits for a loop that has ended. A signal only sets a flag. A
clock that jumps ahead, as after the machine was suspended, skips frames; one that jumps back delays nothing.
"""

from __future__ import annotations

import gc
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from queue import Empty, Full, Queue
from types import FrameType
from typing import Any, Protocol, TypeVar

from firmware_host.errors import RequestError
from firmware_host.i18n import Message
from firmware_host.play.events import Event
from firmware_host.settings import Microseconds

# ---- the frame rate -------------------------------------------------------------------------------------
# The frame rate that a machine can hold, found while it runs.
#
# A slow Pi may need more than the configured time for a frame. Its loop would then always be late, skip
# frames at random and leave no time to other programs. Instead the rate is lowered until passes take two
# thirds of the time, and raised again when there has been room for a while.
#
# Invariants: no clock; the caller measures. The rate never exceeds the configured one, and never falls below
# `MIN_HZ`, at which hands are still followed. A single late frame changes nothing.


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


# ---- the loop -------------------------------------------------------------------------------------------


_T = TypeVar("_T")

_SWITCH_INTERVAL_S = 0.0005
_ASK_TIMEOUT_S = 5.0
"""The time that another thread waits for the loop."""

MAX_QUEUED_WORK = 64
"""The size of the queue of work; more is refused."""
MAX_WORK_PER_PASS = 4
"""The pieces of work done between two passes at most."""
MAX_WORK_TIME: Microseconds = 1_000
"""The time for work between two passes; once it is used up, no more is begun."""


class TickingBoard(Protocol):
    """A board that a loop drives, to play or to set up."""

    def tick(self, now: Microseconds) -> tuple[Event, ...]:
        """Do one pass at `now` and return the events."""


class Loop:
    """Passes of one board at a steady rate, in the thread that calls `run`.

    With a `pace`, the rate is the one that the machine can hold. `min_period` is asked after each pass for
    the least time until the next one, which is longer while nobody uses the board.
    """

    def __init__(
        self,
        board: TickingBoard,
        frame_rate_hz: int,
        *,
        pace: FramePace | None = None,
        min_period: Callable[[], Microseconds] = lambda: 0,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.missed = 0
        """The frames skipped because the pass before them took too long."""
        self._board = board
        self._fixed_period = _SECOND // frame_rate_hz
        self._pace = pace
        self._min_period = min_period
        self._clock_ns = clock_ns
        self._sleep = sleep
        self._work: Queue[Callable[[], None]] = Queue(MAX_QUEUED_WORK)
        self._stopping, self._ended = threading.Event(), threading.Event()

    def run(self, after: Callable[[tuple[Event, ...], Microseconds], None]) -> None:
        """Run until `stop`; `after` is called after each pass with its events and the frame's time."""
        try:
            self._pass_until_stopped(after)
        finally:
            self._ended.set()
            self._refuse_rest()

    def _pass_until_stopped(self, after: Callable[[tuple[Event, ...], Microseconds], None]) -> None:
        began = self._clock_ns()
        due: Microseconds = 0
        while not self._stopping.is_set():
            started = self._clock_ns()
            self._do_work()
            after(self._board.tick(due), due)
            ended = self._clock_ns()
            period = self._next_period((ended - started) // 1000)
            due += period
            ahead = due - (ended - began) // 1000
            if ahead > period:  # the clock went back
                began -= (ahead - period) * 1000
                ahead = period
            if ahead > 0:
                self._sleep(ahead / _SECOND)
            elif late := -ahead // period:
                self.missed += late
                due += late * period

    def _next_period(self, took: Microseconds) -> Microseconds:
        """Return the time from this frame to the next, after a pass of this duration."""
        least = self._min_period()
        if self._pace is None:
            return max(self._fixed_period, least)
        # Passes that are further apart find cold caches, and have more time than others.
        if least <= self._pace.period:
            self._pace.passed(took)
        return max(self._pace.period, least)

    def submit(self, work: Callable[[], _T]) -> Future[_T]:
        """Queue `work` to be done between two passes; from any thread.

        The future raises what the work raises, RequestError if the queue is full, and TimeoutError after the
        loop has ended.
        """
        future: Future[_T] = Future()

        def do() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                if self._ended.is_set():
                    raise TimeoutError
                future.set_result(work())
            except Exception as error:  # noqa: BLE001 - it is the asker's, who gets it from the future
                future.set_exception(error)

        try:
            self._work.put_nowait(do)
        except Full:
            future.set_exception(RequestError(Message("refused.too-much")))
        if self._ended.is_set():  # perhaps after `run` refused the rest
            self._refuse_rest()
        return future

    def ask(self, work: Callable[[], _T]) -> _T:
        """Have `work` done between two passes and return its result; from any other thread, which waits.

        Raises what the work raises, and TimeoutError if the loop does not get to it within seconds, or has
        ended.
        """
        return self.submit(work).result(_ASK_TIMEOUT_S)

    def stop(self) -> None:
        """End `run` after the current pass; from any thread or a signal handler."""
        self._stopping.set()

    def _refuse_rest(self) -> None:
        """Refuse the work that nobody is left to do."""
        with suppress(Empty):
            while True:
                self._work.get_nowait()()

    def _do_work(self) -> None:
        if self._work.empty():
            return
        end = self._clock_ns() + MAX_WORK_TIME * 1000
        for _ in range(MAX_WORK_PER_PASS):
            try:
                do = self._work.get_nowait()
            except Empty:
                return
            do()
            if self._clock_ns() >= end:
                return


@contextmanager
def prioritized_loop() -> Iterator[None]:
    """Keep other threads of this process from delaying the loop by more than a small part of a frame."""
    before = sys.getswitchinterval()
    # A computing thread yields to the loop's after this interval; Python's default would cost a whole frame.
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    # Everything alive now lives as long as the program: searching it for garbage would stop all threads for
    # several frames.
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

"""The loop keeps its deadlines, does others' work between passes, and ends on request."""

from __future__ import annotations

import gc
import os
import signal
import sys
from concurrent.futures import Future
from dataclasses import dataclass, field

import pytest

from firmware_host.errors import RequestError
from firmware_host.runtime.loop import (
    MAX_QUEUED_WORK,
    MAX_WORK_PER_PASS,
    MAX_WORK_TIME,
    Loop,
    prioritized_loop,
    stopped_by_signals,
)


@dataclass
class SlowClock:
    """A clock that only sleeping and slow passes move."""

    now_ns: int = 7_000_000_000
    slept: list[float] = field(default_factory=list)

    def read(self) -> int:
        return self.now_ns

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now_ns += round(seconds * 1e9)


@dataclass
class SlowBoard:
    """A board each of whose passes takes the next of `takes_us`; it stops the loop when there is none."""

    clock: SlowClock
    takes_us: list[int]
    ticks: list[int] = field(default_factory=list)

    def tick(self, now: int) -> tuple[()]:
        self.ticks.append(now)
        self.clock.now_ns += 1000 * self.takes_us[len(self.ticks) - 1]
        return ()


def run(takes_us: list[int]) -> tuple[Loop, SlowBoard, SlowClock]:
    clock = SlowClock()
    board = SlowBoard(clock, takes_us)
    loop = Loop(board, 200, clock_ns=clock.read, sleep=clock.sleep)  # type: ignore[arg-type]

    def after(_events: object, _now: int) -> None:
        if len(board.ticks) == len(takes_us):
            loop.stop()

    loop.run(after)
    return loop, board, clock


def test_passes_are_due_at_absolute_times_however_long_each_takes() -> None:
    loop, board, clock = run([100, 3000, 4999, 10])
    assert board.ticks == [0, 5000, 10_000, 15_000]
    assert clock.slept[:3] == pytest.approx([0.0049, 0.002, 0.000001])
    assert loop.missed == 0


def test_board_at_rest_is_passed_less_often_until_it_wakes() -> None:
    clock = SlowClock()
    board = SlowBoard(clock, [100, 4000, 100, 100, 100])
    loop = Loop(  # type: ignore[arg-type]
        board,
        200,
        clock_ns=clock.read,
        sleep=clock.sleep,
        min_period=lambda: 15_000 if len(board.ticks) in (2, 3) else 0,
    )
    loop.run(lambda _events, _now: loop.stop() if len(board.ticks) == 5 else None)
    assert board.ticks == [0, 5000, 20_000, 35_000, 40_000]
    assert loop.missed == 0


def test_a_pass_that_is_a_little_late_is_made_up_and_not_left_out() -> None:
    loop, board, _ = run([7000, 100, 100])
    assert board.ticks == [0, 5000, 10_000]
    assert loop.missed == 0


def test_frames_that_came_too_late_are_left_out_and_counted() -> None:
    loop, board, _ = run([23_000, 100, 100])
    assert board.ticks == [0, 20_000, 25_000]
    assert loop.missed == 3


def test_work_is_done_between_passes_and_its_result_and_its_errors_go_to_who_asked() -> None:
    clock = SlowClock()
    board = SlowBoard(clock, [100] * 3)
    loop = Loop(board, 200, clock_ns=clock.read, sleep=clock.sleep)  # type: ignore[arg-type]
    done = loop.submit(lambda: len(board.ticks))
    failed = loop.submit(lambda: 1 // 0)
    cancelled = loop.submit(lambda: board.ticks.clear())
    cancelled.cancel()
    loop.submit(loop.stop)
    loop.run(lambda _events, _now: None)
    assert done.result() == 0
    assert isinstance(failed.exception(), ZeroDivisionError)
    assert board.ticks == [0]


def test_nobody_waits_for_a_loop_that_has_ended() -> None:
    clock = SlowClock()
    board = SlowBoard(clock, [100])
    loop = Loop(board, 200, clock_ns=clock.read, sleep=clock.sleep)  # type: ignore[arg-type]
    waiting: list[Future[int]] = []

    def after(_events: object, _now: int) -> None:
        waiting.append(loop.submit(lambda: 1))
        loop.stop()

    loop.run(after)
    assert isinstance(waiting[0].exception(0), TimeoutError)
    assert isinstance(loop.submit(lambda: 1).exception(0), TimeoutError)


def test_who_asks_for_too_much_is_refused_and_no_pass_does_more_than_a_little_of_it() -> None:
    clock = SlowClock()
    board = SlowBoard(clock, [100] * 40)
    loop = Loop(board, 200, clock_ns=clock.read, sleep=clock.sleep)  # type: ignore[arg-type]
    done_at: list[int] = []
    asked = [loop.submit(lambda: done_at.append(len(board.ticks))) for _ in range(1000)]
    refused = [future for future in asked if future.done()]
    assert len(refused) == 1000 - MAX_QUEUED_WORK
    assert all(isinstance(future.exception(), RequestError) for future in refused)
    loop.run(lambda _events, _now: loop.stop() if len(board.ticks) == 40 else None)
    assert len(done_at) == MAX_QUEUED_WORK
    assert max(done_at.count(tick) for tick in done_at) == MAX_WORK_PER_PASS
    assert loop.submit(lambda: 1).running() is False


@pytest.mark.parametrize(
    ("takes_us", "in_a_pass"), [(MAX_WORK_TIME, 1), (MAX_WORK_TIME // 2, 2), (1, MAX_WORK_PER_PASS)]
)
def test_behind_long_work_no_more_is_begun_before_the_next_pass(takes_us: int, in_a_pass: int) -> None:
    clock = SlowClock()
    board = SlowBoard(clock, [100] * 40)
    loop = Loop(board, 200, clock_ns=clock.read, sleep=clock.sleep)  # type: ignore[arg-type]
    done_at: list[int] = []

    def work() -> None:
        clock.now_ns += takes_us * 1000
        done_at.append(len(board.ticks))

    for _ in range(8):
        loop.submit(work)
    loop.run(lambda _events, _now: loop.stop() if len(board.ticks) == 40 else None)
    assert done_at == [n // in_a_pass for n in range(8)]


def test_while_time_is_kept_threads_take_short_turns_and_what_stays_is_not_searched_for_garbage() -> None:
    before, frozen = sys.getswitchinterval(), gc.get_freeze_count()
    with prioritized_loop():
        assert sys.getswitchinterval() <= 0.001
        assert gc.get_freeze_count() > frozen
    assert sys.getswitchinterval() == before
    assert gc.get_freeze_count() == 0


def leaping(by_us: int) -> tuple[Loop, SlowBoard, SlowClock]:
    """Ten passes, in the third of which the clock leaps."""
    return run([100, 100, by_us, *[100] * 7])


def test_a_machine_that_was_stopped_for_an_hour_goes_on_at_once_and_time_does_not_go_back() -> None:
    loop, board, clock = leaping(3_600_000_000)
    assert board.ticks == sorted(board.ticks)
    assert board.ticks[3] == 3_600_010_000
    assert loop.missed == 3_600_000_000 // 5000 - 1
    assert max(clock.slept) <= 0.005


def test_nobody_waits_for_a_clock_that_went_back() -> None:
    loop, board, clock = leaping(-3_600_000_000)
    assert board.ticks == [5000 * n for n in range(10)]
    assert max(clock.slept) <= 0.005
    assert loop.missed == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_only_calls_stop_and_the_handlers_before_are_put_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    stopped: list[bool] = []
    with stopped_by_signals(lambda: stopped.append(True)):
        os.kill(os.getpid(), number)
    assert stopped == [True]
    assert signal.getsignal(number) is before

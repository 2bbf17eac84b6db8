"""The frame rate falls to what a machine can hold, and comes back; all in virtual time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.runtime.loop import MIN_HZ, FramePace, Loop

MS = 1_000


class PacedMachine:
    """A clock, and a board whose passes take `pass_us` on it."""

    def __init__(self, pass_us: int) -> None:
        self.pass_us = pass_us
        self.now_ns = 0
        self.ticks = 0

    def tick(self, _now: int) -> tuple[()]:
        self.now_ns += self.pass_us * 1000
        self.ticks += 1
        return ()

    def sleep(self, seconds: float) -> None:
        self.now_ns += round(seconds * 1e9)


class Run:
    """A loop on such a machine, which goes on where it was stopped."""

    min_period = 0

    def __init__(self, pass_us: int, hz: int = 200) -> None:
        self.machine = PacedMachine(pass_us)
        self.pace = FramePace(hz)
        self.hz = hz
        self.missed = 0

    def seconds(self, count: float) -> float:
        """Run for `count` seconds, and return the frames per second."""
        machine, end = self.machine, self.machine.now_ns + count * 1e9
        began, before = machine.now_ns, machine.ticks
        loop = Loop(
            machine,
            self.hz,
            pace=self.pace,
            clock_ns=lambda: machine.now_ns,
            sleep=machine.sleep,
            min_period=lambda: self.min_period,
        )
        loop.run(lambda _events, _now: loop.stop() if machine.now_ns >= end else None)
        self.missed = loop.missed
        return (machine.ticks - before) * 1e9 / (machine.now_ns - began)


def test_a_machine_that_is_fast_enough_keeps_its_rate_and_misses_nothing() -> None:
    run = Run(4 * MS)
    assert round(run.seconds(60)) == 200
    assert (run.missed, run.pace.is_slowed) == (0, False)


def test_a_slow_machine_takes_a_rate_that_it_can_hold() -> None:
    run = Run(7 * MS)
    run.seconds(5)
    assert run.missed > 0
    assert run.pace.is_slowed
    assert round(run.seconds(60)) == run.pace.hz == 96
    assert run.missed == 0


def test_the_rate_returns_after_half_a_minute_with_room_for_it() -> None:
    run = Run(7 * MS)
    run.seconds(10)
    run.machine.pass_us = 1 * MS
    run.seconds(20)
    assert run.pace.is_slowed
    run.seconds(15)
    assert (run.pace.is_slowed, run.pace.hz) == (False, 200)


def test_slow_passes_of_a_resting_board_do_not_lower_the_rate() -> None:
    run = Run(6 * MS)
    run.min_period = 15 * MS
    assert round(run.seconds(60)) == 67
    assert not run.pace.is_slowed


def test_a_hiccup_changes_nothing() -> None:
    run = Run(1 * MS)
    for _ in range(20):
        run.seconds(3)
        run.machine.now_ns += 300_000_000
        run.machine.pass_us = 200 * MS
        run.seconds(0.1)
        run.machine.pass_us = 1 * MS
    assert not run.pace.is_slowed


def test_a_clock_that_is_set_says_nothing_about_the_load() -> None:
    pace = FramePace(200)
    for took in (3_600_000_000, -3_600_000_000, *[1 * MS] * 1000):
        pace.passed(took)
    assert not pace.is_slowed


@given(passes=st.lists(st.integers(0, 200 * MS), min_size=1), hz=st.integers(10, 1000))
def test_the_rate_stays_between_the_configured_one_and_the_least(passes: list[int], hz: int) -> None:
    pace = FramePace(hz)
    for took in passes * 50:
        pace.passed(took)
        assert min(hz, MIN_HZ) <= pace.hz <= hz + hz * hz // 1_000_000 + 1

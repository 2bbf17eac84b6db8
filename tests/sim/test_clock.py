"""Clocks of the simulation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sim.clock import RealClock, VirtualClock


def test_virtual_time_passes_only_when_told():
    clock = VirtualClock()
    assert clock.now() == 0
    clock.sleep(20e-6)
    assert clock.now() == 20
    clock.reach(5000)
    assert clock.now() == 5000


@given(st.integers(0, 10_000_000))
def test_a_sleep_of_whole_microseconds_takes_just_so_many(microseconds):
    clock = VirtualClock()
    clock.sleep(microseconds / 1_000_000)
    assert clock.now() == microseconds


def test_a_sleep_of_part_of_a_microsecond_is_not_too_short():
    clock = VirtualClock()
    clock.sleep(1.4e-6)
    assert clock.now() == 2


def test_time_never_goes_back():
    clock = VirtualClock()
    clock.reach(100)
    clock.reach(50)
    clock.sleep(-1)
    assert clock.now() == 100


def test_scans_between_two_frames_do_not_move_the_grid():
    clock = VirtualClock()
    seen = []
    for due in range(0, 50_000, 5000):
        clock.reach(due)
        seen.append(clock.now())
        clock.sleep(160e-6)
    assert seen == list(range(0, 50_000, 5000))


def test_real_time_begins_at_nought_and_sleeps_as_it_is_told():
    ticks = iter([5_000_000, 5_000_000, 5_042_999])
    slept = []
    clock = RealClock(clock_ns=lambda: next(ticks), sleep=slept.append)
    assert clock.now() == 0
    clock.sleep(0.5)
    assert clock.now() == 42
    assert slept == [0.5]

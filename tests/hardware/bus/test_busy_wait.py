"""Waiting for microseconds."""

from __future__ import annotations

import time

import pytest

from hardware.bus.busy_wait import pause


@pytest.mark.parametrize("seconds", [0.0, 1e-6, 20e-6, 99e-6, 150e-6])
def test_it_waits_at_least_so_long(seconds):
    began = time.perf_counter()
    pause(seconds)
    assert time.perf_counter() - began >= seconds


def test_long_waits_leave_the_core_to_others():
    used = time.thread_time()
    pause(0.02)
    assert time.thread_time() - used < 0.01

"""Waiting for some microseconds.

A sleep of 20 us lasts 75 to 100 us, since the kernel wakes a thread late, and costs more of a core than
watching the clock for those 20 us does: so short waits watch it, and only longer ones sleep.
"""

from __future__ import annotations

import time

_WORTH_SLEEPING = 100e-6


def pause(seconds: float) -> None:
    """Wait at least so long."""
    if seconds >= _WORTH_SLEEPING:
        time.sleep(seconds)
        return
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass

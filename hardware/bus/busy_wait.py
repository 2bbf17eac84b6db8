"""Short waits, of some microseconds.

A sleep of 20 us lasts 75 to 100 us because the kernel wakes a thread late, and it costs more of a core than
watching the clock for those 20 us. Short waits therefore watch the clock, and only longer ones sleep.
"""

from __future__ import annotations

import time

_MIN_SLEEP_S = 100e-6


def pause(seconds: float) -> None:
    """Wait for at least `seconds`."""
    if seconds >= _MIN_SLEEP_S:
        time.sleep(seconds)
        return
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass

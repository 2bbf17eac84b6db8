"""`millwright` with the lateness of each frame written down: `python timed_board.py FILE ARGUMENT ...`.

FILE is memory that this process shares with another one, which reads it whenever it likes. So nothing is sent
or written to a disk while frames are due. This module imports nothing else of the tests, because it also runs
other versions of the program.
"""

from __future__ import annotations

import mmap
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

BUCKET_US, BUCKETS = 100, 2_000
"""A frame that is later than all buckets counts in the last one."""
_COUNTER_BYTES = 4
_DESCRIPTORS = 512
"""The open files that the service may have (LimitNOFILE)."""
FILE_BYTES = BUCKETS * _COUNTER_BYTES


class Histogram:
    """Counts of frames by their lateness, in shared memory."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(FILE_BYTES))
        with path.open("r+b") as file:
            self._counts = memoryview(mmap.mmap(file.fileno(), FILE_BYTES)).cast("I")

    def add(self, late_us: int) -> None:
        """Count a frame."""
        self._counts[min(late_us // BUCKET_US, BUCKETS - 1)] += 1


def timed(run: Callable[[Any, Any], None], histogram: Histogram) -> Callable[[Any, Any], None]:
    """Return `Loop.run`, which calls its argument after each frame with the time at which that was due.

    A frame that is done when it should be is as late as the quickest one of all, which stands for 0.
    """

    def run_timed(loop: Any, after: Callable[[Any, int], None]) -> None:
        quickest = sys.maxsize

        def after_timed(events: Any, due: int) -> None:
            nonlocal quickest
            took = time.monotonic_ns() // 1000 - due
            quickest = min(quickest, took)
            histogram.add(took - quickest)
            after(events, due)

        run(loop, after_timed)

    return run_timed


def main() -> None:
    """Run the program."""
    from firmware_host.cli import main as millwright

    resource.setrlimit(resource.RLIMIT_NOFILE, (_DESCRIPTORS, _DESCRIPTORS))
    histogram = Histogram(Path(sys.argv[1]))
    with suppress(ImportError):  # an earlier version, of which only the counters are known
        from firmware_host.runtime.loop import Loop

        setattr(Loop, "run", timed(Loop.run, histogram))  # noqa: B010 - its arguments are named otherwise
    millwright(sys.argv[2:], prog_name="millwright")


if __name__ == "__main__":
    main()

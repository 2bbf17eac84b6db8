"""Switches that are read step by step: outputs choose some of them, and inputs read those together.

A `Sweep` is the plan of a frame as `mux.py` or `matrix.py` makes it for its wiring; the scanner is the same
for all.

Invariants: all inputs are read at each step, after the settling time. Any failure on the way is a
SensorError, and the next scan starts afresh.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import TracebackType

from firmware_host.errors import SensorError, reason_of
from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from hardware.bus.busy_wait import pause
from hardware.bus.gpio import Lines
from hardware.scanner import Levels, Wire


@frozen(slots=False)
class Tap:
    """The place of a wire in a sweep: the number of the step, and of the input that reads it there."""

    stop: int
    input: int


@frozen(slots=False)
class Sweep:
    """The steps of a frame: the levels of the outputs at each, and the tap of each wire, in their order."""

    wires: tuple[Wire, ...]
    stops: tuple[int, ...]
    taps: tuple[Tap, ...]
    settling_us: Microseconds


class SweepScanner:
    """A Scanner that goes through `sweep` on `lines`, the outputs and inputs of its wiring.

    `sleep` waits for its argument in seconds.
    """

    def __init__(self, sweep: Sweep, lines: Lines, *, sleep: Callable[[float], None] = pause) -> None:
        self.wires = sweep.wires
        self._stops = sweep.stops
        # Plain pairs: a scan goes through all of them, and attributes would slow it down.
        self._taps = [(tap.stop, tap.input) for tap in sweep.taps]
        self._lines = lines
        self._settle = partial(sleep, sweep.settling_us / 1_000_000) if sweep.settling_us else None
        self._seen: list[int] = []
        self._levels: Levels = ()
        self._closed = False

    def scan(self) -> Levels:
        """Read every wire once: 1 if its contact is closed, which pulls its input down."""
        if self._closed:
            raise SensorError(Message("fault.unread.closed"))
        try:
            seen = self._lines.sweep(self._stops, self._settle)
        except Exception as error:
            raise SensorError(Message("fault.unread", {"why": reason_of(error)})) from error
        if seen != self._seen:
            self._seen = seen
            self._levels = tuple([1 - (seen[stop] >> line & 1) for stop, line in self._taps])
        return self._levels

    def close(self) -> None:
        """Release the lines; may be called twice."""
        self._closed = True
        self._lines.close()

    def __enter__(self) -> SweepScanner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

"""Reeds in a matrix of rows and columns, each with a diode, and no chips.

Rows are open drain: the one that is read is driven low, all others are released. A closed reed pulls its
column down through its diode into that row. The diode blocks the way back, so that no number of closed reeds
pretends another one.

Invariants: after each row, all are released for one settling time, so that two are never low at once and a
column that was held down can rise; it has two settling times until it is read again. Between scans all rows
are released. Only rows in use are visited. Any failure on the way is a SensorError, and the next scan starts
afresh.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from types import TracebackType

from firmware_host.errors import SensorError, reason_of
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from hardware.bus.busy_wait import pause
from hardware.bus.gpio import Lines
from hardware.scanner import Levels, Wire


def released(rows: int) -> int:
    """Return the levels that release all of this number of rows."""
    return (1 << rows) - 1


class MatrixScanner:
    """A Scanner on `lines`: `rows` open-drain outputs, and the columns as its inputs.

    A wire is the number of a row and that of a column. `sleep` waits for its argument in seconds.
    """

    def __init__(
        self,
        rows: int,
        lines: Lines,
        wires: Iterable[Wire],
        *,
        settling_us: Microseconds,
        sleep: Callable[[float], None] = pause,
    ) -> None:
        self.wires = tuple(sorted(set(wires)))
        visited = sorted({row for row, _ in self.wires})
        at_rest = released(rows)
        self._stops = [levels for row in visited for levels in (at_rest & ~(1 << row), at_rest)]
        self._taps = [(2 * visited.index(row), column) for row, column in self.wires]
        self._lines = lines
        self._settle = partial(sleep, settling_us / 1_000_000) if settling_us else None
        self._seen: list[int] = []
        self._levels: Levels = ()
        self._closed = False

    def scan(self) -> Levels:
        """Read every wire once: 1 if its contact is closed, which pulls the column down."""
        if self._closed:
            raise SensorError(Message("fault.unread.closed"))
        try:
            seen = self._lines.sweep(self._stops, self._settle)
        except Exception as error:
            raise SensorError(Message("fault.unread", {"why": reason_of(error)})) from error
        if seen != self._seen:
            self._seen = seen
            self._levels = tuple(1 - (seen[stop] >> column & 1) for stop, column in self._taps)
        return self._levels

    def close(self) -> None:
        """Release the lines; may be called twice."""
        self._closed = True
        self._lines.close()

    def __enter__(self) -> MatrixScanner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

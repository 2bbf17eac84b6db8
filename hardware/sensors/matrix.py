"""The steps in which reeds in a matrix of rows and columns, each with a diode, are read without chips.

Rows are open drain: the one that is read is driven low, all others are released. A closed reed pulls its
column down through its diode into that row. The diode blocks the way back, so that no number of closed reeds
pretends another one.

Invariants: after each row, all are released for one settling time, so that two are never low at once and a
column that was held down can rise; it has two settling times until it is read again. Between scans all rows
are released. Only rows in use are visited.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.settings import Microseconds
from hardware.scanner import Wire
from hardware.sensors.sweep import Sweep, Tap


def matrix_sweep(rows: int, wires: Iterable[Wire], settling_us: Microseconds) -> Sweep:
    """Return the sweep over `wires`, which are the number of a row and that of a column.

    Its outputs are `rows` open-drain lines, its inputs the columns.
    """
    wires = tuple(sorted(set(wires)))
    visited = sorted({row for row, _ in wires})
    at_rest = released(rows)
    return Sweep(
        wires,
        tuple(levels for row in visited for levels in (at_rest & ~(1 << row), at_rest)),
        tuple(Tap(2 * visited.index(row), column) for row, column in wires),
        settling_us,
    )


def released(rows: int) -> int:
    """Return the levels that release all of this number of rows."""
    return (1 << rows) - 1

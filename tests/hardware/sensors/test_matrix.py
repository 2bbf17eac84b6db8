"""The order in which the rows of a matrix are driven."""

from __future__ import annotations

from hardware.sensors.matrix import matrix_sweep, released
from hardware.sensors.sweep import Tap

ROWS = 4


def test_all_rows_are_released_after_each_one():
    stops = matrix_sweep(ROWS, [(row, 0) for row in range(ROWS)], 20).stops
    assert stops[1::2] == (released(ROWS),) * ROWS
    assert [stop ^ released(ROWS) for stop in stops[::2]] == [1, 2, 4, 8]


def test_only_rows_in_use_are_visited():
    sweep = matrix_sweep(ROWS, [(3, 5), (1, 0), (3, 2)], 20)
    assert [stop ^ released(ROWS) for stop in sweep.stops[::2]] == [2, 8]
    assert sweep.wires == ((1, 0), (3, 2), (3, 5))
    assert sweep.taps == (Tap(0, 0), Tap(2, 2), Tap(2, 5))

"""The contacts under the points, one on each line from the left, between it and the rails."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.drawing.canvas import Canvas, Place
from hardware.drawing.symbols import ground, hall, joint, reed, supply, wire
from hardware.wiring.netlist import GROUND, Circuit, Net, SensorType

_SPREAD = 5
"""The distance of a hall sensor's supply and ground above and below its line."""

_NAMES = {SensorType.HALL: "hall", SensorType.LINEAR: "lin"}


def draw_contacts(canvas: Canvas, circuit: Circuit, lines: Sequence[tuple[Net, Place]]) -> None:
    """Draw a reed or a hall sensor at each line's end, and to its right the name of its point."""
    if not lines:
        return
    powered = circuit.sensor is not SensorType.REED
    for net, (x, y) in lines:
        wire(canvas, net, (x, y), (x + 50, y))
        canvas.text(net.which, x + 164, y + 5, size=14, bold=True)
        if powered:
            hall(canvas, x + 50, x + 100, y, _NAMES[circuit.sensor])
            wire(canvas, circuit.power, (x + 100, y - _SPREAD), (x + 130, y - _SPREAD))
            wire(canvas, GROUND, (x + 100, y + _SPREAD), (x + 150, y + _SPREAD))
        else:
            reed(canvas, x + 50, x + 110, y)
            wire(canvas, GROUND, (x + 110, y), (x + 150, y))
    x = lines[0][1][0]
    rows = [y for _, (_, y) in lines]
    _rail(canvas, GROUND, x + 150, [y + _SPREAD * powered for y in rows])
    if powered:
        _rail(canvas, circuit.power, x + 130, [y - _SPREAD for y in rows])


def _rail(canvas: Canvas, net: Net, x: int, rows: Sequence[int]) -> None:
    wire(canvas, net, (x, rows[0]), (x, rows[-1]))
    for y in rows[1:] if net is GROUND else rows[:-1]:
        joint(canvas, net, (x, y))
    if net is GROUND:
        ground(canvas, (x, rows[-1]))
    else:
        supply(canvas, net, (x, rows[0]))

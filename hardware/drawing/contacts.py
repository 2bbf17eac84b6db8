"""The contacts under the points, one on each line that comes from the left, between it and the rails."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.drawing.canvas import Place, Sheet
from hardware.drawing.symbols import ground, hall, joint, reed, supply, wire
from hardware.wiring.netlist import GROUND, Circuit, Net, Sensor

_SPREAD = 5
"""How far above and below its line a hall sensor has its supply and its ground."""

_NAMES = {Sensor.HALL: "hall", Sensor.LINEAR: "lin"}


def draw_contacts(sheet: Sheet, made: Circuit, lines: Sequence[tuple[Net, Place]]) -> None:
    """Draw a reed or a hall sensor at each line's end, and to its right the name of its point."""
    if not lines:
        return
    powered = made.sensor is not Sensor.REED
    for net, (x, y) in lines:
        wire(sheet, net, (x, y), (x + 50, y))
        sheet.text(net.which, x + 164, y + 5, size=14, bold=True)
        if powered:
            hall(sheet, x + 50, x + 100, y, _NAMES[made.sensor])
            wire(sheet, made.power, (x + 100, y - _SPREAD), (x + 130, y - _SPREAD))
            wire(sheet, GROUND, (x + 100, y + _SPREAD), (x + 150, y + _SPREAD))
        else:
            reed(sheet, x + 50, x + 110, y)
            wire(sheet, GROUND, (x + 110, y), (x + 150, y))
    x = lines[0][1][0]
    rows = [y for _, (_, y) in lines]
    _rail(sheet, GROUND, x + 150, [y + _SPREAD * powered for y in rows])
    if powered:
        _rail(sheet, made.power, x + 130, [y - _SPREAD for y in rows])


def _rail(sheet: Sheet, net: Net, x: int, rows: Sequence[int]) -> None:
    wire(sheet, net, (x, rows[0]), (x, rows[-1]))
    for y in rows[1:] if net is GROUND else rows[:-1]:
        joint(sheet, net, (x, y))
    if net is GROUND:
        ground(sheet, (x, rows[-1]))
    else:
        supply(sheet, net, (x, rows[0]))

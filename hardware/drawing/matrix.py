"""A matrix in the diagram: columns come from above, rows from the left, a reed and a diode at each crossing.

Invariants: lines arrive one above the other, the leftmost column lowest, so that columns cross rows only. A
contact is drawn at the column that it hangs on, its diode above the row.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.drawing.canvas import INK, PAPER, Anchor, Canvas, Place
from hardware.drawing.symbols import falling_diode, joint, reed, wire
from hardware.wiring.netlist import Circuit, Crossing, Net, NetKind

_ACROSS, _DOWN = 112, 84
_FIRST = 74
"""The distance from the left edge to the first column, with room for the columns' names."""

_STEP = 14
"""The distance between the heights on which columns arrive."""

_REED, _TO_ROW = 66, 56
"""The width of a contact, and the distance from it down to its row."""

_LEGEND = 600
"""The width of the legend."""


def draw_matrix(
    canvas: Canvas, circuit: Circuit, lines: Sequence[Net], at: Place
) -> tuple[dict[Net, list[int]], Place]:
    """Draw all crossings; return the rows on which each line arrives, and the lower right corner."""
    left, top = at
    rows, columns = _nets(lines, NetKind.ROW), _nets(lines, NetKind.COLUMN)
    first = top + _STEP * len(columns) + 2 * _STEP
    x_of = {net: left + _FIRST + _ACROSS * n for n, net in enumerate(columns)}
    y_of = {net: first + _DOWN * n for n, net in enumerate(rows)}
    right = max(x_of.values()) + _ACROSS
    arrive = {}
    for number, net in enumerate(columns):
        height = top + _STEP * (len(columns) - 1 - number)
        lowest = max((y_of[one.row] for one in circuit.crossings if one.column == net), default=first)
        wire(canvas, net, (left, height), (x_of[net], height), (x_of[net], lowest))
        canvas.text(str(net), left + 6, height - 3, size=10)
        arrive[net] = [height]
    for net in rows:
        height = y_of[net] + _TO_ROW
        wire(canvas, net, (left, height), (right - _STEP, height))
        canvas.text(str(net), right - 6, height + 5, size=12, bold=True)
        arrive[net] = [height]
    for crossing in circuit.crossings:
        _crossing(canvas, crossing, (x_of[crossing.column], y_of[crossing.row]))
    bottom = first + _DOWN * len(rows)
    _legend(canvas, (left + _FIRST, bottom + 2 * _STEP))
    return arrive, (max(right + 4 * _STEP, left + _FIRST + _LEGEND), bottom + 5 * _STEP)


def _nets(lines: Sequence[Net], kind: NetKind) -> list[Net]:
    """Return the nets of this kind, in the order of their numbers."""
    return sorted((net for net in lines if net.kind is kind), key=lambda net: int(net.which))


def _crossing(canvas: Canvas, crossing: Crossing, at: Place) -> None:
    """Draw a reed to the right of its column, and below its end the diode down to the row."""
    x, y = at
    end = x + _REED
    joint(canvas, crossing.column, at)
    reed(canvas, x, end, y)
    wire(canvas, crossing.contact, (end, y + 14), (end, y))
    canvas.text(crossing.contact.which, end + 8, y + 5, size=14, bold=True)
    falling_diode(canvas, end, y + 14, y + 36)
    wire(canvas, crossing.row, (end, y + 36), (end, y + _TO_ROW))
    joint(canvas, crossing.row, (end, y + _TO_ROW))


def _legend(canvas: Canvas, at: Place) -> None:
    """Draw a diode as it looks, with its band at the end that goes to the row."""
    x, y = at
    canvas.text("reed", x - 8, y + 5, size=12, anchor=Anchor.END)
    canvas.line([(x, y), (x + 40, y)], width=2)
    canvas.rect(x + 40, y - 8, 52, 16, fill=PAPER)
    canvas.shape([(x + 74, y - 8), (x + 82, y - 8), (x + 82, y + 8), (x + 74, y + 8)], fill=INK)
    canvas.line([(x + 92, y), (x + 132, y)], width=2)
    canvas.text("row", x + 140, y + 5, size=12)
    canvas.text("1N4148: the band is at the end that goes to the row", x + 190, y + 5, size=12)

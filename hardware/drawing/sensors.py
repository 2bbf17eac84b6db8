"""The sensor part of the diagram: header, lines, chips, and the contacts on their channels or in a matrix.

Invariants: every net has its own track. Lines from the header and lines to a chip run at different heights,
so wires cross but never overlap.

In a matrix, lines arrive one above the other, the leftmost column lowest, so that columns cross rows only.
A contact is drawn at the column that it hangs on, its diode above the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.frozen import frozen
from hardware.drawing.canvas import FAINT, INK, PAPER, Anchor, Canvas, Place
from hardware.drawing.chip import CHIP_WIDTH, draw_chip, draw_package
from hardware.drawing.contacts import draw_contacts
from hardware.drawing.header import MIDDLE_X, ROW, PinField, draw_header, pin_field
from hardware.drawing.symbols import falling_diode, ink, joint, pull_up, reed, wire
from hardware.wiring.netlist import DATA, STRIP, Chip, Circuit, Crossing, Net, NetKind
from hardware.wiring.plan import BoardPlan

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


_HALF = ROW // 2
_TRACKS_X, _TRACK = 366, 14
_ORDER = (
    NetKind.CONTACT,
    NetKind.SIGNAL,
    NetKind.ENABLE,
    NetKind.SELECT,
    NetKind.ROW,
    NetKind.COLUMN,
    NetKind.I2C,
    NetKind.SPI,
)


@frozen(slots=False)
class SensorDiagram:
    """The right and lower edges of the drawn part, and where the strip's data leave it, by which net."""

    right: int
    bottom: int
    data_x: int
    data: Net


def draw_sensors(canvas: Canvas, plan: BoardPlan, circuit: Circuit, top: int) -> SensorDiagram:
    """Draw header, chips and contacts from `top` on, and the data line down to the end of this part."""
    field, chips = pin_field(circuit), _drawn_chips(circuit)
    exits = draw_header(canvas, field, top)
    data = DATA if circuit.shifter else STRIP
    lines = sorted(_lines(field, chips) - {data}, key=lambda net: _place_in_order(net, exits))
    track = {net: _TRACKS_X + _TRACK * n for n, net in enumerate((data, *lines))}
    far = max(track.values())
    reach = far + (104 if chips else 20)
    right = reach + (CHIP_WIDTH if chips else 0) + 250
    if circuit.crossings:
        rows, (right, below) = draw_matrix(canvas, circuit, lines, (reach, top + _HALF))
        if plan.resistors:
            canvas.text("10k from each column to 3.3 V", reach, below, size=11)
    elif chips:
        rows, below = _chips(canvas, plan, circuit, (reach, top + _HALF // 2))
        below = max(below, _packages(canvas, chips, top + ROW * 21))
    else:
        rows, below = _direct(canvas, plan, circuit, lines, (reach, top + _HALF))
    if plan.sensors.kind == "mcp23017" and not any(net.kind is NetKind.I2C for net in exits):
        canvas.text(f"SDA, SCL: of {plan.sensors.i2c}", 40, top + ROW * 21 - 8, size=11)
    bottom = max(below, top + ROW * 21) + _HALF
    rows.setdefault(data, []).append(bottom)
    for net in (data, *lines):
        _track(canvas, net, exits.get(net), track[net], reach, rows[net])
    return SensorDiagram(right, bottom, track[data], data)


def _place_in_order(net: Net, exits: Mapping[Net, Place]) -> tuple[int, int, int, str]:
    """Return the sort key of a net: its kind and number; contacts' own lines by height, to cross less."""
    height = exits[net][1] if net.kind is NetKind.CONTACT else 0
    return _ORDER.index(net.kind), height, len(net.which), net.which


def _drawn_chips(circuit: Circuit) -> tuple[Chip, ...]:
    """Return the chips drawn as boxes, below each other: all but a Pico, whose pins are drawn at the left."""
    return tuple(chip for chip in circuit.sensing if chip is not circuit.pico)


def _lines(field: PinField, chips: Sequence[Chip]) -> set[Net]:
    """Return all nets that run along a track: those of the pins at the left, and those between chips."""
    of_chips = {net for chip in chips for net in chip.nets if net.kind in (*_ORDER[1:], NetKind.STRIP)}
    return of_chips | {net for net in field.nets if net.kind in (*_ORDER, NetKind.DATA)}


def _track(canvas: Canvas, net: Net, leaves: Place | None, x: int, reach: int, rows: Sequence[int]) -> None:
    """Draw a line from the header, if it starts there, along its track to the rows of its pins.

    The last row of the strip's data is where this part of the drawing ends.
    """
    ends = ([leaves[1]] if leaves else []) + list(rows)
    wire(canvas, net, (x, min(ends)), (x, max(ends)))
    if leaves:
        wire(canvas, net, leaves, (x, leaves[1]))
    for y in rows[:-1] if net in (DATA, STRIP) else rows:
        wire(canvas, net, (x, y), (reach, y))
    for y in ends:
        if min(ends) < y < max(ends):
            joint(canvas, net, (x, y))


def _direct(
    canvas: Canvas, plan: BoardPlan, circuit: Circuit, lines: Sequence[Net], at: Place
) -> tuple[dict[Net, list[int]], int]:
    """Draw a contact on each line, without chips; return the row of each, and the lower edge."""
    x, y = at
    rows = {net: [y + ROW * row] for row, net in enumerate(lines)}
    used = [(net, (x, row)) for net, (row,) in rows.items() if net.kind is NetKind.CONTACT]
    draw_contacts(canvas, circuit, used)
    for net, (row,) in rows.items():
        if net.kind is not NetKind.CONTACT:
            canvas.text("free", x + 8, row + 5, size=11, ink=FAINT)
    if plan.resistors:
        canvas.text("10k from each line to 3.3 V", x, y + ROW * len(lines) + _HALF, size=11)
    return rows, y + ROW * (len(lines) + 1)


def _chips(canvas: Canvas, plan: BoardPlan, circuit: Circuit, at: Place) -> tuple[dict[Net, list[int]], int]:
    """Draw chip below chip; return the rows on which each line arrives, and the lower edge."""
    x, y = at
    arrive: dict[Net, list[int]] = {}
    for chip in _drawn_chips(circuit):
        lines, below = draw_chip(canvas, circuit, chip, (x, y))
        for net, row in lines.items():
            if net.kind is NetKind.SIGNAL and net not in arrive and plan.resistors:
                joint(canvas, net, (x - 44, row))
                pull_up(canvas, (x - 44, row))
            arrive.setdefault(net, []).append(row)
        y = below
    return arrive, y


def _packages(canvas: Canvas, chips: Sequence[Chip], top: int) -> int:
    """Draw the pinout of each kind of chip; return the lower edge."""
    kinds = {chip.package.name: chip for chip in reversed(chips) if chip.package.numbered}
    for chip in reversed(kinds.values()):
        alike = [other.nets for other in chips if other.package == chip.package]
        differing = [
            n for n, nets in enumerate(zip(*alike, strict=True)) if len({ink(net) for net in nets}) > 1
        ]
        top = (
            draw_package(canvas, chip, (MIDDLE_X, top), grey=differing, decoupled=not chip.package.is_board)
            + 24
        )
    return top

"""The part of the diagram that feels: header, lines, chips, and the contacts on their channels.

Rules kept here: every net has a track of its own; what leaves the header and what reaches a chip run on
different heights, so that wires cross but never lie on each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hardware.drawing.canvas import FAINT, Place, Sheet
from hardware.drawing.chip import CHIP_WIDTH, draw_chip, draw_package
from hardware.drawing.contacts import draw_contacts
from hardware.drawing.header import MIDDLE_X, ROW, draw_header
from hardware.drawing.symbols import ink, joint, pull_up, wire
from hardware.wiring.netlist import DATA, STRIP, Circuit, Kind, Net
from hardware.wiring.pinout import NANO
from hardware.wiring.plan import BoardPlan

_HALF = ROW // 2
_TRACKS_X, _TRACK = 366, 14
_ORDER = (Kind.CONTACT, Kind.SIGNAL, Kind.ENABLE, Kind.SELECT, Kind.I2C, Kind.SPI)


@dataclass(frozen=True)
class Sensors:
    """Where the drawn part ends, to the right and below, and where the strip's data leave it, and as what."""

    right: int
    bottom: int
    data_x: int
    data: Net


def draw_sensors(sheet: Sheet, plan: BoardPlan, made: Circuit, top: int) -> Sensors:
    """Draw header, chips and contacts from `top` on, and the data line down to the end of this part."""
    exits = draw_header(sheet, made, top)
    data = DATA if made.shifter else STRIP
    lines = sorted(_lines(made) - {data}, key=lambda net: _place_in_order(net, exits))
    track = {net: _TRACKS_X + _TRACK * n for n, net in enumerate((data, *lines))}
    far = max(track.values())
    reach = far + (104 if made.sensing else 20)
    if made.sensing:
        rows, below = _chips(sheet, plan, made, (reach, top + _HALF // 2))
        below = max(below, _packages(sheet, made, top + ROW * 21))
    else:
        rows, below = _direct(sheet, plan, made, lines, (reach, top + _HALF))
    if plan.sensors.kind == "mcp23017" and not any(net.kind is Kind.I2C for net in exits):
        sheet.text(f"SDA, SCL: of {plan.sensors.i2c}", 40, top + ROW * 21 - 8, size=11)
    bottom = max(below, top + ROW * 21) + _HALF
    rows.setdefault(data, []).append(bottom)
    for net in (data, *lines):
        _track(sheet, net, exits.get(net), track[net], reach, rows[net])
    return Sensors(reach + (CHIP_WIDTH if made.sensing else 0) + 250, bottom, track[data], data)


def _place_in_order(net: Net, exits: Mapping[Net, Place]) -> tuple[int, int, int, str]:
    """By kind and number; lines with a contact of their own as they leave the header, to cross less."""
    height = exits[net][1] if net.kind is Kind.CONTACT else 0
    return _ORDER.index(net.kind), height, len(net.which), net.which


def _lines(made: Circuit) -> set[Net]:
    """All nets that run along a track: what the header has or what leads from a chip to others."""
    of_chips = {net for chip in made.sensing for net in chip.nets if net.kind in (*_ORDER[1:], Kind.STRIP)}
    of_header = {net for net in made.header if net.kind in (*_ORDER, Kind.DATA)}
    return of_chips | of_header


def _track(sheet: Sheet, net: Net, leaves: Place | None, x: int, reach: int, rows: Sequence[int]) -> None:
    """A line from where it leaves the header, if it does, up or down its track, to the rows of its pins.

    The last row of the strip's data is where this part of the drawing ends.
    """
    ends = ([leaves[1]] if leaves else []) + list(rows)
    wire(sheet, net, (x, min(ends)), (x, max(ends)))
    if leaves:
        wire(sheet, net, leaves, (x, leaves[1]))
    for y in rows[:-1] if net in (DATA, STRIP) else rows:
        wire(sheet, net, (x, y), (reach, y))
    for y in ends:
        if min(ends) < y < max(ends):
            joint(sheet, net, (x, y))


def _direct(
    sheet: Sheet, plan: BoardPlan, made: Circuit, lines: Sequence[Net], at: Place
) -> tuple[dict[Net, list[int]], int]:
    """A contact on each line, without chips; returns the row of each, and where they end."""
    x, y = at
    rows = {net: [y + ROW * row] for row, net in enumerate(lines)}
    used = [(net, (x, row)) for net, (row,) in rows.items() if net.kind is Kind.CONTACT]
    draw_contacts(sheet, made, used)
    for net, (row,) in rows.items():
        if net.kind is not Kind.CONTACT:
            sheet.text("free", x + 8, row + 5, size=11, ink=FAINT)
    if plan.resistors:
        sheet.text("10k from each line to 3.3 V", x, y + ROW * len(lines) + _HALF, size=11)
    return rows, y + ROW * (len(lines) + 1)


def _chips(sheet: Sheet, plan: BoardPlan, made: Circuit, at: Place) -> tuple[dict[Net, list[int]], int]:
    """Draw chip below chip; returns the rows on which each line arrives, and where the chips end."""
    x, y = at
    arrive: dict[Net, list[int]] = {}
    for chip in made.sensing:
        lines, below = draw_chip(sheet, made, chip, (x, y))
        for net, row in lines.items():
            if net.kind is Kind.SIGNAL and net not in arrive and plan.resistors:
                joint(sheet, net, (x - 44, row))
                pull_up(sheet, (x - 44, row))
            arrive.setdefault(net, []).append(row)
        y = below
    return arrive, y


def _packages(sheet: Sheet, made: Circuit, top: int) -> int:
    """Each kind of chip as it lies before one; returns where they end."""
    kinds = {chip.package.name: chip for chip in reversed(made.sensing) if chip.package.numbered}
    for chip in reversed(kinds.values()):
        alike = [other.nets for other in made.sensing if other.package == chip.package]
        differing = [
            n for n, nets in enumerate(zip(*alike, strict=True)) if len({ink(net) for net in nets}) > 1
        ]
        top = (
            draw_package(sheet, chip, (MIDDLE_X, top), grey=differing, decoupled=chip.package is not NANO)
            + 24
        )
    return top

"""The part of the diagram that feels: header, lines, multiplexers, and the contacts on their channels.

Rules kept here: every net has a track of its own; what leaves the header and what reaches a chip run on
different heights, so that wires cross but never lie on each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hardware.circuit import DATA, FREE, GROUND, LOGIC, BoardPlan, Chip, Circuit, Kind, Net
from hardware.drawing_contacts import draw_contacts
from hardware.drawing_header import MIDDLE_X, ROW, draw_header
from hardware.drawing_package import draw_package
from hardware.drawing_sheet import BODY, FAINT, Anchor, Place, Sheet
from hardware.drawing_symbols import ground, joint, pull_up, supply, wire
from hardware.pinout import MuxPackage

_HALF = ROW // 2
_TRACKS_X, _TRACK = 366, 14
_CHIP_WIDTH, _HEAD = 124, 2 * ROW + _HALF
_FROM_CHIP, _LINES = (
    (Kind.SIGNAL, Kind.ENABLE, Kind.SELECT),
    (Kind.CONTACT, Kind.SIGNAL, Kind.ENABLE, Kind.SELECT),
)


@dataclass(frozen=True)
class Sensors:
    """Where the drawn part ends, to the right and below, and where the data line leaves it."""

    right: int
    bottom: int
    data_x: int


def draw_sensors(sheet: Sheet, plan: BoardPlan, made: Circuit, top: int) -> Sensors:
    """Draw header, chips and contacts from `top` on, and the data line down to the end of this part."""
    exits = draw_header(sheet, made, top)
    lines = sorted((net for net in exits if net is not DATA), key=lambda net: _LINES.index(net.kind))
    track = {net: _TRACKS_X + _TRACK * n for n, net in enumerate((DATA, *lines))}
    far = max(track.values())
    if made.muxes:
        rows, below = _muxes(sheet, plan, made, (far + 104, top + _HALF // 2))
        reach = far + 104
        below = max(below, draw_package(sheet, made.muxes[0], (MIDDLE_X, top + ROW * 21)))
    else:
        reach, rows, below = far + 20, *_direct(sheet, plan, made, lines, (far + 20, top + _HALF))
    for net in lines:
        _track(sheet, net, exits[net], track[net], reach, rows[net])
    bottom = max(below, top + ROW * 21) + _HALF
    wire(sheet, DATA, exits[DATA], (track[DATA], exits[DATA][1]), (track[DATA], bottom))
    return Sensors(reach + (_CHIP_WIDTH if made.muxes else 0) + 250, bottom, track[DATA])


def _track(sheet: Sheet, net: Net, leaves: Place, x: int, reach: int, rows: Sequence[int]) -> None:
    """A line from where it leaves the header, up or down its track, to the rows on which it arrives."""
    ends = (leaves[1], *rows)
    wire(sheet, net, leaves, (x, leaves[1]))
    wire(sheet, net, (x, min(ends)), (x, max(ends)))
    for y in rows:
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
    draw_contacts(sheet, [(net, (x, row)) for net, (row,) in rows.items()], halls=made.halls)
    if not plan.wiring.pull_up:
        sheet.text("10k from each line to 3.3 V", x, y + ROW * len(lines) + _HALF, size=11)
    return rows, y + ROW * (len(lines) + 1)


def _muxes(sheet: Sheet, plan: BoardPlan, made: Circuit, at: Place) -> tuple[Mapping[Net, list[int]], int]:
    """Draw chip below chip; returns the rows on which each line arrives, and where the chips end."""
    x, y = at
    arrive: dict[Net, list[int]] = {}
    for chip in made.muxes:
        for net, row in _chip(sheet, made, chip, (x, y)).items():
            if net.kind is Kind.SIGNAL and net not in arrive and not plan.wiring.pull_up:
                joint(sheet, net, (x - 44, row))
                pull_up(sheet, (x - 44, row))
            arrive.setdefault(net, []).append(row)
        y += _HEAD + ROW * len(_package(chip).channels)
    return arrive, y


def _package(chip: Chip) -> MuxPackage:
    assert isinstance(chip.package, MuxPackage)  # noqa: S101 - circuits are made so
    return chip.package


def _chip(sheet: Sheet, made: Circuit, chip: Chip, at: Place) -> dict[Net, int]:
    """Draw one chip with what hangs on its channels; returns the rows on which its lines arrive."""
    x, y = at
    package = _package(chip)
    sheet.rect(x, y + 6, _CHIP_WIDTH, _HEAD + ROW * len(package.channels) - 13, fill=BODY)
    sheet.text(chip.name, x + _CHIP_WIDTH // 2, y + 26, size=15, anchor=Anchor.MIDDLE, bold=True)
    sheet.text(package.name, x + _CHIP_WIDTH // 2, y + 42, size=12, anchor=Anchor.MIDDLE)
    first = y + _HEAD + _HALF // 2
    names = [package.common, *package.select, "VCC", *(n for n in ("E", "VEE", "GND") if n in package.pins)]
    rows = {name: first + ROW * row for row, name in enumerate(names)}
    for name, row in rows.items():
        _pin(sheet, chip, name, (x, row), left=True)
    wire(sheet, LOGIC, (x, rows["VCC"]), (x - 58, rows["VCC"]))
    supply(sheet, LOGIC, (x - 58, rows["VCC"]))
    _to_ground(sheet, x, [row for name, row in rows.items() if chip.net_of(name) is GROUND])
    _channels(sheet, made, chip, (x + _CHIP_WIDTH, first))
    return {net: row for name, row in rows.items() if (net := chip.net_of(name)).kind in _FROM_CHIP}


def _pin(sheet: Sheet, chip: Chip, name: str, at: Place, *, left: bool) -> None:
    x, y = at
    number = chip.package.number(name)
    sheet.pin(f"{chip.name} {number}", at)
    inside, outside = (Anchor.START, Anchor.END) if left else (Anchor.END, Anchor.START)
    way = 1 if left else -1
    sheet.text(name, x + 8 * way, y + 5, anchor=inside, bold=True)
    sheet.text(str(number), x - 6 * way, y - 4, size=11, anchor=outside)


def _to_ground(sheet: Sheet, x: int, rows: Sequence[int]) -> None:
    down = x - 30
    for y in rows:
        wire(sheet, GROUND, (x, y), (down, y))
        if y != rows[0]:
            joint(sheet, GROUND, (down, y))
    wire(sheet, GROUND, (down, rows[0]), (down, rows[-1]))
    ground(sheet, (down, rows[-1]))


def _channels(sheet: Sheet, made: Circuit, chip: Chip, at: Place) -> None:
    x, first = at
    used = []
    for row, name in enumerate(_package(chip).channels):
        y, net = first + ROW * row, chip.net_of(name)
        _pin(sheet, chip, name, (x, y), left=False)
        if net is FREE:
            sheet.text("free", x + 34, y + 5, size=11, ink=FAINT)
        else:
            used.append((net, (x, y)))
    draw_contacts(sheet, used, halls=made.halls)

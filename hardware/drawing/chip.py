"""A chip as a box in the diagram: lines and power at its left, the contacts on its channels at its right.

Rules kept here: at the left a chip has its lines first, then what is tied to its supply, then what is tied to
ground, so that one sign of each does for all; rows are `ROW` apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.drawing.canvas import BODY, FAINT, PAPER, Anchor, Place, Sheet
from hardware.drawing.contacts import draw_contacts
from hardware.drawing.header import ROW
from hardware.drawing.symbols import ground, ink, joint, supply, wire
from hardware.wiring.netlist import FREE, GROUND, Chip, Circuit, Kind, Net
from hardware.wiring.pinout import EXPANDER_OUTPUTS, NANO

_ROW, _HALF_WIDTH = 22, 46


def draw_package(
    sheet: Sheet, chip: Chip, at: Place, *, grey: Sequence[int] = (), decoupled: bool = True
) -> int:
    """Draw a package below a place, which is the middle of its upper edge; returns where it ends.

    `decoupled`: whether it is a chip, and needs a capacitor, and not a Nano, which has them.

    A pin's name has the colour of its net; channels are grey, since each chip has points of its own, and so
    are the pins of the places `grey`.
    """
    x, y = at
    pins = chip.package.pins
    half = len(pins) // 2
    sheet.text(f"{chip.package.name} from above", x, y + 12, size=12, anchor=Anchor.MIDDLE, bold=True)
    top = y + 22
    sheet.rect(x - _HALF_WIDTH, top, 2 * _HALF_WIDTH, _ROW * half + 14, fill=BODY)
    if decoupled:
        sheet.circle(x, top + 1, 8, fill=PAPER)
    for number, name in enumerate(pins, start=1):
        left = number <= half
        row = number - 1 if left else len(pins) - number
        side, line = (-1 if left else 1), top + 18 + _ROW * row
        sheet.rect(x + side * (_HALF_WIDTH + 5) - 5, line - 6, 10, 12, fill=PAPER)
        inside, outside = (Anchor.START, Anchor.END) if left else (Anchor.END, Anchor.START)
        sheet.text(str(number), x + side * (_HALF_WIDTH - 8), line + 4, size=11, anchor=inside)
        channel = name in chip.package.channels or number - 1 in grey
        colour = ink(chip.nets[number - 1]) if not channel else "#5b6770"
        label = chip.package.label(number)
        sheet.text(
            label, x + side * (_HALF_WIDTH + 18), line + 5, anchor=outside, ink=colour, bold=not channel
        )
    bottom = top + _ROW * half + 14
    if not decoupled:
        sheet.text("its USB socket is at this end", x, bottom + 15, size=11, anchor=Anchor.MIDDLE)
    else:
        supply = next(name for name in ("VCC", "VDD") if name in pins)
        words = f"100 nF from {supply} to ground, at each chip"
        sheet.text(words, x, bottom + 15, size=11, anchor=Anchor.MIDDLE)
    return bottom + 20


CHIP_WIDTH = 124
_HEAD = 2 * ROW + ROW // 2
_LINES = (Kind.STRIP, Kind.SPI, Kind.I2C, Kind.SIGNAL, Kind.ENABLE, Kind.SELECT)


def draw_chip(sheet: Sheet, made: Circuit, chip: Chip, at: Place) -> tuple[dict[Net, int], int]:
    """Draw a chip with what hangs on its channels; returns the row of each line, and where the chip ends."""
    x, y = at
    left = _left(chip)
    rows = max(len(left), len(chip.package.channels))
    sheet.rect(x, y + 6, CHIP_WIDTH, _HEAD + ROW * rows - 13, fill=BODY)
    sheet.text(chip.name, x + CHIP_WIDTH // 2, y + 26, size=15, anchor=Anchor.MIDDLE, bold=True)
    sheet.text(chip.package.name, x + CHIP_WIDTH // 2, y + 42, size=12, anchor=Anchor.MIDDLE)
    if chip.remark:
        sheet.text(chip.remark, x + CHIP_WIDTH // 2, y + 58, size=12, anchor=Anchor.MIDDLE)
    first = y + _HEAD + ROW // 4
    row_of = {number: first + ROW * row for row, number in enumerate(left)}
    for number, row in row_of.items():
        _pin(sheet, chip, number, (x, row), left=True)
        if chip.nets[number - 1] is FREE:
            sheet.text("open", x - 26, row + 5, size=11, ink=FAINT, anchor=Anchor.END)
    _to_supply(sheet, made.power, x, [r for n, r in row_of.items() if chip.nets[n - 1] == made.power])
    _to_ground(sheet, x, [r for n, r in row_of.items() if chip.nets[n - 1] == GROUND])
    _channels(sheet, made, chip, (x + CHIP_WIDTH, first))
    lines = {net: row for n, row in row_of.items() if (net := chip.nets[n - 1]).kind in _LINES}
    return lines, y + _HEAD + ROW * rows


def _left(chip: Chip) -> list[int]:
    """The numbers of the pins at the left; those of a Nano that are not used are not drawn."""

    def rank(number: int) -> tuple[int, int, str, int]:
        net = chip.nets[number - 1]
        if net.kind in _LINES:
            return _LINES.index(net.kind), len(net.which), net.which, number
        return len(_LINES) + (net is FREE) * 2 + (net == GROUND), 0, "", number

    numbers = [n for n, name in enumerate(chip.package.pins, start=1) if name not in chip.package.channels]
    shown = [n for n in numbers if chip.package is not NANO or chip.nets[n - 1] is not FREE]
    return sorted(shown, key=rank)


def _pin(sheet: Sheet, chip: Chip, number: int, at: Place, *, left: bool) -> None:
    x, y = at
    sheet.pin(f"{chip.name} {number}", at)
    inside, outside = (Anchor.START, Anchor.END) if left else (Anchor.END, Anchor.START)
    way = 1 if left else -1
    sheet.text(chip.package.label(number), x + 8 * way, y + 5, anchor=inside, bold=True)
    if chip.package.numbered:
        sheet.text(str(number), x - 6 * way, y - 4, size=11, anchor=outside)


def _to_supply(sheet: Sheet, power: Net, x: int, rows: Sequence[int]) -> None:
    if rows:
        _together(sheet, power, x, x - 58, rows)
        for row in rows[:-1]:
            joint(sheet, power, (x - 58, row))
        supply(sheet, power, (x - 58, rows[0]))


def _to_ground(sheet: Sheet, x: int, rows: Sequence[int]) -> None:
    if rows:
        _together(sheet, GROUND, x, x - 30, rows)
        for row in rows[1:]:
            joint(sheet, GROUND, (x - 30, row))
        ground(sheet, (x - 30, rows[-1]))


def _together(sheet: Sheet, net: Net, x: int, at: int, rows: Sequence[int]) -> None:
    """From each row to one line that runs down."""
    for row in rows:
        wire(sheet, net, (x, row), (at, row))
    if len(rows) > 1:
        wire(sheet, net, (at, rows[0]), (at, rows[-1]))


def _channels(sheet: Sheet, made: Circuit, chip: Chip, at: Place) -> None:
    x, first = at
    used = []
    for row, name in enumerate(chip.package.channels):
        y, net, number = first + ROW * row, chip.net_of(name), chip.package.number(name)
        _pin(sheet, chip, number, (x, y), left=False)
        if net is FREE:
            word = "no input" if name in EXPANDER_OUTPUTS else "free"
            sheet.text(word, x + 34, y + 5, size=11, ink=FAINT)
        elif net == GROUND:
            wire(sheet, GROUND, (x, y), (x + 42, y))
            ground(sheet, (x + 42, y))
        else:
            used.append((net, (x, y)))
    draw_contacts(sheet, made, used)

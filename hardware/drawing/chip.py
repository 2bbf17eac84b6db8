"""A chip as a box in the diagram: lines and power at its left, its channels' contacts at its right.

Invariants: at the left a chip has its lines first, then the pins on its supply, then those on ground, so that
one symbol of each is enough. Rows are `ROW` apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.drawing.canvas import BODY, FAINT, PAPER, Anchor, Canvas, Place
from hardware.drawing.contacts import draw_contacts
from hardware.drawing.header import ROW
from hardware.drawing.symbols import ground, ink, joint, supply, wire
from hardware.wiring.netlist import FREE, GROUND, Chip, Circuit, Net, NetKind
from hardware.wiring.pinout import EXPANDER_OUTPUTS

_ROW, _HALF_WIDTH = 22, 46


def draw_package(
    canvas: Canvas, chip: Chip, at: Place, *, grey: Sequence[int] = (), decoupled: bool = True
) -> int:
    """Draw a package below a place, the middle of its upper edge; return its lower edge.

    `decoupled`: it is a chip and needs a capacitor, unlike a Nano, which has its own. A pin's name has the
    colour of its net; channels are grey, since each chip has its own points, and so are the pins of the
    places `grey`.
    """
    x, y = at
    pins = chip.package.pins
    half = len(pins) // 2
    canvas.text(f"{chip.package.name} from above", x, y + 12, size=12, anchor=Anchor.MIDDLE, bold=True)
    top = y + 22
    canvas.rect(x - _HALF_WIDTH, top, 2 * _HALF_WIDTH, _ROW * half + 14, fill=BODY)
    if decoupled:
        canvas.circle(x, top + 1, 8, fill=PAPER)
    for number, name in enumerate(pins, start=1):
        left = number <= half
        row = number - 1 if left else len(pins) - number
        side, line = (-1 if left else 1), top + 18 + _ROW * row
        canvas.rect(x + side * (_HALF_WIDTH + 5) - 5, line - 6, 10, 12, fill=PAPER)
        inside, outside = (Anchor.START, Anchor.END) if left else (Anchor.END, Anchor.START)
        canvas.text(str(number), x + side * (_HALF_WIDTH - 8), line + 4, size=11, anchor=inside)
        channel = name in chip.package.channels or number - 1 in grey
        colour = ink(chip.nets[number - 1]) if not channel else "#5b6770"
        label = chip.package.label(number)
        canvas.text(
            label, x + side * (_HALF_WIDTH + 18), line + 5, anchor=outside, ink=colour, bold=not channel
        )
    bottom = top + _ROW * half + 14
    if not decoupled:
        canvas.text("its USB socket is at this end", x, bottom + 15, size=11, anchor=Anchor.MIDDLE)
    else:
        supply = next(name for name in ("VCC", "VDD") if name in pins)
        words = f"100 nF from {supply} to ground, at each chip"
        canvas.text(words, x, bottom + 15, size=11, anchor=Anchor.MIDDLE)
    return bottom + 20


CHIP_WIDTH = 124
_HEAD = 2 * ROW + ROW // 2
_LINES = (NetKind.STRIP, NetKind.SPI, NetKind.I2C, NetKind.SIGNAL, NetKind.ENABLE, NetKind.SELECT)


def draw_chip(canvas: Canvas, circuit: Circuit, chip: Chip, at: Place) -> tuple[dict[Net, int], int]:
    """Draw a chip and the contacts on its channels; return the row of each line, and its lower edge."""
    x, y = at
    left = _left(chip)
    rows = max(len(left), len(chip.package.channels))
    canvas.rect(x, y + 6, CHIP_WIDTH, _HEAD + ROW * rows - 13, fill=BODY)
    canvas.text(chip.name, x + CHIP_WIDTH // 2, y + 26, size=15, anchor=Anchor.MIDDLE, bold=True)
    canvas.text(chip.package.name, x + CHIP_WIDTH // 2, y + 42, size=12, anchor=Anchor.MIDDLE)
    if chip.remark:
        canvas.text(chip.remark, x + CHIP_WIDTH // 2, y + 58, size=12, anchor=Anchor.MIDDLE)
    first = y + _HEAD + ROW // 4
    row_of = {number: first + ROW * row for row, number in enumerate(left)}
    for number, row in row_of.items():
        _pin(canvas, chip, number, (x, row), left=True)
        if chip.nets[number - 1] is FREE:
            canvas.text("open", x - 26, row + 5, size=11, ink=FAINT, anchor=Anchor.END)
    _to_supply(canvas, circuit.power, x, [r for n, r in row_of.items() if chip.nets[n - 1] == circuit.power])
    _to_ground(canvas, x, [r for n, r in row_of.items() if chip.nets[n - 1] == GROUND])
    _channels(canvas, circuit, chip, (x + CHIP_WIDTH, first))
    lines = {net: row for n, row in row_of.items() if (net := chip.nets[n - 1]).kind in _LINES}
    return lines, y + _HEAD + ROW * rows


def _left(chip: Chip) -> list[int]:
    """Return the numbers of the pins at the left, without the unused ones of a Nano."""

    def rank(number: int) -> tuple[int, int, str, int]:
        net = chip.nets[number - 1]
        if net.kind in _LINES:
            return _LINES.index(net.kind), len(net.which), net.which, number
        return len(_LINES) + (net is FREE) * 2 + (net == GROUND), 0, "", number

    numbers = [n for n, name in enumerate(chip.package.pins, start=1) if name not in chip.package.channels]
    shown = [n for n in numbers if not chip.package.is_board or chip.nets[n - 1] is not FREE]
    return sorted(shown, key=rank)


def _pin(canvas: Canvas, chip: Chip, number: int, at: Place, *, left: bool) -> None:
    x, y = at
    canvas.pin(f"{chip.name} {number}", at)
    inside, outside = (Anchor.START, Anchor.END) if left else (Anchor.END, Anchor.START)
    way = 1 if left else -1
    canvas.text(chip.package.label(number), x + 8 * way, y + 5, anchor=inside, bold=True)
    if chip.package.numbered:
        canvas.text(str(number), x - 6 * way, y - 4, size=11, anchor=outside)


def _to_supply(canvas: Canvas, power: Net, x: int, rows: Sequence[int]) -> None:
    if rows:
        _together(canvas, power, x, x - 58, rows)
        for row in rows[:-1]:
            joint(canvas, power, (x - 58, row))
        supply(canvas, power, (x - 58, rows[0]))


def _to_ground(canvas: Canvas, x: int, rows: Sequence[int]) -> None:
    if rows:
        _together(canvas, GROUND, x, x - 30, rows)
        for row in rows[1:]:
            joint(canvas, GROUND, (x - 30, row))
        ground(canvas, (x - 30, rows[-1]))


def _together(canvas: Canvas, net: Net, x: int, at: int, rows: Sequence[int]) -> None:
    """Draw a wire from each row to one line that runs down."""
    for row in rows:
        wire(canvas, net, (x, row), (at, row))
    if len(rows) > 1:
        wire(canvas, net, (at, rows[0]), (at, rows[-1]))


def _channels(canvas: Canvas, circuit: Circuit, chip: Chip, at: Place) -> None:
    x, first = at
    used = []
    for row, name in enumerate(chip.package.channels):
        y, net, number = first + ROW * row, chip.net_of(name), chip.package.number(name)
        _pin(canvas, chip, number, (x, y), left=False)
        if net is FREE:
            word = "no input" if name in EXPANDER_OUTPUTS else "free"
            canvas.text(word, x + 34, y + 5, size=11, ink=FAINT)
        elif net == GROUND:
            wire(canvas, GROUND, (x, y), (x + 42, y))
            ground(canvas, (x + 42, y))
        else:
            used.append((net, (x, y)))
    draw_contacts(canvas, circuit, used)

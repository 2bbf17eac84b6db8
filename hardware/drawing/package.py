"""A chip as it lies before one: the pins where they are, seen from above."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.drawing.canvas import BODY, PAPER, Anchor, Place, Sheet
from hardware.drawing.symbols import ink
from hardware.wiring.netlist import Chip

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

"""The Pi's header as it lies, with the lines that leave it to the right.

Rules kept here: lines from the row of odd pins pass between two rows of names, so that no two lines leave on
the same height: `ROW` apart from row to row, half of it between the two pins of a row.
"""

from __future__ import annotations

from hardware.drawing.canvas import BODY, FAINT, PAPER, Anchor, Place, Sheet
from hardware.drawing.symbols import ink, wire
from hardware.wiring.netlist import FREE, GROUND, LOGIC, POWER, SUPPLY, Circuit, Net
from hardware.wiring.pinout import HEADER

ROW = 28
MIDDLE_X = 174
_HALF = ROW // 2
_ODD_X, _EVEN_X, _NAMES_END = MIDDLE_X - _HALF, MIDDLE_X + _HALF, 268
_SENSORS, _SUPPLY = (1, 9), (2, 4, 6)


def draw_header(sheet: Sheet, made: Circuit, top: int) -> dict[Net, Place]:
    """Draw the header from `top` on, 20 rows high; returns where each line is let go, to its right."""
    sheet.rect(_ODD_X - 16, top + 10, _EVEN_X - _ODD_X + 32, ROW * 20, fill=BODY)
    exits = {}
    for pin, net in enumerate(made.header, start=1):
        at = (_ODD_X if pin % 2 else _EVEN_X, top + ROW * ((pin + 1) // 2) - _HALF // 2)
        _pin(sheet, pin, net, at)
        if net is not FREE and net.kind not in POWER:
            exits[net] = _let_go(sheet, pin, net, at)
    return exits


def _pin(sheet: Sheet, pin: int, net: Net, at: Place) -> None:
    x, y = at
    colour, used = ink(net), net is not FREE
    sheet.circle(x, y, 10, fill=colour if used else PAPER, ink=colour if used else FAINT)
    sheet.text(str(pin), x, y + 4, size=10, anchor=Anchor.MIDDLE, ink=PAPER if used else FAINT, bold=used)
    name = HEADER[pin - 1].replace("V", " V")
    side, way = (Anchor.END, -1) if x == _ODD_X else (Anchor.START, 1)
    sheet.text(name, x + 22 * way, y + 4, anchor=side, ink=colour, bold=used)
    if remark := _remark(pin, net):
        far = 72 if x == _ODD_X else 54
        sheet.text(remark, x + far * way, y + 4, size=11, anchor=side, ink=colour)


def _remark(pin: int, net: Net) -> str:
    """What a power pin in use is for: to feed Pi or sensors, or to go beside the data line."""
    if net not in (GROUND, LOGIC, SUPPLY):
        return ""
    return "sensors" if pin in _SENSORS else "supply" if pin in _SUPPLY else "for data"


def _let_go(sheet: Sheet, pin: int, net: Net, at: Place) -> Place:
    x, y = at
    begins, ends = (_NAMES_END, y), (_NAMES_END, y)
    if x == _ODD_X:
        begins, ends = (x + 8, y + 8), (_NAMES_END, y + _HALF)
        wire(sheet, net, begins, (x + _HALF, y + _HALF), ends)
    sheet.pin(f"header {pin}", begins)
    sheet.text(str(net), ends[0] + 36, ends[1] - 4, size=10, ink=ink(net))
    return ends

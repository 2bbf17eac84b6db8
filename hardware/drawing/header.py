"""The Pi's header in its orientation, with its lines leaving to the right.

Invariants: lines from the row of odd pins pass between two rows of names, so that no two lines leave at the
same height: `ROW` apart from row to row, half of it between the two pins of a row.
"""

from __future__ import annotations

from hardware.drawing.canvas import BODY, FAINT, PAPER, Anchor, Canvas, Place
from hardware.drawing.symbols import ink, wire
from hardware.wiring.netlist import CONTROLS, FREE, GROUND, LOGIC, POWER, SUPPLY, Circuit, Net
from hardware.wiring.pinout import HEADER

ROW = 28
MIDDLE_X = 174
_HALF = ROW // 2
_ODD_X, _EVEN_X, _NAMES_END = MIDDLE_X - _HALF, MIDDLE_X + _HALF, 268
_SENSORS, _SUPPLY = (1, 9), (2, 4, 6)


def draw_header(canvas: Canvas, circuit: Circuit, top: int) -> dict[Net, Place]:
    """Draw the header from `top` on, 20 rows high; return where each line ends, to its right."""
    canvas.rect(_ODD_X - 16, top + 10, _EVEN_X - _ODD_X + 32, ROW * 20, fill=BODY)
    exits = {}
    for pin, net in enumerate(circuit.header, start=1):
        at = (_ODD_X if pin % 2 else _EVEN_X, top + ROW * ((pin + 1) // 2) - _HALF // 2)
        _pin(canvas, pin, net, at)
        if net is not FREE and net.kind not in (*POWER, *CONTROLS):
            exits[net] = _let_go(canvas, pin, net, at)
    return exits


def _pin(canvas: Canvas, pin: int, net: Net, at: Place) -> None:
    x, y = at
    colour, used = ink(net), net is not FREE
    canvas.circle(x, y, 10, fill=colour if used else PAPER, ink=colour if used else FAINT)
    canvas.text(str(pin), x, y + 4, size=10, anchor=Anchor.MIDDLE, ink=PAPER if used else FAINT, bold=used)
    name = HEADER[pin - 1].replace("V", " V")
    side, way = (Anchor.END, -1) if x == _ODD_X else (Anchor.START, 1)
    canvas.text(name, x + 22 * way, y + 4, anchor=side, ink=colour, bold=used)
    if remark := _remark(pin, net):
        far = 72 if x == _ODD_X or net.kind in CONTROLS else 54
        canvas.text(remark, x + far * way, y + 4, size=11, anchor=side, ink=colour)


def _remark(pin: int, net: Net) -> str:
    """Return the use of a power pin: to supply Pi or sensors, or to go beside a line; or the line's part."""
    if net.kind in CONTROLS:
        return str(net)
    if net not in (GROUND, LOGIC, SUPPLY):
        return ""
    return "sensors" if pin in _SENSORS else "supply" if pin in _SUPPLY else "for data"


def _let_go(canvas: Canvas, pin: int, net: Net, at: Place) -> Place:
    x, y = at
    begins, ends = (_NAMES_END, y), (_NAMES_END, y)
    if x == _ODD_X:
        begins, ends = (x + 8, y + 8), (_NAMES_END, y + _HALF)
        wire(canvas, net, begins, (x + _HALF, y + _HALF), ends)
    canvas.pin(f"header {pin}", begins)
    canvas.text(str(net), ends[0] + 36, ends[1] - 4, size=10, ink=ink(net))
    return ends

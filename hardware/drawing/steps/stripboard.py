"""Step 5: the plan of the stripboard, from the side of its parts."""

from __future__ import annotations

import itertools

from firmware_host.games.layout import MORRIS
from hardware.drawing.canvas import FAINT, INK, PAPER, Anchor, Canvas, Place
from hardware.drawing.symbols import ink
from hardware.wiring.circuit import build_circuit
from hardware.wiring.netlist import GROUND, Net
from hardware.wiring.plan import BoardPlan
from hardware.wiring.stripboard import COLUMNS, ChipSeat, Spot, StripboardPlan, stripboard_plan

_LEFT, _TOP, _HOLE, _SHOWN = 84, 70, 15, 17
_COPPER = "#f0d9b8"
_NOTES = (
    "From the side of the parts; the strips run from left to right below. Cut a strip at each cross, between",
    "the two rows of pins of each chip and between chips. Solder sockets, not chips: their notch points up.",
    "Each line is a link from a row at the top to a pin's strip; boxes on lines are parts. The names at both",
    "ends of a chip's strips are wires that leave the board: to the points, from Z to the Pi's header, from",
    "19 to its pin 19, and from LED through 330 Ohm to the first LED. Strips carry the chips' current only.",
    "5 V and GND of LEDs and Pi go by wire from the terminals behind the fuse. The tall box at the level",
    "shifter is 10 kOhm to GND, which holds the LEDs' data low; the short ones are 100 nF.",
)


def stripboard_svg() -> str:
    """Draw chips, cuts, links and the wires that leave the board."""
    canvas = Canvas("Step 5: the stripboard")
    canvas.text("5  The stripboard", 40, 34, size=20, bold=True, plain=True)
    plan = stripboard_plan(build_circuit(BoardPlan.recommended(MORRIS)))
    for row in range(1, _SHOWN):
        _strip(canvas, plan, row)
    for net, row in plan.buses.items():
        x, y = _at((row, 0))
        canvas.text(str(net), x - 10, y + 4, size=11, anchor=Anchor.END, ink=ink(net), bold=True)
    for seat in plan.seats:
        _seat(canvas, seat)
    for link in plan.links:
        begin, end = _at(link.begin), _at(link.end)
        canvas.line([begin, end], ink=ink(link.net), width=2)
        for x, y in (begin, end):
            canvas.circle(x, y, 3, fill=ink(link.net), ink=ink(link.net))
        if link.part == "10 kOhm":
            middle = (begin[1] + end[1]) // 2
            canvas.rect(begin[0] - 4, middle - 13, 8, 26, fill=PAPER)
        elif link.part:
            canvas.rect(begin[0] - 5, begin[1] + 3, 10, end[1] - begin[1] - 6, fill=PAPER)
    for spot, net in plan.leads.items():
        if spot[1]:
            _lead(canvas, spot, net)
    for row, words in enumerate(_NOTES):
        canvas.text(words, 40, _TOP + _SHOWN * _HOLE + 34 + 20 * row, size=13, plain=True)
    return canvas.svg(1040, _TOP + _SHOWN * _HOLE + 40 + 20 * len(_NOTES))


def _at(spot: Spot) -> Place:
    return _LEFT + spot[1] * _HOLE, _TOP + spot[0] * _HOLE


def _strip(canvas: Canvas, plan: StripboardPlan, row: int) -> None:
    """Draw a strip, and a cross at each of its cuts."""
    edges = [-1, *sorted(column for at, column in plan.cuts if at == row), COLUMNS]
    for left, right in itertools.pairwise(edges):
        (x1, y), (x2, _) = _at((row, left + 1)), _at((row, right - 1))
        canvas.shape([(x1 - 6, y - 5), (x2 + 6, y - 5), (x2 + 6, y + 5), (x1 - 6, y + 5)], fill=_COPPER)
    for column in edges[1:-1]:
        x, y = _at((row, column))
        canvas.line([(x - 4, y - 4), (x + 4, y + 4)], ink=INK)
        canvas.line([(x - 4, y + 4), (x + 4, y - 4)], ink=INK)


def _seat(canvas: Canvas, seat: ChipSeat) -> None:
    """Draw a chip, its name above, and its pins."""
    half = len(seat.chip.nets) // 2
    (left, top), (right, bottom) = _at(seat.pin(1)), _at(seat.pin(half + 1))
    canvas.rect(left - 5, top - 8, right - left + 10, bottom - top + 16, ink=INK)
    canvas.text("1", left - 4, top - 12, size=11)
    canvas.text(
        seat.chip.name, (left + right) // 2, top + 8 * _HOLE + 6, size=11, anchor=Anchor.MIDDLE, bold=True
    )
    for number in range(1, 2 * half + 1):
        canvas.circle(*_at(seat.pin(number)), 3, fill=FAINT, ink=FAINT)


def _lead(canvas: Canvas, spot: Spot, net: Net) -> None:
    x, y = _at(spot)
    name = str(net).removeprefix("signal ") if net != GROUND else "GND"
    words = (
        f"Z{name}" if str(net).startswith("signal") else {"data": "19", "data at 5 V": "LED"}.get(name, name)
    )
    canvas.text(words, x, y + 4, size=11, anchor=Anchor.MIDDLE, ink=ink(net), bold=True)

"""Step 3: the chain of LEDs, from below."""

from __future__ import annotations

from itertools import pairwise

from firmware_host.games.layout import MORRIS
from hardware.case.measures import Measures
from hardware.drawing.canvas import INK, PAPER, Anchor, Canvas, Place
from hardware.drawing.materials import GLOW
from hardware.drawing.steps.below import BOTTOM, TOP, draw_plate, edge, notes, place
from hardware.drawing.symbols import ink
from hardware.wiring.netlist import GROUND, STRIP, SUPPLY

_HALF = 13
_NOTES = (
    "Three wires run from LED to LED:",
    "5 V (red) and GND (black) of 0.5 mm²,",
    "and data (violet) from DOUT to DIN.",
    "",
    "LED 0 is at d5. There the data wire",
    "arrives through 330 Ohm, and the big",
    "capacitor goes across 5 V and GND.",
    "",
    "Then ring by ring, on the plate seen",
    "from above clockwise; from below it",
    "looks counter-clockwise.",
    "",
    "Feed 5 V and GND at LED 0, and once",
    "more at the last LED.",
    "",
    "Measure now: no short circuit from",
    "5 V to GND. They light for the first",
    "time after step 5: in `millwright leds",
    "test`, one after another from 0 on.",
)


def leds_svg() -> str:
    """Draw the LEDs in the order of the chain, and its three wires."""
    canvas = Canvas("Step 3: the chain of LEDs")
    canvas.text("3  The LEDs, from below", 40, 34, size=20, bold=True, plain=True)
    draw_plate(canvas)
    offset = Measures.recommended(MORRIS).led_offset_mm
    places = [place(point, offset) for point in MORRIS.points]
    for one, other in pairwise(places):
        _wires(canvas, one, other)
    for point, (x, y) in zip(MORRIS.points, places, strict=True):
        first = point.index == 0
        canvas.rect(x - _HALF, y - _HALF, 2 * _HALF, 2 * _HALF, fill=GLOW if first else PAPER)
        canvas.text(str(point.index), x, y + 5, anchor=Anchor.MIDDLE, bold=True)
    notes(canvas, _NOTES, TOP + 16)
    return canvas.svg(1040, BOTTOM + 40)


def _wires(canvas: Canvas, one: Place, other: Place) -> None:
    """Draw the wires from an LED to the next, and an arrow on the data wire."""
    for net, aside in ((SUPPLY, 5), (GROUND, -5)):
        ends = [edge(one, other, _HALF, aside), edge(other, one, _HALF, -aside)]
        canvas.line(ends, ink=ink(net), width=2)
    end = edge(other, one, _HALF + 2)
    canvas.line([edge(one, other, _HALF), end], ink=ink(STRIP), width=2)
    back = edge(end, one, 10, 5), edge(end, one, 10, -5)
    canvas.shape([end, *back], fill=ink(STRIP), ink=INK)

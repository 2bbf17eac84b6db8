"""Step 3: the chain of LEDs, from below."""

from __future__ import annotations

from itertools import pairwise

from firmware_host.games.layout import MORRIS
from hardware.case.looms import hop
from hardware.drawing.canvas import PAPER, Anchor, Canvas, Place
from hardware.drawing.materials import GLOW
from hardware.drawing.model import recommended_board
from hardware.drawing.steps.below import BOTTOM, TOP, draw_obstacles, draw_plate, notes, place, spot
from hardware.drawing.symbols import ink
from hardware.wiring.netlist import GROUND, STRIP, SUPPLY

_HALF = 13
_NOTES = (
    "Three wires run from LED to LED:",
    "5 V (red) and GND (black) of 0.5 mm²,",
    "and data (violet) from DOUT to DIN,",
    "along the ways drawn: not over a reed,",
    "a screw or the frame.",
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
    """Draw the LEDs in the order of the chain, and the ways of its three wires."""
    canvas = Canvas("Step 3: the chain of LEDs")
    canvas.text("3  The LEDs, from below", 40, 34, size=20, bold=True, plain=True)
    draw_plate(canvas)
    draw_obstacles(canvas)
    measures = recommended_board().measures
    for one, other in pairwise(MORRIS.points):
        way = hop(one, other, measures)
        for net, aside in ((SUPPLY, -4), (STRIP, 0), (GROUND, 4)):
            path = _leave([spot(at, aside) for at in way], spot(way[0]))
            canvas.line(_leave(path[::-1], spot(way[-1])), ink=ink(net), width=2)
    for point in MORRIS.points:
        x, y = place(point, measures.led_offset_mm)
        canvas.rect(x - _HALF, y - _HALF, 2 * _HALF, 2 * _HALF, fill=GLOW if point.index == 0 else PAPER)
        canvas.text(str(point.index), x, y + 5, anchor=Anchor.MIDDLE, bold=True)
    notes(canvas, (*_NOTES, *_lengths()), TOP + 16)
    return canvas.svg(1040, BOTTOM + 40)


def _leave(path: list[Place], led: Place) -> list[Place]:
    """Return what is left of a path, which begins at an LED, outside its square."""
    for number, (x, y) in enumerate(path):
        right, down = x - led[0], y - led[1]
        if max(abs(right), abs(down)) > _HALF:
            edge = tuple(
                at + max(-_HALF, min(_HALF, off)) if abs(off) > _HALF else before
                for at, off, before in zip(led, (right, down), path[number - 1], strict=True)
            )
            return [(edge[0], edge[1]), *path[number:]]
    return path


def _lengths() -> tuple[str, ...]:
    """Return what the wires between neighbouring LEDs measure."""
    runs = [run for run in recommended_board().wires.runs if run.begin.startswith("LED")]
    lengths = sorted({round(run.length_mm) for run in runs})
    return "", f"Cut them to {lengths[0]} to {lengths[-1]} mm; wires.csv", "has each length."

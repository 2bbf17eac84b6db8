"""Step 5: the way of the 5 V, from the jack through the fuse to strip and Pi."""

from __future__ import annotations

from firmware_host.games.layout import MORRIS
from hardware.drawing.canvas import BODY, FAINT, Anchor, Canvas
from hardware.drawing.symbols import capacitor, diode, fuse, ink
from hardware.wiring.bom import PI_MODELS, current, fuse_a, larger_fuses
from hardware.wiring.netlist import GROUND, SUPPLY
from hardware.wiring.plan import BoardPlan

_PLUS, _MIDDLE, _MINUS = 150, 240, 330
_BLOCKS = (
    (600, 150, "LED strip", ("at LED 0, and again", "at the last LED")),
    (790, 210, "Raspberry Pi", ("5 V: header pins 2, 4", "GND: header pins 6, 9")),
)


def power_svg() -> str:
    """Draw jack, fuse, TVS diode and capacitor, and from there the strip, the shifter and the Pi."""
    plan = BoardPlan.recommended(MORRIS)
    canvas = Canvas("Step 5: the supply")
    canvas.text("5  The supply", 40, 34, size=20, bold=True, plain=True)
    red, black = ink(SUPPLY), ink(GROUND)
    canvas.rect(40, _PLUS - 40, 130, _MINUS - _PLUS + 80, fill=BODY)
    canvas.text("jack", 105, _PLUS - 8, size=14, anchor=Anchor.MIDDLE, bold=True)
    canvas.text("5.5 x 2.1 mm", 105, _PLUS + 14, size=11, anchor=Anchor.MIDDLE)
    draws = current(plan)
    canvas.text("5 V, with a Pi", 56, _PLUS + 52, size=11, bold=True)
    for row, model in enumerate(PI_MODELS):
        canvas.text(f"{model.name}: {draws.supply_a(model):g} A", 56, _PLUS + 72 + 20 * row, size=11)
    canvas.text("+", 160, _PLUS + 5, size=14, anchor=Anchor.END, bold=True)
    canvas.text("-", 160, _MINUS + 5, size=14, anchor=Anchor.END, bold=True)
    canvas.line([(170, _PLUS), (1000, _PLUS)], ink=red, width=3)
    canvas.line([(170, _MINUS), (1000, _MINUS)], ink=black, width=3)
    fuse(canvas, 210, 310, _PLUS)
    least = fuse_a(plan, PI_MODELS[0])
    canvas.text(f"fuse, {least:g} A slow", 260, _PLUS - 42, anchor=Anchor.MIDDLE, bold=True)
    canvas.text(larger_fuses(plan), 260, _PLUS - 24, size=11, anchor=Anchor.MIDDLE)
    diode(canvas, 390, _PLUS, _MINUS)
    canvas.text("TVS diode", 374, _MIDDLE - 4, size=12, anchor=Anchor.END, bold=True)
    canvas.text("P6KE6.8A", 374, _MIDDLE + 14, size=11, anchor=Anchor.END)
    capacitor(canvas, 500, _PLUS, _MINUS)
    canvas.text("1000 uF", 524, _MIDDLE + 5, size=11)
    for left, width, name, lines in _BLOCKS:
        _block(canvas, left, width, name, lines)
    canvas.text(
        "All of this is wire of 0.5 mm². The level shifter's pin 14 gets its 5 V from here as well.", 40, 420
    )
    canvas.text('The diode\'s band points to plus. Write "5 V" beside the jack.', 40, 442)
    _polarity(canvas, 500)
    return canvas.svg(1040, 600)


def _polarity(canvas: Canvas, top: int) -> None:
    """Draw the plug's poles as supplies show them, and a jack's contacts."""
    red, black, y = ink(SUPPLY), ink(GROUND), top + 30
    canvas.circle(110, y, 14, ink=black)
    canvas.circle(110, y, 4, fill=red, ink=red)
    canvas.line([(60, y), (96, y)], ink=black, width=2)
    canvas.line([(110, y), (160, y)], ink=red, width=2)
    canvas.text("-", 54, y + 5, size=14, anchor=Anchor.END, bold=True)
    canvas.text("+", 166, y + 5, size=14, bold=True)
    words = (
        "Buy a supply with this sign: plus is the pin in the middle, minus the sleeve around it. A panel",
        "jack has two or three tags: the one of the pin, usually the shortest, is plus. Find it with the",
        "plug in and the meter on volts, before anything else is connected: red on plus shows +5 V.",
        "The third tag opens when the plug goes in: leave it free.",
    )
    for row, line in enumerate(words):
        canvas.text(line, 210, top + 8 + 20 * row, size=13, plain=True)


def _block(canvas: Canvas, left: int, width: int, name: str, lines: tuple[str, ...]) -> None:
    canvas.rect(left, _PLUS + 30, width, _MINUS - _PLUS - 60, fill=BODY)
    x = left + width // 2
    canvas.line([(x, _PLUS), (x, _PLUS + 30)], ink=ink(SUPPLY), width=3)
    canvas.line([(x, _MINUS - 30), (x, _MINUS)], ink=ink(GROUND), width=3)
    canvas.text(name, x, _PLUS + 66, size=14, anchor=Anchor.MIDDLE, bold=True)
    for row, words in enumerate(lines):
        canvas.text(words, x, _PLUS + 94 + 18 * row, size=11, anchor=Anchor.MIDDLE, ink=FAINT)

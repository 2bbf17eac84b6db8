"""Step 2: one point with its reed and its LED, from above and from the side."""

from __future__ import annotations

from hardware.case.measures import BEND_MM, REED_MM, Measures
from hardware.drawing.canvas import BODY, FAINT, INK, PAPER, Anchor, Canvas
from hardware.drawing.materials import COPPER, GLOW, OPAL, WOOD

_MM = 9
_ABOVE, _BESIDE, _MIDDLE = 250, 700, 250
_PLATE = 360


def point_svg() -> str:
    """Draw the parts of a point on the lower plate, before the upper one covers them."""
    canvas = Canvas("Step 2: the reed and the LED of a point")
    canvas.text("2  One point on the lower plate", 40, 34, size=20, bold=True, plain=True)
    measures = Measures()
    _from_above(canvas, measures)
    _from_the_side(canvas, measures)
    return canvas.svg(1040, 530)


def _from_above(canvas: Canvas, m: Measures) -> None:
    canvas.text("From above", 60, 74, bold=True, plain=True)
    half = 19 * _MM
    _box(canvas, _ABOVE - half, _MIDDLE - half + 20, _ABOVE + half, _MIDDLE + half - 20, WOOD)
    canvas.circle(_ABOVE, _MIDDLE, round(m.bore_mm / 2 * _MM), ink=FAINT)
    _slot(canvas, _ABOVE, _MIDDLE, 6)
    canvas.circle(_ABOVE - 9, _MIDDLE, _MM, fill=OPAL)
    canvas.circle(_ABOVE + 18, _MIDDLE, 3, fill=COPPER, ink=COPPER)
    led = _ABOVE + round(m.led_offset_mm * _MM)
    _box(canvas, led - 34, _MIDDLE - 45, led + 34, _MIDDLE + 45, BODY)
    _box(canvas, led - 22, _MIDDLE - 22, led + 22, _MIDDLE + 22, PAPER)
    canvas.circle(led, _MIDDLE, 17, fill=GLOW)
    for row, name in enumerate(("5V", "DIN, DOUT", "GND")):
        y = _MIDDLE - 30 + 30 * row
        for side in (-1, 1):
            canvas.circle(led + side * 34, y, 5, fill=COPPER, ink=INK)
        canvas.line([(led + 34, y), (led + 96, y)], ink=FAINT)
        canvas.text(name, led + 102, y + 4, size=12)
    canvas.line([(_ABOVE - 9, _MIDDLE - 9), (_ABOVE - 9, 176)], ink=FAINT)
    for row, words in enumerate(("reed, upright", "in its slot")):
        canvas.text(words, _ABOVE - 9, 152 + 16 * row, anchor=Anchor.MIDDLE, size=12)
    low = _MIDDLE + half - 20
    canvas.text(f"The circle is the bore above it, {m.bore_mm:g} mm wide.", 80, low + 24, size=12)
    canvas.text("Solder the wires to the LED before you glue it.", 80, low + 42, size=12)


def _from_the_side(canvas: Canvas, m: Measures) -> None:
    canvas.text("From the side", _BESIDE - 160, 74, bold=True, plain=True)
    under = _PLATE + round(m.lower_mm * _MM)
    for left, right in ((-140, -27), (27, 54), (126, 240)):
        _box(canvas, _BESIDE + left, _PLATE, _BESIDE + right, under, WOOD)
    glass = round(REED_MM * _MM)
    top = under - glass
    _box(canvas, _BESIDE - 18, top, _BESIDE, top + glass, OPAL)
    canvas.line([(_BESIDE - 11, top), (_BESIDE - 11, top + glass * 4 // 7)], width=2)
    canvas.line([(_BESIDE - 7, top + glass * 3 // 7), (_BESIDE - 7, under + 50)], width=2)
    bend = round(BEND_MM * _MM)
    bent = [
        (_BESIDE - 11, top),
        (_BESIDE - 11, top - bend),
        (_BESIDE + 14, top - bend),
        (_BESIDE + 14, under + 50),
    ]
    canvas.line(bent, width=2)
    canvas.line([(_BESIDE + 14, top - 6), (_BESIDE + 14, under + 14)], ink=GLOW, width=7)
    led = _BESIDE + round(m.led_offset_mm * _MM)
    _box(canvas, led - 45, _PLATE - 6, led + 45, _PLATE, BODY)
    _box(canvas, led - 22, _PLATE - 20, led + 22, _PLATE - 6, GLOW)
    for x in (led - 30, led + 30):
        canvas.line([(x, _PLATE - 6), (x, under + 50)], ink=COPPER, width=2)
    _labels(canvas, top, under, led)


def _labels(canvas: Canvas, top: int, under: int, led: int) -> None:
    right = _BESIDE + 270
    canvas.line([(_BESIDE - 11, top - 14), (_BESIDE - 60, top - 30)], ink=FAINT)
    canvas.text("bent 3 mm", _BESIDE - 64, top - 40, size=12, anchor=Anchor.END)
    canvas.text("from the glass", _BESIDE - 64, top - 24, size=12, anchor=Anchor.END)
    canvas.line([(_BESIDE + 18, top + 30), (_BESIDE + 60, top - 14)], ink=FAINT)
    canvas.text("sleeve on the wire that is bent back", _BESIDE + 66, top - 12, size=12)
    canvas.line([(led + 22, _PLATE - 14), (led + 60, _PLATE - 50)], ink=FAINT)
    canvas.text("LED on a piece of strip", led + 66, _PLATE - 50, size=12)
    canvas.text("a drop of glue", led + 66, _PLATE - 34, size=12)
    canvas.text("lower plate", right - 20, _PLATE + 22, size=12)
    canvas.text("one wire to GND,", _BESIDE - 22, under + 50, size=12, anchor=Anchor.END)
    canvas.text("the other to the chip", _BESIDE - 22, under + 66, size=12, anchor=Anchor.END)
    canvas.text("5 V, GND, data", led, under + 68, size=12, anchor=Anchor.MIDDLE)


def _slot(canvas: Canvas, x: int, y: int, length: int) -> None:
    canvas.rect(x - length * _MM // 2, y - 13, length * _MM, 26, fill=PAPER, ink=FAINT)


def _box(canvas: Canvas, left: int, top: int, right: int, bottom: int, fill: str) -> None:
    canvas.shape([(left, top), (right, top), (right, bottom), (left, bottom)], fill=fill, ink=INK)

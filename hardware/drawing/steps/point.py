"""Step 2: one point with its reed and its LED, from above, from the front and from the side."""

from __future__ import annotations

from firmware_host.games.layout import MORRIS
from hardware.case.heights import Heights
from hardware.case.measures import BEND_MM, PLAY_MM, Measures
from hardware.case.point import JOINT_MM, place
from hardware.case.solids import Solid
from hardware.drawing.canvas import FAINT, Anchor, Canvas
from hardware.drawing.model import recommended_board, within
from hardware.drawing.views import Side, ViewScale, draw_above, draw_cut

_MM, _BASE = 8, 330
_SHOWN = ("lower plate", "reed", "reed's leg", "reed's bent wire", "LED's carrier", "LED's wires")
_HALF_MM = 18.0


def point_svg() -> str:
    """Draw the parts of a point on the lower plate, before the upper one covers them."""
    canvas = Canvas("Step 2: the reed and the LED of a point")
    canvas.text("2  One point on the lower plate", 40, 34, size=20, bold=True, plain=True)
    made = recommended_board()
    m, h = made.measures, Heights.of(made.measures)
    x, y = place(MORRIS["d5"], m)
    parts = tuple(part for part in made.parts if part.name in _SHOWN)
    near = within(parts, x - _HALF_MM, x + _HALF_MM, y - _HALF_MM, y + _HALF_MM)
    floor = h.lower - JOINT_MM - 3
    front, side = (
        ViewScale(60, _BASE, _MM, x - _HALF_MM, floor),
        ViewScale(480, _BASE, _MM, y - _HALF_MM, floor),
    )
    draw_cut(canvas, near, front, Side.FRONT, y, 5.0)
    draw_cut(canvas, [p for p in near if not p.name.startswith("LED")], side, Side.SIDE, x, 4.0)
    canvas.text("From the front", 60, 74, bold=True, plain=True)
    canvas.text("From the right, the reed alone", 480, 74, bold=True, plain=True)
    _heights(canvas, m, h, side, y)
    _from_above(canvas, near, m, (x, y))
    return canvas.svg(1040, 710)


def _heights(canvas: Canvas, m: Measures, h: Heights, side: ViewScale, y: float) -> None:
    """Write the heights beside the reed, each at its own."""
    right, gauge = side.at(y + _HALF_MM, 0)[0] + 12, m.upper_mm - m.roof_mm - PLAY_MM
    ceiling = h.upper + gauge
    low = ceiling - BEND_MM - 0.6 - m.reed_mm
    for height, words in (
        (ceiling, f"the bend: {gauge:g} mm above the plate"),
        (ceiling - BEND_MM - 0.6, f"glass begins {BEND_MM:g} mm below the bend"),
        (h.upper, "lower plate, upper side"),
        (h.lower, "lower plate, underside"),
        (low, f"glass of {m.reed_mm:g} mm: {h.lower - low:g} mm below"),
    ):
        place_y = side.at(0, height)[1]
        canvas.line([(side.at(y + 4, 0)[0], place_y), (right - 4, place_y)], ink=FAINT, dashed=True)
        canvas.text(words, right, place_y + (14 if height == low else 4 if height > h.lower else -3), size=12)
    canvas.text("one leg to GND, the other", side.at(y, 0)[0], _BASE + 6, size=12, anchor=Anchor.MIDDLE)
    canvas.text(
        "to the chip; sleeve on the bent wire", side.at(y, 0)[0], _BASE + 22, size=12, anchor=Anchor.MIDDLE
    )


def _from_above(canvas: Canvas, near: list[Solid], m: Measures, at: tuple[float, float]) -> None:
    x, y = at
    scale = ViewScale(60, 680, _MM, x - _HALF_MM, y - _HALF_MM)
    canvas.text("From above", 60, 376, bold=True, plain=True)
    draw_above(
        canvas, [part for part in near if part.name in ("lower plate", "reed", "reed's bent wire")], scale
    )
    led = next(part for part in near if part.name == "LED's carrier").prism
    canvas.circle(*scale.at(led.x, led.y), round(led.radius * _MM), ink="#e69f00")
    canvas.circle(*scale.at(x, y), round(m.bore_mm / 2 * _MM), ink=FAINT)
    words = (
        f"The slot of the reed and, {m.led_offset_mm:g} mm to its right, the slot for",
        "the six wires of the LED. The orange circle is the board that the",
        f"LED is on, {m.carrier.width:g} mm wide: glue it over the slot, after its wires",
        "are soldered. The grey circle is the bore of the upper plate above",
        f"it, {m.bore_mm:g} mm wide: nothing may lie outside it.",
        "",
        f"Reeds of 10 to {m.reed_mm:g} mm fit, all with their bends at one height: cut a",
        "gauge from wood or card for it. A long glass reaches below the",
        "plate: lay no wire over it.",
    )
    for row, line in enumerate(words):
        canvas.text(line, 400, 430 + 22 * row, size=13, plain=True)

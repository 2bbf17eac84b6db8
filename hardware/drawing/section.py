"""A cut through two points of the board, and the position of a reed under a magnet, drawn to scale."""

from __future__ import annotations

from firmware_host.games.layout import MORRIS
from hardware.case.heights import Heights
from hardware.case.point import JOINT_MM, place
from hardware.drawing.canvas import FAINT, INK, PAPER, Anchor, Canvas
from hardware.drawing.materials import GLOW, NORTH, SOUTH
from hardware.drawing.model import recommended_board, within
from hardware.drawing.views import Side, ViewScale, draw_cut

_MM, _LEFT, _BASE = 9, 60, 400
_SHOWN_MM = 84.0


def section_svg() -> str:
    """Draw the cut, and three reeds, two of which close."""
    canvas = Canvas("A cut through two points of a Millwright board")
    canvas.text("A cut through two points", 40, 34, size=20, bold=True, plain=True)
    made, h = recommended_board(), Heights.of(recommended_board().measures)
    m = made.measures
    (one, y), (other, _) = (place(MORRIS[name], m) for name in ("d5", "e5"))
    left = (one + other - _SHOWN_MM) / 2
    shown = ("upper plate", "lower plate", "piece", "magnet", "inlay", "reed", "reed's leg", "LED's carrier")
    parts = [part for part in made.parts if part.name in shown]
    parts = [part for part in parts if not (part.where == "e5" and part.name in ("piece", "magnet"))]
    scale = ViewScale(_LEFT, _BASE, _MM, left, h.lower - JOINT_MM - 2)
    box = within(tuple(parts), left, left + _SHOWN_MM, y - 25, y + 25)
    draw_cut(canvas, box, scale, Side.FRONT, y, 1.0)
    _light(canvas, scale, one + m.led_mm[0], h)
    _light(canvas, scale, other + m.led_mm[0], h)
    _labels(canvas, scale, one, other)
    canvas.text("How a reed closes", 40, 506, size=20, bold=True, plain=True)
    captions = (
        "upright, under the centre: closes",
        "lying, one end there: closes",
        "lying, centred: stays open",
    )
    for number, caption in enumerate(captions):
        _reed_under_magnet(canvas, 190 + 330 * number, number, caption)
    return canvas.svg(1040, 740)


def _light(canvas: Canvas, scale: ViewScale, x: float, h: Heights) -> None:
    """Draw the light's way from an LED to the inlay."""
    m = recommended_board().measures
    start = scale.at(x, h.upper + m.carrier.height)
    for reach in (-16.0, -8.0, 0.0, 4.0):
        canvas.line([start, scale.at(x + reach, h.surface - m.inlay_depth_mm)], ink=GLOW, dashed=True)


def _labels(canvas: Canvas, scale: ViewScale, one: float, other: float) -> None:
    m, h = recommended_board().measures, Heights.of(recommended_board().measures)
    x, top = scale.at(one, h.surface + m.piece_height_mm)
    right, surface = scale.at(other, h.surface)
    canvas.text(f"piece, {m.piece_mm:g} mm across", x, top - 10, anchor=Anchor.MIDDLE)
    tip = scale.at(one + 3, h.surface + 2)
    canvas.line([tip, (x + 150, top + 4)], ink=FAINT)
    canvas.text(f"magnet, {m.magnet_mm:g} x {m.magnet_height_mm:g} mm", x + 156, top + 4)
    canvas.line([(right, surface + 8), (right + 40, surface - 26)], ink=FAINT)
    inlay = f"inlay of opal acrylic, {m.inlay_mm:g} x {m.inlay_depth_mm:g} mm"
    canvas.text(inlay, right + 10, surface - 32)
    edge = _LEFT + round(_SHOWN_MM * _MM) + 14
    for height, words in (
        (h.upper + 9, f"upper plate, {m.upper_mm:g} mm,"),
        (h.upper + 7, f"bored {m.bore_mm:g} mm wide"),
        (h.lower + 1.5, f"lower plate, {m.lower_mm:g} mm"),
    ):
        canvas.text(words, edge, scale.at(0, height)[1])
    low = scale.at(0, h.lower)[1] + 24
    led = scale.at(one + m.led_mm[0], h.upper)
    canvas.line([(led[0], led[1] - 6), (led[0], low)], ink=FAINT)
    canvas.text(f"LED, {m.led_offset_mm:g} mm off the centre", led[0] - 10, low + 16)
    canvas.text(f"reed of {m.reed_mm:g} mm, upright", x - 16, low + 2, anchor=Anchor.END)
    line = low + 52
    for at in (x, right):
        canvas.line([(at, line - 8), (at, line + 8)])
    canvas.line([(x, line), (right, line)])
    canvas.text(f"{m.pitch_mm:g} mm from point to point", (x + right) // 2, line + 20, anchor=Anchor.MIDDLE)


def _box(canvas: Canvas, left: int, top: int, right: int, bottom: int, fill: str) -> None:
    canvas.shape([(left, top), (right, top), (right, bottom), (left, bottom)], fill=fill, ink=INK)


def _reed(canvas: Canvas, x: int, y: int, *, upright: bool) -> None:
    """Draw a glass with its blades; the place is the middle of its upper or left end."""
    length, half = 12 * _MM, _MM
    across = [(-half, 0), (half, 0), (half, length), (-half, length)]
    blades = [[(2, 0), (2, length * 4 // 7)], [(-2, length * 3 // 7), (-2, length)]]
    turned = [[(x + a, y + b) if upright else (x + b, y + a) for a, b in path] for path in (across, *blades)]
    canvas.shape(turned[0], fill=PAPER, ink=INK)
    for blade in turned[1:]:
        canvas.line(blade, width=2)


def _reed_under_magnet(canvas: Canvas, x: int, number: int, caption: str) -> None:
    top = 534
    half, height, length = 4 * _MM, 3 * _MM, 12 * _MM
    _box(canvas, x - half, top, x + half, top + height // 2, NORTH)
    _box(canvas, x - half, top + height // 2, x + half, top + height, SOUTH)
    if number == 0:
        _reed(canvas, x, top + 40, upright=True)
    else:
        _reed(canvas, x - (0 if number == 1 else length // 2), top + 60, upright=False)
    good = number < 2
    canvas.text(caption, x, 714, anchor=Anchor.MIDDLE, ink=INK if good else "#b3122e", bold=True)

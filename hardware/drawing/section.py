"""A cut through two points of the board, and the position of a reed under a magnet.

The measures are proposals, in millimetres, drawn to scale: pieces 24 across on points 40 apart.
"""

from __future__ import annotations

from hardware.case.measures import BEND_MM, REED_MM
from hardware.drawing.canvas import BODY, FAINT, INK, PAPER, Anchor, Canvas
from hardware.drawing.materials import GLOW, NORTH, OPAL, SOUTH, WOOD

_MM = 9
_LEFT, _RIGHT, _TOP = 60, 816, 150
_POINTS = (258, 258 + 40 * _MM)
_FLOOR, _UNDER = _TOP + 15 * _MM, _TOP + 19 * _MM


def section_svg() -> str:
    """Draw the cut, and three reeds, two of which close."""
    canvas = Canvas("A cut through two points of a Millwright board")
    canvas.text("A cut through two points", 40, 34, size=20, bold=True, plain=True)
    for x in _POINTS:
        _point(canvas, x)
    _wood(canvas)
    _piece(canvas, _POINTS[0])
    _labels(canvas)
    canvas.text("How a reed closes", 40, 456, size=20, bold=True, plain=True)
    captions = (
        "upright, under the centre: closes",
        "lying, one end there: closes",
        "lying, centred: stays open",
    )
    for number, caption in enumerate(captions):
        _reed_under_magnet(canvas, 190 + 330 * number, number, caption)
    return canvas.svg(1040, 690)


def _box(canvas: Canvas, left: int, top: int, right: int, bottom: int, fill: str) -> None:
    canvas.shape([(left, top), (right, top), (right, bottom), (left, bottom)], fill=fill, ink=INK)


def _wood(canvas: Canvas) -> None:
    """Draw both plates with their holes, and the reeds in the slots of the lower one."""
    edges = [_LEFT, *(x + side * 15 * _MM for x in _POINTS for side in (-1, 1)), _RIGHT]
    for left, right in zip(edges[::2], edges[1::2], strict=True):
        inlay_left = left if left == _LEFT else left + 2 * _MM
        inlay_right = right if right == _RIGHT else right - 2 * _MM
        step = _TOP + 3 * _MM
        outline = [
            (inlay_left, _TOP),
            (inlay_right, _TOP),
            (inlay_right, step),
            (right, step),
            (right, _FLOOR),
        ]
        canvas.shape([*outline, (left, _FLOOR), (left, step), (inlay_left, step)], fill=WOOD, ink=INK)
    _box(canvas, _LEFT, _FLOOR, _RIGHT, _UNDER, WOOD)
    for x in _POINTS:
        _box(canvas, x - 27, _FLOOR, x + 27, _UNDER, PAPER)
        top = _UNDER - round(REED_MM * _MM)
        bend = top - round(BEND_MM * _MM)
        canvas.line([(x, top), (x, bend), (x + 15, bend), (x + 15, _UNDER + 14)], ink=FAINT, width=2)
        canvas.line([(x, _UNDER), (x, _UNDER + 14)], ink=FAINT, width=2)
        _reed(canvas, x, top, upright=True)


def _point(canvas: Canvas, x: int) -> None:
    """Draw the inlay and the LED of one point."""
    _box(canvas, x - 17 * _MM, _TOP, x + 17 * _MM, _TOP + 3 * _MM, OPAL)
    led = x + 10 * _MM
    for reach in (-150, -75, 0, 40):
        canvas.line([(led, _FLOOR - 20), (led + reach, _TOP + 3 * _MM + 2)], ink=GLOW, dashed=True)
    _box(canvas, led - 22, _FLOOR - 15, led + 22, _FLOOR, GLOW)


def _reed(canvas: Canvas, x: int, y: int, *, upright: bool) -> None:
    """Draw a glass of 12 x 2 mm with its blades; the place is the middle of its upper or left end."""
    length, half = 12 * _MM, _MM
    across = [(-half, 0), (half, 0), (half, length), (-half, length)]
    blades = [[(2, 0), (2, length * 4 // 7)], [(-2, length * 3 // 7), (-2, length)]]
    turned = [[(x + a, y + b) if upright else (x + b, y + a) for a, b in path] for path in (across, *blades)]
    canvas.shape(turned[0], fill=PAPER, ink=INK)
    for blade in turned[1:]:
        canvas.line(blade, width=2)


def _magnet(canvas: Canvas, x: int, top: int) -> None:
    """Draw a disc of 8 x 3 mm, with its poles above and below."""
    half, height = 4 * _MM, 3 * _MM
    _box(canvas, x - half, top, x + half, top + height // 2, NORTH)
    _box(canvas, x - half, top + height // 2, x + half, top + height, SOUTH)


def _piece(canvas: Canvas, x: int) -> None:
    _box(canvas, x - 12 * _MM, _TOP - 8 * _MM, x + 12 * _MM, _TOP, BODY)
    _magnet(canvas, x, _TOP - 3 * _MM - 4)


def _labels(canvas: Canvas) -> None:
    one, other = _POINTS
    canvas.text("piece, 24 mm across", one, _TOP - 8 * _MM - 8, anchor=Anchor.MIDDLE)
    canvas.line([(one + 30, _TOP - 16), (one + 126, _TOP - 40)], ink=FAINT)
    canvas.text("magnet, 8 x 3 mm", one + 130, _TOP - 36)
    canvas.line([(other, _TOP + 10), (other + 40, _TOP - 30)], ink=FAINT)
    canvas.text("inlay of opal acrylic, 34 x 3 mm", other + 30, _TOP - 36)
    canvas.text("upper plate, 15 mm,", _RIGHT + 14, _TOP + 60)
    canvas.text("bored 30 mm wide", _RIGHT + 14, _TOP + 78)
    canvas.text("lower plate, 4 mm", _RIGHT + 14, _FLOOR + 22)
    canvas.line([(one + 10 * _MM, _FLOOR - 6), (one + 10 * _MM, _UNDER + 14)], ink=FAINT)
    canvas.text("LED, 10 mm off the centre", one + 10 * _MM - 10, _UNDER + 28)
    canvas.text("reed, upright", one - 16, _UNDER + 14, anchor=Anchor.END)
    low = _UNDER + 62
    for x in _POINTS:
        canvas.line([(x, low - 8), (x, low + 8)])
    canvas.line([(one, low), (other, low)])
    canvas.text("40 mm from point to point", (one + other) // 2, low + 20, anchor=Anchor.MIDDLE)


def _reed_under_magnet(canvas: Canvas, x: int, number: int, caption: str) -> None:
    top = 484
    _magnet(canvas, x, top)
    length = 12 * _MM
    if number == 0:
        _reed(canvas, x, top + 40, upright=True)
    else:
        _reed(canvas, x - (0 if number == 1 else length // 2), top + 60, upright=False)
    good = number < 2
    canvas.text(caption, x, 664, anchor=Anchor.MIDDLE, ink=INK if good else "#b3122e", bold=True)

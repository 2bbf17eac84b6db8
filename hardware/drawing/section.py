"""A cut through two points of the wood, and how a reed must stand under a magnet.

The measures are proposals, in millimetres, drawn to scale: pieces 24 across on points 40 apart.
"""

from __future__ import annotations

from hardware.drawing.canvas import BODY, FAINT, INK, PAPER, Anchor, Sheet

_MM = 9
_LEFT, _RIGHT, _TOP = 60, 816, 150
_POINTS = (258, 258 + 40 * _MM)
_FLOOR, _UNDER = _TOP + 15 * _MM, _TOP + 19 * _MM
_WOOD, _OPAL, _GLOW, _STEEL, _NORTH, _SOUTH = "#e3cda4", "#eef4f6", "#e69f00", "#c9d1d6", "#d55e00", "#56b4e9"


def section_svg() -> str:
    """Draw the cut, and three reeds of which two close."""
    sheet = Sheet("A cut through two points of a Millwright board")
    sheet.text("A cut through two points", 40, 34, size=20, bold=True, plain=True)
    for x in _POINTS:
        _point(sheet, x)
    _wood(sheet)
    _piece(sheet, _POINTS[0])
    _labels(sheet)
    sheet.text("How a reed closes", 40, 456, size=20, bold=True, plain=True)
    captions = (
        "upright, under the centre: closes",
        "lying, one end there: closes",
        "lying, centred: stays open",
    )
    for number, caption in enumerate(captions):
        _reed_under_magnet(sheet, 190 + 330 * number, number, caption)
    return sheet.svg(1040, 690)


def _box(sheet: Sheet, left: int, top: int, right: int, bottom: int, fill: str) -> None:
    sheet.shape([(left, top), (right, top), (right, bottom), (left, bottom)], fill=fill, ink=INK)


def _wood(sheet: Sheet) -> None:
    """Both plates; of the upper one what the holes leave."""
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
        sheet.shape([*outline, (left, _FLOOR), (left, step), (inlay_left, step)], fill=_WOOD, ink=INK)
    _box(sheet, _LEFT, _FLOOR, _RIGHT, _UNDER, _WOOD)
    for x in _POINTS:
        top = _TOP + 3 * _MM + 3
        sheet.line([(x, top), (x + 15, top), (x + 15, _UNDER + 14)], ink=FAINT, width=2)
        sheet.line([(x, top + 12 * _MM), (x, _UNDER + 14)], ink=FAINT, width=2)


def _point(sheet: Sheet, x: int) -> None:
    """Inlay, reed and LED of one point."""
    _box(sheet, x - 17 * _MM, _TOP, x + 17 * _MM, _TOP + 3 * _MM, _OPAL)
    led = x + 10 * _MM
    for reach in (-150, -75, 0, 40):
        sheet.line([(led, _FLOOR - 20), (led + reach, _TOP + 3 * _MM + 2)], ink=_GLOW, dashed=True)
    _box(sheet, led - 22, _FLOOR - 15, led + 22, _FLOOR, _GLOW)
    _reed(sheet, x, _TOP + 3 * _MM + 3, upright=True)


def _reed(sheet: Sheet, x: int, y: int, *, upright: bool) -> None:
    """A glass of 12 x 2 mm with its blades; the place is its upper or its left end's middle."""
    length, half = 12 * _MM, _MM
    across = [(-half, 0), (half, 0), (half, length), (-half, length)]
    blades = [[(2, 0), (2, length * 4 // 7)], [(-2, length * 3 // 7), (-2, length)]]
    turned = [[(x + a, y + b) if upright else (x + b, y + a) for a, b in path] for path in (across, *blades)]
    sheet.shape(turned[0], fill=PAPER, ink=INK)
    for blade in turned[1:]:
        sheet.line(blade, width=2)


def _magnet(sheet: Sheet, x: int, top: int) -> None:
    """A disc of 8 x 3 mm, its poles above and below."""
    half, height = 4 * _MM, 3 * _MM
    _box(sheet, x - half, top, x + half, top + height // 2, _NORTH)
    _box(sheet, x - half, top + height // 2, x + half, top + height, _SOUTH)


def _piece(sheet: Sheet, x: int) -> None:
    _box(sheet, x - 12 * _MM, _TOP - 8 * _MM, x + 12 * _MM, _TOP, BODY)
    _magnet(sheet, x, _TOP - 3 * _MM - 4)


def _labels(sheet: Sheet) -> None:
    one, other = _POINTS
    sheet.text("piece, 24 mm across", one, _TOP - 8 * _MM - 8, anchor=Anchor.MIDDLE)
    sheet.line([(one + 30, _TOP - 16), (one + 126, _TOP - 40)], ink=FAINT)
    sheet.text("magnet, 8 x 3 mm", one + 130, _TOP - 36)
    sheet.line([(other, _TOP + 10), (other + 40, _TOP - 30)], ink=FAINT)
    sheet.text("inlay of opal acrylic, 34 x 3 mm", other + 30, _TOP - 36)
    sheet.text("upper plate, 15 mm,", _RIGHT + 14, _TOP + 60)
    sheet.text("bored 30 mm wide", _RIGHT + 14, _TOP + 78)
    sheet.text("lower plate, 4 mm", _RIGHT + 14, _FLOOR + 22)
    sheet.line([(one + 10 * _MM, _FLOOR - 6), (one + 10 * _MM, _UNDER + 14)], ink=FAINT)
    sheet.text("LED, 10 mm off the centre", one + 10 * _MM - 10, _UNDER + 28)
    sheet.text("reed, upright", one - 16, _UNDER + 14, anchor=Anchor.END)
    low = _UNDER + 62
    for x in _POINTS:
        sheet.line([(x, low - 8), (x, low + 8)])
    sheet.line([(one, low), (other, low)])
    sheet.text("40 mm from point to point", (one + other) // 2, low + 20, anchor=Anchor.MIDDLE)


def _reed_under_magnet(sheet: Sheet, x: int, number: int, caption: str) -> None:
    top = 484
    _magnet(sheet, x, top)
    length = 12 * _MM
    if number == 0:
        _reed(sheet, x, top + 40, upright=True)
    else:
        _reed(sheet, x - (0 if number == 1 else length // 2), top + 60, upright=False)
    good = number < 2
    sheet.text(caption, x, 664, anchor=Anchor.MIDDLE, ink=INK if good else "#b3122e", bold=True)

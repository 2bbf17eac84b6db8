"""Step 8: everything that lies one above the other, drawn apart."""

from __future__ import annotations

from hardware.case.measures import Measures
from hardware.drawing.canvas import BODY, FAINT, INK, PAPER, Anchor, Canvas
from hardware.drawing.materials import GLOW, NORTH, OPAL, WOOD

_LEFT, _RIGHT, _LABELS = 60, 660, 700
_INSET = 48
_POINTS = (140, 250, 360, 470, 580)


def closing_svg() -> str:
    """Draw the layers of the board from the pieces down to the feet."""
    canvas = Canvas("Step 8: closing the board")
    canvas.text("8  Closing", 40, 34, size=20, bold=True, plain=True)
    m = Measures()
    for x in (_LEFT + 24, _RIGHT - 24):
        canvas.line([(x, 240), (x, 372)], ink=FAINT, dashed=True)
    _pieces(canvas, 70)
    _label(canvas, 92, "pieces, with magnets of one pole down")
    for x in _POINTS:
        _box(canvas, x - 38, 140, x + 38, 150, OPAL)
    _label(canvas, 149, f"inlays, {m.inlay_mm:g} mm, glued in flush")
    _upper(canvas, 185)
    _label(canvas, 214, f"upper plate, {m.upper_mm:g} mm, with its bores")
    _lower(canvas, 330)
    _label(canvas, 342, f"lower plate, {m.lower_mm:g} mm, with reeds and LEDs")
    _label(canvas, 368, "screws, 3 x 16 mm, from below", faint=True)
    _frame(canvas, 420)
    _label(canvas, 440, "frame of strips, 40 mm high, glued inside")
    _label(canvas, 458, "the screws, with the jack and slots for air")
    _label(canvas, 494, "Pi and stripboard on spacers, SD card")
    _label(canvas, 512, "within reach of a slot")
    _box(canvas, _LEFT + _INSET, 590, _RIGHT - _INSET, 602, WOOD)
    _label(canvas, 600, "lid, 4 mm, screwed to the frame")
    for x in (_LEFT + 80, _RIGHT - 80):
        _box(canvas, x - 16, 612, x + 16, 622, INK)
    _label(canvas, 624, "feet")
    return canvas.svg(1040, 650)


def _pieces(canvas: Canvas, top: int) -> None:
    for number, x in enumerate(_POINTS[1:4]):
        _box(canvas, x - 27, top, x + 27, top + 30, BODY if number != 1 else FAINT)
        _box(canvas, x - 9, top + 19, x + 9, top + 27, NORTH)


def _upper(canvas: Canvas, top: int) -> None:
    """Draw the upper plate cut through its bores."""
    edges = [_LEFT, *(x + side * 34 for x in _POINTS for side in (-1, 1)), _RIGHT]
    for left, right in zip(edges[::2], edges[1::2], strict=True):
        _box(canvas, left, top, right, top + 48, WOOD)


def _lower(canvas: Canvas, top: int) -> None:
    _box(canvas, _LEFT, top, _RIGHT, top + 14, WOOD)
    for x in _POINTS:
        _box(canvas, x - 4, top - 28, x + 3, top + 14, OPAL)
        _box(canvas, x + 16, top - 8, x + 30, top, GLOW)
        canvas.line([(x, top + 14), (x, top + 30)], ink=FAINT)
    canvas.line([(_POINTS[0], top + 30), (_POINTS[-1], top + 30)], ink=FAINT, width=3)


def _frame(canvas: Canvas, top: int) -> None:
    """Draw both sides of the frame, and the electronics between them."""
    bottom = top + 130
    for left in (_LEFT + _INSET, _RIGHT - _INSET - 22):
        _box(canvas, left, top, left + 22, bottom, WOOD)
    _box(canvas, _RIGHT - _INSET - 34, top + 50, _RIGHT - _INSET + 6, top + 74, PAPER)
    for left, width, name in ((150, 150, "Pi"), (360, 200, "stripboard")):
        _box(canvas, left, bottom - 30, left + width, bottom - 22, PAPER)
        for x in (left + 14, left + width - 22):
            _box(canvas, x, bottom - 22, x + 8, bottom, FAINT)
        canvas.text(name, left + width // 2, bottom - 52, anchor=Anchor.MIDDLE, bold=True)
    canvas.line([(225, bottom - 46), (225, bottom - 30)], ink=FAINT)


def _label(canvas: Canvas, y: int, words: str, *, faint: bool = False) -> None:
    canvas.text(words, _LABELS, y, size=12, ink=FAINT if faint else INK)


def _box(canvas: Canvas, left: int, top: int, right: int, bottom: int, fill: str) -> None:
    canvas.shape([(left, top), (right, top), (right, bottom), (left, bottom)], fill=fill, ink=INK)

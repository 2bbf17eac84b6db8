"""Step 7: a piece with its magnet, and the poles of all magnets."""

from __future__ import annotations

from hardware.case.measures import COVER_MM, Measures
from hardware.drawing.canvas import FAINT, INK, PAPER, Anchor, Canvas
from hardware.drawing.materials import NORTH, SOUTH, WOOD
from hardware.drawing.model import recommended_board
from hardware.drawing.steps.below import notes

_MM = 9
_FOOT, _MIDDLE = 250, 200
_SMALL_MM, _SMALL_FOOT = 4, 430
_NOTES = (
    "Drill or mill the pocket from below.",
    "Mark one face of a magnet with a pen and",
    "keep that magnet as a tool. Each other one",
    "sticks to the mark with one of its faces:",
    "mark this face, and glue the magnet in",
    "with its mark up. Then the same pole is",
    "down in all of them.",
    "",
    "Cover it with cloth or veneer of half a",
    "millimetre at most.",
    "",
    "Let the glue harden with the pieces far",
    "apart: magnets jump.",
    "",
    "With sensors that tell White from Black,",
    "Black's magnets are the other way round.",
)


def pieces_svg() -> str:
    """Draw a section through a piece, and how magnets lie in pieces of either colour."""
    m = recommended_board().measures
    canvas = Canvas("Step 7: the pieces")
    canvas.text("7  The pieces", 40, 34, size=20, bold=True, plain=True)
    canvas.text("A piece, cut through its middle", 60, 74, bold=True, plain=True)
    _piece(canvas, m, _MIDDLE, _FOOT, _MM, WOOD, (NORTH, SOUTH))
    half, top = round(m.piece_mm / 2 * _MM), _FOOT - round(m.piece_height_mm * _MM)
    canvas.text(f"{m.piece_mm:g} mm across", _MIDDLE, top - 12, size=12, anchor=Anchor.MIDDLE)
    canvas.text(
        f"{m.piece_height_mm:g} mm", _MIDDLE - half - 12, (top + _FOOT) // 2, size=12, anchor=Anchor.END
    )
    deep = m.pocket_mm
    side = _MIDDLE + half + 24
    canvas.line([(_MIDDLE + round(m.magnet_mm / 2 * _MM) - 6, _FOOT - 18), (side, _FOOT - 48)], ink=FAINT)
    canvas.text(f"magnet, {m.magnet_mm:g} x {m.magnet_height_mm:g} mm,", side + 6, _FOOT - 60, size=12)
    canvas.text(f"in a pocket {deep:g} mm deep", side + 6, _FOOT - 44, size=12)
    canvas.line([(_MIDDLE + 60, _FOOT + 2), (side, _FOOT + 22)], ink=FAINT)
    canvas.text("cloth or veneer", side + 6, _FOOT + 26, size=12)
    _colours(canvas, m)
    notes(canvas, _NOTES, 86)
    return canvas.svg(1040, 490)


def _piece(
    canvas: Canvas, m: Measures, x: int, foot: int, scale: int, wood: str, poles: tuple[str, str]
) -> None:
    """Draw a piece on its foot, whose middle is at a place, with the magnet's upper and lower pole."""
    half, height = round(m.piece_mm / 2 * scale), round(m.piece_height_mm * scale)
    _box(canvas, x - half, foot - height, x + half, foot, wood)
    cover, magnet = max(2, round(COVER_MM * scale)), round(m.magnet_height_mm * scale)
    wide = round(m.magnet_mm / 2 * scale)
    for row, colour in enumerate(reversed(poles)):
        low = foot - cover - row * magnet // 2
        _box(canvas, x - wide, low - magnet // 2, x + wide, low, colour)
    canvas.line([(x - half, foot), (x + half, foot)], width=3)


def _colours(canvas: Canvas, m: Measures) -> None:
    """Draw a white and a black piece for each kind of sensors."""
    kinds = (
        ("Reeds: all alike", ((NORTH, SOUTH), (NORTH, SOUTH))),
        ("Sensors that tell the colours", ((NORTH, SOUTH), (SOUTH, NORTH))),
    )
    for kind, (title, each) in enumerate(kinds):
        left = 60 + 290 * kind
        canvas.text(title, left, _SMALL_FOOT - 70, bold=True, plain=True)
        for number, (poles, wood, name) in enumerate(
            zip(each, (PAPER, FAINT), ("White", "Black"), strict=True)
        ):
            x = left + 56 + 130 * number
            _piece(canvas, m, x, _SMALL_FOOT, _SMALL_MM, wood, poles)
            canvas.text(name, x, _SMALL_FOOT + 22, size=12, anchor=Anchor.MIDDLE)


def _box(canvas: Canvas, left: int, top: int, right: int, bottom: int, fill: str) -> None:
    canvas.shape([(left, top), (right, top), (right, bottom), (left, bottom)], fill=fill, ink=INK)

"""The board from below: left and right have changed places, as when it is wired."""

from __future__ import annotations

from math import dist

from firmware_host.games.layout import MORRIS, Point
from hardware.case.measures import Measures
from hardware.drawing.canvas import FAINT, INK, Anchor, Canvas, Place
from hardware.drawing.materials import WOOD

LEFT, TOP, SCALE = 60, 86, 1.9
_MEASURES = Measures.recommended(MORRIS)
SIZE = round(_MEASURES.size_mm(MORRIS)[0] * SCALE)
BOTTOM = TOP + SIZE
NOTES = LEFT + SIZE + 40
"""The left edge of the notes beside the board."""


def draw_plate(canvas: Canvas) -> None:
    """Draw the lower plate, and say which side is which."""
    corners = [(LEFT, TOP), (LEFT + SIZE, TOP), (LEFT + SIZE, BOTTOM), (LEFT, BOTTOM)]
    canvas.shape(corners, fill=WOOD, ink=INK)
    for words, x, anchor in (("file g", LEFT, Anchor.START), ("file a", LEFT + SIZE, Anchor.END)):
        canvas.text(words, x, TOP - 8, size=12, anchor=anchor, ink=FAINT)


def place(point: Point, right_mm: float = 0.0) -> Place:
    """Return where a point is, or what lies a distance to its right as seen from above."""
    x = _MEASURES.edge_mm + point.x * _MEASURES.pitch_mm + right_mm
    y = _MEASURES.edge_mm + point.y * _MEASURES.pitch_mm
    return LEFT + SIZE - round(x * SCALE), BOTTOM - round(y * SCALE)


def edge(at: Place, towards: Place, radius: int, aside: int = 0) -> Place:
    """Return a place on the way to another one: a distance ahead, and some to the left of the way."""
    length = dist(at, towards)
    along, across = (towards[0] - at[0]) / length, (towards[1] - at[1]) / length
    return (
        at[0] + round(radius * along + aside * across),
        at[1] + round(radius * across - aside * along),
    )


def notes(canvas: Canvas, words: tuple[str, ...], top: int) -> None:
    """Write lines of text beside the board; an empty one parts paragraphs."""
    for row, line in enumerate(words):
        if line:
            canvas.text(line, NOTES, top + 20 * row, size=13, plain=True)

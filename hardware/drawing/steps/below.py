"""The board from below: left and right have changed places, as when it is wired."""

from __future__ import annotations

from math import dist

from firmware_host.games.layout import MORRIS, Point
from hardware.case.housing import HEAD_MM
from hardware.drawing.canvas import FAINT, INK, Anchor, Canvas, Place
from hardware.drawing.materials import FRAME, WOOD
from hardware.drawing.model import recommended_board

LEFT, TOP, SCALE = 60, 86, 1.9
_MEASURES = recommended_board().measures
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
    return spot((x, y))


def spot(at_mm: tuple[float, float], aside: int = 0) -> Place:
    """Return where something is whose place from above is given, in mm; `aside` shifts it to both sides."""
    return LEFT + SIZE - round(at_mm[0] * SCALE) + aside, BOTTOM - round(at_mm[1] * SCALE) + aside


def draw_obstacles(canvas: Canvas) -> None:
    """Draw the frame and the heads of the screws, where no wire may lie."""
    for part in recommended_board().named("frame"):
        prism = part.prism
        corners = [(prism.left, prism.front), (prism.right, prism.front)]
        corners += [(prism.right, prism.back), (prism.left, prism.back)]
        canvas.shape([spot(corner) for corner in corners], fill=FRAME, ink=FAINT)
    for part in recommended_board().named("screw"):
        if part.prism.radius * 2 == HEAD_MM and part.prism.bottom > 0:
            canvas.circle(*spot((part.prism.x, part.prism.y)), round(HEAD_MM / 2 * SCALE), fill=FAINT)


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

"""A board drawn in text: its lines, its files and ranks, and a mark on each point.

`render` draws any marks on any layout; `piece_marks` gives those of a position. White is O and Black @, as in
the texts of positions, and a flat piece, on which others may stand, o or a; a free point is a dot. Of a stack
the top piece is drawn, with the height of the stack behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from firmware_host.games.game import Piece, Player, Position
from firmware_host.games.layout import Layout, Point

UNMARKED = "+"
"""The mark of a point that has no other: the crossing of its lines."""

_WIDTH = 4
"""Columns from file to file."""
_MARKS = {Player.WHITE: "O", Player.BLACK: "@"}
_FLAT_MARKS = {Player.WHITE: "o", Player.BLACK: "a"}
_FREE = "."


def render(layout: Layout, marks: Mapping[str, str]) -> str:
    """Return the board of `layout` in lines of text, with `marks` on the points of these names.

    A mark has one character, or up to three where lines may be hidden behind it. The diagonals of a layout
    are left out.

    >>> from firmware_host.games.layout import SQUARES
    >>> print(render(SQUARES, {"a5": "@"}).splitlines()[0])
      5  @---+---+---+---+
    """
    right, top = max(point.x for point in layout.points), max(point.y for point in layout.points)
    rows = [[" "] * (right * _WIDTH + 2) for _ in range(top + 1)]
    for line in layout.lines:
        for one, other in pairwise(line):
            for row, column, stroke in _strokes(one, other):
                rows[row][column] = stroke
    for point in layout.points:
        for offset, character in enumerate(marks.get(point.name, UNMARKED)):
            rows[point.y][point.x * _WIDTH + offset] = character
    files = (" " * (_WIDTH - 1)).join(chr(ord("a") + x) for x in range(right + 1))
    return "\n".join(
        [*(f"  {y + 1}  {''.join(rows[y])}".rstrip() for y in range(top, -1, -1)), f"     {files}"]
    )


def piece_marks(layout: Layout, position: Position) -> dict[str, str]:
    """Return the mark of each point's stack in `position`."""
    return {
        point.name: _mark(stack[-1]) + (str(len(stack)) if len(stack) > 1 else "") if stack else _FREE
        for point, stack in zip(layout.points, position.stacks, strict=True)
    }


def _mark(piece: Piece) -> str:
    return (_FLAT_MARKS if piece.flat else _MARKS)[piece.owner]


def _strokes(one: Point, other: Point) -> Iterator[tuple[int, int, str]]:
    """Yield row, column and character of the line between two neighbours."""
    if one.y == other.y:
        for column in range(min(one.x, other.x) * _WIDTH + 1, max(one.x, other.x) * _WIDTH):
            yield one.y, column, "-"
    elif one.x == other.x:
        for row in range(min(one.y, other.y) + 1, max(one.y, other.y)):
            yield row, one.x * _WIDTH, "|"

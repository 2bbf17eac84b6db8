"""The points of a board: their names, their places, and the lines that join them.

A layout describes the wooden board, whatever is played on it. Coordinates are in units of the smallest
distance between neighbouring rows of points, x to the right from file a, y up from rank 1, so that drawings,
wiring plans and the simulated table all have the same orientation.
"""

from __future__ import annotations

from functools import cached_property

from firmware_host.frozen import frozen


@frozen
class Point:
    """A place for a piece: its name, its index in the layout, and its coordinates."""

    name: str
    index: int
    x: int
    y: int

    def __str__(self) -> str:
        return self.name


@frozen(slots=False)
class Layout:
    """Points in index order, and the drawn lines that join them (each a run of neighbouring points)."""

    name: str
    points: tuple[Point, ...]
    lines: tuple[tuple[Point, ...], ...]

    @cached_property
    def by_name(self) -> dict[str, Point]:
        """The points by their names."""
        return {point.name: point for point in self.points}

    def __getitem__(self, name: str) -> Point:
        return self.by_name[name]

    def __len__(self) -> int:
        return len(self.points)


def _layout(name: str, point_names: str, line_names: str) -> Layout:
    names = point_names.split()
    points = tuple(Point(n, i, ord(n[0]) - ord("a"), int(n[1]) - 1) for i, n in enumerate(names))
    by_name = dict(zip(names, points, strict=True))
    lines = tuple(tuple(by_name[n] for n in line.split()) for line in line_names.split(","))
    return Layout(name, points, lines)


# Ring by ring from the inside, each clockwise from its top middle: the order of the position text.
MORRIS = _layout(
    "morris",
    "d5 e5 e4 e3 d3 c3 c4 c5  d6 f6 f4 f2 d2 b2 b4 b6  d7 g7 g4 g1 d1 a1 a4 a7",
    "a7 d7 g7, b6 d6 f6, c5 d5 e5, a4 b4 c4, e4 f4 g4, c3 d3 e3, b2 d2 f2, a1 d1 g1,"
    "a1 a4 a7, b2 b4 b6, c3 c4 c5, d1 d2 d3, d5 d6 d7, e3 e4 e5, f2 f4 f6, g1 g4 g7",
)

DIAGONAL_MORRIS = Layout(
    "morris with diagonals",
    MORRIS.points,
    (
        *MORRIS.lines,
        *(
            tuple(MORRIS[name] for name in line.split())
            for line in ("a7 b6 c5", "g7 f6 e5", "a1 b2 c3", "g1 f2 e3")
        ),
    ),
)
"""The same points, and the lines that join the corners of the rings as well."""

SQUARES = _layout(
    "squares",
    "a1 b1 c1 d1 e1  a2 b2 c2 d2 e2  a3 b3 c3 d3 e3  a4 b4 c4 d4 e4  a5 b5 c5 d5 e5",
    "a1 b1 c1 d1 e1, a2 b2 c2 d2 e2, a3 b3 c3 d3 e3, a4 b4 c4 d4 e4, a5 b5 c5 d5 e5,"
    "a1 a2 a3 a4 a5, b1 b2 b3 b4 b5, c1 c2 c3 c4 c5, d1 d2 d3 d4 d5, e1 e2 e3 e4 e5",
)
"""Five by five squares, rank by rank from below; the lines join their middles along files and ranks."""

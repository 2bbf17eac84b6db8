"""The points of a mill board as bits, and the lines that join them.

A set of points is an integer: bit `i` is the layout's point `i`. This module is geometry only; it knows
neither the pieces nor the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from firmware_host.frozen import frozen
from firmware_host.games.layout import DIAGONAL_MORRIS, MORRIS, Point

_INNER_RING = 0b1111_1111
ALL = (1 << len(MORRIS)) - 1


def bit(place: Point | None) -> int:
    """Return the set of this one point; empty for None."""
    return 0 if place is None else 1 << place.index


def as_bits(indexes: Iterable[int]) -> int:
    """Return the set of the points with these indexes."""
    return sum(1 << index for index in indexes)


def bits(points: int) -> Iterator[int]:
    """Yield each point of a set as a set of its own, in the layout's order."""
    while points:
        least = points & -points
        yield least
        points ^= least


def point(one: int) -> Point:
    """Return the layout's point of a set of one."""
    return MORRIS.points[one.bit_length() - 1]


def points_of(points: int) -> Iterator[Point]:
    """Return the layout's points of a set, in the layout's order."""
    return map(point, bits(points))


@frozen(slots=False)
class BoardGraph:
    """The points in use and the lines that join them; single points are keys as sets of one."""

    usable: int
    mill_lines: tuple[int, ...]
    neighbours: dict[int, int]
    """The points that a slide can reach, for each point."""
    partners: dict[int, tuple[int, ...]]
    """The two other points of each line that can be a mill, for each point."""
    thirds: dict[int, int]
    """The third point of a line that can be a mill, for each two of its points."""

    def mills(self, own: int) -> int:
        """Return the points of `own` that stand in a mill."""
        standing = 0
        for line in self.mill_lines:
            if own & line == line:
                standing |= line
        return standing

    def completing(self, own: int) -> int:
        """Return the points, not of `own`, that would complete a mill."""
        thirds = self.thirds
        found = 0
        for line in self.mill_lines:
            pair = own & line
            if pair in thirds:
                found |= thirds[pair]
        return found


@cache
def board_graph(diagonals: bool, outer: bool) -> BoardGraph:
    """Return the graph with or without diagonals, for all points or (`outer`) the two outer rings."""
    usable = ALL & ~_INNER_RING if outer else ALL
    layout = DIAGONAL_MORRIS if diagonals else MORRIS
    runs = [tuple(map(bit, line)) for line in layout.lines]
    mill_lines = tuple(sum(run) for run in runs if sum(run) & usable == sum(run))
    neighbours = dict.fromkeys(bits(usable), 0)
    for run in runs:
        for one, other in pairwise(run):
            if one & usable and other & usable:
                neighbours[one] |= other
                neighbours[other] |= one
    return BoardGraph(
        usable=usable,
        mill_lines=mill_lines,
        neighbours=neighbours,
        partners={one: tuple(line ^ one for line in mill_lines if line & one) for one in bits(usable)},
        thirds={line ^ one: one for line in mill_lines for one in bits(line)},
    )

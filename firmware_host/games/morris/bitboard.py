"""The points of a mill board as bits, and the lines that join them.

A set of points is an integer: bit `i` is the layout's point `i`, which is `ring * 8 + position`, clockwise
from the top middle, so that neighbours in a ring are one rotation apart, and those across the rings eight
bits. This module is geometry only; it knows neither the pieces nor the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from firmware_host.frozen import frozen
from firmware_host.games.layout import DIAGONAL_MORRIS, MORRIS, Point

MIDDLES = 0x555555
"""The points in the middle of a ring's side."""
CORNERS = 0xAAAAAA
_INNER_RING = 0xFF
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


def clockwise(points: int) -> int:
    """Return each point's neighbour clockwise in its ring."""
    return points << 1 & 0xFEFEFE | points >> 7 & 0x010101


def anticlockwise(points: int) -> int:
    """Return each point's neighbour anticlockwise in its ring."""
    return points >> 1 & 0x7F7F7F | points << 7 & 0x808080


@frozen(slots=False)
class BoardGraph:
    """The points in use and the lines that join them; single points are keys as sets of one."""

    usable: int
    spokes: int
    """The positions in a ring, as a byte, with a line across the rings."""
    mill_lines: tuple[int, ...]
    neighbours: dict[int, int]
    """The points that a slide can reach, for each point."""
    partners: dict[int, tuple[int, ...]]
    """The two other points of each line that can be a mill, for each point."""

    def mills(self, own: int) -> int:
        """Return the points of `own` that stand in a mill."""
        sides = own & clockwise(own) & anticlockwise(own) & MIDDLES
        across = own & own >> 8 & own >> 16 & self.spokes
        return sides | clockwise(sides) | anticlockwise(sides) | across * 0x010101

    def completing(self, own: int) -> int:
        """Return the points that would complete a mill of `own`, occupied, or not in use, as they may be."""
        after, before = clockwise(own), anticlockwise(own)
        found = after & before & MIDDLES
        found |= CORNERS & (after & clockwise(after) | before & anticlockwise(before))
        inner, middle, outer = own & self.spokes, own >> 8 & self.spokes, own >> 16 & self.spokes
        return found | middle & outer | (inner & outer) << 8 | (inner & middle) << 16

    def reach(self, own: int) -> int:
        """Return the neighbours of all points of `own`, on the board or beyond it."""
        across = own & self.spokes * 0x010101
        return clockwise(own) | anticlockwise(own) | across << 8 | across >> 8


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
        spokes=_INNER_RING if diagonals else MIDDLES & _INNER_RING,
        mill_lines=mill_lines,
        neighbours=neighbours,
        partners={one: tuple(line ^ one for line in mill_lines if line & one) for one in bits(usable)},
    )

"""The index of a position in the table of its sector, in pure Python: the reference for the one in C.

A sector holds all positions with the same numbers of stones, nothing in hand and no removal due. The index
is the orbit of the mover's stones under the board's symmetries, times the number of places that the other's
stones can take, plus the rank of these among the nodes that the orbit's representative leaves free (after
Gevay and Danner).

**Invariants:** a node is a point in use, numbered from 0 without gaps in the layout's order. The
representative of an orbit is its least mask, and orbits are numbered by ascending representative. Of several
symmetries that lead to the representative, the first counts; all positions that another one would give hold
the same value.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from math import comb

from firmware_host.frozen import frozen
from firmware_host.games.morris.bitboard import BoardGraph, bits

RING = 8
_ROTATIONS, _QUARTER = 4, 2
_REMEMBERED = 4096


@frozen(eq=False, slots=False)
class SectorIndex:
    """The index of all sectors of one board."""

    graph: BoardGraph

    @cached_property
    def shift(self) -> int:
        """The number of points below the first one in use."""
        return (self.graph.usable & -self.graph.usable).bit_length() - 1

    @cached_property
    def nodes(self) -> int:
        """The number of points in use."""
        return self.graph.usable.bit_count()

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The node that each node goes to, for each symmetry of the board; the first changes nothing."""
        rings = self.nodes // RING
        images = (
            tuple(
                RING * (rings - 1 - ring if swapped else ring)
                + ((-place if mirrored else place) + _QUARTER * turned) % RING
                for ring in range(rings)
                for place in range(RING)
            )
            for swapped in (False, True)
            for mirrored in (False, True)
            for turned in range(_ROTATIONS)
        )
        return tuple(filter(self._keeps_the_board, images))

    def _keeps_the_board(self, image: Sequence[int]) -> bool:
        graph, shift = self.graph, self.shift

        def moved(points: int) -> int:
            return sum(1 << image[one.bit_length() - 1 - shift] + shift for one in bits(points))

        lines = {moved(line) for line in graph.mill_lines} == set(graph.mill_lines)
        return lines and all(graph.neighbours[moved(one)] == moved(n) for one, n in graph.neighbours.items())

    @cached_property
    def _tables(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each symmetry and each eight nodes the images of their sets."""
        return tuple(
            tuple(_part_images(image[low : low + RING]) for low in range(0, self.nodes, RING))
            for image in self.symmetries
        )

    def images(self, stones: int) -> Iterator[int]:
        """Yield the image of a set of nodes under each symmetry."""
        for tables in self._tables:
            image = 0
            for i, table in enumerate(tables):
                image |= table[stones >> RING * i & 0xFF]
            yield image

    @cached_property
    def canonical(self) -> Callable[[int], tuple[int, int]]:
        """A function from a set to the representative of its orbit, and the first symmetry that leads to it.

        It remembers sets, since a search asks for the same stones of one player again and again.
        """

        @lru_cache(_REMEMBERED)
        def canonical(stones: int) -> tuple[int, int]:
            return min((image, symmetry) for symmetry, image in enumerate(self.images(stones)))

        return canonical

    def representatives(self, stones: int) -> list[int]:
        """Return the representatives of all orbits of sets of `stones` nodes, in ascending order."""
        found, one = [], (1 << stones) - 1
        while one < 1 << self.nodes:
            if all(image >= one for image in self.images(one)):
                found.append(one)
            least = one & -one
            carried = one + least
            one = carried | ((one ^ carried) // least >> 2)
        return found

    def index(self, mine: int, theirs: int, representatives: Sequence[int]) -> int:
        """Return the index of a position of nodes; `representatives` are those of sets as large as `mine`."""
        representative, symmetry = self.canonical(mine)
        tables = self._tables[symmetry]
        others = sum(table[theirs >> RING * i & 0xFF] for i, table in enumerate(tables))
        room = comb(self.nodes - mine.bit_count(), theirs.bit_count())
        return bisect_left(representatives, representative) * room + _rank(others, representative)

    def position(self, index: int, mine: int, theirs: int, representatives: Sequence[int]) -> tuple[int, int]:
        """Return the stones of the position with this index in the sector `mine`-`theirs`, as nodes."""
        orbit, rank = divmod(index, comb(self.nodes - mine, theirs))
        own = representatives[orbit]
        free = [node for node in range(self.nodes) if not own >> node & 1]
        others = 0
        for stones in range(theirs, 0, -1):
            place = max(i for i in range(len(free)) if comb(i, stones) <= rank)
            others |= 1 << free[place]
            rank -= comb(place, stones)
        return own, others


def _part_images(image: Sequence[int]) -> tuple[int, ...]:
    """Return the images of all sets of nodes of which each goes to one in `image`, in the order of sets."""
    found = [0]
    for node in image:
        found += [one | 1 << node for one in found]
    return tuple(found)


def _rank(others: int, taken: int) -> int:
    """Return the rank of a set among those as large that avoid `taken`, by ascending mask."""
    rank = 0
    for stones, one in enumerate(bits(others), start=1):
        below = one - 1
        rank += comb(below.bit_count() - (taken & below).bit_count(), stones)
    return rank

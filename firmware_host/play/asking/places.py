"""The places at which the ask offers its options: three rings of eight directions on every board.

The 25 squares have the same rings around their middle square, so that an option has the same direction on
each board. Index order is ring after ring from the inside, each clockwise from its top.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from firmware_host.games.layout import MORRIS, SQUARES, Layout, Point

_DIRECTIONS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
_RINGS = ("inner", "middle", "outer")
PLACES = tuple(f"{ring}-{direction}" for ring in _RINGS for direction in _DIRECTIONS)
"""The names of all places: `inner-n` is the top of the inner ring."""

_ON_SQUARES = "c4 d4 d3 d2 c2 b2 b3 b4  c5 e5 e3 e1 c1 a1 a3 a5  d5 e4 e2 d1 b1 a2 a4 b5"
_POINTS = {
    MORRIS.points: MORRIS.points,
    SQUARES.points: tuple(SQUARES[name] for name in _ON_SQUARES.split()),
}


def places(layout: Layout) -> Mapping[str, Point]:
    """Return the point of each place on a board with this layout."""
    return MappingProxyType(dict(zip(PLACES, _POINTS[layout.points], strict=True)))

"""A part as STL, for a 3D printer: slabs one above the other, each a plan with holes.

Invariants: a mesh is closed, and its triangles turn counter-clockwise seen from outside. The plan of a slab
lies within that of the slab below or around it, so that each step between them is a ring.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import ceil, cos, pi, sin

from firmware_host.frozen import frozen
from hardware.case.solids import Prism, Solid

Spot = tuple[float, float]
Corner = tuple[float, float, float]
Triangle = tuple[Corner, Corner, Corner]

_CHORD_MM = 0.8
"""The length of the straight pieces that a circle is made of."""
_EPSILON = 1e-9


@frozen(slots=False)
class Slab:
    """A plan between two heights: an outline, and the holes in it."""

    outline: Prism
    holes: tuple[Prism, ...]
    bottom: float
    top: float


def slabs(part: Solid) -> tuple[Slab, ...]:
    """Return the slabs that a part and its holes make."""
    solid = part.prism
    heights = sorted(
        {solid.bottom, solid.top, *(h for hole in part.holes for h in (hole.prism.bottom, hole.prism.top))}
    )
    return tuple(
        Slab(
            solid,
            tuple(
                hole.prism
                for hole in part.holes
                if hole.prism.bottom <= low + _EPSILON and hole.prism.top >= high - _EPSILON
            ),
            low,
            high,
        )
        for low, high in itertools.pairwise(heights)
        if low >= solid.bottom - _EPSILON and high <= solid.top + _EPSILON
    )


def stl(name: str, pile: Sequence[Slab]) -> str:
    """Return a pile of slabs as the text of an STL file, in millimetres."""
    lines = [f"solid {name}"]
    for triangle in mesh(pile):
        lines += ["facet normal 0 0 0", " outer loop"]
        lines += [f"  vertex {x:.4f} {y:.4f} {z:.4f}" for x, y, z in triangle]
        lines += [" endloop", "endfacet"]
    return "\n".join([*lines, f"endsolid {name}"]) + "\n"


def mesh(pile: Sequence[Slab]) -> Iterator[Triangle]:
    """Yield the triangles of the surface of a pile."""
    for slab in pile:
        yield from _wall(ring(slab.outline), slab)
        for hole in slab.holes:
            yield from _wall(ring(hole)[::-1], slab)
    yield from _face(ring(pile[0].outline), [ring(hole) for hole in pile[0].holes], pile[0].bottom, up=False)
    yield from _face(ring(pile[-1].outline), [ring(hole) for hole in pile[-1].holes], pile[-1].top, up=True)
    for below, above in itertools.pairwise(pile):
        yield from _steps(below, above, up=True)
        yield from _steps(above, below, up=False)


def _steps(wide: Slab, narrow: Slab, *, up: bool) -> Iterator[Triangle]:
    """Yield the faces of a slab that its neighbour leaves bare: around it, and around its wider holes."""
    height = wide.top if up else wide.bottom
    if wide.outline.area > narrow.outline.area + _EPSILON:
        beside = [ring(hole) for hole in wide.holes if hole not in narrow.holes]
        yield from _face(ring(wide.outline), [ring(narrow.outline), *beside], height, up=up)
    for hole in narrow.holes:
        if hole not in wide.holes and wide.outline.holds(hole):
            inner = [ring(one) for one in wide.holes if hole.holds(one)]
            yield from _face(ring(hole), inner, height, up=up)


def ring(prism: Prism) -> list[Spot]:
    """Return the outline of a prism as a polygon, counter-clockwise."""
    across, along = prism.width / 2 - prism.radius, prism.depth / 2 - prism.radius
    steps = max(1, ceil(prism.radius * pi / 2 / _CHORD_MM))
    spots: list[Spot] = []
    for quarter, (right, up) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for step in range(steps + 1 if prism.radius else 1):
            angle = (quarter + step / steps) * pi / 2
            spot = (
                round(prism.x + right * across + prism.radius * cos(angle), 6),
                round(prism.y + up * along + prism.radius * sin(angle), 6),
            )
            if not spots or spot != spots[-1]:
                spots.append(spot)
    return spots[:-1] if spots[0] == spots[-1] else spots


def _wall(outline: Sequence[Spot], slab: Slab) -> Iterator[Triangle]:
    for (x1, y1), (x2, y2) in zip(outline, [*outline[1:], outline[0]], strict=True):
        low, high = (x1, y1, slab.bottom), (x2, y2, slab.top)
        yield low, (x2, y2, slab.bottom), high
        yield low, high, (x1, y1, slab.top)


def _face(outline: list[Spot], holes: Sequence[list[Spot]], height: float, *, up: bool) -> Iterator[Triangle]:
    for a, b, c in triangles(_joined(outline, holes)):
        corners = [(x, y, height) for x, y in ((a, b, c) if up else (a, c, b))]
        yield corners[0], corners[1], corners[2]


def _joined(outline: list[Spot], holes: Sequence[list[Spot]]) -> list[Spot]:
    """Return one polygon of an outline and its holes, joined by cuts to the right that nothing crosses."""
    joined = outline
    for hole in sorted(holes, key=lambda spots: -max(x for x, _ in spots)):
        start = max(range(len(hole)), key=lambda at: hole[at])
        own = [*hole[start:], *hole[: start + 1]][::-1]
        to = min(
            (at for at in range(len(joined)) if _is_seen(own[0], joined[at], [joined, *holes])),
            key=lambda at: (joined[at][0] - own[0][0]) ** 2 + (joined[at][1] - own[0][1]) ** 2,
        )
        joined = [*joined[: to + 1], *own, *joined[to:]]
    return joined


def _is_seen(one: Spot, other: Spot, rings: Sequence[list[Spot]]) -> bool:
    """Return whether nothing crosses the straight line between two corners."""
    for spots in rings:
        for a, b in zip(spots, [*spots[1:], spots[0]], strict=True):
            if not {a, b} & {one, other} and (
                _turn(one, other, a) * _turn(one, other, b) <= 0
                and _turn(a, b, one) * _turn(a, b, other) <= 0
            ):
                return False
    return True


def triangles(polygon: Sequence[Spot]) -> Iterator[tuple[Spot, Spot, Spot]]:
    """Yield the triangles of a counter-clockwise polygon by cutting off one ear after another."""
    left = list(polygon)
    while len(left) > 2:
        ear = next(at for at in range(len(left)) if _is_ear(left, at))
        a, b, c = left[ear - 1], left[ear], left[(ear + 1) % len(left)]
        if a != c:
            yield a, b, c
        del left[ear]


def _is_ear(spots: list[Spot], at: int) -> bool:
    a, b, c = spots[at - 1], spots[at], spots[(at + 1) % len(spots)]
    if _turn(a, b, c) <= _EPSILON:
        return False
    inside = (
        spot
        for spot in spots
        if spot not in (a, b, c) and min(_turn(a, b, spot), _turn(b, c, spot), _turn(c, a, spot)) >= -_EPSILON
    )
    return next(inside, None) is None


def _turn(a: Spot, b: Spot, c: Spot) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

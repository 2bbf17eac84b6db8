"""How far a piece comes that is pushed or flicked over the wood, and what stops it.

Rules kept here: the ways that pieces still have before them never come nearer to each other than a piece is
wide, so that no two are ever in one place, whichever is moved next; what stops a piece leaves it lying where
it touched; the same push ends at the same place every time.

A piece that slides out is slowed by friction alone, evenly, with g times a coefficient of 0.3, as of felt on
varnished wood.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from firmware_host.settings import Microseconds
from sim.table.table import EDGE_MM, PIECE_MM, Spot, Track, Way

SLOWS_MM_S2 = 3000.0
"""What friction takes from the speed of a sliding piece each second."""

TIPS_MM_S = 800.0
"""A piece that is flicked so fast turns over."""

CLEARS_RIM_MM_S = 300.0
"""A piece that comes to the rim so fast goes over it, off the board."""

_GAP_MM = 0.01
"""What stops a piece stays so far from it, so that rounding never brings two into one place."""

_LEGS = 8
"""Into how many even parts of its time the way of a slowing piece is cut."""


@dataclass(frozen=True, slots=True)
class Rim:
    """How far the middle of a piece may go: from the lower left corner to the upper right one."""

    low: Spot
    high: Spot

    def has(self, spot: Spot) -> bool:
        """Whether a piece can lie there."""
        return self.low.x <= spot.x <= self.high.x and self.low.y <= spot.y <= self.high.y

    @classmethod
    def around(cls, points: Sequence[Spot]) -> Rim:
        """That of a board with such points: pieces lie wholly on the wood around them."""
        xs, ys, more = [at.x for at in points], [at.y for at in points], EDGE_MM - PIECE_MM / 2
        return cls(Spot(min(xs) - more, min(ys) - more), Spot(max(xs) + more, max(ys) + more))

    def leaves(self, a: Spot, b: Spot) -> float | None:
        """After which part of the way from `a`, which is on the board, to `b` the rim is met, if it is."""
        parts = []
        for start, end, low, high in (
            (a.x, b.x, self.low.x, self.high.x),
            (a.y, b.y, self.low.y, self.high.y),
        ):
            if not low <= end <= high:
                parts.append(max(0.0, ((low if end < low else high) - start) / (end - start)))
        return min(parts, default=None)

    def within(self, spot: Spot) -> Spot:
        """The nearest spot where a piece can lie."""
        return Spot(min(max(spot.x, self.low.x), self.high.x), min(max(spot.y, self.low.y), self.high.y))


@dataclass(frozen=True, slots=True)
class Reach:
    """The way that is free, as spots, and whether it ends at the rim."""

    spots: Way
    at_rim: bool = False


def free_way(route: Sequence[Spot], others: Iterable[Way], rim: Rim) -> Reach:
    """`route` up to where the piece would touch the rim or another; `others` are the ways these still go."""
    legs = [leg for way in others for leg in _legs(way)]
    spots = [route[0]]
    for a, b in pairwise(route):
        stops = [part for leg in legs if (part := touches(a, b, leg)) is not None]
        part = min(stops, default=1.0)
        edge = rim.leaves(a, b)
        if edge is not None and edge <= part:
            return Reach((*spots, rim.within(_between(a, b, edge))), at_rim=True)
        if stops:
            return Reach((*spots, _between(a, b, part)))
        spots.append(b)
    return Reach(tuple(spots))


def too_near(spot: Spot, way: Way) -> bool:
    """Whether a piece at `spot` would be in one place with one that goes along `way`."""
    return any(_distance(spot, leg) < PIECE_MM for leg in _legs(way))


def crosses(route: Sequence[Spot], way: Way) -> bool:
    """Whether pieces that go along the two would be in one place."""
    return any(
        too_near(a, leg) or touches(a, b, leg, PIECE_MM) is not None
        for a, b in pairwise(route)
        for leg in _legs(way)
    )


@dataclass(frozen=True, slots=True)
class Slide:
    """What becomes of a piece that is flicked."""

    track: Track
    turns_over: bool
    leaves: bool
    """Whether it goes off the board where its track ends."""


def slide_out(spot: Spot, speed: Spot, others: Iterable[Way], rim: Rim, now: Microseconds) -> Slide:
    """A piece at `spot` is let go at `speed`, in mm a second, and slides on until something stops it."""
    fast = math.hypot(speed.x, speed.y)
    far = fast * fast / (2 * SLOWS_MM_S2)
    aim = Spot(spot.x + far * speed.x / fast, spot.y + far * speed.y / fast) if fast else spot
    reach = free_way((spot, aim), others, rim)
    end = reach.spots[-1]
    way = min(spot.to(end), far)
    left = math.sqrt(max(0.0, fast * fast - 2 * SLOWS_MM_S2 * way))
    lasts = (fast - left) / SLOWS_MM_S2
    parts = [_slowed(fast, lasts * n / _LEGS) / way for n in range(1, _LEGS)] if way else []
    track = Track(
        (spot, *(_between(spot, end, part) for part in parts), end),
        tuple(now + round(lasts * 1_000_000 * n / (len(parts) + 1)) for n in range(len(parts) + 2)),
    )
    return Slide(track, fast >= TIPS_MM_S, reach.at_rim and left >= CLEARS_RIM_MM_S)


def _slowed(fast: float, seconds: float) -> float:
    return fast * seconds - SLOWS_MM_S2 * seconds * seconds / 2


Leg = tuple[Spot, Spot]


def _legs(way: Way) -> list[Leg]:
    return list(pairwise(way)) or [(way[0], way[0])]


def touches(a: Spot, b: Spot, leg: Leg, reach: float = PIECE_MM + _GAP_MM) -> float | None:
    """After which part of its way from `a` to `b` a piece comes within `reach` of `leg`, if it does.

    One that lies within it already may only go away. The distance from a straight way is convex, which finds
    the nearest part of it, and what lies before.
    """
    away = _distance(a, leg)
    if away - a.to(b) > reach:
        return None
    if away <= reach:
        return 0.0 if _comes_nearer(a, b, leg) else None
    nearest = _nearest_part(a, b, leg)
    if _distance(_between(a, b, nearest), leg) >= reach:
        return None
    outside, inside = 0.0, nearest
    for _ in range(50):
        middle = (outside + inside) / 2
        if _distance(_between(a, b, middle), leg) >= reach:
            outside = middle
        else:
            inside = middle
    return outside


def _comes_nearer(a: Spot, b: Spot, leg: Leg) -> bool:
    foot = _foot(a, leg)
    return (a.x - foot.x) * (b.x - a.x) + (a.y - foot.y) * (b.y - a.y) < 0


def _nearest_part(a: Spot, b: Spot, leg: Leg) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        if _distance(_between(a, b, one), leg) < _distance(_between(a, b, other), leg):
            high = other
        else:
            low = one
    return (low + high) / 2


def _distance(spot: Spot, leg: Leg) -> float:
    return spot.to(_foot(spot, leg))


def _foot(spot: Spot, leg: Leg) -> Spot:
    """The nearest of a straight way."""
    a, b = leg
    dx, dy = b.x - a.x, b.y - a.y
    length = dx * dx + dy * dy
    part = ((spot.x - a.x) * dx + (spot.y - a.y) * dy) / length if length else 0.0
    return _between(a, b, min(1.0, max(0.0, part)))


def _between(a: Spot, b: Spot, part: float) -> Spot:
    return Spot(a.x + part * (b.x - a.x), a.y + part * (b.y - a.y))

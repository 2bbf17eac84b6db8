"""The path of a piece that is pushed or flicked over the board, and its obstacles.

Invariants: the remaining paths of two pieces are never closer than a piece is wide, so that no two are ever
in one place, whichever moves next. A piece that is stopped stays where it touched. The same push always ends
at the same place.

A sliding piece is slowed evenly by friction alone, with g times a coefficient of 0.3, as of felt on varnished
wood.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from firmware_host.frozen import frozen
from firmware_host.settings import Microseconds
from sim.table.table import EDGE_MM, PIECE_MM, Route, Spot, Track

SLOWS_MM_S2 = 3000.0
"""Deceleration of a sliding piece by friction."""

TIPS_MM_S = 800.0
"""Minimum speed at which a flicked piece turns over."""

CLEARS_RIM_MM_S = 300.0
"""Minimum speed at which a piece goes over the rim, off the board."""

_GAP_MM = 0.01
"""Gap between a stopped piece and its obstacle, so that rounding never brings two into one place."""

_STEPS = 8
"""Number of equal time steps into which the path of a slowing piece is cut."""


@frozen
class Rim:
    """The limits for the middle of a piece: from the lower left corner to the upper right one."""

    low: Spot
    high: Spot

    def has(self, spot: Spot) -> bool:
        """Return True if a piece can be at this spot."""
        return self.low.x <= spot.x <= self.high.x and self.low.y <= spot.y <= self.high.y

    @classmethod
    def around(cls, points: Sequence[Spot]) -> Rim:
        """Return the rim of a board with these points; pieces are wholly on the board around them."""
        xs, ys, more = [at.x for at in points], [at.y for at in points], EDGE_MM - PIECE_MM / 2
        return cls(Spot(min(xs) - more, min(ys) - more), Spot(max(xs) + more, max(ys) + more))

    def leaves(self, a: Spot, b: Spot) -> float | None:
        """Return the part of the path from `a`, on the board, to `b` after which the rim is met, or None."""
        parts = []
        for start, end, low, high in (
            (a.x, b.x, self.low.x, self.high.x),
            (a.y, b.y, self.low.y, self.high.y),
        ):
            if not low <= end <= high:
                parts.append(max(0.0, ((low if end < low else high) - start) / (end - start)))
        return min(parts, default=None)

    def within(self, spot: Spot) -> Spot:
        """Return the nearest spot where a piece can be."""
        return Spot(min(max(spot.x, self.low.x), self.high.x), min(max(spot.y, self.low.y), self.high.y))


@frozen
class Reach:
    """The free path, as spots; `at_rim` if it ends at the rim."""

    spots: Route
    at_rim: bool = False


def free_way(route: Sequence[Spot], others: Iterable[Route], rim: Rim) -> Reach:
    """Return `route` up to contact with the rim or another piece; `others` are their remaining paths."""
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


def too_near(spot: Spot, way: Route) -> bool:
    """Return True if a piece at `spot` would overlap one that moves along `way`."""
    return any(_distance(spot, leg) < PIECE_MM for leg in _legs(way))


def crosses(route: Sequence[Spot], way: Route) -> bool:
    """Return True if pieces moving along the two paths would overlap."""
    return any(
        too_near(a, leg) or touches(a, b, leg, PIECE_MM) is not None
        for a, b in pairwise(route)
        for leg in _legs(way)
    )


@frozen
class Slide:
    """The outcome of a flick."""

    track: Track
    turns_over: bool
    leaves: bool
    """True if it goes off the board at the end of its track."""


def slide_out(spot: Spot, speed: Spot, others: Iterable[Route], rim: Rim, now: Microseconds) -> Slide:
    """Return the slide of a piece released at `spot` with `speed`, in mm a second, until it is stopped."""
    speed_mm_s = math.hypot(speed.x, speed.y)
    far = speed_mm_s * speed_mm_s / (2 * SLOWS_MM_S2)
    aim = (
        Spot(spot.x + far * speed.x / speed_mm_s, spot.y + far * speed.y / speed_mm_s) if speed_mm_s else spot
    )
    reach = free_way((spot, aim), others, rim)
    end = reach.spots[-1]
    way = min(spot.to(end), far)
    left = math.sqrt(max(0.0, speed_mm_s * speed_mm_s - 2 * SLOWS_MM_S2 * way))
    lasts = (speed_mm_s - left) / SLOWS_MM_S2
    parts = [_slowed(speed_mm_s, lasts * n / _STEPS) / way for n in range(1, _STEPS)] if way else []
    track = Track(
        (spot, *(_between(spot, end, part) for part in parts), end),
        tuple(now + round(lasts * 1_000_000 * n / (len(parts) + 1)) for n in range(len(parts) + 2)),
    )
    return Slide(track, speed_mm_s >= TIPS_MM_S, reach.at_rim and left >= CLEARS_RIM_MM_S)


def _slowed(speed_mm_s: float, seconds: float) -> float:
    return speed_mm_s * seconds - SLOWS_MM_S2 * seconds * seconds / 2


Leg = tuple[Spot, Spot]


def _legs(way: Route) -> list[Leg]:
    return list(pairwise(way)) or [(way[0], way[0])]


def touches(a: Spot, b: Spot, leg: Leg, reach: float = PIECE_MM + _GAP_MM) -> float | None:
    """Return the part of the path from `a` to `b` after which a piece is within `reach` of `leg`, or None.

    A piece that is within reach already may only move away. The distance from a straight path is convex,
    which allows a search for its nearest part, and for the contact before that.
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
    """Return the nearest spot of a straight path."""
    a, b = leg
    dx, dy = b.x - a.x, b.y - a.y
    length = dx * dx + dy * dy
    part = ((spot.x - a.x) * dx + (spot.y - a.y) * dy) / length if length else 0.0
    return _between(a, b, min(1.0, max(0.0, part)))


def _between(a: Spot, b: Spot, part: float) -> Spot:
    return Spot(a.x + part * (b.x - a.x), a.y + part * (b.y - a.y))

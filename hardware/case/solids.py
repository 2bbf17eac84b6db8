"""The solids that a board is made of: upright prisms, with the holes in them.

Invariants: lengths are in millimetres, x to the right from file a, y up from rank 1, as the sheets count, and
z up from the underside of the lid. Solids that only touch don't meet. Nothing here knows of a board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot, pi

from firmware_host.frozen import frozen

_EPSILON = 1e-6


@frozen(slots=False)
class Prism:
    """A rectangle with round corners in plan, between two heights; a disc if the radius is half its width."""

    x: float
    y: float
    width: float
    depth: float
    radius: float
    bottom: float
    top: float

    @classmethod
    def disc(cls, x: float, y: float, diameter: float, bottom: float, top: float) -> Prism:
        """Return an upright cylinder."""
        return cls(x, y, diameter, diameter, diameter / 2, bottom, top)

    @classmethod
    def box(cls, left: float, front: float, right: float, back: float, bottom: float, top: float) -> Prism:
        """Return a box between its sides."""
        return cls((left + right) / 2, (front + back) / 2, right - left, back - front, 0.0, bottom, top)

    @property
    def left(self) -> float:
        """The lowest x."""
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        """The highest x."""
        return self.x + self.width / 2

    @property
    def front(self) -> float:
        """The lowest y."""
        return self.y - self.depth / 2

    @property
    def back(self) -> float:
        """The highest y."""
        return self.y + self.depth / 2

    @property
    def area(self) -> float:
        """The area of its plan."""
        return self.width * self.depth - (4 - pi) * self.radius**2

    def grown(self, by: float) -> Prism:
        """Return it wider by a distance on each side."""
        return replace(
            self, width=self.width + 2 * by, depth=self.depth + 2 * by, radius=max(0.0, self.radius + by)
        )

    def between(self, bottom: float, top: float) -> Prism:
        """Return the part of it between two heights."""
        return replace(self, bottom=max(self.bottom, bottom), top=min(self.top, top))

    def clip(self, other: Prism) -> Prism:
        """Return the part of another one above its own plan.

        Returns the whole other one if either of them has round corners.
        """
        if self.radius or other.radius:
            return other
        left, right = max(self.left, other.left), min(self.right, other.right)
        front, back = max(self.front, other.front), min(self.back, other.back)
        return Prism.box(left, front, right, back, other.bottom, other.top)

    def gap(self, other: Prism) -> float:
        """Return the distance of both in plan, negative if they overlap."""
        across = abs(self.x - other.x) - (self._core[0] + other._core[0])
        along = abs(self.y - other.y) - (self._core[1] + other._core[1])
        apart = hypot(max(across, 0.0), max(along, 0.0)) + min(max(across, along), 0.0)
        return apart - self.radius - other.radius

    def overlap(self, other: Prism) -> float:
        """Return the height that both share, negative if one is above the other."""
        return min(self.top, other.top) - max(self.bottom, other.bottom)

    def meets(self, other: Prism) -> bool:
        """Return whether both claim the same room."""
        return self.overlap(other) > _EPSILON and self.gap(other) < -_EPSILON

    def holds(self, other: Prism) -> bool:
        """Return whether the plan of another one lies within its own."""
        play = max(self.radius - other.radius, 0.0)
        shrink = other.radius if other.radius > self.radius else self.radius
        across, along = self.width / 2 - shrink, self.depth / 2 - shrink
        over_x = max(abs(self.x - other.x) + other._core[0] - across, 0.0)
        over_y = max(abs(self.y - other.y) + other._core[1] - along, 0.0)
        return min(across, along) >= -_EPSILON and hypot(over_x, over_y) <= play + _EPSILON

    @property
    def _core(self) -> tuple[float, float]:
        """Half of the rectangle that its corners turn about."""
        return self.width / 2 - self.radius, self.depth / 2 - self.radius


@frozen(slots=False)
class Hole:
    """Room that is cut out of a part; neighbouring holes of one name may open into each other."""

    name: str
    prism: Prism


@frozen(slots=False)
class Solid:
    """A solid of the board: its name, its point or side, its shape, and the holes in it.

    Parts of one `unit` are made as one, such as a reed and its wires, and never meet. Nor do soft parts,
    which lie beside and over each other: wires.
    """

    name: str
    where: str
    prism: Prism
    holes: tuple[Hole, ...] = ()
    unit: str = ""
    soft: bool = False

    def meets(self, other: Solid) -> bool:
        """Return whether both claim the same room."""
        if (self.unit and self.unit == other.unit) or (self.soft and other.soft):
            return False
        return self.prism.meets(other.prism) and not (self.admits(other.prism) or other.admits(self.prism))

    def admits(self, prism: Prism) -> bool:
        """Return whether the holes have room for whatever of a prism is at this part's heights."""
        height, top = max(prism.bottom, self.prism.bottom), min(prism.top, self.prism.top)
        inner = self.prism.clip(prism)
        roomy = [hole.prism for hole in self.holes if hole.prism.holds(inner)]
        for room in sorted(roomy, key=lambda room: room.bottom):
            if room.bottom > height + _EPSILON:
                break
            height = max(height, room.top)
        return height >= top - _EPSILON


def meetings(parts: Sequence[Solid]) -> Iterator[tuple[Solid, Solid]]:
    """Yield each pair of parts that meet, from left to right."""
    active: list[Solid] = []
    for part in sorted(parts, key=lambda part: part.prism.left):
        active = [other for other in active if other.prism.right > part.prism.left + _EPSILON]
        yield from ((other, part) for other in active if other.meets(part))
        active.append(part)


def thin_walls(part: Solid, least: float) -> Iterator[tuple[Hole, Hole, float]]:
    """Yield each pair of holes of different names that leaves less than a wall between them, and the wall."""
    active: list[Hole] = []
    for hole in sorted(part.holes, key=lambda hole: hole.prism.left):
        reach = hole.prism.left - least
        active = [other for other in active if other.prism.right > reach]
        for other in active:
            if other.name != hole.name and other.prism.overlap(hole.prism) > _EPSILON:
                wall = other.prism.gap(hole.prism)
                if wall < least - _EPSILON:
                    yield other, hole, wall
        active.append(hole)

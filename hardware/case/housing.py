"""The wood around the points: both plates, the frame with its openings, the lid, and all screws.

Invariants: the frame is flush with the rim, the plates' screws are inside it. So the plates come apart again
while the frame stays glued to the lower one. The lid is screwed to blocks inside it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from itertools import pairwise

from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout, Point
from hardware.case.heights import Heights
from hardware.case.measures import GAP_MM, Measures
from hardware.case.point import lower_holes, place, upper_holes
from hardware.case.solids import Hole, Prism, Solid

CORNER_MM = 6.0
SCREW_MM, PILOT_MM, HEAD_MM, HEAD_HEIGHT_MM = 3.2, 2.0, 6.0, 2.2
PILOT_DEPTH_MM = 12.0
_SHANK_MM, _DRIVER_MM = 3.0, 7.0
_SCREW_LENGTHS_MM = (10.0, 12.0, 16.0, 20.0, 25.0, 30.0)
"""The lengths in which screws of 3 mm are sold."""

BLOCK_MM = (30.0, 12.0, 15.0)
"""A block for the lid's screw: its length along the frame, its depth and its height."""

FOOT_MM, _FOOT_INSET_MM = (20.0, 10.0), 30.0

Place = tuple[float, float]


def screw_mm(through_mm: float) -> float:
    """Return the length of screws that hold a part of this thickness and stay inside the next one."""
    return max(
        (length for length in _SCREW_LENGTHS_MM if length <= through_mm + PILOT_DEPTH_MM),
        default=_SCREW_LENGTHS_MM[0],
    )


def screws(layout: Layout, m: Measures) -> tuple[Place, ...]:
    """Return the places of the plates' screws: between the points of the rim, and in corners with room.

    A corner has room if the block for the lid's screw fits between its screw and the next.
    """
    inset, (width, depth) = m.frame_mm + HEAD_MM, m.size_mm(layout)
    rim_x, rim_y = (sorted({place(p, m)[axis] for p in _rim(layout, axis)}) for axis in (0, 1))
    along = [((a + b) / 2, y) for a, b in pairwise(rim_x) for y in (inset, depth - inset)]
    upright = [(x, (a + b) / 2) for a, b in pairwise(rim_y) for x in (inset, width - inset)]
    corners = [(x, y) for x in (inset, width - inset) for y in (inset, depth - inset)]
    roomy = min(y for _, y in upright) - inset >= BLOCK_MM[0] + _DRIVER_MM
    free = roomy and all(_is_free(corner, layout, m) for corner in corners)
    return tuple(sorted([*along, *upright, *(corners if free else ())]))


def _rim(layout: Layout, axis: int) -> list[Point]:
    """Return the points along the front, or along the left side."""
    return [point for point in layout.points if (point.y, point.x)[axis] == 0]


def _is_free(at: Place, layout: Layout, m: Measures) -> bool:
    """Return whether a screw leaves wood between itself and all bores."""
    pilot = Prism.disc(*at, PILOT_MM, 0.0, 1.0)
    h = Heights.of(m)
    rooms = [hole.prism for point in layout.points for hole in upper_holes(point, m, h)]
    return all(room.gap(pilot) >= GAP_MM for room in rooms if room.bottom < h.upper + PILOT_DEPTH_MM)


class FrameSide(enum.Enum):
    """A side of the frame, as seen from above."""

    FRONT = "front"
    BACK = "back"
    LEFT = "left"
    RIGHT = "right"


@frozen(slots=False)
class Window:
    """An opening in a wall of the frame: its middle along the wall, its height above the lid, its size.

    It goes from `outer` to `inner`, counted from the outside; a disc if it is `round`.
    """

    name: str
    wall: FrameSide
    along: float
    height: float
    width: float
    tall: float
    outer: float
    inner: float
    round: bool = False

    def prism(self, m: Measures, size: Place) -> Prism:
        """Return the room that it takes; that of a round one is a box around it."""
        low = m.lid_mm + self.height - self.tall / 2
        begin, end = self.along - self.width / 2, self.along + self.width / 2
        far = size[0] if self.wall is FrameSide.RIGHT else size[1]
        near, deep = (
            (self.outer, self.inner)
            if self.wall in (FrameSide.FRONT, FrameSide.LEFT)
            else (far - self.inner, far - self.outer)
        )
        if self.wall in (FrameSide.FRONT, FrameSide.BACK):
            return Prism.box(begin, near, end, deep, low, low + self.tall)
        return Prism.box(near, begin, deep, end, low, low + self.tall)


def plates(layout: Layout, m: Measures) -> Iterator[Solid]:
    """Yield the upper and the lower plate with all their holes."""
    h, (width, depth) = Heights.of(m), m.size_mm(layout)
    at = screws(layout, m)
    pilots = [
        Hole(f"screw at {x:g}, {y:g}", Prism.disc(x, y, PILOT_MM, h.upper, h.upper + PILOT_DEPTH_MM))
        for x, y in at
    ]
    rooms = [hole for point in layout.points for hole in upper_holes(point, m, h)]
    upper = Prism(width / 2, depth / 2, width, depth, CORNER_MM, h.upper, h.surface)
    yield Solid("upper plate", "", upper, (*rooms, *pilots))
    drilled = [Hole(f"screw at {x:g}, {y:g}", Prism.disc(x, y, SCREW_MM, h.lower, h.upper)) for x, y in at]
    slots = [hole for point in layout.points for hole in lower_holes(point, m, h)]
    lower = Prism(width / 2, depth / 2, width, depth, CORNER_MM, h.lower, h.upper)
    yield Solid("lower plate", "", lower, (*slots, *drilled))


def frame(layout: Layout, m: Measures, windows: tuple[Window, ...]) -> Iterator[Solid]:
    """Yield the four sides of the frame, and the blocks for the screws of the lid."""
    size = width, depth = m.size_mm(layout)
    h, thick = Heights.of(m), m.frame_mm
    sides = {
        FrameSide.FRONT: (0.0, 0.0, width, thick),
        FrameSide.BACK: (0.0, depth - thick, width, depth),
        FrameSide.LEFT: (0.0, thick, thick, depth - thick),
        FrameSide.RIGHT: (width - thick, thick, width, depth - thick),
    }
    for wall, sides_of in sides.items():
        holes = tuple(Hole(w.name, w.prism(m, size)) for w in windows if w.wall is wall)
        yield Solid("frame", wall.value, Prism.box(*sides_of, h.frame, h.lower), holes)
    for wall, (x, y) in lid_screws(layout, m).items():
        long, deep, high = BLOCK_MM
        across, along = (long, deep) if wall in (FrameSide.FRONT, FrameSide.BACK) else (deep, long)
        block = Prism(x, y, across, along, 0.0, h.frame, h.frame + high)
        pilot = Prism.disc(x, y, PILOT_MM, h.frame, h.frame + PILOT_DEPTH_MM)
        yield Solid("lid's block", wall.value, block, (Hole("screw", pilot),))


def lid_screws(layout: Layout, m: Measures) -> dict[FrameSide, Place]:
    """Return the places of the screws of the lid, each in the middle of its block.

    Those at the sides are in front of the Pi. All leave room to turn the plates' screws.
    """
    width, depth = m.size_mm(layout)
    inset = m.frame_mm + BLOCK_MM[1] / 2
    at = screws(layout, m)
    side = sorted(y for x, y in at if x == at[0][0])
    corner = [y for y in side if y < m.edge_mm]
    middle = (m.frame_mm + side[len(corner)]) / 2
    up = max([middle, *(y + (_DRIVER_MM + BLOCK_MM[0]) / 2 for y in corner)])
    return {
        FrameSide.FRONT: (width / 2, inset),
        FrameSide.BACK: (width / 2, depth - inset),
        FrameSide.LEFT: (inset, up),
        FrameSide.RIGHT: (width - inset, up),
    }


def lid(layout: Layout, m: Measures, holes: tuple[Hole, ...]) -> Iterator[Solid]:
    """Yield the lid, with holes for its own screws and for the boards on it, and the feet."""
    width, depth = m.size_mm(layout)
    own = tuple(
        Hole(f"screw at the {wall.value}", Prism.disc(x, y, SCREW_MM, 0.0, m.lid_mm))
        for wall, (x, y) in lid_screws(layout, m).items()
    )
    yield Solid(
        "lid", "", Prism(width / 2, depth / 2, width, depth, CORNER_MM, 0.0, m.lid_mm), (*own, *holes)
    )
    for x in (_FOOT_INSET_MM, width - _FOOT_INSET_MM):
        for y in (_FOOT_INSET_MM, depth - _FOOT_INSET_MM):
            yield Solid("foot", f"{x:g}, {y:g}", Prism.disc(x, y, FOOT_MM[0], -FOOT_MM[1], 0.0))


def screw_parts(layout: Layout, m: Measures) -> Iterator[Solid]:
    """Yield every screw with its head: those of the plates, and those of the lid."""
    h = Heights.of(m)
    for x, y in screws(layout, m):
        yield from screw(x, y, h.lower, m.lower_mm, f"{x:g}, {y:g}")
    for wall, (x, y) in lid_screws(layout, m).items():
        yield from screw(x, y, 0.0, m.lid_mm, f"the {wall.value} of the lid")


def drivers(layout: Layout, m: Measures) -> Iterator[Solid]:
    """Yield the room that a screwdriver takes below each screw of the plates, while the lid is off."""
    h = Heights.of(m)
    for x, y in screws(layout, m):
        shaft = Prism.disc(x, y, _DRIVER_MM, h.frame, h.lower - HEAD_HEIGHT_MM)
        yield Solid("screwdriver", f"{x:g}, {y:g}", shaft)


def screw(x: float, y: float, under: float, through: float, where: str) -> Iterator[Solid]:
    """Yield a screw from below.

    In the pilot hole only its core counts, because its thread cuts into the wood.
    """
    unit = f"screw {where}"
    solids = (
        (HEAD_MM, under - HEAD_HEIGHT_MM, under),
        (_SHANK_MM, under, under + through),
        (PILOT_MM, under + through, under + screw_mm(through)),
    )
    for diameter, bottom, top in solids:
        yield Solid("screw", where, Prism.disc(x, y, diameter, bottom, top), unit=unit)

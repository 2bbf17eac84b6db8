"""The sheets of a board's wood: both plates, the inlays and the pieces.

Invariants: sheets follow from measures that fit, and from the layout. All are seen from above; the plates'
points lie above one another. Kerf and play are left to whoever runs the machine, except where a part is
dropped or pressed into a pocket.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import ceil, dist, sqrt
from typing import NamedTuple

from firmware_host.games.game import Piece
from firmware_host.games.layout import SQUARES, Layout, Point
from hardware.case.measures import COVER_MM, HOLE_MM, SCREW_INSET_MM, LightOutlet, Measures, check, span
from hardware.case.shapes import (
    CUT,
    DRILL,
    ENGRAVE,
    Circle,
    Line,
    Outline,
    Place,
    Shape,
    Sheet,
    pocket,
)

_CORNER_MM = 6.0
_SCREW_MM, _PILOT_MM, _PILOT_DEPTH_MM = 3.2, 2.0, 10.0
_REED_SLOT_MM = (6.0, 3.0)
"""The slot for a reed's glass, and for its upper wire, which is bent back beside it."""
_LED_SLOT_MM = (8.0, 3.0)
"""The slot for the wires of an LED, which lies on the plate above it."""
_HOLLOW_MM = 2.0
"""The depth of the hollow on a ring."""
_DOT_MM = 4.0
"""The mark of a point without an inlay."""
_PLAY_MM = 0.2
"""The width by which a part is smaller than its pocket."""
_NEST_MM = 3.0
"""The distance between parts on one sheet."""


def sheets(layout: Layout, box: Mapping[Piece, int], measures: Measures) -> tuple[Sheet, ...]:
    """Return every sheet of a board; raises ConfigError if the measures do not fit together."""
    check(measures)
    inlays = (_inlays(layout, measures),) if measures.outlet is LightOutlet.INLAY else ()
    return (
        _upper_plate(layout, measures),
        _lower_plate(layout, measures),
        *inlays,
        _pieces(box, measures),
    )


class Slot(NamedTuple):
    """A slot in the lower plate, with round ends."""

    centre: Place
    width: float
    height: float


def slots(layout: Layout, m: Measures) -> Iterator[Slot]:
    """Yield the slots of the lower plate: at each point that of its reed, then that of its LED."""
    for point in layout.points:
        x, y = _at(point, m)
        yield Slot((x, y), *_REED_SLOT_MM)
        yield Slot((x + m.led_mm[0], y + m.led_mm[1]), *_LED_SLOT_MM)


def _upper_plate(layout: Layout, m: Measures) -> Sheet:
    """Return the plate with the points: lines, room for inlays and sensors, and holes for screws."""
    shapes: list[Shape] = []
    for point in layout.points:
        at = x, y = _at(point, m)
        if m.outlet is LightOutlet.INLAY:
            shapes.append(Circle(pocket(m.inlay_depth_mm), at, m.inlay_mm / 2))
            shapes.append(Circle(CUT, at, m.bore_mm / 2))
        else:
            shapes.append(Circle(pocket(m.upper_mm - m.roof_mm, below=True), at, m.bore_mm / 2))
            shapes.append(Circle(ENGRAVE, at, _DOT_MM / 2))
            shapes.append(Circle(CUT, (x + m.led_mm[0], y + m.led_mm[1]), HOLE_MM / 2))
    shapes.extend(_lines(layout, m))
    pilots = pocket(_PILOT_DEPTH_MM, below=True)
    shapes.extend(Circle(pilots, at, _PILOT_MM / 2) for at in _screws(layout, m))
    return _plate("upper-plate", f"upper plate, {m.upper_mm:g} mm", layout, m, shapes)


def _lower_plate(layout: Layout, m: Measures) -> Sheet:
    """Return the plate that carries sensors and LEDs: a slot for each, screws, and a hole for cables."""
    shapes: list[Shape] = [Circle(DRILL, at, _SCREW_MM / 2) for at in _screws(layout, m)]
    shapes.extend(
        Outline(CUT, slot.centre, slot.width, slot.height, slot.height / 2) for slot in slots(layout, m)
    )
    return _plate("lower-plate", f"lower plate, {m.lower_mm:g} mm", layout, m, shapes)


def _inlays(layout: Layout, m: Measures) -> Sheet:
    """Return the discs that close the bores."""
    places, size = _nest(len(layout), m.inlay_mm)
    shapes = tuple(Circle(CUT, at, (m.inlay_mm - _PLAY_MM) / 2) for at in places)
    return Sheet("inlays", f"inlays of opal acrylic, {m.inlay_depth_mm:g} mm", *size, shapes)


def _pieces(box: Mapping[Piece, int], m: Measures) -> Sheet:
    """Return the discs of all pieces, with a pocket below for the magnet.

    On top of a disc on which others may stand is a hollow, in which a ball rests. Balls are bought.
    """
    discs = [piece for piece, count in box.items() for _ in range(count) if not piece.magnet]
    places, size = _nest(len(discs), m.piece_mm)
    magnets = pocket(m.magnet_height_mm + COVER_MM, below=True)
    shapes: list[Shape] = []
    for piece, at in zip(discs, places, strict=True):
        shapes.append(Circle(magnets, at, (m.magnet_mm + _PLAY_MM) / 2))
        if piece.flat:
            shapes.append(Circle(pocket(_HOLLOW_MM), at, m.piece_mm / 3))
        shapes.append(Circle(CUT, at, m.piece_mm / 2))
    return Sheet("pieces", f"pieces, {m.piece_height_mm:g} mm", *size, tuple(shapes))


def _plate(name: str, title: str, layout: Layout, m: Measures, shapes: Iterable[Shape]) -> Sheet:
    width, height = m.size_mm(layout)
    outline = Outline(CUT, (width / 2, height / 2), width, height, _CORNER_MM)
    return Sheet(name, title, width, height, (*shapes, outline))


def _at(point: Point, m: Measures) -> Place:
    return m.edge_mm + point.x * m.pitch_mm, m.edge_mm + point.y * m.pitch_mm


def _screws(layout: Layout, m: Measures) -> tuple[Place, ...]:
    """Return the places of the screws: the corners, and two on each side, between the points of the rim."""
    size = m.size_mm(layout)
    across, up = (
        (SCREW_INSET_MM, *_gaps(_rim(layout, m, axis), size[axis]), size[axis] - SCREW_INSET_MM)
        for axis in (0, 1)
    )
    return tuple((x, y) for x in across for y in up if x in (across[0], across[-1]) or y in (up[0], up[-1]))


def _rim(layout: Layout, m: Measures, axis: int) -> list[float]:
    """Return where the points of a side are."""
    return sorted({_at(point, m)[axis] for point in layout.points if (point.y, point.x)[axis] == 0})


def _gaps(places: list[float], length: float) -> list[float]:
    """Return the middles of the two gaps that are nearest to the middle of a side."""
    middles = [(one + other) / 2 for one, other in pairwise(places)]
    return sorted(sorted(middles, key=lambda middle: (abs(middle - length / 2), middle))[:2])


def _lines(layout: Layout, m: Measures) -> Iterator[Line]:
    """Yield the lines of play, or the borders of squares, as far as no inlay interrupts them."""
    if layout is SQUARES:
        yield from _borders(layout, m)
        return
    gap = m.inlay_mm / 2 if m.outlet is LightOutlet.INLAY else _DOT_MM / 2
    for line in layout.lines:
        for one, other in pairwise(_at(point, m) for point in line):
            yield Line(ENGRAVE, _towards(one, other, gap), _towards(other, one, gap))


def _borders(layout: Layout, m: Measures) -> Iterator[Line]:
    """Yield the lines between squares, and around them if they do not reach the rim."""
    width, height = m.size_mm(layout)
    low = max(0.0, m.edge_mm - m.pitch_mm / 2)
    right, top = width - low, height - low
    across, up = span(layout)
    for n in range(0 if low else 1, across + (2 if low else 1)):
        x = m.edge_mm + (n - 0.5) * m.pitch_mm
        yield Line(ENGRAVE, (x, low), (x, top))
    for n in range(0 if low else 1, up + (2 if low else 1)):
        y = m.edge_mm + (n - 0.5) * m.pitch_mm
        yield Line(ENGRAVE, (low, y), (right, y))


def _towards(one: Place, other: Place, length: float) -> Place:
    share = length / dist(one, other)
    return one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])


def _nest(count: int, across: float) -> tuple[list[Place], tuple[float, float]]:
    """Return the centres of discs in rows on a sheet, and its size."""
    columns = ceil(sqrt(count))
    step = across + _NEST_MM
    rows = ceil(count / columns)
    places = [
        (_NEST_MM + across / 2 + n % columns * step, _NEST_MM + across / 2 + n // columns * step)
        for n in range(count)
    ]
    return places, (_NEST_MM + columns * step, _NEST_MM + rows * step)

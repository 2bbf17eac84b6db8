"""The sheets of a board's wood, cut from its solids: plates, frame, lid, inlays and pieces.

Invariants: a sheet has the holes of its part and nothing else, so what fits as a solid fits as cut. All are
seen from above, the frame from outside. Kerf and play are left to whoever runs the machine, except where a
part is dropped or pressed into a pocket. In a stack every sheet is cut through, and there are no pockets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import ceil, dist, sqrt

from firmware_host.games.game import Piece
from firmware_host.games.layout import SQUARES, Layout
from hardware.case.assembly import Assembly
from hardware.case.check import check
from hardware.case.files.shapes import (
    CUT,
    DRILL,
    ENGRAVE,
    Circle,
    Layer,
    Line,
    Outline,
    Place,
    Shape,
    Sheet,
    pocket,
)
from hardware.case.housing import BLOCK_MM, CORNER_MM, PILOT_DEPTH_MM, PILOT_MM, FrameSide, Window
from hardware.case.insides import windows
from hardware.case.measures import SHEET_MM, LightOutlet, Measures, span
from hardware.case.point import DISC_PLAY_MM, piece_part, place
from hardware.case.solids import Hole, Prism, Solid

# ---- the frame, its sides seen from outside, and its blocks --------------------------------------------


_NEST_MM = 3.0


def frame_sheet(made: Assembly) -> Sheet:
    """Return the sides of the frame below one another; in a stack each as its layers, the outer one first."""
    m = made.measures
    layers = round(m.frame_mm / SHEET_MM) if m.stacked else 1
    shapes: list[Shape] = []
    widest, y = 0.0, _NEST_MM
    for part in made.named("frame"):
        wall = FrameSide(part.where)
        long = max(part.prism.width, part.prism.depth)
        widest = max(widest, long)
        for layer in range(layers):
            outline = Outline(
                CUT, (_NEST_MM + long / 2, y + m.frame_height_mm / 2), long, m.frame_height_mm, 0.0
            )
            shapes += [*_openings(made, wall, layer, y), outline]
            y += m.frame_height_mm + _NEST_MM
    each = (
        f"{m.frame_mm:g} mm" if layers == 1 else f"{SHEET_MM:g} mm, {layers} layers a side, outer ones first"
    )
    names = ", ".join(part.where for part in made.named("frame"))
    title = f"frame, {each}; from below: {names}"
    return Sheet("frame", title, widest + 2 * _NEST_MM, y, tuple(shapes))


def _openings(made: Assembly, wall: FrameSide, layer: int, y: float) -> Iterator[Shape]:
    """Yield the windows of a side, as seen from outside, or those of one of its layers."""
    m = made.measures
    width, depth = made.measures.size_mm(made.layout)
    for window in windows(made.layout, m):
        if window.wall is not wall:
            continue
        if m.stacked:
            middle = (layer + 0.5) * SHEET_MM
            if not window.outer < middle < window.inner:
                continue
            on = CUT
        else:
            on = _depth_of(window, m.frame_mm)
        along = {
            FrameSide.FRONT: window.along,
            FrameSide.BACK: width - window.along,
            FrameSide.LEFT: depth - window.along - m.frame_mm,
            FrameSide.RIGHT: window.along - m.frame_mm,
        }[wall]
        at = _NEST_MM + along, y + window.height
        yield (
            Circle(on, at, window.width / 2)
            if window.round
            else Outline(on, at, window.width, window.tall, min(2.0, window.tall / 2))
        )


def _depth_of(window: Window, thick: float) -> Layer:
    """Return the layer of a window: through, even if it opens into a wider one, or a pocket from inside."""
    if window.outer == 0:
        return CUT
    return pocket(thick - window.outer, below=True)


def block_sheet(made: Assembly) -> Sheet:
    """Return the layers of the blocks for the lid's screws; the top one of each has no hole."""
    long, deep, high = BLOCK_MM
    count, layers = len([*made.named("lid's block")]), round(high / SHEET_MM)
    shapes: list[Shape] = []
    for row in range(count):
        for layer in range(layers):
            at = (
                _NEST_MM + long / 2 + layer * (long + _NEST_MM),
                _NEST_MM + deep / 2 + row * (deep + _NEST_MM),
            )
            if layer * SHEET_MM < PILOT_DEPTH_MM:
                shapes.append(Circle(DRILL, at, PILOT_MM / 2))
            shapes.append(Outline(CUT, at, long, deep, 0.0))
    size = _NEST_MM + layers * (long + _NEST_MM), _NEST_MM + count * (deep + _NEST_MM)
    return Sheet(
        "blocks", f"blocks for the lid's screws, {SHEET_MM:g} mm, {layers} layers each", *size, tuple(shapes)
    )


# ---- all sheets ----------------------------------------------------------------------------------------


_DOT_MM = 4.0
"""The mark of a point without an inlay."""
"""The distance between parts on one sheet."""
_EPSILON = 1e-6


def sheets(layout: Layout, box: Mapping[Piece, int], measures: Measures) -> tuple[Sheet, ...]:
    """Return every sheet of a board; raises ConfigError if the measures do not fit together."""
    return board_sheets(check(layout, box, measures), box)


def board_sheets(made: Assembly, box: Mapping[Piece, int]) -> tuple[Sheet, ...]:
    """Return every sheet of a board whose solids were checked."""
    m, layout = made.measures, made.layout
    (upper,), (lower,), (lid,) = (made.named(name) for name in ("upper plate", "lower plate", "lid"))
    drawn = [*_plate(upper, "upper-plate", m, _surface(layout, m)), *_plate(lower, "lower-plate", m)]
    drawn += [frame_sheet(made), *_plate(lid, "lid", m)]
    if m.stacked:
        drawn.append(block_sheet(made))
    if m.outlet is LightOutlet.INLAY:
        drawn.append(_inlays(layout, m))
    return (*drawn, *_pieces(box, m))


def _plate(part: Solid, name: str, m: Measures, surface: Iterable[Shape] = ()) -> Iterator[Sheet]:
    """Yield the sheet of a plate, or the sheets of its stack from the top, equal ones once."""
    solid = part.prism
    outline = Outline(CUT, (solid.x, solid.y), solid.width, solid.depth, CORNER_MM)
    if not m.stacked:
        shapes = [_hole(hole, part) for hole in part.holes]
        title = f"{part.name}, {solid.top - solid.bottom:g} mm"
        yield Sheet(name, title, solid.width, solid.depth, (*shapes, *surface, outline))
        return
    layers = [(*_layer(part, level), *(surface if number == 0 else ())) for number, level in _levels(part)]
    for number, shapes_of in enumerate(dict.fromkeys(layers)):
        own = f"{name}-{number + 1}" if len(set(layers)) > 1 else name
        title = f"{part.name}, {SHEET_MM:g} mm, {_order(layers, shapes_of)}"
        yield Sheet(own, title, solid.width, solid.depth, (*shapes_of, outline))


def _levels(part: Solid) -> Iterator[tuple[int, float]]:
    """Yield the number of each sheet of a stack, from the top, and the height of its underside."""
    count = round((part.prism.top - part.prism.bottom) / SHEET_MM)
    yield from ((number, part.prism.top - (number + 1) * SHEET_MM) for number in range(count))


def _layer(part: Solid, level: float) -> tuple[Shape, ...]:
    """Return the holes of one sheet of a stack."""
    top = level + SHEET_MM
    through = [
        hole
        for hole in part.holes
        if hole.prism.bottom <= level + _EPSILON and hole.prism.top >= top - _EPSILON
    ]
    return tuple(_shape(_through(hole), hole.prism) for hole in through)


def _order(layers: list[tuple[Shape, ...]], one: tuple[Shape, ...]) -> str:
    """Return how many sheets are cut alike, and where they lie in the stack."""
    places = [number + 1 for number, layer in enumerate(layers) if layer == one]
    if len(layers) == 1:
        return "one"
    if len(places) == 1:
        return f"number {places[0]} from the top"
    return f"{len(places)} alike, numbers {places[0]} to {places[-1]} from the top"


def _through(hole: Hole) -> Layer:
    return DRILL if hole.name.startswith(("screw", "spacer")) else CUT


def _hole(hole: Hole, part: Solid) -> Shape:
    """Return a hole on the layer of its depth; one that opens into a wider one goes through."""
    solid, room = part.prism, hole.prism
    wider = [other.prism for other in part.holes if other.name == hole.name and other.prism.holds(room)]
    low = min([room.bottom, *(w.bottom for w in wider if abs(w.top - room.bottom) < _EPSILON)])
    high = max([room.top, *(w.top for w in wider if abs(w.bottom - room.top) < _EPSILON)])
    from_below, from_above = low <= solid.bottom + _EPSILON, high >= solid.top - _EPSILON
    if from_below and from_above:
        return _shape(_through(hole), room)
    if from_above:
        return _shape(pocket(solid.top - room.bottom), room)
    return _shape(pocket(room.top - solid.bottom, below=True), room)


def _shape(layer: Layer, room: Prism) -> Shape:
    if room.width == room.depth == 2 * room.radius:
        return Circle(layer, (room.x, room.y), room.radius)
    return Outline(layer, (room.x, room.y), room.width, room.depth, room.radius)


def _inlays(layout: Layout, m: Measures) -> Sheet:
    """Return the discs that close the bores."""
    places, size = nest(len(layout), m.inlay_mm)
    shapes = tuple(Circle(CUT, at, (m.inlay_mm - DISC_PLAY_MM) / 2) for at in places)
    return Sheet("inlays", f"inlays of opal acrylic, {m.inlay_depth_mm:g} mm", *size, shapes)


def _pieces(box: Mapping[Piece, int], m: Measures) -> Iterator[Sheet]:
    """Yield the discs of all pieces, in a stack one sheet for each kind of layer. Balls are bought."""
    discs = [piece for piece, count in box.items() for _ in range(count) if not piece.magnet]
    places, size = nest(len(discs), m.piece_mm)
    parts = [piece_part(m, "", x, y, 0.0, flat=p.flat) for p, (x, y) in zip(discs, places, strict=True)]
    cuts = [Circle(CUT, at, m.piece_mm / 2) for at in places]
    if not m.stacked:
        holes = [_hole(hole, part) for part in parts for hole in part.holes]
        yield Sheet("pieces", f"pieces, {m.piece_height_mm:g} mm", *size, (*holes, *cuts))
        return
    layers = [tuple(s for part in parts for s in _layer(part, level)) for _, level in _levels(parts[0])]
    for number, shapes in enumerate(dict.fromkeys(layers)):
        title = f"pieces, {SHEET_MM:g} mm, {_order(layers, shapes)}"
        yield Sheet(f"pieces-{number + 1}", title, *size, (*shapes, *cuts))


def _surface(layout: Layout, m: Measures) -> tuple[Shape, ...]:
    """Return whatever is engraved: lines of play, or the borders of squares, and points without an inlay."""
    dots: tuple[Shape, ...] = ()
    if m.outlet is LightOutlet.HOLE:
        dots = tuple(Circle(ENGRAVE, place(point, m), _DOT_MM / 2) for point in layout.points)
    return (*_lines(layout, m), *dots)


def _lines(layout: Layout, m: Measures) -> Iterator[Line]:
    """Yield the lines of play, or the borders of squares, as far as no inlay interrupts them."""
    if layout is SQUARES:
        yield from _borders(layout, m)
        return
    gap = m.inlay_mm / 2 if m.outlet is LightOutlet.INLAY else _DOT_MM / 2
    for line in layout.lines:
        for one, other in pairwise(place(point, m) for point in line):
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


def nest(count: int, across: float) -> tuple[list[Place], tuple[float, float]]:
    """Return the centres of discs in rows on a sheet, and its size."""
    columns = ceil(sqrt(count))
    step = across + _NEST_MM
    rows = ceil(count / columns)
    places = [
        (_NEST_MM + across / 2 + n % columns * step, _NEST_MM + across / 2 + n // columns * step)
        for n in range(count)
    ]
    return places, (_NEST_MM + columns * step, _NEST_MM + rows * step)

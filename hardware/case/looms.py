"""The wires under the lower plate: their ways, their lengths, and the room that they take.

Invariants: wires run along lanes beside the points, at right angles, and leave the plate in front. From there
to the boards on the lid they are long enough to lay the lid beside the board that lies on its face. Lengths
include both ends, and no spare.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, sqrt

from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout, Point
from hardware.case.carriers import THICK_MM, THIN_MM
from hardware.case.heights import Heights
from hardware.case.insides import STRIPBOARD_MM, board_places
from hardware.case.measures import LightOutlet, Measures
from hardware.case.module import wires_top
from hardware.case.point import JOINT_MM, place
from hardware.case.sensor_types import SensorType
from hardware.case.solids import Prism, Solid

LANE_MM = 7.0
"""The distance of a lane from the points of its row, to their front."""

_UP_MM, _TRUNK_MM, _BESIDE_MM = 4.5, 8.0, 8.0
"""The distances of upright lanes: to the right of the points of a column, the trunk's to their left, and to
the right of LEDs for wires that pass other points of the column."""

_ENDS_MM = 20.0
"""The wire that both ends take: insulation that is stripped, and a bend."""

_LOOSE = 1.15
"""The width of a bundle, as a share of that of its wires lying close."""

Way = tuple[tuple[float, float], ...]


@frozen(slots=False)
class WireCut:
    """A wire to cut: its net, its ends, its length, and whether it is one of 0.5 mm²."""

    net: str
    begin: str
    end: str
    length_mm: float
    thick: bool


@frozen(slots=False)
class Looms:
    """All wires of a board, and the solids of their bundles."""

    runs: tuple[WireCut, ...]
    parts: tuple[Solid, ...]

    def metres(self, *, thick: bool, spare: float = 1.15) -> int:
        """Return the length to buy of one kind of wire, with some to spare."""
        return ceil(spare * sum(run.length_mm for run in self.runs if run.thick is thick) / 1000)


def looms(layout: Layout, m: Measures, *, matrix_lines: int = 0) -> Looms:
    """Return the wires of a board: the chain of LEDs, the sensors' shared wires, and a wire for each contact.

    With `matrix_lines`, contacts share rows and columns, which together have as many wires to the lid.
    """
    sensors = (
        _matrix_runs(layout, m, matrix_lines)
        if matrix_lines
        else (*_shared_runs(layout, m), *_contact_runs(layout, m))
    )
    return Looms(
        (*_chain_runs(layout, m), *sensors),
        (*_chain_parts(layout, m), *_trunk_parts(layout, m)),
    )


def contacts_at(m: Measures) -> int:
    """Return the wires of a point that are its own."""
    return 2 if m.sensor is SensorType.HALL else 1


def exit_mm(layout: Layout, m: Measures) -> tuple[float, float]:
    """Return the place at which wires leave the lower plate."""
    return m.size_mm(layout)[0] / 2 - _TRUNK_MM, m.edge_mm - LANE_MM


def lid_loop_mm(layout: Layout, m: Measures) -> float:
    """Return the wire from there to the middle of the board on the lid, which lies in front of the board.

    The board lies on its face: from the plate up the frame, over its edge, and down to the table.
    """
    h = Heights.of(m)
    board = board_places(layout, m).board[1] + STRIPBOARD_MM[1] / 2
    return exit_mm(layout, m)[1] + m.frame_height_mm + m.frame_mm + (h.surface - h.frame) + board


def hop(one: Point, other: Point, m: Measures) -> Way:
    """Return the way of the chain's wires from an LED to the next."""
    (x1, y1), (x2, y2) = place(one, m), place(other, m)
    right, up = m.led_mm
    start, end = (x1 + right, y1 + up), (x2 + right, y2 + up)
    if x1 == x2:
        return start, (x1 + _UP_MM, start[1]), (x1 + _UP_MM, end[1]), end
    lane = y1 - LANE_MM
    if y1 == y2:
        return start, (start[0], lane), (end[0], lane), end
    beside = end[0] + _BESIDE_MM if m.outlet is LightOutlet.INLAY else x2 + _UP_MM
    return start, (start[0], lane), (beside, lane), (beside, end[1]), end


def to_exit(x: float, y: float, row: float, layout: Layout, m: Measures) -> Way:
    """Return the way of a wire from a place at a row of points to the exit."""
    trunk, front = exit_mm(layout, m)
    return (x, y), (x, row - LANE_MM), (trunk, row - LANE_MM), (trunk, front)


def length(way: Way) -> float:
    """Return the length of a way, whose parts are parallel to the edges."""
    return sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(way))


def _through(m: Measures) -> float:
    return m.lower_mm + JOINT_MM


def _chain_runs(layout: Layout, m: Measures) -> Iterator[WireCut]:
    for one, other in pairwise(layout.points):
        each = length(hop(one, other, m)) + 2 * _through(m) + _ENDS_MM
        for net, thick in (("5 V", True), ("GND", True), ("data", False)):
            yield WireCut(net, f"LED {one.index} ({one})", f"LED {other.index} ({other})", each, thick)
    first, last = layout.points[0], layout.points[-1]
    for point, nets in ((first, ("5 V", "GND", "data")), (last, ("5 V", "GND"))):
        x, y = place(point, m)
        right, up = m.led_mm
        own = (
            length(to_exit(x + right, y + up, y, layout, m)) + lid_loop_mm(layout, m) + _through(m) + _ENDS_MM
        )
        for net in nets:
            yield WireCut(net, "board on the lid", f"LED {point.index} ({point})", own, net != "data")


def _shared_runs(layout: Layout, m: Measures) -> Iterator[WireCut]:
    """Yield the wires that all sensors share: ground, and the supply of those that need one."""
    for net in ("GND", "3.3 V") if m.sensor is not SensorType.REED else ("GND",):
        for one, other in pairwise(layout.points):
            way = hop(one, other, m)
            each = length(way) + _ENDS_MM
            yield WireCut(f"sensors' {net}", str(one), str(other), each, thick=False)
        first = layout.points[0]
        x, y = place(first, m)
        own = length(to_exit(x, y, y, layout, m)) + lid_loop_mm(layout, m) + _ENDS_MM
        yield WireCut(f"sensors' {net}", "board on the lid", str(first), own, thick=False)


def _matrix_runs(layout: Layout, m: Measures, lines: int) -> Iterator[WireCut]:
    """Yield the wires of rows and columns from contact to contact, and each line's to the lid."""
    for net in ("row", "column"):
        for one, other in pairwise(layout.points):
            yield WireCut(
                f"sensors' {net}", str(one), str(other), length(hop(one, other, m)) + _ENDS_MM, thick=False
            )
    far = max(length(to_exit(*place(p, m), place(p, m)[1], layout, m)) for p in layout.points)
    for line in range(lines):
        own = far + lid_loop_mm(layout, m) + _ENDS_MM
        yield WireCut("signal", f"row or column {line}", "board on the lid", own, thick=False)


def _contact_runs(layout: Layout, m: Measures) -> Iterator[WireCut]:
    for point in layout.points:
        x, y = place(point, m)
        own = length(to_exit(x, y, y, layout, m)) + lid_loop_mm(layout, m) + _ENDS_MM
        for number in range(contacts_at(m)):
            name = f"{point}, sensor {number + 1}" if contacts_at(m) > 1 else str(point)
            yield WireCut("signal", name, "board on the lid", own, thick=False)


def _chain_parts(layout: Layout, m: Measures) -> Iterator[Solid]:
    wide, high = 2 * THICK_MM + THIN_MM, THICK_MM
    for one, other in pairwise(layout.points):
        for prism in _along(hop(one, other, m), wide, high, wires_top(m, Heights.of(m))):
            yield Solid("wires of the LEDs", f"{one} to {other}", prism, soft=True)


def _trunk_parts(layout: Layout, m: Measures) -> Iterator[Solid]:
    """Yield the bundles of the sensors: one along each half of a row, and the trunk that they join."""
    top, (trunk, front) = wires_top(m, Heights.of(m)), exit_mm(layout, m)
    for y in sorted({place(point, m)[1] for point in layout.points}):
        row = [place(point, m)[0] for point in layout.points if place(point, m)[1] == y]
        for side in (-1, 1):
            own = [x for x in row if (x - trunk) * side > 0]
            if own:
                far, wide = max(own, key=lambda x: abs(x - trunk)), _bundle(len(own) * contacts_at(m))
                for prism in _along(((far, y - LANE_MM), (trunk, y - LANE_MM)), wide, wide, top):
                    yield Solid("sensors' wires", f"row {y:g}", prism, soft=True)
    back = max(place(point, m)[1] for point in layout.points) - LANE_MM
    wide = _bundle(len(layout) * contacts_at(m))
    for prism in _along(((trunk, back), (trunk, front)), wide, wide, top):
        yield Solid("sensors' wires", "trunk", prism, soft=True)


def _bundle(wires: int) -> float:
    return _LOOSE * THIN_MM * sqrt(wires)


def _along(way: Sequence[tuple[float, float]], wide: float, high: float, top: float) -> Iterator[Prism]:
    """Yield a box around each part of a way, right below a height."""
    half = wide / 2
    for (x1, y1), (x2, y2) in pairwise(way):
        if (x1, y1) != (x2, y2):
            yield Prism.box(
                min(x1, x2) - half,
                min(y1, y2) - half,
                max(x1, x2) + half,
                max(y1, y2) + half,
                top - high,
                top,
            )

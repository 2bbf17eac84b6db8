"""The solids of one point: its sensor with its wires, its LED on its carrier, inlay, piece and magnet.

Invariants: the sensor's upper end is right below the inlay, at the same height whatever its length, because
that is where the magnet is strong. So a long reed reaches below the lower plate.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.games.layout import Point
from hardware.case.heights import Heights
from hardware.case.measures import (
    BEND_MM,
    COVER_MM,
    GLASS_MM,
    HALL_BODY_MM,
    HOLE_MM,
    PLAY_MM,
    SHEET_MM,
    SLEEVE_MM,
    WIRE_MM,
    LightOutlet,
    Measures,
)
from hardware.case.module import OPENING_MM, module_prisms
from hardware.case.sensor_types import SensorType
from hardware.case.solids import Hole, Prism, Solid

BACK_MM = 3.0
"""The distance of the wire that is bent back from the middle of the glass."""

JOINT_MM = 6.0
"""The length of the legs below the glass or the plate, with the wires that are soldered to them."""

MAX_BELOW_MM = 3.0
"""The most of a reed's glass that may stand below the lower plate, where wires lie."""

DISC_PLAY_MM = 0.2
"""The width by which a part is smaller than its pocket."""

HALL_LEGS_MM, _LEG_MM = 2.5, 0.5
"""The distance of a hall sensor's bent legs from its middle, and their thickness."""

_SLOTS = {SensorType.REED: (0.0, 1.3, 3.4, 6.0), SensorType.HALL: (0.0, 0.0, 4.0, 8.0)}
_HOLLOW_MM = 2.0
"""The depth of the hollow on a ring."""
_POCKET_PLAY_MM, _POCKET_MM = 0.5, 4.0
"""The room around and above an LED's carrier in a plate without inlays."""


def place(point: Point, m: Measures) -> tuple[float, float]:
    """Return where the middle of a point is."""
    return m.edge_mm + point.x * m.pitch_mm, m.edge_mm + point.y * m.pitch_mm


def sensor_slot(m: Measures, x: float, y: float, bottom: float, top: float) -> Prism:
    """Return the slot of a sensor at a point, with round ends."""
    right, up, width, depth = _SLOTS.get(m.sensor, _SLOTS[SensorType.HALL])
    return Prism(x + right, y + up, width, depth, width / 2, bottom, top)


def lower_holes(point: Point, m: Measures, h: Heights) -> Iterator[Hole]:
    """Yield the slots of a point in the lower plate, or the opening for its module."""
    x, y = place(point, m)
    if m.has_modules:
        yield Hole(f"opening of the module at {point}", Prism.disc(x, y, OPENING_MM, h.lower, h.upper))
        return
    yield Hole(f"slot of the sensor at {point}", sensor_slot(m, x, y, h.lower, h.upper))
    right, up = m.led_mm
    for opening in m.carrier.openings():
        middle = x + right + opening.x, y + up + opening.y
        size = opening.width, opening.depth, opening.radius
        yield Hole(f"slot of the LED at {point}", Prism(*middle, *size, h.lower, h.upper))


def upper_holes(point: Point, m: Measures, h: Heights) -> Iterator[Hole]:
    """Yield the room of a point in the upper plate."""
    x, y = place(point, m)
    ceiling = h.surface - m.roof_mm
    yield Hole(f"bore of {point}", Prism.disc(x, y, m.bore_mm, h.upper, ceiling))
    if m.outlet is LightOutlet.INLAY:
        yield Hole(f"bore of {point}", Prism.disc(x, y, m.inlay_mm, ceiling, h.surface))
        return
    right, up = m.led_mm
    roof = h.upper + (2 * SHEET_MM if m.stacked else _POCKET_MM)
    width = max(m.carrier.width, *(2 * (abs(end.x) + end.diameter / 2) for end in m.carrier.ends))
    depth = max(m.carrier.depth, *(2 * (abs(end.y) + end.diameter / 2) for end in m.carrier.ends))
    radius = m.carrier.radius if (width, depth) == (m.carrier.width, m.carrier.depth) else 0.0
    room = Prism(x + right, y + up, width, depth, radius, h.upper, roof).grown(_POCKET_PLAY_MM)
    yield Hole(f"light of {point}", room)
    yield Hole(f"light of {point}", Prism.disc(x + right, y + up, HOLE_MM, roof, h.surface))


def point_parts(point: Point, m: Measures, h: Heights) -> Iterator[Solid]:
    """Yield the solids of a point."""
    x, y = place(point, m)
    if m.has_modules:
        for name, prism in module_prisms(x, y, m, h):
            soft = name == "module's wires"
            yield Solid(name, str(point), prism, unit=f"module {point}", soft=soft)
    else:
        yield from _sensor(point, m, h)
        yield from _led(point, m, h)
    if m.outlet is LightOutlet.INLAY:
        disc = Prism.disc(x, y, m.inlay_mm - DISC_PLAY_MM, h.surface - m.inlay_depth_mm, h.surface)
        yield Solid("inlay", str(point), disc)
    yield piece_part(m, str(point), x, y, h.surface)
    foot = h.surface + min(COVER_MM, m.pocket_mm - m.magnet_height_mm)
    yield Solid("magnet", str(point), Prism.disc(x, y, m.magnet_mm, foot, foot + m.magnet_height_mm))


def piece_part(m: Measures, where: str, x: float, y: float, foot: float, *, flat: bool = False) -> Solid:
    """Return a piece with the pocket for its magnet, and with a hollow for a ball if one may stand on it."""
    top = foot + m.piece_height_mm
    holes = [Hole("pocket", Prism.disc(x, y, m.magnet_mm + DISC_PLAY_MM, foot, foot + m.pocket_mm))]
    if flat:
        deep = SHEET_MM if m.stacked else _HOLLOW_MM
        holes.append(Hole("hollow", Prism.disc(x, y, m.piece_mm * 2 / 3, top - deep, top)))
    return Solid("piece", where, Prism.disc(x, y, m.piece_mm, foot, top), tuple(holes))


def _sensor(point: Point, m: Measures, h: Heights) -> Iterator[Solid]:
    x, y = place(point, m)
    ceiling = h.surface - m.roof_mm - PLAY_MM
    solids = _reed(x, y, ceiling, m, h) if m.sensor is SensorType.REED else _halls(x, y, ceiling, m, h)
    for name, prism in solids:
        yield Solid(name, str(point), prism, unit=f"sensor {point}")


def _reed(x: float, y: float, ceiling: float, m: Measures, h: Heights) -> Iterator[tuple[str, Prism]]:
    bend, back = ceiling - WIRE_MM, y + BACK_MM
    glass = bend - BEND_MM - m.reed_mm
    across = Prism.box(x - WIRE_MM / 2, y - WIRE_MM / 2, x + WIRE_MM / 2, back + WIRE_MM / 2, bend, ceiling)
    yield "reed's bent wire", across
    yield "reed's bent wire", Prism.disc(x, y, WIRE_MM, bend - BEND_MM, bend)
    yield "reed", Prism.disc(x, y, GLASS_MM, glass, bend - BEND_MM)
    yield "reed's leg", Prism.disc(x, y, WIRE_MM, min(glass, h.lower) - JOINT_MM, glass)
    yield "reed's bent wire", Prism.disc(x, back, SLEEVE_MM, h.lower - JOINT_MM, bend)


def _halls(x: float, y: float, ceiling: float, m: Measures, h: Heights) -> Iterator[tuple[str, Prism]]:
    """Yield one or two sensors, which lie flat on their bent legs, one below the other and turned round."""
    wide, deep, high = HALL_BODY_MM
    for number in range(2 if m.sensor is SensorType.HALL else 1):
        top, side = ceiling - number * high, 1 if number == 0 else -1
        yield "hall sensor", Prism(x, y, wide, deep, 0.0, top - high, top)
        legs = y + side * HALL_LEGS_MM
        for leg in (-1.27, 0.0, 1.27):
            yield "hall sensor's legs", Prism.disc(x + leg, legs, _LEG_MM, h.lower - JOINT_MM, top - high / 2)


def _led(point: Point, m: Measures, h: Heights) -> Iterator[Solid]:
    x, y = (at + offset for at, offset in zip(place(point, m), m.led_mm, strict=True))
    c, unit = m.carrier, f"LED {point}"
    solid = Prism(x, y, c.width, c.depth, c.radius, h.upper, h.upper + c.height)
    yield Solid("LED's carrier", str(point), solid, unit=unit)
    for end in c.ends:
        on_face = abs(end.y) > c.depth / 2  # such a wire bends over the carrier's end
        top = h.upper + (c.height if on_face else 0.0)
        wire = Prism.disc(x + end.x, y + end.y, end.diameter, h.lower - JOINT_MM, top)
        yield Solid("LED's wires", str(point), wire, unit=unit, soft=True)

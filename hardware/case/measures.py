"""The measures of a board's wood, its pieces and magnets, and the reasons why they do not fit together.

Invariants: all lengths are in millimetres, across unless the name says otherwise. Nothing here was tried on
wood: the defaults are those of the drawings, the limits follow from geometry and from the field of a dipole.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import fields
from math import ceil, hypot, pi, sqrt

from firmware_host.errors import ConfigError
from firmware_host.frozen import frozen
from firmware_host.games.layout import SQUARES, Layout

REMANENCE_MT = 1300.0
"""The remanence of an N42 magnet."""

MAX_NEIGHBOUR_MT = 0.4
"""The strongest field that a magnet may have at the next sensor.

A reed of 10 ampere-turns, the most sensitive one recommended, closes at about 0.9 mT: two neighbouring
magnets together must stay below that.
"""

MIN_SENSOR_MT = 20.0
"""The weakest field that a magnet may have under the inlay, where the sensor's upper end is.

A few millimetres off the centre less than half of it is left, and most hall switches need up to 9.5 mT.
"""

_GAP_MM = 2.0
"""The least width of wood between two bores, and of air between two pieces."""

COVER_MM = 0.5
"""The thickness of whatever covers a magnet in its pocket."""

_LED_MM = 5.0
_RIM_MM = 2.0
_MAX_MM = 2000.0

REED_MM = 12.0
"""The length of a reed's glass, which stands in the bore, its lower end in the slot of the lower plate."""

BEND_MM = 3.0
"""The distance from a reed's glass at which its wire can be bent."""


ROOF_MM = 2.0
"""The wood that is left above a sensor if there is no inlay."""

HOLE_MM = 5.0
"""The hole for the light beside a point, if there is no inlay."""

SCREW_INSET_MM = 8.0
"""The distance of screws from the rim."""

_NARROW_BORE_MM = 20.0


class LightOutlet(enum.Enum):
    """The way of the light to the surface: a translucent inlay at each point, or a hole beside it."""

    INLAY = "inlay"
    HOLE = "hole"


@frozen(slots=False)
class Measures:
    """The measures of a board; the defaults are for 24 points."""

    pitch_mm: float = 40.0
    edge_mm: float = 30.0
    upper_mm: float = 15.0
    lower_mm: float = 4.0
    inlay_mm: float = 34.0
    inlay_depth_mm: float = 3.0
    piece_mm: float = 24.0
    piece_height_mm: float = 8.0
    magnet_mm: float = 8.0
    magnet_height_mm: float = 3.0
    led_offset_mm: float = 10.0
    outlet: LightOutlet = LightOutlet.INLAY

    @classmethod
    def recommended(cls, layout: Layout) -> Measures:
        """Return the measures that the guide recommends for a layout."""
        if layout is SQUARES:
            return cls(pitch_mm=60.0, inlay_mm=48.0, piece_mm=36.0, led_offset_mm=15.0)
        return cls()

    @property
    def bore_mm(self) -> float:
        """The room of a sensor: a hole whose rim of 2 mm carries the inlay, or a pocket from below."""
        return self.inlay_mm - 2 * _RIM_MM if self.outlet is LightOutlet.INLAY else _NARROW_BORE_MM

    @property
    def roof_mm(self) -> float:
        """The thickness of whatever is above a sensor."""
        return self.inlay_depth_mm if self.outlet is LightOutlet.INLAY else ROOF_MM

    @property
    def led_mm(self) -> tuple[float, float]:
        """The place of an LED from the centre of its point: to the right, or below its hole."""
        if self.outlet is LightOutlet.INLAY:
            return self.led_offset_mm, 0.0
        beside = (self.piece_mm / 2 + HOLE_MM) / sqrt(2)
        return beside, beside

    def size_mm(self, layout: Layout) -> tuple[float, float]:
        """Return the width and the depth of the board."""
        across, up = span(layout)
        return across * self.pitch_mm + 2 * self.edge_mm, up * self.pitch_mm + 2 * self.edge_mm


def span(layout: Layout) -> tuple[int, int]:
    """Return the distances from the first to the last file and rank, in pitches."""
    return max(point.x for point in layout.points), max(point.y for point in layout.points)


def axial_field_mt(diameter_mm: float, height_mm: float, distance_mm: float) -> float:
    """Return the field of a disc magnet on its axis, at a distance from its face."""
    radius, far = diameter_mm / 2, distance_mm + height_mm
    return REMANENCE_MT / 2 * (far / hypot(radius, far) - distance_mm / hypot(radius, distance_mm))


def neighbour_field_mt(diameter_mm: float, height_mm: float, distance_mm: float) -> float:
    """Return the field of a disc magnet beside it, as that of a dipole."""
    volume = pi * (diameter_mm / 2) ** 2 * height_mm
    return REMANENCE_MT * volume / (4 * pi * distance_mm**3)


def check(measures: Measures) -> None:
    """Raise ConfigError with a line for each reason why these measures do not fit together."""
    if faults := [*_impossible(measures)] or [*_misfits(measures)]:
        raise ConfigError("\n".join(faults))


def _impossible(measures: Measures) -> Iterator[str]:
    lengths = [field.name for field in fields(measures) if field.name.endswith("_mm")]
    for name, value in ((name, getattr(measures, name)) for name in lengths):
        if not 0 < value <= _MAX_MM:
            yield f"{_words(name)} must be more than 0 and at most {_MAX_MM:g} mm, not {value:g} mm"


def _misfits(m: Measures) -> Iterator[str]:
    most = m.pitch_mm - _GAP_MM
    if m.piece_mm > most:
        yield (
            f"pieces {m.piece_mm:g} mm wide overlap on points {m.pitch_mm:g} mm apart: make them at most "
            f"{most:g} mm wide, or set the points {m.piece_mm + _GAP_MM:g} mm apart"
        )
    least = m.roof_mm + REED_MM + BEND_MM - m.lower_mm
    if m.upper_mm < least:
        yield (
            f"an upright reed of {REED_MM:g} mm, whose wire is bent {BEND_MM:g} mm above the glass, does not "
            f"fit into a plate of {m.upper_mm:g} mm: take one of {least:g} mm"
        )
    if m.outlet is LightOutlet.INLAY:
        yield from _inlay_misfits(m)
    else:
        yield from _hole_misfits(m)
    yield from _magnet_misfits(m)


def _inlay_misfits(m: Measures) -> Iterator[str]:
    widest, narrowest = m.pitch_mm - _GAP_MM, m.piece_mm + 2 * _GAP_MM
    if m.inlay_mm > widest:
        yield (
            f"inlays {m.inlay_mm:g} mm wide leave no wood between points {m.pitch_mm:g} mm apart: make them "
            f"at most {widest:g} mm wide"
        )
    if m.inlay_mm < narrowest:
        yield (
            f"pieces {m.piece_mm:g} mm wide hide the light of inlays {m.inlay_mm:g} mm wide: make the inlays "
            f"at least {narrowest:g} mm wide"
        )
    if m.inlay_mm / 2 > m.edge_mm - _GAP_MM:
        least = m.inlay_mm / 2 + _GAP_MM
        yield f"inlays {m.inlay_mm:g} mm wide reach the rim: make the edge at least {least:g} mm"
    if m.led_offset_mm + _LED_MM / 2 > m.bore_mm / 2 or m.led_offset_mm < _LED_MM / 2 + _GAP_MM:
        yield (
            f"an LED {m.led_offset_mm:g} mm off the centre does not fit between the reed and the wall of a "
            f"bore {m.bore_mm:g} mm wide"
        )


def _hole_misfits(m: Measures) -> Iterator[str]:
    least = m.led_mm[0] + SCREW_INSET_MM + HOLE_MM
    if m.edge_mm < least:
        yield f"the light's holes reach the screws in the corners: make the edge at least {ceil(least)} mm"
    if m.piece_mm < m.bore_mm - HOLE_MM:
        yield (
            f"the light's holes beside pieces {m.piece_mm:g} mm wide meet the sensors' bores, "
            f"{m.bore_mm:g} mm wide: make the pieces at least {m.bore_mm - HOLE_MM:g} mm wide"
        )


def _magnet_misfits(m: Measures) -> Iterator[str]:
    magnet = f"a magnet of {m.magnet_mm:g} x {m.magnet_height_mm:g} mm"
    if m.magnet_mm > m.piece_mm - 2 * _GAP_MM or m.magnet_height_mm + COVER_MM > m.piece_height_mm - _GAP_MM:
        yield f"{magnet} does not fit into a piece of {m.piece_mm:g} x {m.piece_height_mm:g} mm"
    near = axial_field_mt(m.magnet_mm, m.magnet_height_mm, m.roof_mm + 2 * COVER_MM)
    if near < MIN_SENSOR_MT:
        yield (
            f"{magnet} is too weak: {near:.1f} mT below {m.roof_mm:g} mm of inlay or wood, and "
            f"{MIN_SENSOR_MT:g} mT are needed"
        )
    beside = neighbour_field_mt(m.magnet_mm, m.magnet_height_mm, m.pitch_mm)
    if beside > MAX_NEIGHBOUR_MT:
        apart = ceil(m.pitch_mm * (beside / MAX_NEIGHBOUR_MT) ** (1 / 3))
        yield (
            f"the sensors are too close for {magnet}: {beside:.1f} mT at the next point, {m.pitch_mm:g} mm "
            f"away, where {MAX_NEIGHBOUR_MT:g} mT are allowed: take a smaller magnet, or set the points "
            f"{apart} mm apart"
        )


def _words(name: str) -> str:
    return name.removesuffix("_mm").replace("_", " ")

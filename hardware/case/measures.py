"""The measures of a board, which its solids follow from, and those that are recommended.

Invariants: all lengths are in millimetres, across unless the name says otherwise. Nothing here was tried on
wood: the defaults are those of the drawings.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import replace
from math import ceil, sqrt
from types import MappingProxyType
from typing import Any

from firmware_host.frozen import frozen
from firmware_host.games.game import Piece
from firmware_host.games.layout import SQUARES, Layout
from hardware.case.carriers import PIXEL, Carrier
from hardware.case.magnets import (
    MAX_STRAY_AT_HALL_MT,
    MAX_STRAY_MT,
    MAX_STRAY_SHARE,
    Disc,
    Span,
    axial_field_mt,
    stray_field_mt,
)
from hardware.case.sensor_types import SensorType

GAP_MM = 2.0
"""The least width of wood between two holes, and of air between two pieces."""

COVER_MM = 0.5
"""The thickness of whatever covers a magnet in its pocket."""

BEND_MM = 3.0
"""The distance from a reed's glass at which its wire can be bent."""

PLAY_MM = 0.4
"""The air between a sensor and the inlay above it."""

WIRE_MM = 0.6
"""The diameter of a reed's wire."""

GLASS_MM, SLEEVE_MM = 2.5, 1.6
"""The diameters of a reed's glass, and of the wire that is bent back, in its sleeve."""

MODULE_MM, MODULE_LED_MM = 29.0, 10.0
"""The diameter of the circuit board at a point, and the distance of its LED from the middle."""

MODULE_PLAY_MM = 1.0
"""The least width by which a bore is larger than the circuit board in it."""

STAND_MM = 0.5
"""The distance of a reed's glass from the circuit board that it stands on."""

HALL_BODY_MM = (4.1, 3.0, 1.6)
"""The body of a hall sensor that lies flat: its width, depth and height."""

SHEET_MM = 3.0
"""The thickness of the sheets that a stack is made of."""

HOLE_MM = 5.0
"""The hole for the light beside a point, if there is no inlay."""

RIM_MM = 2.0
"""The rim of a bore that carries the inlay."""

_ROOF_MM = 2.0
_MODULE_REED_MM = 10.0
"""The usual length of a reed that stands on a circuit board."""
_NARROW_BORE_MM = 15.0
_LED_SHARE = 0.57
"""The usual way from the centre of a bore to its LED."""
_REACH_MM = 0.1
"""The room between an LED's carrier and the wall of its bore."""

MAGNETS: tuple[Disc, ...] = ((8.0, 3.0), (6.0, 2.0), (5.0, 2.0))
"""The magnets recommended, the strongest first."""

_EDGE_MM = 30.0
"""The usual distance from the outermost points to the rim."""
_INSIDE_MM = 204.0
"""The least depth inside the frame: stripboard, Pi behind it, and a block for the lid's screw."""
_BESIDE_LIGHT_MM, _BEHIND_LIGHT_MM = 9.0, 15.0
"""The distances of a light's hole from a screw beside it, and from the frame if a screw lies between them."""


class LightOutlet(enum.Enum):
    """The way of the light to the surface: a translucent inlay at each point, or a hole beside it."""

    INLAY = "inlay"
    HOLE = "hole"


class ChipBoard(enum.Enum):
    """The board with the chips: one beside the Pi, or one on its header, with modules at the points."""

    STRIPBOARD = "stripboard"
    CONTROLLER = "controller"


@frozen(slots=False)
class Measures:
    """The measures of a board; the defaults are for 24 points."""

    pitch_mm: float = 40.0
    edge_mm: float = _EDGE_MM
    upper_mm: float = 15.0
    lower_mm: float = 4.0
    inlay_mm: float = 34.0
    inlay_depth_mm: float = 3.0
    piece_mm: float = 24.0
    piece_height_mm: float = 8.0
    magnet_mm: float = 8.0
    magnet_height_mm: float = 3.0
    reed_mm: float = 14.0
    led_offset_mm: float = 8.5
    frame_mm: float = 10.0
    frame_height_mm: float = 50.0
    lid_mm: float = 4.0
    outlet: LightOutlet = LightOutlet.INLAY
    sensor: SensorType = SensorType.REED
    carrier: Carrier = PIXEL
    electronics: ChipBoard = ChipBoard.STRIPBOARD
    stacked: bool = False
    """True if everything is glued from sheets of 3 mm, which a laser cuts through."""

    @classmethod
    def recommended(
        cls,
        layout: Layout,
        box: Mapping[Piece, int],
        *,
        pitch_mm: float | None = None,
        sensor: SensorType = SensorType.REED,
        outlet: LightOutlet = LightOutlet.INLAY,
        carrier: Carrier = PIXEL,
        electronics: ChipBoard = ChipBoard.STRIPBOARD,
        stacked: bool = False,
        lengths: Mapping[str, float] = MappingProxyType({}),
    ) -> Measures:
        """Return the measures that the guide recommends for a layout and the pieces of a game.

        Those in `lengths` are kept, and the magnet is the strongest that all of them together allow.
        """
        wide = layout is SQUARES
        pitch = pitch_mm if pitch_mm is not None else 60.0 if wide else 40.0
        inlay = min(48.0 if wide else 34.0, pitch - GAP_MM)
        made = cls(
            pitch_mm=pitch,
            inlay_mm=inlay,
            piece_mm=min(36.0 if wide else 24.0, inlay - 8.0),
            led_offset_mm=_led_offset((inlay - 2 * RIM_MM) / 2, carrier),
            outlet=outlet,
            carrier=carrier,
            sensor=sensor,
            electronics=electronics,
            reed_mm=_MODULE_REED_MM if electronics is ChipBoard.CONTROLLER else cls.reed_mm,
            stacked=stacked,
        )
        if stacked:
            made = replace(
                made, lower_mm=SHEET_MM, lid_mm=SHEET_MM, frame_mm=3 * SHEET_MM, piece_height_mm=3 * SHEET_MM
            )
        made = replace(made, edge_mm=_edge(layout, made))
        made = replace(made, **dict[str, Any](lengths))
        sound = all(length > 0 for length in (pitch, *lengths.values()))
        return made._with_magnet(layout, box) if sound else made

    def _with_magnet(self, layout: Layout, box: Mapping[Piece, int]) -> Measures:
        """Return these measures with the strongest magnet that they allow, otherwise with the weakest."""
        tries = [replace(self, magnet_mm=wide, magnet_height_mm=high) for wide, high in MAGNETS]
        return next((one for one in tries if one.stray_mt(layout, box) <= one.max_stray_mt), tries[-1])

    @property
    def has_modules(self) -> bool:
        """True if each point has a circuit board of its own."""
        return self.electronics is ChipBoard.CONTROLLER

    @property
    def bore_mm(self) -> float:
        """The room of a sensor: a hole whose rim carries the inlay, or a pocket from below."""
        return self.inlay_mm - 2 * RIM_MM if self.outlet is LightOutlet.INLAY else _NARROW_BORE_MM

    @property
    def roof_mm(self) -> float:
        """The thickness of whatever is above a sensor."""
        if self.outlet is LightOutlet.INLAY:
            return self.inlay_depth_mm
        return SHEET_MM if self.stacked else _ROOF_MM

    @property
    def led_mm(self) -> tuple[float, float]:
        """The place of an LED from the centre of its point: to the right, or below its hole."""
        if self.outlet is LightOutlet.INLAY:
            return MODULE_LED_MM if self.has_modules else self.led_offset_mm, 0.0
        beside = (self.piece_mm / 2 + HOLE_MM) / sqrt(2)
        return beside, beside

    @property
    def magnet(self) -> Disc:
        """The diameter and the height of a magnet."""
        return self.magnet_mm, self.magnet_height_mm

    @property
    def pocket_mm(self) -> float:
        """The depth of a magnet's pocket: with its cover, or one sheet with the cover over the whole foot."""
        return SHEET_MM if self.stacked else self.magnet_height_mm + COVER_MM

    @property
    def sensing_mm(self) -> Span:
        """The distances of the sensor's upper and lower end from the middle of a magnet on its point."""
        foot = min(COVER_MM, self.pocket_mm - self.magnet_height_mm)
        ceiling = foot + self.magnet_height_mm / 2 + self.roof_mm + PLAY_MM
        if self.sensor is SensorType.REED:
            return ceiling + WIRE_MM + BEND_MM, ceiling + WIRE_MM + BEND_MM + self.reed_mm
        return ceiling, ceiling + HALL_BODY_MM[2]

    @property
    def near_mt(self) -> float:
        """The field of a piece below its own inlay."""
        return axial_field_mt(*self.magnet, self.roof_mm + 2 * COVER_MM)

    @property
    def max_stray_mt(self) -> float:
        """The strongest field of all other pieces that doesn't disturb the sensors."""
        limits = {SensorType.REED: MAX_STRAY_MT, SensorType.HALL: MAX_STRAY_AT_HALL_MT}
        return limits.get(self.sensor, self.near_mt * MAX_STRAY_SHARE)

    def stray_mt(self, layout: Layout, box: Mapping[Piece, int]) -> float:
        """Return the strongest field of all other pieces at an empty point."""
        return stray_field_mt(layout, box, self.pitch_mm, self.magnet, self.sensing_mm)

    def size_mm(self, layout: Layout) -> tuple[float, float]:
        """Return the width and the depth of the board."""
        across, up = span(layout)
        return across * self.pitch_mm + 2 * self.edge_mm, up * self.pitch_mm + 2 * self.edge_mm


def span(layout: Layout) -> tuple[int, int]:
    """Return the distances from the first to the last file and rank, in pitches."""
    return max(point.x for point in layout.points), max(point.y for point in layout.points)


def _edge(layout: Layout, m: Measures) -> float:
    """Return the usual edge, or a wider one where the board would be too small for what is inside.

    Squares have a screw between each two points of the rim, where lights beside the points need room as well.
    """
    inside = (2 * m.frame_mm + _INSIDE_MM - span(layout)[1] * m.pitch_mm) / 2
    beside, _ = m.led_mm
    narrow = layout is SQUARES and m.pitch_mm / 2 - beside < _BESIDE_LIGHT_MM
    light = beside + m.frame_mm + _BEHIND_LIGHT_MM
    return float(ceil(max(_EDGE_MM, inside, light if narrow and m.outlet is LightOutlet.HOLE else 0.0)))


def _led_offset(bore_radius: float, carrier: Carrier) -> float:
    """Return the usual distance of an LED from its centre, or the largest at which its carrier fits."""
    room = bore_radius - _REACH_MM - carrier.radius
    reach = sqrt(max(room**2 - (carrier.depth / 2 - carrier.radius) ** 2, 0.0))
    most, usual = reach - carrier.width / 2 + carrier.radius, _LED_SHARE * bore_radius
    return round((min(usual, most) if most > 0 else usual) - 0.04, 1)

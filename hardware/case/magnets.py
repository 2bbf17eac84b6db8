"""The field of a board's magnets: that of a piece at its own sensor, and that of all others together.

Invariants: fields are in millitesla, and calculated: that on the axis as of a solenoid, that beside a magnet
as of a dipole. Nothing was measured.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import dist, hypot, pi

from firmware_host.games.game import Piece
from firmware_host.games.layout import Layout

REMANENCE_MT = 1300.0
"""The remanence of an N42 magnet."""

REED_CLOSES_MT = 0.9
"""The field that closes a reed of 10 ampere-turns, the most sensitive one recommended."""

MAX_STRAY_MT = 0.85 * REED_CLOSES_MT
"""The strongest field that all other pieces together may have along a reed at an empty point.

Beside a magnet the field points the other way than above it, so a lifted piece leaves its reed through zero:
a reed that other pieces can't close doesn't stay closed by them either.
"""

MAX_STRAY_AT_HALL_MT = 1.6
"""The same for hall switches: a third of the 4.8 mT at which sensitive ones close at the latest."""

MAX_STRAY_SHARE = 1 / 40
"""The same for linear sensors, as a share of a piece's own field: stacks differ by a ninth."""

MIN_SENSOR_MT = 20.0
"""The weakest field that a magnet may have under the inlay, where the sensor's upper end is.

A few millimetres off the centre less than half of it is left, and most hall switches need up to 9.5 mT.
"""

_STACK = 3
"""The pieces that may stand on one another."""

_STRONGER = 1.5
"""The field of a ball's magnet as a share of a ring's."""

Disc = tuple[float, float]
"""A magnet's diameter and height."""

Span = tuple[float, float]
"""The distances of a sensor's upper and lower end from the middle of a magnet above it."""

_STEPS = 20


def axial_field_mt(diameter_mm: float, height_mm: float, distance_mm: float) -> float:
    """Return the field of a disc magnet on its axis, at a distance from its face."""
    radius, far = diameter_mm / 2, distance_mm + height_mm
    return REMANENCE_MT / 2 * (far / hypot(radius, far) - distance_mm / hypot(radius, distance_mm))


def neighbour_field_mt(diameter_mm: float, height_mm: float, distance_mm: float) -> float:
    """Return the field of a disc magnet beside it, as that of a dipole."""
    volume = pi * (diameter_mm / 2) ** 2 * height_mm
    return REMANENCE_MT * volume / (4 * pi * distance_mm**3)


def stray_field_mt(
    layout: Layout, box: Mapping[Piece, int], pitch_mm: float, magnet: Disc, sensor_mm: Span
) -> float:
    """Return the strongest upright field at an empty point while all other pieces stand as near as they can.

    The strongest pieces stand nearest; `magnet` is that of the weakest.
    It is the mean along the sensor, whose ends are at these distances below the middle of a magnet on its
    point.
    """
    stack = _STACK if any(piece.flat for piece in box) else 1
    pieces = sorted((piece.magnet for piece, count in box.items() for _ in range(count)), reverse=True)
    strengths = [_STRONGER**rank for rank in pieces[:-1]]
    strongest = 0.0
    for empty in layout.points:
        apart = sorted(dist((empty.x, empty.y), (one.x, one.y)) for one in layout.points if one != empty)
        near: dict[float, float] = defaultdict(float)
        for distance, strength in zip((far for far in apart for _ in range(stack)), strengths, strict=False):
            near[distance] += strength
        field = sum(
            strength * _beside_mt(magnet, pitch_mm * distance, sensor_mm)
            for distance, strength in near.items()
        )
        strongest = max(strongest, field)
    return strongest


def _beside_mt(magnet: Disc, apart_mm: float, sensor_mm: Span) -> float:
    """Return the mean of the upright field of a dipole along a sensor beside it."""
    low, high = sensor_mm
    total = 0.0
    for step in range(_STEPS):
        below = low + (high - low) * (step + 0.5) / _STEPS
        far = hypot(apart_mm, below)
        total += neighbour_field_mt(*magnet, far) * (1 - 3 * (below / far) ** 2)
    return total / _STEPS

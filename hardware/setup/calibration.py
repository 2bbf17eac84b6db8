"""The kinds of pieces that a linear sensor tells apart: how strong each is, measured at one point for all.

Every sensor is read at rest and under one piece of the weakest kind while its place is looked for. How many
times as strong the others are, and which pole they have below, is the same everywhere: so one piece of each
kind is read at one point, and what the other sensors read follows.

Rules kept here: what reads unlike the kind that was asked for is not taken; what was not measured is taken to
be as strong as is usual beside what was, and told; no clock and no I/O.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from firmware_host.config.wiring_map import ADC_MOST
from hardware.scanner import Level
from hardware.sensors.decode import UNMEASURED_PIECES
from hardware.setup.progress import Found, Seat

_USUAL = tuple(level - UNMEASURED_PIECES[0] for level in UNMEASURED_PIECES[1:])
"""By how much each kind moves a sensor from rest: White's and Black's weaker, then their stronger."""

_ALIKE = 1.3
"""Pieces of one kind differ by less than this on one sensor, and sensors under one kind do, too."""

_STRONGER = 1.15
"""So many times as far as the weaker kind of the same player a stronger one moves a sensor at least."""


def place_to_measure(found: Found) -> int | None:
    """The seat that feels pieces neither more nor less than others do; None where none is known."""
    known = [
        (swing, number)
        for number, seat in enumerate(found.seats)
        if seat.point and (swing := _swing(found, seat))
    ]
    ordered = sorted(known, key=lambda one: (abs(one[0]), one[1]))
    return ordered[len(ordered) // 2][1] if ordered else None


def fits_kind(found: Found, level: float) -> bool:
    """Whether what was read at the place to measure can be the next kind that is asked for."""
    assert found.scale is not None  # noqa: S101 - asked only while kinds are measured
    seat, number = found.seats[found.scale], len(found.kinds)
    rest = _rest(found, seat)
    swings = [None if known is None else known - rest for known in found.kinds]
    swing = level - rest
    if number == 0:
        before = _swing(found, seat)
        return before is None or _is_alike(abs(swing), abs(before))
    opposed = next(
        (known for k, known in enumerate(swings) if known is not None and k % 2 != number % 2), None
    )
    same = next((known for k, known in enumerate(swings) if known is not None and k % 2 == number % 2), None)
    if opposed is not None and (opposed > 0) == (swing > 0):
        return False
    if same is not None and (same > 0) != (swing > 0):
        return False
    weaker = swings[number - 2] if number > 1 else None
    return weaker is None or abs(swing) >= _STRONGER * abs(weaker)


def levels_of_kinds(
    found: Found, seats: Mapping[str, Seat], rests: Mapping[str, Level]
) -> dict[str, tuple[Level, ...]]:
    """What each sensor reads at rest and under each kind, by the names of the points."""
    swings = _swings(found)
    levels = {}
    for name, seat in seats.items():
        rest = min(max(rests[name], 1), ADC_MOST - 1)
        swing = _swing(found, seat)
        gain = 1.0 if swing is None else abs(swing / swings[0 if (swing > 0) == (swings[0] > 0) else 1])
        levels[name] = rest, *(min(max(rest + round(gain * one), 0), ADC_MOST) for one in swings)
    return levels


def odd_places(found: Found) -> tuple[str, ...]:
    """The points whose sensor felt its piece much more or less than the others did."""
    swings = {seat.point: abs(swing) for seat in found.seats if seat.point and (swing := _swing(found, seat))}
    usual = median(swings.values()) if swings else 0
    return tuple(name for name, swing in swings.items() if not _is_alike(swing, usual))


def _swings(found: Found) -> tuple[float, ...]:
    """By how much each kind moves a usual sensor from rest, from what was measured of them."""
    rest = 0 if found.scale is None else _rest(found, found.seats[found.scale])
    measured = {n: level - rest for n, level in enumerate(found.kinds) if level is not None}
    if measured:
        times = median(swing / _USUAL[n] for n, swing in measured.items())
    else:
        away = [abs(swing) for seat in found.seats if (swing := _swing(found, seat))]
        times = median(away) / _USUAL[0] if away else 1.0
    return tuple(measured.get(n, times * usual) for n, usual in enumerate(_USUAL))


def _swing(found: Found, seat: Seat) -> float | None:
    """By how much its piece moved the sensor of a seat."""
    level = next((level for level in seat.levels if level is not None), None)
    return None if level is None else level - _rest(found, seat) or None


def _rest(found: Found, seat: Seat) -> Level:
    wire = seat.wires[0] if seat.wires else None
    return 0 if found.rests is None or wire is None else found.rests[wire]


def _is_alike(one: float, other: float) -> bool:
    return other / _ALIKE <= one <= other * _ALIKE


def left_to_measure(found: Found, kinds: Sequence[str]) -> str | None:
    """The kind that is to be measured next; None where all are."""
    return kinds[len(found.kinds)] if len(found.kinds) < len(kinds) else None

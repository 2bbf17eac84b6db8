"""The kinds of pieces that a linear sensor tells apart: their strengths, measured at one point for all.

Every sensor is read at rest and under one piece of the weakest kind while its place is looked for. The ratio
of the other kinds' strengths to that, and their poles, are the same everywhere: so one piece of each kind is
read at one point, and the readings of the other sensors follow.

Invariants: a reading that does not fit the kind that was asked for is not taken; a kind that was not measured
is assumed to have the usual ratio to those that were, and reported; there is no clock and no I/O.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from firmware_host.config.wiring_map import ADC_MAX
from hardware.scanner import Level
from hardware.sensors.decode import DEFAULT_STACK_LEVELS
from hardware.setup.progress import Seat, SetupFindings

_USUAL = tuple(level - DEFAULT_STACK_LEVELS[0] for level in DEFAULT_STACK_LEVELS[1:])
"""The usual swing of a sensor under each kind: White's and Black's weaker, then their stronger."""

_ALIKE = 1.3
"""The ratio within which pieces of one kind are alike on one sensor, and sensors under one kind."""

_STRONGER = 1.15
"""The least ratio of the swings under the stronger and the weaker kind of the same player."""


def next_kind(found: SetupFindings, kinds: Sequence[str]) -> str | None:
    """Return the kind that is to be measured next; None where all are."""
    return kinds[len(found.kinds)] if len(found.kinds) < len(kinds) else None


def place_to_measure(found: SetupFindings) -> int | None:
    """Return the seat whose swing under a piece is the median of all; None where none is known."""
    known = [
        (swing, number)
        for number, seat in enumerate(found.seats)
        if seat.point and (swing := _swing(found, seat))
    ]
    ordered = sorted(known, key=lambda one: (abs(one[0]), one[1]))
    return ordered[len(ordered) // 2][1] if ordered else None


def fits_kind(found: SetupFindings, level: float) -> bool:
    """Return whether a reading at the place to measure can be that of the next kind that is asked for."""
    assert found.scale is not None  # noqa: S101 - asked only while kinds are measured
    seat, number = found.seats[found.scale], len(found.kinds)
    rest = _rest(found, seat)
    swing = level - rest
    if number == 0:
        before = _swing(found, seat)
        return before is None or _is_alike(abs(swing), abs(before))
    swings = {kind: known - rest for kind, known in enumerate(found.kinds) if known is not None}
    if not _has_pole_of(number, swing, swings):
        return False
    weaker = swings.get(number - 2)
    return weaker is None or abs(swing) >= _STRONGER * abs(weaker)


def _has_pole_of(number: int, swing: float, swings: Mapping[int, float]) -> bool:
    """Return whether a swing has the pole of the kinds of one player, and not that of the other's."""
    for player in (0, 1):
        known = next((one for kind, one in swings.items() if kind % 2 == player), None)
        if known is None:
            continue
        same_pole = (known > 0) == (swing > 0)
        if same_pole != (player == number % 2):
            return False
    return True


def levels_of_kinds(
    found: SetupFindings, seats: Mapping[str, Seat], rests: Mapping[str, Level]
) -> dict[str, tuple[Level, ...]]:
    """Return the reading of each sensor at rest and under each kind, by the names of the points."""
    swings = _swings(found)
    levels = {}
    for name, seat in seats.items():
        rest = min(max(rests[name], 1), ADC_MAX - 1)
        swing = _swing(found, seat)
        gain = 1.0 if swing is None else abs(swing / swings[0 if (swing > 0) == (swings[0] > 0) else 1])
        levels[name] = rest, *(min(max(rest + round(gain * one), 0), ADC_MAX) for one in swings)
    return levels


def odd_places(found: SetupFindings) -> tuple[str, ...]:
    """Return the points whose sensor swung much more or less under its piece than the others did."""
    swings = {seat.point: abs(swing) for seat in found.seats if seat.point and (swing := _swing(found, seat))}
    usual = median(swings.values()) if swings else 0
    return tuple(name for name, swing in swings.items() if not _is_alike(swing, usual))


def _swings(found: SetupFindings) -> tuple[float, ...]:
    """Return the swing of a usual sensor under each kind, from those that were measured."""
    rest = 0 if found.scale is None else _rest(found, found.seats[found.scale])
    measured = {n: level - rest for n, level in enumerate(found.kinds) if level is not None}
    if measured:
        times = median(swing / _USUAL[n] for n, swing in measured.items())
    else:
        away = [abs(swing) for seat in found.seats if (swing := _swing(found, seat))]
        times = median(away) / _USUAL[0] if away else 1.0
    return tuple(measured.get(n, times * usual) for n, usual in enumerate(_USUAL))


def _swing(found: SetupFindings, seat: Seat) -> float | None:
    """Return the swing of the sensor of a seat under its piece; None where it has none."""
    level = next((level for level in seat.levels if level is not None), None)
    return None if level is None else level - _rest(found, seat) or None


def _rest(found: SetupFindings, seat: Seat) -> Level:
    wire = seat.wires[0] if seat.wires else None
    return 0 if found.rests is None or wire is None else found.rests[wire]


def _is_alike(one: float, other: float) -> bool:
    return other / _ALIKE <= one <= other * _ALIKE

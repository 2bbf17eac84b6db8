"""Decoding: from the levels of a board's wires to the readings of its points.

Invariants: nothing is computed while no level changes. If several contacts of one point are closed, the one
of the previous reading counts, otherwise the one with the lowest reading. A linear sensor for single pieces
reports one from half of the way to the level under that piece, and until it is back at a third of the way, so
that noise of a sixth of it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType

from firmware_host.errors import SensorError
from firmware_host.i18n import Message
from firmware_host.ports import (
    BLACK_PIECE,
    NOTHING,
    SOMETHING,
    WHITE_PIECE,
    Contact,
    Frame,
    Reading,
    SensorKind,
)
from hardware.scanner import Level, Levels, Scanner, Wire
from hardware.sensors.stack_decode import StackScale

DEFAULT_LEVELS = (512, 712, 312)
"""The assumed levels of an SS49E at rest, under White and under Black, until set-up has measured them.

At rest it may be a twentieth of the supply off the middle, 51 of 1023 (its data sheet: 2.25 to 2.75 V of 5);
so no sensor at rest is beyond a third of the way, which is 67.
"""

DEFAULT_STACK_LEVELS = (512, 657, 367, 747, 277)
"""The same for magnets of two strengths: also under the stronger of White and of Black.

Chosen so that a strong magnet on its own weak one stays within the range of an SS49E (its data sheet: from a
sixth to five sixths of its supply), and two weak ones on a strong one's place never look like it.
"""


def default_levels(alphabet: SensorKind) -> tuple[int, ...]:
    """Return the assumed levels of a sensor until set-up has measured it."""
    return DEFAULT_STACK_LEVELS if alphabet is SensorKind.PIECES else DEFAULT_LEVELS


Decoder = Callable[[Levels, Frame], Frame]
"""A function that makes the frame from all levels and the frame before."""


class PointSensors:
    """A SensorPort on any scanner."""

    def __init__(
        self, scanner: Scanner, meaning: Decoder, points: int, linear: Mapping[int, int] | None = None
    ) -> None:
        """Decode the levels of `scanner`; `linear` maps points to the indexes of their linear levels."""
        self._linear = linear or {}
        self._scanner = scanner
        self._meaning = meaning
        self._levels: Levels | None = None
        self._frame: Frame = (NOTHING,) * points

    def read(self) -> Frame:
        """Scan every point once; return the very same tuple as before if nothing changed."""
        levels = self._scanner.scan()
        if levels is not self._levels:
            frame = self._meaning(levels, self._frame)
            if frame != self._frame:
                self._frame = frame
            self._levels = levels
        return self._frame

    @property
    def levels(self) -> Mapping[int, Level]:
        """The last level of each linear sensor, from 0 to ADC_MAX, by the index of its point."""
        levels = self._levels
        return {} if levels is None else {point: levels[wire] for point, wire in self._linear.items()}

    def close(self) -> None:
        """Close the scanner; may be called twice."""
        self._scanner.close()

    def __enter__(self) -> PointSensors:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def switch_sensors(scanner: Scanner, contacts: Mapping[Contact, Wire], points: int) -> PointSensors:
    """Return sensors whose contacts are closed or open; raise SensorError if the scanner lacks a wire."""
    taps = _taps(scanner, contacts)

    def meaning(levels: Levels, before: Frame) -> Frame:
        frame = [NOTHING] * points
        for point, reading, wire in taps:
            if levels[wire] and (frame[point] == NOTHING or before[point] == reading):
                frame[point] = reading
        return tuple(frame)

    return PointSensors(scanner, meaning, points)


def linear_sensors(
    scanner: Scanner,
    contacts: Mapping[Contact, Wire],
    alphabet: SensorKind,
    levels: Mapping[int, tuple[int, ...]],
    points: int,
) -> PointSensors:
    """Return points with one linear sensor each; raise SensorError if the scanner lacks a wire.

    `levels` has the levels of each sensor, by the point's index: at rest, under a white piece and under a
    black one, and with PIECES also under those with the stronger magnet. Points it leaves out have
    `default_levels`.
    """
    scales = [
        (point, wire, scale_of(levels.get(point, default_levels(alphabet)), alphabet))
        for point, _, wire in _taps(scanner, contacts)
    ]

    last: Levels | None = None

    def meaning(levels: Levels, before: Frame) -> Frame:
        nonlocal last
        frame = [NOTHING] * points
        for point, wire, scale in scales:
            holds = last is not None and abs(levels[wire] - last[wire]) <= scale.widest
            frame[point] = scale.reading(levels[wire], before[point] if holds else None)
        last = levels
        return tuple(frame)

    return PointSensors(scanner, meaning, points, {point: wire for point, wire, _ in scales})


class Scale:
    """The conversion of one linear sensor's level.

    `rest` is its level without a piece, and `pieces` has the level and the reading of each thing that can
    stand there. Several may lie on the same side of rest, each beyond the one before.
    """

    widest = float("inf")
    """A reading holds however far the level jumps: the next lies far beyond its range."""

    def __init__(self, rest: Level, pieces: Iterable[tuple[Level, Reading]]) -> None:
        self._rest = rest
        above: list[tuple[Level, Reading]] = []
        below: list[tuple[Level, Reading]] = []
        for level, reading in sorted(pieces, key=lambda one: abs(one[0] - rest)):
            (above if level > rest else below).append((abs(level - rest), reading))
        self._above, self._below = _steps(above), _steps(below)

    @classmethod
    def of(cls, levels: Sequence[Level], alphabet: SensorKind) -> Scale:
        """Return the scale of a sensor with these levels at rest, under White and under Black."""
        rest, white, black = levels
        if alphabet is SensorKind.PRESENCE:
            return cls(rest, [(white, SOMETHING), (black, SOMETHING)])
        return cls(rest, [(white, WHITE_PIECE), (black, BLACK_PIECE)])

    def reading(self, level: Level, before: Reading | None) -> Reading:
        """Return the reading at `level`; `before` is the reading before, None if there is none to hold."""
        away = level - self._rest
        for closes, opens, reading, outwards in self._above if away > 0 else self._below:
            if abs(away) >= (opens if before in outwards else closes):
                return reading
        return NOTHING


def scale_of(levels: Sequence[Level], alphabet: SensorKind) -> Scale | StackScale:
    """Return the scale of a sensor with these levels."""
    return StackScale(levels) if alphabet is SensorKind.PIECES else Scale.of(levels, alphabet)


_Step = tuple[float, float, Reading, frozenset[Reading]]
"""The distances from rest at which a reading begins and ends, the reading, and those it continues."""


def _steps(pieces: Sequence[tuple[int, Reading]]) -> tuple[_Step, ...]:
    """Return the steps of one side, the furthest first, from the distances of what can stand there."""
    steps: list[_Step] = []
    inner = 0
    readings = [reading for _, reading in pieces]
    for number, (distance, reading) in enumerate(pieces):
        way = distance - inner
        steps.append((inner + way / 2, inner + way / 3, reading, frozenset(readings[number:])))
        inner = distance
    return tuple(reversed(steps))


def _taps(scanner: Scanner, contacts: Mapping[Contact, Wire]) -> list[tuple[int, Reading, int]]:
    """Return for each contact its point, its reading and the number of its wire in the scanner's levels."""
    number = {wire: n for n, wire in enumerate(scanner.wires)}
    if lacking := sorted({wire for wire in contacts.values() if wire not in number}):
        scanner.close()
        chip, channel = lacking[0]
        raise SensorError(Message("fault.no-channel", {"channel": channel, "chip": chip}))
    return [(point, reading, number[wire]) for (point, reading), wire in sorted(contacts.items())]

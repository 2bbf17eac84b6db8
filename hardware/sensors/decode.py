"""What the levels of a board's wires say of its points.

Rules kept here: nothing is worked out anew while no level changes; where several contacts of one point are
closed at once, the one that was believed before still is, else the one with the lowest reading. A linear
sensor that tells one piece feels a piece from half of the way to the level that it has under that piece, and
until it is back at a third of the way, so that noise of a sixth of it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType

from firmware_host.errors import SensorError
from firmware_host.i18n import Message
from firmware_host.ports import BLACK_PIECE, NOTHING, SOMETHING, WHITE_PIECE, Alphabet, Frame, Reading
from hardware.scanner import Level, Levels, Scanner, Wire
from hardware.sensors.stack_decode import StackScale
from hardware.wiring.contacts import Contact

UNMEASURED = (512, 712, 312)
"""What an SS49E is taken to read at rest, under White and under Black, until set-up has measured it.

At rest it may be a twentieth of the supply beside the half, 51 of 1023 (its data sheet: 2.25 to 2.75 V of 5);
so no sensor at rest is beyond a third of the way, which is 67.
"""

UNMEASURED_PIECES = (512, 657, 367, 747, 277)
"""The same with magnets of two strengths: also under the stronger of White and of Black.

Chosen so that a strong magnet above its own weak one stays within what an SS49E gives (its data sheet: from a
sixth to five sixths of its supply), and two weak ones on a strong one's place never look like it.
"""


def unmeasured(alphabet: Alphabet) -> tuple[int, ...]:
    """What a sensor is taken to read until set-up has measured it."""
    return UNMEASURED_PIECES if alphabet is Alphabet.PIECES else UNMEASURED


Meaning = Callable[[Levels, Frame], Frame]
"""Makes the frame from all levels and the frame before."""


class PointSensors:
    """A SensorPort on any scanner."""

    def __init__(
        self, scanner: Scanner, meaning: Meaning, points: int, linear: Mapping[int, int] | None = None
    ) -> None:
        """`linear` has which of the scanner's levels is a linear sensor's, by the index of its point."""
        self._linear = linear or {}
        self._scanner = scanner
        self._meaning = meaning
        self._levels: Levels | None = None
        self._frame: Frame = (NOTHING,) * points

    def read(self) -> Frame:
        """Scan every point once; the very same tuple as before where nothing changed."""
        levels = self._scanner.scan()
        if levels is not self._levels:
            frame = self._meaning(levels, self._frame)
            if frame != self._frame:
                self._frame = frame
            self._levels = levels
        return self._frame

    @property
    def levels(self) -> Mapping[int, Level]:
        """The level of each linear sensor when it was read last, of ADC_MOST, by the index of its point."""
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


def of_switches(scanner: Scanner, contacts: Mapping[Contact, Wire], points: int) -> PointSensors:
    """Points whose contacts are closed or open; raises SensorError where the scanner lacks a wire."""
    taps = _taps(scanner, contacts)

    def meaning(levels: Levels, before: Frame) -> Frame:
        frame = [NOTHING] * points
        for point, reading, wire in taps:
            if levels[wire] and (frame[point] == NOTHING or before[point] == reading):
                frame[point] = reading
        return tuple(frame)

    return PointSensors(scanner, meaning, points)


def of_linear(
    scanner: Scanner,
    contacts: Mapping[Contact, Wire],
    alphabet: Alphabet,
    levels: Mapping[int, tuple[int, ...]],
    points: int,
) -> PointSensors:
    """Points with a linear sensor each; raises SensorError where the scanner lacks a wire.

    `levels` has what the sensor of a point, by the point's index, reads at rest, under a white piece and
    under a black one, and with PIECES also under those with the stronger magnet; `unmeasured` holds for
    those it leaves out.
    """
    scales = [
        (point, wire, scale_of(levels.get(point, unmeasured(alphabet)), alphabet))
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
    """What the level of one linear sensor says.

    `rest` is what it reads where nothing stands, and `felt` has the level of each thing that can stand there,
    with its reading. Several may lie on the same side of rest, each beyond the one before.
    """

    widest = float("inf")
    """A reading holds however far the level jumps: the next lies far beyond where it holds."""

    def __init__(self, rest: Level, felt: Iterable[tuple[Level, Reading]]) -> None:
        self._rest = rest
        above: list[tuple[Level, Reading]] = []
        below: list[tuple[Level, Reading]] = []
        for level, reading in sorted(felt, key=lambda one: abs(one[0] - rest)):
            (above if level > rest else below).append((abs(level - rest), reading))
        self._above, self._below = _steps(above), _steps(below)

    @classmethod
    def of(cls, levels: Sequence[Level], alphabet: Alphabet) -> Scale:
        """The scale of a sensor with these levels at rest, under White and under Black."""
        rest, white, black = levels
        if alphabet is Alphabet.PRESENCE:
            return cls(rest, [(white, SOMETHING), (black, SOMETHING)])
        return cls(rest, [(white, WHITE_PIECE), (black, BLACK_PIECE)])

    def reading(self, level: Level, before: Reading | None) -> Reading:
        """What stands there, where the reading before was `before`."""
        away = level - self._rest
        for closes, opens, reading, outwards in self._above if away > 0 else self._below:
            if abs(away) >= (opens if before in outwards else closes):
                return reading
        return NOTHING


def scale_of(levels: Sequence[Level], alphabet: Alphabet) -> Scale | StackScale:
    """The scale of a sensor with these levels."""
    return StackScale(levels) if alphabet is Alphabet.PIECES else Scale.of(levels, alphabet)


_Step = tuple[float, float, Reading, frozenset[Reading]]
"""How far from rest a reading begins, and how far it holds once it or one further out is believed."""


def _steps(felt: Sequence[tuple[int, Reading]]) -> tuple[_Step, ...]:
    """The steps of one side, the furthest first, from the distances of what can stand there."""
    steps: list[_Step] = []
    inner = 0
    readings = [reading for _, reading in felt]
    for number, (distance, reading) in enumerate(felt):
        way = distance - inner
        steps.append((inner + way / 2, inner + way / 3, reading, frozenset(readings[number:])))
        inner = distance
    return tuple(reversed(steps))


def _taps(scanner: Scanner, contacts: Mapping[Contact, Wire]) -> list[tuple[int, Reading, int]]:
    """For each contact its point, its reading and the number of its wire in the scanner's levels."""
    number = {wire: n for n, wire in enumerate(scanner.wires)}
    if lacking := sorted({wire for wire in contacts.values() if wire not in number}):
        scanner.close()
        chip, channel = lacking[0]
        raise SensorError(Message("fault.no-channel", {"channel": channel, "chip": chip}))
    return [(point, reading, number[wire]) for (point, reading), wire in sorted(contacts.items())]

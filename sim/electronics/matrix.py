"""A diode matrix on gpiozero's mock pins: a network of rows, columns, reeds and diodes.

Rows and columns are alike to it: any line can be driven low, and any released one be read.

Invariants:
- Levels are computed when pins are read, from the network as it is then.
- A line reads low if current can flow from it to a line that is driven low, through closed reeds, diodes in
  their direction, and wires that touch, with a voltage left that the Pi takes for low. Each diode on the way
  costs its forward voltage.
- A line that is no longer held low takes time to rise through its pull-up.
- A driven line holds against any resistor; a loose one reaches nothing, and reads as its pin is pulled.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin  # type: ignore[import-untyped]

from firmware_host.settings import Gpio, Microseconds
from hardware.scanner import Wire
from sim.clock import Clock
from sim.scheduler import Scheduler

FORWARD_V = 0.45
"""The forward voltage of a 1N4148 at the 60 uA of the Pi's pull-up.

Its data sheets have 0.62 to 0.72 V at 5 mA (1N4448, of the same die), and a slope of 0.11 V a decade.
"""

LOW_BELOW_V = 1.4
"""The voltage below which the model reads low; by the Pi's data sheets 0.8 V surely is, and 2.0 V is not."""


class Diode(enum.Enum):
    """The state of the diode at a crossing."""

    GOOD = "good"
    OPEN = "open"
    SHORTED = "shorted"
    REVERSED = "reversed"


_Node = int
"""A line: the rows by their numbers, then the columns."""

_Passage = tuple[_Node, int]
"""A line that current can flow to, and the number of diodes on the way."""

MatrixState = tuple[int, int, int]
"""The state of a matrix: a count of changes to it, the lines that are driven low, those that are pulled down.
"""


class DiodeMatrix:
    """Rows and columns with a reed and a diode at each crossing; each diode conducts from column to row.

    `rise_us` is the time that a line takes to rise. `resistor`: an external one pulls each column up.
    """

    def __init__(
        self,
        clock: Clock,
        agenda: Scheduler,
        rows: int,
        columns: int,
        rise_us: Microseconds,
        *,
        resistor: bool = False,
    ) -> None:
        self._now = clock.now
        self._agenda = agenda
        self._rows = rows
        # A released row has a pull-up of its own, so that it does not hold its columns back.
        self._rise_us = rise_us
        self._rise_times = [rise_us] * (rows + columns)
        self._resistor = resistor
        self._changes = 0
        self._driven = 0
        """The lines that the Pi drives low, a bit each."""
        self._down = 0
        """The released lines that the Pi pulls down."""
        self._contacts: set[Wire] = set()
        self._moved: Mapping[Wire, Wire] = {}
        self._low: dict[int, int] = {}
        """The lines that are held low, by those that are driven low; forgotten at each change."""
        self._held = 0
        self._rises: list[Microseconds] = [0] * (rows + columns)
        self._diodes: dict[Wire, Diode] = {}
        self._loose = self._grounded = 0
        self._joined: set[tuple[int, int]] = set()

    def close_contact(self, at: Wire, closed: bool) -> None:
        """Close or open a reed."""
        (self._contacts.add if closed else self._contacts.discard)(at)
        self._changed()

    def row(self, number: int) -> int:
        """Return the number of a row among all lines."""
        return number

    def column(self, number: int) -> int:
        """Return the number of a column among all lines."""
        return self._rows + number

    # ---- faults ----------------------------------------------------------------------------------------

    def break_diode(self, at: Wire, diode: Diode) -> None:
        """Let the diode of a reed be in this state."""
        self._diodes[at] = diode
        self._changed()

    def loosen(self, line: int) -> None:
        """Disconnect a line from the Pi."""
        self._loose |= 1 << line
        self._changed()

    def slow(self, line: int, rise_us: Microseconds) -> None:
        """Set the rise time of a line."""
        self._rise_times[line] = rise_us
        self._changed()

    def ground(self, line: int) -> None:
        """Let the wire of a line touch ground."""
        self._grounded |= 1 << line
        self._changed()

    def join(self, one: int, other: int) -> None:
        """Let the wires of two lines touch."""
        self._joined.add((one, other))
        self._changed()

    def fail(self, chip: int, dead: bool) -> None:
        """Disconnect a row from the Pi, or connect it again."""
        bit = 1 << self.row(chip)
        self._loose = self._loose | bit if dead else self._loose & ~bit
        self._changed()

    def rewire(self, moved: Mapping[Wire, Wire]) -> None:
        """Solder reeds and their diodes to other crossings; the set of crossings stays the same."""
        self._moved = moved
        self._changed()

    def repair(self) -> None:
        """End all faults."""
        self._diodes = {}
        self._loose = self._grounded = 0
        self._joined = set()
        self._rise_times = [self._rise_us] * len(self._rises)
        self.rewire({})

    # ---- the Pi's side ---------------------------------------------------------------------------------

    def drive(self, line: int, low: bool) -> None:
        """Drive a line low, or release it."""
        self._run()
        self._driven = _with(self._driven, line, low)
        self._update()

    def pull(self, line: int, pull: str) -> None:
        """Pull a released line."""
        held = self._resistor and line >= self._rows
        down = _with(self._down, line, pull == "down" and not held)
        if down != self._down:
            self._down = down
            self._changed()

    def level(self, line: int, pull: str) -> bool:
        """Return the level that a released line's pin reads."""
        self._run()
        if self._loose >> line & 1:
            return pull == "up"
        if self._held >> line & 1 or self._now() < self._rises[line]:
            return False
        return pull != "down" or (self._resistor and line >= self._rows)

    # ---- for lines that remember -----------------------------------------------------------------------

    @property
    def standing(self) -> MatrixState:
        """The current state."""
        return self._changes, self._driven, self._down

    def rests(self, standing: MatrixState, now: Microseconds, until: Microseconds) -> bool:
        """Return True if the matrix is in this state, no line rises, and no event is due before `until`."""
        return until < self._agenda.next and self.standing == standing and max(self._rises) <= now

    def rises_since(self, began: Microseconds) -> tuple[Microseconds, ...]:
        """Return the rise time of each line after `began`; 0 if it had risen by then."""
        return tuple(max(0, rises - began) for rises in self._rises)

    def rise(self, began: Microseconds, rises: tuple[Microseconds, ...]) -> None:
        """Let each line rise at this time after `began`."""
        self._rises = [began + after for after in rises]

    # ---- the network -----------------------------------------------------------------------------------

    def _run(self) -> None:
        now = self._now()
        if now >= self._agenda.next:
            self._agenda.run(now)

    def _changed(self) -> None:
        self._changes += 1
        self._low.clear()
        self._update()

    def _update(self) -> None:
        """Find the lines that are held low now; those that no longer are begin to rise."""
        before, driven = self._held, self._driven
        held = self._low.get(driven)
        if held is None:
            held = self._low[driven] = self._held_low()
        self._held = held
        released = before & ~held
        if released:
            now = self._now()
            for line in _lines(released):
                self._rises[line] = now + self._rise_times[line]

    def _held_low(self) -> int:
        """Return the lines from which current flows to ground, each at a voltage that reads low."""
        sinks = (self._driven | self._down) & ~self._loose | self._grounded
        into: dict[_Node, list[_Passage]] = {}
        for one, other, diodes in self._passages():
            into.setdefault(other, []).append((one, diodes))
        return sum(1 << line for line in _reached(tuple(_lines(sinks)), into))

    def _passages(self) -> Iterator[tuple[_Node, _Node, int]]:
        """Yield each way that current can take: from a line to a line, and the diodes that it passes."""
        for one, other in self._joined:
            yield one, other, 0
            yield other, one, 0
        for contact in self._contacts:
            row, column = self._moved.get(contact, contact)
            yield from _through(self._diodes.get(contact, Diode.GOOD), self.column(column), row)


def _through(diode: Diode, column: _Node, row: _Node) -> Iterator[tuple[_Node, _Node, int]]:
    match diode:
        case Diode.GOOD:
            yield column, row, 1
        case Diode.REVERSED:
            yield row, column, 1
        case Diode.SHORTED:
            yield column, row, 0
            yield row, column, 0


def _with(lines: int, line: int, there: bool) -> int:
    return lines | 1 << line if there else lines & ~(1 << line)


def _lines(bits: int) -> Iterator[int]:
    return (line for line in range(bits.bit_length()) if bits >> line & 1)


def _reached(sinks: Sequence[_Node], into: Mapping[_Node, Collection[_Passage]]) -> Iterator[_Node]:
    """Yield the lines that the sinks pull low, through as few diodes as possible."""
    most = int(LOW_BELOW_V / FORWARD_V)
    diodes = dict.fromkeys(sinks, 0)
    waiting = deque(sinks)
    while waiting:
        node = waiting.popleft()
        for one, more in into.get(node, ()):
            passed = diodes[node] + more
            if passed <= most and passed < diodes.get(one, most + 1):
                diodes[one] = passed
                waiting.append(one)
    yield from diodes


class MatrixPin(MockPin):  # type: ignore[misc] # gpiozero has no types
    """The pin of a line: it is driven, or has the level of its line."""

    _function: str
    _pull: str
    _state: bool

    def __init__(self, factory: Any, info: Any, matrix: DiodeMatrix, line: int) -> None:
        self._matrix, self._line = matrix, line
        super().__init__(factory, info)

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self._follow()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._matrix.pull(self._line, value)

    def _get_state(self) -> bool:
        if self._function == "output":
            return self._state
        return self._matrix.level(self._line, self._pull)

    state = property(_get_state, MockPin._set_state)  # without gpiozero's way round by a lambda

    def _change_state(self, value: bool) -> bool:
        if self._state == value:
            return False
        self._state = value
        self._follow()
        return True

    def _follow(self) -> None:
        self._matrix.drive(self._line, low=self._function == "output" and not self._state)


def pi_with(matrix: DiodeMatrix, rows: Sequence[Gpio], columns: Sequence[Gpio]) -> MockFactory:
    """Return a gpiozero factory with pins that are wired to `matrix`."""
    factory = MockFactory(revision="a02082", pin_class=MockPin)
    pin = partial(factory.pin, pin_class=MatrixPin, matrix=matrix)
    for number, gpio in enumerate(rows):
        pin(gpio, line=matrix.row(number))
    for number, gpio in enumerate(columns):
        pin(gpio, line=matrix.column(number))
    return factory

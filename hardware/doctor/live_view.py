"""What all sensors say just now, point by point: for one who moves a piece over the board and looks.

Rules kept here: what is shown follows from the levels and times it was given; a change is told when it comes
and when it has lasted as long as play waits for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from firmware_host.settings import Microseconds
from hardware.doctor.part_names import Names
from hardware.scanner import Level, Levels, Wire
from hardware.setup.level_watch import FELT_COUNTS

_SECOND: Microseconds = 1_000_000
_LEARNS = 100

OPEN, CLOSED, WAVERING = ".", "#", "?"
"""How a point is drawn: nothing felt, a piece felt, and what is not believed yet."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A wire that changed: what it says now, and whether that has lasted."""

    wire: Wire
    closed: bool
    believed: bool
    level: Level


class WireWatch:
    """The wires of a board, level after level.

    `debounce_us`: how long a wire must say the same to be believed. A linear sensor is compared with what it
    read on average in its first frames, in which no piece should stand there.
    """

    def __init__(self, wires: tuple[Wire, ...], debounce_us: Microseconds, *, linear: bool = False) -> None:
        self.wires = wires
        self.levels: Levels = (0,) * len(wires)
        self.raw = [False] * len(wires)
        """What each wire says now."""
        self.believed = [False] * len(wires)
        """What it has said for long enough."""
        self._linear = linear
        self._debounce = debounce_us
        self._since: list[Microseconds] = [0] * len(wires)
        self._changes: list[deque[Microseconds]] = [deque(maxlen=1000) for _ in wires]
        self._sums, self._seen = [0] * len(wires), 0

    def step(self, levels: Levels, now: Microseconds) -> Iterator[Turn]:
        """Take in all levels; what changed."""
        self.levels = levels
        for number, closed in enumerate(self._feel(levels)):
            if closed != self.raw[number]:
                self.raw[number] = closed
                self._since[number] = now
                self._changes[number].append(now)
                yield Turn(self.wires[number], closed, believed=False, level=levels[number])
            if closed != self.believed[number] and now - self._since[number] >= self._debounce:
                self.believed[number] = closed
                yield Turn(self.wires[number], closed, believed=True, level=levels[number])

    def changes_a_second(self, number: int, now: Microseconds) -> int:
        """How often a wire changed within the last second."""
        return sum(now - at <= _SECOND for at in self._changes[number])

    def _feel(self, levels: Levels) -> list[bool]:
        if not self._linear:
            return [bool(level) for level in levels]
        if self._seen < _LEARNS:
            self._seen += 1
            self._sums = [total + level for total, level in zip(self._sums, levels, strict=True)]
        return [
            abs(level - total / self._seen) >= FELT_COUNTS
            for level, total in zip(levels, self._sums, strict=True)
        ]


def marks(watch: WireWatch, names: Names) -> Mapping[str, str]:
    """How each point is drawn."""
    drawn: dict[str, str] = {}
    for number, wire in enumerate(watch.wires):
        owner = names.owners.get(wire)
        if owner is None:
            continue
        point, reading = names.layout.points[owner[0]].name, owner[1]
        if watch.raw[number] != watch.believed[number]:
            drawn[point] = WAVERING
        elif watch.believed[number] and drawn.get(point, OPEN) != WAVERING:
            drawn[point] = CLOSED if len(names.contacts) == len(names.layout) else "ox"[reading - 1]
        else:
            drawn.setdefault(point, OPEN)
    return drawn


def rows(watch: WireWatch, names: Names, now: Microseconds) -> list[str]:
    """A line for each wire that says something, or lately did."""
    told = []
    for number, wire in enumerate(watch.wires):
        unrest = watch.changes_a_second(number, now)
        if watch.raw[number] or watch.believed[number] or unrest:
            state = "closed" if watch.raw[number] else "open"
            believed = "" if watch.raw[number] == watch.believed[number] else ", not believed yet"
            level = f", level {watch.levels[number]}" if max(watch.levels) > 1 else ""
            told.append(f"{names.wire(wire)}: {state}{believed}{level}, {unrest} changes a second")
    return told


def turn_text(turn: Turn, names: Names, now: Microseconds) -> str:
    """A change in one line."""
    state = "closed" if turn.closed else "open"
    level = f" (level {turn.level})" if turn.level > 1 else ""
    believed = ", believed" if turn.believed else ""
    return f"{now / _SECOND:9.3f} s  {names.wire(turn.wire)} {state}{level}{believed}"

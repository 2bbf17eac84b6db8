"""All sensors live, point by point, while a piece is moved over the board.

Invariants: the view follows from the given levels and times. A change is reported when it occurs, and again
when it has lasted for the debounce time of play.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from firmware_host.frozen import frozen
from firmware_host.i18n import to_english
from firmware_host.settings import Microseconds
from hardware.doctor.part_names import PartNames
from hardware.scanner import Level, Levels, Wire
from hardware.setup.level_watch import SENSED_COUNTS

_SECOND: Microseconds = 1_000_000
_CALIBRATION_FRAMES = 100

OPEN, CLOSED, WAVERING = ".", "#", "?"
"""Marks of a point: open, closed, and changing."""


@frozen
class WireChange:
    """A change of a wire; `stable` if it has lasted for the debounce time."""

    wire: Wire
    closed: bool
    stable: bool
    level: Level


class WireWatch:
    """The wires of a board, fed level by level.

    `debounce_us` is the time for which a wire must be steady. A linear sensor is compared with its average
    over the first frames, during which the board should be empty.
    """

    def __init__(self, wires: tuple[Wire, ...], debounce_us: Microseconds, *, linear: bool = False) -> None:
        self.wires = wires
        self.levels: Levels = (0,) * len(wires)
        self.raw = [False] * len(wires)
        """The latest reading of each wire: closed or open."""
        self.stable = [False] * len(wires)
        """The debounced state of each wire."""
        self._linear = linear
        self._debounce = debounce_us
        self._since: list[Microseconds] = [0] * len(wires)
        self._changes: list[deque[Microseconds]] = [deque(maxlen=1000) for _ in wires]
        self._sums, self._calibrated = [0] * len(wires), 0

    def step(self, levels: Levels, now: Microseconds) -> Iterator[WireChange]:
        """Take the levels of a frame; yield the changes."""
        self.levels = levels
        for number, closed in enumerate(self._closed(levels)):
            if closed != self.raw[number]:
                self.raw[number] = closed
                self._since[number] = now
                self._changes[number].append(now)
                yield WireChange(self.wires[number], closed, stable=False, level=levels[number])
            if closed != self.stable[number] and now - self._since[number] >= self._debounce:
                self.stable[number] = closed
                yield WireChange(self.wires[number], closed, stable=True, level=levels[number])

    def changes_a_second(self, number: int, now: Microseconds) -> int:
        """Return how often a wire changed within the last second."""
        return sum(now - at <= _SECOND for at in self._changes[number])

    def _closed(self, levels: Levels) -> list[bool]:
        if not self._linear:
            return [bool(level) for level in levels]
        if self._calibrated < _CALIBRATION_FRAMES:
            self._calibrated += 1
            self._sums = [total + level for total, level in zip(self._sums, levels, strict=True)]
        return [
            abs(level - total / self._calibrated) >= SENSED_COUNTS
            for level, total in zip(levels, self._sums, strict=True)
        ]


def marks(watch: WireWatch, names: PartNames) -> Mapping[str, str]:
    """Return the mark of each point."""
    drawn: dict[str, str] = {}
    for number, wire in enumerate(watch.wires):
        owner = names.owners.get(wire)
        if owner is None:
            continue
        point, reading = names.layout.points[owner[0]].name, owner[1]
        if watch.raw[number] != watch.stable[number]:
            drawn[point] = WAVERING
        elif watch.stable[number] and drawn.get(point, OPEN) != WAVERING:
            drawn[point] = CLOSED if len(names.contacts) == len(names.layout) else "ox"[reading - 1]
        else:
            drawn.setdefault(point, OPEN)
    return drawn


def rows(watch: WireWatch, names: PartNames, now: Microseconds) -> list[str]:
    """Return a line for each wire that is closed, or changed lately."""
    lines = []
    for number, wire in enumerate(watch.wires):
        changes = watch.changes_a_second(number, now)
        if watch.raw[number] or watch.stable[number] or changes:
            state = "closed" if watch.raw[number] else "open"
            settled = "" if watch.raw[number] == watch.stable[number] else ", not stable yet"
            level = f", level {watch.levels[number]}" if max(watch.levels) > 1 else ""
            lines.append(
                f"{to_english(names.wire(wire))}: {state}{settled}{level}, {changes} changes a second"
            )
    return lines


def change_text(change: WireChange, names: PartNames, now: Microseconds) -> str:
    """Return a change as a line of text."""
    state = "closed" if change.closed else "open"
    level = f" (level {change.level})" if change.level > 1 else ""
    settled = ", stable" if change.stable else ""
    return f"{now / _SECOND:9.3f} s  {to_english(names.wire(change.wire))} {state}{level}{settled}"

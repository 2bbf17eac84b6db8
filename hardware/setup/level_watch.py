"""Changes on a board of which only levels are known: the wires that begin or cease to sense a piece.

A switch reads 1 when closed and 0 when open. A linear sensor is compared with its reading at rest: it senses
1 above that and -1 below.

Invariants: nothing counts before all wires have come to rest, so that bounce, brushes and slides over other
points are not taken for placements; a wire that changes without end is singled out and holds nobody up; time
is an argument, so that a list of levels and times reproduces everything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from firmware_host.frozen import frozen
from firmware_host.settings import Microseconds
from hardware.scanner import Level, Levels

REST_TIME: Microseconds = 350_000
"""Time without any change after which a board is at rest; a brush over a point lasts 100 ms."""

RESTLESS_CHANGES = 8
RESTLESS_WITHIN: Microseconds = 2_000_000
"""A wire with RESTLESS_CHANGES changes in this time is restless; hands make fewer than four moves in it."""

SENSED_COUNTS = 16
"""Distance from rest at which a linear sensor senses a piece: some 5 mT of an SS49E at 3.3 V."""
RELEASED_COUNTS = 10
"""Distance from rest below which it no longer does; the gap keeps noise from toggling it."""

_LEARNING_TIME: Microseconds = 500_000
_SETTLING_TIME: Microseconds = 100_000
_MAX_READINGS = 40


@frozen
class Change:
    """The differences from the last rest, as numbers of wires in the order of their first changes.

    The wires in `passed` changed in the meantime and read as before again.
    """

    set_down: tuple[int, ...]
    lifted: tuple[int, ...]
    passed: tuple[int, ...] = ()


@dataclass(slots=True)
class WireState:
    """The state of one wire: what it senses, its recent changes and the average of its readings."""

    number: int
    raw: int = 0
    """1, 0 or -1 by the last reading."""
    stable: int = 0
    """1, 0 or -1 when all was last at rest."""
    changes: int = 0
    changed_at: Microseconds = 0
    recent: deque[Microseconds] = field(default_factory=lambda: deque(maxlen=RESTLESS_CHANGES))
    """The times of its changes since all was last at rest."""
    total: int = 0
    count: int = 0
    average_before: float | None = None
    """The average reading before it last began to sense something."""

    def observe(self, sense: int, now: Microseconds) -> None:
        """Take over what the wire senses at `now`."""
        if sense == self.raw:
            return
        if not self.raw and self.count:
            self.average_before = self.total / self.count
        self.raw = sense
        self.changes += 1
        self.changed_at = now
        self.recent.append(now)
        self.total = self.count = 0

    def add_reading(self, level: Level) -> None:
        """Add a reading to the average, in which older readings lose weight."""
        if self.count >= _MAX_READINGS:
            self.total, self.count = self.total // 2, self.count // 2
        self.total += level
        self.count += 1

    def is_restless(self, now: Microseconds) -> bool:
        """Return whether the wire changes without end."""
        return len(self.recent) == RESTLESS_CHANGES and now - self.recent[0] <= RESTLESS_WITHIN

    def settle(self) -> bool:
        """Accept what the wire senses as its state at rest; return whether that is another than before."""
        changed = self.raw != self.stable
        self.stable = self.raw
        self.recent.clear()
        return changed


class LevelWatch:
    """A watch over the wires of a board that reports what changed from rest to rest.

    A linear board must be empty for the first half second, unless `rests` gives the reading of each sensor
    on the empty board.
    """

    def __init__(self, wires: int, *, linear: bool = False, rests: Sequence[Level] | None = None) -> None:
        self.at_rest = False
        """True once all wires are at rest, apart from the restless ones."""
        self.restless: tuple[int, ...] = ()
        """The wires that change without end."""
        self.rests: tuple[Level, ...] | None = tuple(rests) if rests is not None else None
        """The reading of each linear sensor at rest, once that is known; switches have none."""
        self._linear = linear
        self._wires = [WireState(number) for number in range(wires)]
        self._levels: Levels | None = None
        self._began: Microseconds | None = None

    @property
    def stable(self) -> tuple[int, ...]:
        """1, 0 or -1 for each wire, as of when all was last at rest."""
        return tuple([wire.stable for wire in self._wires])

    @property
    def raw(self) -> tuple[int, ...]:
        """1, 0 or -1 for each wire by its last reading, at rest or not."""
        return tuple([wire.raw for wire in self._wires])

    @property
    def changes(self) -> list[int]:
        """The number of changes of each wire since the beginning; under a resting piece it stays the same."""
        return [wire.changes for wire in self._wires]

    def step(self, levels: Levels, now: Microseconds) -> Change | None:
        """Take in all levels at `now`; return the change once all has come to rest and differs from before.

        Pieces that stand there from the beginning are in the first change.
        """
        if self._began is None:
            self._began = now
        same = levels is self._levels and not self._linear
        if same and self.at_rest and not self.restless:
            return None
        self._levels = levels
        if self._linear and self.rests is None:
            self._learn(levels, now, self._began)
            return None
        if not same:
            for wire, level in zip(self._wires, levels, strict=True):
                wire.observe(self._sense(wire, level), now)
        if self._linear:
            self._average(levels, now)
        return self._settle(now, self._began)

    def level(self, wire: int) -> Level:
        """Return the average reading of `wire` since it last changed and settled."""
        state = self._wires[wire]
        if state.count:
            return round(state.total / state.count)
        return self._levels[wire] if self._levels else 0

    def swing(self, wire: int) -> float:
        """Return by how much the average of `wire` exceeds that before it last began to sense something.

        Pieces on other points stood there before as well, so their magnets do not distort the difference.
        """
        state = self._wires[wire]
        level = state.total / state.count if state.count else self.level(wire)
        if state.average_before is not None:
            return level - state.average_before
        return level - (0 if self.rests is None else self.rests[wire])

    def _sense(self, wire: WireState, level: Level) -> int:
        if self.rests is None:
            return 1 if level else 0
        away = level - self.rests[wire.number]
        if abs(away) >= (RELEASED_COUNTS if wire.raw else SENSED_COUNTS):
            return 1 if away > 0 else -1
        return 0

    def _settle(self, now: Microseconds, began: Microseconds) -> Change | None:
        moved = self._moved(now)
        last = max((wire.changed_at for wire in moved), default=began)
        self.at_rest = now - max(last, began) >= REST_TIME
        if not self.at_rest:
            return None
        moved.sort(key=lambda wire: (wire.recent[0], wire.number))
        changed: list[WireState] = []
        passed: list[int] = []
        for wire in moved:
            if wire.settle():
                changed.append(wire)
            else:
                passed.append(wire.number)
        return _change(changed, passed) if changed else None

    def _moved(self, now: Microseconds) -> list[WireState]:
        """Return the wires that changed since the last rest, apart from the restless ones."""
        restless = [wire for wire in self._wires if wire.is_restless(now)]
        self.restless = tuple([wire.number for wire in restless])
        return [wire for wire in self._wires if wire.recent and wire.number not in self.restless]

    def _average(self, levels: Levels, now: Microseconds) -> None:
        for wire, level in zip(self._wires, levels, strict=True):
            if now - wire.changed_at >= _SETTLING_TIME:
                wire.add_reading(level)

    def _learn(self, levels: Levels, now: Microseconds, began: Microseconds) -> None:
        """Average the readings of the empty board, and take the averages for the readings at rest at last."""
        for wire, level in zip(self._wires, levels, strict=True):
            wire.add_reading(level)
        if now - began >= _LEARNING_TIME:
            self.rests = tuple([self.level(wire.number) for wire in self._wires])
            self._began = now


def _change(changed: Sequence[WireState], passed: Sequence[int]) -> Change:
    set_down = tuple([wire.number for wire in changed if wire.raw])
    lifted = tuple([wire.number for wire in changed if not wire.raw])
    return Change(set_down, lifted, tuple(passed))
